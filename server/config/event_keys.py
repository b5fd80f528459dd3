"""Lists the keys of event files (the settings of tournaments). JSON Schemas describe the values that each key allows.

The reader of event files makes some checks that a schema cannot make. For example, it checks whether a folder exists.
Apart from these checks, the schemas are as strict as the reader.
"""

from collections.abc import Mapping
from typing import Any

from server.config.event_values import MAX_DOLLARS, MIN_INVITATION_CHARACTERS, MIN_SECRET_CHARACTERS
from server.contests import CONTESTS

Schema = Mapping[str, Any]
"""The JSON Schema of a value."""
MAX_CHIPS = 1_000_000
MAX_HANDS = 100_000
MAX_SECONDS = 3_600
MAX_ROUNDS = 10_000

NUMBER_RANGES = {
    "table.starting_stack": (2, MAX_CHIPS),
    "table.hands_per_level": (0, 10_000),
    "table.most_hands": (0, MAX_HANDS),
    "table.max_hands_per_round": (0, MAX_HANDS),
    "table.answer_seconds": (1, MAX_SECONDS),
    "table.hand_seconds": (1, MAX_SECONDS),
    "table.rounds": (1, MAX_ROUNDS),
    "exhibition.seconds": (1, 900),
    "exhibition.bank": (1, MAX_SECONDS),
    "format.deals": (1, 10_000),
    "format.hands": (1, 1_000),
    "format.certain": (51, 99),
    "format.seats": (2, 12),
    "format.minutes": (1, 1_440),
    "season.games": (0, 1_000_000),
    "season.pause_seconds": (0, MAX_SECONDS),
    "season.at_once": (0, 10_000),
}
"""The least and the greatest whole number for each of these keys."""
CHOICES = {
    "mode": ("tournament", "practice"),
    "contest": tuple(CONTESTS),
    "start": ("desk", "bots"),
    "runner": ("auto", "docker", "light"),
    "api.readers": ("near", "everybody"),
    "voice.heard_by": ("all", "describe"),
    "format.decided_by": ("earned", "chips"),
}
"""The strings that each of these keys allows."""


def _one_line(max_characters: int) -> Schema:
    return {"type": "string", "pattern": rf"^\s*\S([^\n]{{0,{max_characters - 2}}}\S)?\s*$"}


def _list_of(item: Schema, min_items: int = 0) -> Schema:
    return {"type": "array", "items": item, "minItems": min_items}


def _matching(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


def _whole_number(key: str) -> Schema:
    smallest, largest = NUMBER_RANGES[key]
    return {"type": "integer", "minimum": smallest, "maximum": largest}


def _choice(key: str) -> Schema:
    return {"type": "string", "enum": list(CHOICES[key])}


_COLOUR = _matching(r"^#[0-9a-fA-F]{6}$")
_NONBLANK_TEXT = _matching(r"\S")
_BOOLEAN: Schema = {"type": "boolean"}
_PORT: Schema = {"type": "integer", "minimum": 0, "maximum": 65_535}
_SECRET = _matching(rf"^\s*[A-Za-z0-9_.~-]{{{MIN_SECRET_CHARACTERS},}}\s*$")
_INVITATION = _matching(rf"^\s*[A-Za-z0-9_.~-]{{{MIN_INVITATION_CHARACTERS},}}\s*$")
_HOST = _matching(r"^\s*[A-Za-z0-9:.-]+\s*$")
_OFFSET = r"([Zz]|[+-]\d\d:\d\d)?"
_CLOCK = rf"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{{1,6}})?)?{_OFFSET}"
_TIME = _matching(f"^{_CLOCK}$")
_MOMENT = _matching(rf"^(\d{{4}}-\d\d-\d\d[Tt ])?{_CLOCK}$")
_DOLLARS = {
    "anyOf": [
        {"type": "number", "minimum": 0, "maximum": MAX_DOLLARS},
        _matching(r"^\$?\d+(\.\d{1,2})?$"),
    ]
}
_PRIZE = _matching(r"^(\d+(\.\d{1,2})? ?%|\$\d+(\.\d{1,2})?)$")
_BLINDS = _matching(r"^\d{1,9}/\d{1,9}(/\d{1,9})?$")

TABLES: Mapping[str, Mapping[str, Schema]] = {
    "table": {
        "starting_stack": _whole_number("table.starting_stack"),
        "blinds": _list_of(_BLINDS, 1),
        "hands_per_level": _whole_number("table.hands_per_level"),
        "most_hands": _whole_number("table.most_hands"),
        "duplicate": _BOOLEAN,
        "answer_seconds": _whole_number("table.answer_seconds"),
        "hand_seconds": _whole_number("table.hand_seconds"),
        "rounds": _whole_number("table.rounds"),
        "max_hands_per_round": _whole_number("table.max_hands_per_round"),
    },
    "format": {
        "same_cards": _BOOLEAN,
        "deals": _whole_number("format.deals"),
        "hands": _whole_number("format.hands"),
        "certain": _whole_number("format.certain"),
        "seats": _whole_number("format.seats"),
        "minutes": _whole_number("format.minutes"),
        "decided_by": _choice("format.decided_by"),
    },
    "exhibition": {"seconds": _whole_number("exhibition.seconds"), "bank": _whole_number("exhibition.bank")},
    "season": {
        "games": _whole_number("season.games"),
        "pause_seconds": _whole_number("season.pause_seconds"),
        "invitations": {"anyOf": [_INVITATION, _list_of(_INVITATION)]},
        "at_once": _whole_number("season.at_once"),
    },
    "workers": {"scheduler": _matching(r"^\s*(tls|tcp)://\S+\s*$"), "certificates": _NONBLANK_TEXT},
    "ports": {"pages": _PORT, "register": _PORT, "games": _matching(r"^(\s*\d{1,5}\s*-\s*\d{1,5}\s*)?$")},
    "tokens": {"control": _SECRET, "view": _SECRET},
    "api": {"readers": _choice("api.readers")},
    "obs": {"address": _matching(r"\S:\d+\s*$"), "password": _NONBLANK_TEXT},
    "publish": {"to": _NONBLANK_TEXT},
    "branding": {
        "title": _one_line(40),
        "sponsor": _one_line(60),
        "logo": _NONBLANK_TEXT,
        "ground": _COLOUR,
        "ink": _COLOUR,
        "accent": _COLOUR,
    },
    "voice": {
        "command": {"anyOf": [_NONBLANK_TEXT, _list_of(_NONBLANK_TEXT, 1)]},
        "heard_by": _choice("voice.heard_by"),
        "thoughts": _BOOLEAN,
    },
}
"""The tables that may occur once in a file (`[name]`), with their keys."""
TABLE_LISTS: Mapping[str, Mapping[str, Schema]] = {
    "entries": {
        "player": _NONBLANK_TEXT,
        "folder": _NONBLANK_TEXT,
        "command": _NONBLANK_TEXT,
        "remote": _BOOLEAN,
        "mcp": _BOOLEAN,
        "bot": _NONBLANK_TEXT,
        "secret": _SECRET,
        "url": _matching(r"^\s*(http://)?[^\s/]+:\d+/*\s*$"),
        "version": _NONBLANK_TEXT,
    },
    "bots": {"bot": _NONBLANK_TEXT, "say": _one_line(60), "notes": _one_line(400)},
    "run_of_show": {"what": _one_line(60), "at": _TIME},
}
"""The tables that may occur several times in a file (`[[name]]`), with their keys."""
REQUIRED = {"": ("name", "date"), "entries": ("player",), "bots": ("bot",), "run_of_show": ("what",)}
"""The keys that a file or a table must have."""
TOP_KEYS: Mapping[str, Schema] = {
    "name": _one_line(60),
    "date": {"type": "string", "format": "date"},
    "mode": _choice("mode"),
    "contest": _choice("contest"),
    "buy_in": _DOLLARS,
    "prizes": {"anyOf": [{"const": "house"}, _list_of(_PRIZE, 1)]},
    "seed": _matching("^(fresh|[0-9a-fA-F]{1,64})$"),
    "pace": {"type": "number", "minimum": 0, "maximum": 1000},
    "finish_trials_by": _MOMENT,
    "start": _choice("start"),
    "runner": _choice("runner"),
    "build_network": _BOOLEAN,
    "registries": _list_of(_matching(r"^\s*[a-z0-9.-]+(:\d+)?\s*$")),
    "bot_addresses": _list_of(_HOST),
    "bot_networks": _list_of(_matching(r"^\s*[0-9A-Fa-f]*[:.][0-9A-Fa-f:.]*(/\d{1,3})?\s*$")),
    "host": _HOST,
    "hosts": _list_of(_HOST),
    "data": _NONBLANK_TEXT,
}
"""The keys at the top of the file, before the first table."""
KEYS: Mapping[str, tuple[str, ...]] = {
    "": (*TOP_KEYS, *TABLES, *TABLE_LISTS),
    **{name: tuple(keys) for name, keys in {**TABLES, **TABLE_LISTS}.items()},
}
"""The keys of each table, keyed by the table's name. The name "" stands for the top of the file."""

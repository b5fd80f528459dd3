"""The Arena's own configuration file: JSON, with the comments its document prints, read whole as the plan of a day.

Every mistake is told at once, by its place. What the plan leads to is for the front door.
"""

import ipaddress
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn, TypeVar

from msgspec import Struct

from server import event_values as values
from server.bots.dialects.plain_text import folded_name, name_fault
from server.event_entries import EntryPlan
from server.event_file import MOST_CHIPS, EventFaults, EventPlan
from server.game.rules import ARENA_LEVELS, Level

MOST_AIS = 12
""" "Up to 12 players"."""
MOST_HANDS = 100_000
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_KNOWN = {
    "": ("game_server", "tournament", "ais", "name", "bot_networks"),
    "tournament": ("rounds", "max_hands", "mode", "initial_chips", "small_blind", "big_blind"),
    "ais": ("ai_id", "ai_name", "host", "port", "description"),
}
_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_IDENTIFIER = re.compile(r"[\w.-]{1,64}", re.ASCII)

Value = TypeVar("Value")
Table = Mapping[str, object]


def read_arena(path: Path) -> EventPlan:
    """The plan in the file at `path`. Raises OSError, or EventFaults with all that is wrong.

    A bot's `ai_id` is its entry's player, its `ai_name` the bot's name. The day is the file's own, so that a
    tournament that broke off finds its journal again. It begins at once, as the original did. The game server is this
    program, whatever address is written there; its pages keep out of the bots' ports.
    """
    reading = _Reading(path.name)
    found = reading.parse(path.read_bytes())
    entries, networks = _entries(reading, found)
    course = _course(reading, reading.table(found, "", "tournament"))
    plan = EventPlan(
        name=reading.take(found, "", "name", values.title, _title(path)),
        date=datetime.fromtimestamp(path.stat().st_mtime).astimezone().date(),
        entries=entries,
        data=path.parent / "data",
        contest="arena",
        start="bots",
        buy_in_cents=0,
        pages_port=_free(entries, 8000),
        register_port=0,
        bot_networks=networks,
        starting_stack=course.chips,
        most_hands=course.most_hands,
        levels=course.levels,
    )
    reading.finish()
    return plan


def _free(entries: Sequence[EntryPlan], port: int) -> int:
    """That port, or the next one where no bot listens."""
    taken = {entry.url.rpartition(":")[2] for entry in entries}
    return next(free for free in range(port, port + MOST_AIS + 1) if str(free) not in taken)


def without_comments(text: str) -> str:
    """JSON with its `//` and `/* */` comments blanked out, so that lines and columns stay where they are."""

    def blank(match: re.Match[str]) -> str:
        piece = match[0]
        return piece if piece.startswith('"') else re.sub(r"[^\n]", " ", piece)

    return _TEXT_OR_COMMENT.sub(blank, text)


def _title(path: Path) -> str:
    """The file's name as a title: "tournament_test.json" is "Tournament Test"."""
    words = re.findall(r"[^\W_]+", path.stem)
    return " ".join(word.capitalize() for word in words)[:60].strip() or "The Arena"


class _Reading:
    """A file being read: gathers what is wrong, each with its place."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._faults: list[str] = []

    def parse(self, raw: bytes) -> Table:
        try:
            found = json.loads(without_comments(raw.decode("utf-8-sig")))
        except UnicodeDecodeError:
            self._stop("the file is not UTF-8 text")
        except json.JSONDecodeError as error:
            self._stop(f"line {error.lineno}, column {error.colno}: not written as JSON is: {error.msg}")
        except RecursionError:
            self._stop("nested too deep")
        if not isinstance(found, dict):
            self._stop('should be one object with "tournament" and "ais"')
        self.known(found, "", "")
        return found

    def table(self, found: Table, place: str, key: str) -> Table:
        table = found.get(key, {})
        if not isinstance(table, dict):
            self.fault(_at(place, key), f"should be an object in braces, not {values.written(table)}")
            return {}
        self.known(table, key, key)
        return table

    def take(self, table: Table, place: str, key: str, read: Callable[[object], Value], default: Value) -> Value:
        if key not in table:
            return default
        try:
            return read(table[key])
        except ValueError as error:
            self.fault(_at(place, key), str(error))
            return default

    def known(self, table: Table, kind: str, place: str) -> None:
        """Keys of other programs are none of our business, but a slip of the pen is."""
        for key in table:
            meant = get_close_matches(key, _KNOWN[kind], n=1, cutoff=0.75)
            if meant and key not in _KNOWN[kind] and meant[0] not in table:
                self.fault(_at(place, key), f'there is no such key; did you mean "{meant[0]}"?')

    def fault(self, place: str, words: str) -> None:
        self._faults.append(f"{self._file}, {place}: {words}")

    def finish(self) -> None:
        if self._faults:
            raise EventFaults(self._faults)

    def _stop(self, words: str) -> NoReturn:
        raise EventFaults([f"{self._file}: {words}"])


def _at(place: str, key: str) -> str:
    return f"{place}.{key}".lstrip(".")


# -- how it is played ------------------------------------------------------------------------------


class _Course(Struct, frozen=True):
    """Chips (0: the contest's), hands at most (0: until one is left) and blinds (none: the document's)."""

    chips: int
    most_hands: int
    levels: tuple[Level, ...]


def _course(reading: _Reading, found: Table) -> _Course:
    """Length, chips and blinds. A round is a hand; the regular mode's blinds stay where they are.

    "Dynamic Blind Structure: blinds increase every 24 hands", "continues until only one player remains": that is the
    tournament mode, which is meant where no number of rounds is given.
    """
    rounds = reading.take(found, "tournament", "rounds", _whole(MOST_HANDS), 0)
    most_hands = reading.take(found, "tournament", "max_hands", _whole(MOST_HANDS), rounds)
    mode = reading.take(found, "tournament", "mode", values.choice("regular", "tournament"), "")
    small = reading.take(found, "tournament", "small_blind", _whole(MOST_CHIPS), ARENA_LEVELS[0].small)
    big = reading.take(found, "tournament", "big_blind", _whole(MOST_CHIPS), ARENA_LEVELS[0].big)
    if big < small:
        reading.fault("tournament.big_blind", f"should be at least the small blind of {small}")
    regular = mode == "regular" or (mode == "" and bool(most_hands))
    if mode == "regular" and not most_hands:
        reading.fault("tournament.rounds", 'is missing: the regular mode plays so many hands; write "rounds": 100')
    if not regular and {"small_blind", "big_blind"} & set(found):
        reading.fault("tournament.small_blind", 'goes with "mode": "regular"; in the tournament mode the blinds rise')
    chips = reading.take(found, "tournament", "initial_chips", _whole(MOST_CHIPS), 0)
    return _Course(chips, most_hands, (Level(small, big),) if regular else ())


def _whole(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is not int or not 1 <= value <= most:
            raise ValueError(f"should be a whole number from 1 to {most}, not {_written(value)}")
        return value

    return read


def _written(value: object) -> str:
    return f"the number {value}" if isinstance(value, float) else values.written(value)


# -- who is in it ----------------------------------------------------------------------------------


def _entries(reading: _Reading, found: Table) -> tuple[tuple[EntryPlan, ...], tuple[str, ...]]:
    """The bots, and the networks they may be in besides this machine."""
    ais = found.get("ais")
    if not isinstance(ais, list) or not all(isinstance(table, dict) for table in ais):
        reading.fault("ais", "should be a list of objects in braces, one for each bot")
        return (), ()
    if not 2 <= len(ais) <= MOST_AIS:
        reading.fault("ais", f"has {len(ais)}; there should be 2 to {MOST_AIS} bots")
    none: tuple[str, ...] = ()
    networks = list(reading.take(found, "", "bot_networks", values.networks, none))
    entries: list[EntryPlan] = []
    for number, table in enumerate(ais, 1):
        entry = _entry(reading, table, f"ais[{number}]", networks, named=bool(networks))
        for twin, other in enumerate(entries, 1):
            _check_twins(reading, f"ais[{number}]", entry, f"ais[{twin}]", other)
        entries.append(entry)
    return tuple(entries), tuple(dict.fromkeys(networks))


def _entry(reading: _Reading, table: Table, place: str, networks: list[str], *, named: bool) -> EntryPlan:
    reading.known(table, "ais", place)
    for key in ("ai_id", "port"):
        if key not in table:
            reading.fault(_at(place, key), "is missing: each AI needs an ai_id and a port")
    ai_id = reading.take(table, place, "ai_id", _identifier, "")
    name = reading.take(table, place, "ai_name", values.shown_name, "") or ai_id
    if "ai_name" not in table and ai_id and (fault := name_fault(ai_id)):
        reading.fault(_at(place, "ai_name"), f"is missing, and the ai_id cannot stand for it: {fault}")
    host = reading.take(table, place, "host", values.host, "localhost")
    port = reading.take(table, place, "port", _whole(65535), 0)
    if own := _own_network(host):
        networks.append(own)
    elif host not in THIS_MACHINE and not named:
        reading.fault(
            _at(place, "host"), 'is a name: write its address, or where it may be, "bot_networks": ["10.0.0.0/8"]'
        )
    return EntryPlan(ai_id, bot=name, url=f"http://{f'[{host}]' if ':' in host else host}:{port}")


def _identifier(value: object) -> str:
    word = values.text(value)
    if not _IDENTIFIER.fullmatch(word):
        raise ValueError(f"should be letters, digits, - and _ without blanks, not {values.written(value)}")
    return word


def _own_network(host: str) -> str:
    """The network that is this address alone; "" for a name and for this machine."""
    try:
        return "" if host in THIS_MACHINE else str(ipaddress.ip_network(host))
    except ValueError:
        return ""


def _check_twins(reading: _Reading, place: str, mine: EntryPlan, there: str, other: EntryPlan) -> None:
    if mine.player and mine.player == other.player:
        reading.fault(_at(place, "ai_id"), f'"{mine.player}" is the one of {there} already')
    elif mine.bot and folded_name(mine.bot) == folded_name(other.bot):
        reading.fault(_at(place, "ai_name"), f'"{mine.bot}" looks like "{other.bot}" of {there}')
    if mine.url == other.url and not mine.url.endswith(":0"):
        reading.fault(_at(place, "port"), f"is the one of {there}: two bots cannot listen at one address")

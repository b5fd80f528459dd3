"""Makes the JSON Schema of event files. Text editors use it to complete and check event files.

Keys and values come from `server/config/event_keys.py`. The program reads event files with the same module. Most
descriptions are comments in the example files `event.toml` and `event-contests.toml`.
"""

import json
import re
from typing import Any

from server.config.event_keys import KEYS, REQUIRED, TABLE_LISTS, TABLES, TOP_KEYS, Schema
from server.paths import ASSETS

_TABLE_OR_KEY = re.compile(
    r"^#?\s*(?:\[\[?(?P<table>\w+)\]\]?|(?P<key>\w+) = (?:\"[^\"]*\"|[^#\"])*?)\s*(?:# (?P<comment>.*))?$"
)
_CONTINUED_COMMENT = re.compile(r"^#?\s{30,}(?:# )?(?P<comment>.+)$")
_DESCRIPTIONS = {
    ("", "date"): "the day on which the evening begins",
    ("", "mode"): '"practice": bots register and play house bots in the weeks before the evening',
    ("", "bot_networks"): "networks, apart from this machine, in which bots may be web servers",
    ("", "contest"): "which contest is played; quick-draw if it is missing",
    (
        "",
        "prizes",
    ): '"house" (the shares of the rule book), or your own, best place first: "$10", or "60%" of what is left',
    ("", "season"): "how long a UPAC season lasts, and who may join it",
    ("", "ports"): "where this machine listens",
    ("", "entries"): "a player, once for each: with a folder of bots, a remote bot, or the address of a bot",
    ("table", "starting_stack"): "the chips with which each bot starts",
    ("table", "hands_per_level"): "how many hands each level of blinds lasts",
    ("table", "most_hands"): "the most hands in a game; without it a game lasts until one bot is left",
    ("workers", "scheduler"): "the address of a Dask scheduler; its workers play the games",
    ("obs", "address"): "the address at which OBS listens; by default on this machine",
    ("branding", "title"): "the name of the event on every scene and page, at most 40 characters",
    ("branding", "sponsor"): "a line about the sponsor, at most 60 characters",
    ("voice", "command"): "a program that reads a sentence and writes a WAV; {words} stands for the words per minute",
    ("voice", "thoughts"): "whether thoughts that are shown are spoken, too, by espeak-ng, each bot in its own voice",
    ("voice", "heard_by"): '"describe": only viewers with ?voice=describe, such as people who cannot see',
    ("entries", "folder"): "a folder or zip archive with one bot, or with up to three bots in separate folders",
    ("entries", "remote"): "whether the bot runs elsewhere and connects over the network",
    ("entries", "mcp"): "whether the bot is an agent, which joins by MCP",
    ("entries", "secret"): "the secret with which a remote bot registers, together with its name",
    ("entries", "url"): "the address at which the bot listens, in contests in which bots are web servers",
    ("bots", "notes"): "what commentators can say about the bot",
    ("run_of_show", "what"): "the name of the item",
}
"""Descriptions of keys whose comments in the example files are missing, or make sense only in these files."""


def made_files() -> dict[str, str]:
    """Returns the text of the schema, keyed by its path in the clone."""
    return {"assets/schemas/event.json": f"{json.dumps(event_schema(), indent=2)}\n"}


def event_schema() -> dict[str, Any]:
    """Returns the JSON Schema of an event file. Dates and times are strings. The schema refers to no other file."""
    comments = _comments()

    def table(name: str, keys: dict[str, Schema]) -> Schema:
        properties = {key: _with_description(schema, comments[name, key]) for key, schema in keys.items()}
        required = {"required": list(REQUIRED[name])} if name in REQUIRED else {}
        return {"type": "object", "properties": properties, "additionalProperties": False, **required}

    top_level = dict(TOP_KEYS)
    top_level |= {name: _with_description(table(name, dict(keys)), comments["", name]) for name, keys in TABLES.items()}
    lists = {name: {"type": "array", "items": table(name, dict(keys))} for name, keys in TABLE_LISTS.items()}
    top_level |= {name: _with_description(schema, comments["", name]) for name, schema in lists.items()}
    # Every text editor with TOML support reads Draft 7 of JSON Schema.
    about = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "An event file of High Noon"}
    return {**about, **table("", top_level)}


def _with_description(schema: Schema, about: str) -> Schema:
    return {"description": about, **schema}


def _comments() -> dict[tuple[str, str], str]:
    """Returns the first comment on each key, keyed by (table, key). The comment on a table is keyed by ("", table)."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in ("event.toml", "event-contests.toml"):
        table = ""
        lines: list[str] = []
        for line in (ASSETS / name).read_text(encoding="utf-8").splitlines():
            if more := _CONTINUED_COMMENT.match(line):
                lines.append(more["comment"])
            elif statement := _TABLE_OR_KEY.match(line):
                table, key = statement["table"] or table, statement["key"]
                place = ("", table) if key is None else (table if key in KEYS.get(table, ()) else "", key)
                lines = [statement["comment"]] if statement["comment"] else []
                if lines and place not in found:
                    found[place] = lines
            else:
                lines = []
    return {place: " ".join(lines) for place, lines in found.items()} | _DESCRIPTIONS

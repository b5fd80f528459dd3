"""Altered recordings: an entry left out, added or moved, or one value in one entry changed."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from server.journal.journal import Entry

_NUMBERS = (0, -1, 1, 2, 6, 10**9)
_WORDS = (
    "",
    "fold",
    "call",
    "raise",
    "small",
    "big",
    "button",
    "posted",
    "asked",
    "clamp",
    "winners",
    "game",
    "As",
    "xx",
)


def mutated(dice: random.Random, entries: Sequence[Entry]) -> list[Entry]:
    """`entries` with one random change, numbered again without gaps."""
    changed = list(entries)
    at, other = dice.randrange(len(changed)), dice.randrange(len(changed))
    match dice.randrange(12):
        case 0:
            changed.pop(at)
        case 1:
            changed.insert(at, changed[other])
        case 2:
            changed[at], changed[other] = changed[other], changed[at]
        case _:
            _change_value(dice, changed)
    return [Entry(seq, 0, entry.event) for seq, entry in enumerate(changed, 1)]


def _change_value(dice: random.Random, entries: list[Entry]) -> None:
    for _ in range(1000):
        at = dice.randrange(len(entries))
        event = entries[at].event
        tree = msgspec.json.decode(msgspec.json.encode(event))  # lists, where `to_builtins` keeps tuples
        places = [place for place in _places(tree) if place[1] != "type"]
        if not places:
            continue
        node, key = dice.choice(places)
        node[key] = _other(dice, node[key])
        try:
            entries[at] = replace(entries[at], event=msgspec.convert(tree, type(event)))
        except msgspec.ValidationError:
            continue
        if entries[at].event != event:
            return
    raise AssertionError("there is something to change")


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below `node` that holds a value."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield node, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _other(dice: random.Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return dice.choice((value + 1, value - 1, 2 * value, *_NUMBERS))
    if isinstance(value, str):
        return dice.choice((value[::-1], value.upper(), f"{value} ", "ab" * 32, *_WORDS))
    if isinstance(value, list):
        return dice.choice((value[::-1], value[1:], value + value[:1]))
    return value

"""How a proof fails: a recording contradicts the rules or itself, and the comparisons that say so; names, too."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from server.game.events import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    BlindPosted,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    HoleDealt,
    PotAwarded,
    SeatVacated,
    StreetDealt,
    TournamentOpened,
    TurnStarted,
)
from server.text.names_and_chat import never_admitted

_HAPPENING: Mapping[type[Event], str] = {
    HandStarted: "the hand begins",
    BlindPosted: "a blind or an ante is paid",
    HoleDealt: "cards are dealt to a bot",
    TurnStarted: "a bot is asked",
    ActionTaken: "a bot decides",
    SeatVacated: "a bot leaves the table",
    BetReturned: "chips that nobody called go back",
    BetsCollected: "the bets go into the pot",
    StreetDealt: "cards fall on the board",
    HandShown: "cards are shown",
    PotAwarded: "a pot is paid",
    HandEnded: "the hand ends",
}
_CALLED = {
    "deck_commitment": "the seal of the deck",
    "deck_key": "the key of the deck",
    "hand": "the number of the hand",
    "button": "the seat with the button",
    "stacks": "everybody's chips",
    "blind": "the kind of blind",
    "amount": "the number of chips",
    "all_in": "whether that is all-in",
    "to_call": "what is to call",
    "min_raise_to": "the least raise",
    "max_raise_to": "the highest raise",
    "think_ms": "the time to think",
    "act": "what is done",
    "ranking": "what the cards make",
    "best": "the five cards that count",
    "pot": "the number of the pot",
    "awards": "who gets how much",
}
_FROM_NOUGHT = ("seat", "seats", "button")
_LONGEST, _MOST = 20, 12


class Refuted(ValueError):
    """The recording contradicts the rules or itself: `what` is wrong, in words, and `where`, "" if that is not known.

    `event` is the number of the event in its hand, from 0; -1: the one that was passed in last.
    """

    def __init__(self, what: str, where: str = "", *, event: int = -1) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where
        self.event = event


def same(what: str, recorded: object, right: object) -> None:
    """Raises Refuted unless `recorded` equals `right`; `what` names the value in words."""
    if recorded != right:
        raise Refuted(f"{what} should be {_in_words(right)}, but the recording says {_in_words(recorded)}")


def same_events(recorded: Sequence[Event], right: Sequence[Event], begin: int = 0) -> None:
    """Raises Refuted unless the recorded events of a hand, from number `begin` on, are those that the rules lead to."""
    for number, (is_there, expected) in enumerate(zip(recorded[begin:], right, strict=False), begin):
        if is_there != expected:
            raise Refuted(_difference(is_there, expected), event=number)


def key_in(digits: str, what: str) -> bytes:
    """The bytes of a key in lower-case hexadecimal digits; `what` names it. Raises Refuted for anything else."""
    with suppress(ValueError):
        key = bytes.fromhex(digits)
        if key.hex() == digits:
            return key
    raise Refuted(f"{what} is no hexadecimal number")


def _difference(recorded: Event, right: Event) -> str:
    """A sentence that says how the recorded event differs from the right one; they must differ."""
    should, does = _HAPPENING[type(right)], _HAPPENING[type(recorded)]
    if type(recorded) is not type(right):
        return f"here {should} by the rules, but in the recording {does}"
    names = [field.name for field in fields(right)]
    name = next(name for name in names if getattr(recorded, name) != getattr(right, name))
    of = f" of seat {getattr(right, 'seat') + 1}" if "seat" in names and name != "seat" else ""  # noqa: B009 (not all have one)
    what = _CALLED.get(name, f"the {name.replace('_', ' ')}")
    ought, is_there = (_in_words(getattr(event, name), name) for event in (right, recorded))
    return f"where {should}, {what}{of} should be {ought}, but the recording says {is_there}"


def _in_words(value: Any, name: str = "") -> str:
    """A value as text for people; `name` is that of its field. Seats are counted from 1, as people do."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value + (name in _FROM_NOUGHT):,}"
    if isinstance(value, str):
        return f"{value[:_MOST]}…" if len(value) > _LONGEST and " " not in value else value or "nothing"
    if isinstance(value, Struct):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return ", ".join(f"{field.replace('_', ' ')} {_in_words(each, field)}" for field, each in named.items())
    return _many_in_words(value, name) if isinstance(value, Sequence) else "nothing"


def _many_in_words(values: Sequence[Any], name: str) -> str:
    first = values[0] if values else ""
    between = " " if isinstance(first, str) else "; " if isinstance(first, Struct) else ", "
    return between.join(_in_words(value, name) for value in values[:_MOST]) or "nothing"


def check_names(opened: TournamentOpened) -> None:
    """Raises Refuted where a bot or a player has a name that this program never accepts."""
    for entrant in opened.entrants:
        check_name(entrant.name, f"the name of bot {entrant.bot}")
        if entrant.player:
            check_name(entrant.player, f"the name of the player of bot {entrant.bot}")


def check_name(name: str, what: str) -> None:
    """Raises Refuted where this program never accepts `name`; `what` it is the name of."""
    if why := never_admitted(name):
        raise Refuted(f"{what} was never admitted: {why}")

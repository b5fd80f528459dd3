"""The code that all proofs share. It goes through a recording entry by entry, and says where and how the recording
breaks the rules.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from msgspec import UNSET, to_builtins

from server.game.betting import HandAndEvents, is_decision, repeat_turn, start_hand
from server.game.cards import Deck
from server.game.decisions import IllegalAction
from server.game.events import HAND_EVENTS, Event, HandStarted, TournamentOpened
from server.game.rules import Rules
from server.hand_histories.engine_replay import conceal_cards
from server.journal.journal import Entry
from server.text.names_and_chat import why_never_allowed

MAX_SEATS = 100
"""A recording of a table with more seats is refuted. The limit is generous: one deck has cards for only 23 seats."""
MAX_QUOTED_CHARACTERS = 200
"""How many characters of a value a message may quote. The rest is left out."""


class Refuted(ValueError):
    """The recording contradicts the rules or itself.

    `what` says what is wrong. `where` names the game and the hand, or is "" if these are unknown. `event` is the index
    of the wrong event in its hand. -1 means the latest event.
    """

    def __init__(self, what: str, where: str = "", *, event: int = -1) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where
        self.event = event


def expect_equal(what: str, recorded: object, expected: object) -> None:
    """Raises Refuted unless `recorded` equals `expected`. The message calls the value `what`."""
    if recorded != expected:
        raise Refuted(f"{what} should be {_to_json(expected)}, but the recording says {_to_json(recorded)}")


def replay(rules: Rules, recorded: Sequence[Event], deck: Deck, unknown_seats: Collection[int] = ()) -> HandAndEvents:
    """Replays a hand with `deck` and the recorded decisions. Returns the hand and its events.

    `recorded` are the hand's events from start to end. They lack the cards of the seats in `unknown_seats`. Raises
    Refuted at the first event that does not follow from the rules.
    """
    started = recorded[0]
    assert isinstance(started, HandStarted), "hands are collected from their start"
    if len(started.stacks) > MAX_SEATS:
        raise Refuted(f"{len(started.stacks)} bots sit at one table")
    if sum(stack > 0 for stack in started.stacks) < 2:
        raise Refuted("cards are dealt to fewer than two bots")
    hand, new_events = start_hand(rules, started.hand, started.button, started.stacks, deck, banks_ms=started.banks_ms)
    expected_events: list[Event] = []
    while True:
        visible_events = conceal_cards(new_events, unknown_seats)
        for number, (recorded_event, expected_event) in enumerate(
            zip(recorded[len(expected_events) :], visible_events, strict=False), len(expected_events)
        ):
            if recorded_event != expected_event:
                raise Refuted(_describe_difference(recorded_event, expected_event), event=number)
        expected_events += visible_events
        if hand.over:
            return hand, expected_events
        decision_event = recorded[len(expected_events)]
        if not is_decision(hand.rules, decision_event):
            raise Refuted(
                "it is a bot's turn, but the recording continues without its decision", event=len(expected_events)
            )
        try:
            hand, new_events = repeat_turn(hand, decision_event)
        except IllegalAction as error:
            raise Refuted(str(error), event=len(expected_events)) from None


def parse_key(digits: str, what: str) -> bytes:
    """Parses a key. Raises Refuted if it is not in lower-case hexadecimal digits. The message calls the key `what`."""
    with suppress(ValueError):
        key = bytes.fromhex(digits)
        if key.hex() == digits:
            return key
    raise Refuted(f"{what} is not a hexadecimal number")


def _describe_difference(recorded: Event, expected_event: Event) -> str:
    """Describes the first difference between two events. Writes names and values as recordings do."""
    expected_type, recorded_type = (type(event).__struct_config__.tag for event in (expected_event, recorded))
    if expected_type != recorded_type:
        return f"the rules require {expected_type} here, but the recording says {recorded_type}"
    names = (
        name for name in expected_event.__struct_fields__ if getattr(recorded, name) != getattr(expected_event, name)
    )
    name = next(names)
    expected_value, recorded_value = (_to_json(getattr(event, name)) for event in (expected_event, recorded))
    return f"{name} in {expected_type} should be {expected_value}, but the recording says {recorded_value}"


def _to_json(value: object) -> str:
    """Returns a value as JSON text. Cuts off long text."""
    text = "nothing" if value is None or value is UNSET else json.dumps(to_builtins(value), ensure_ascii=False)
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"


def check_names(opened: TournamentOpened) -> None:
    """Raises Refuted if a bot or a player has a name that no version of this program ever accepted."""
    for entrant in opened.entrants:
        check_name(entrant.name, f"the name of bot {entrant.bot}")
        if entrant.player:
            check_name(entrant.player, f"the name of the player of bot {entrant.bot}")


def check_name(name: str, what: str) -> None:
    """Raises Refuted if no version of this program ever accepted `name`. The message calls the name `what`."""
    if why := why_never_allowed(name):
        raise Refuted(f"{what} would never be admitted: {why}")


ENGINE_ERRORS = (ValueError, LookupError, ArithmeticError)
"""The errors that the engine raises if an event cannot follow the earlier events."""


class EntryChecker(Protocol):
    """A proof in progress. The entries of a recording are applied to it in order."""

    @property
    def where(self) -> str:
        """The current position in the recording, as text for a message. It is "" at the start of the recording."""

    def apply(self, entry: Entry) -> None:
        """Checks the next entry. Raises Refuted if it is wrong."""


CheckerT = TypeVar("CheckerT", bound=EntryChecker)


def prove_entries(entries: Iterable[Entry], start_checker: Callable[[Event], CheckerT]) -> CheckerT:
    """Goes through `entries` and returns the finished proof. `start_checker` makes the proof from the first event. Then
    all other entries are applied to the proof.

    Raises Refuted at the first entry that contradicts the entries before it. The error names the line in the file.
    """
    checker: CheckerT | None = None
    line_numbers: list[int] = []  # the line numbers of the latest hand's events
    for entry in entries:
        try:
            if isinstance(entry.event, HandStarted):
                line_numbers = []
            if isinstance(entry.event, HAND_EVENTS):
                line_numbers.append(entry.seq + 1)
            if checker is None:
                checker = start_checker(entry.event)
            else:
                checker.apply(entry)
        except Refuted as error:
            line = line_numbers[error.event] if error.event >= 0 else entry.seq + 1
            raise Refuted(error.what, _where(checker, line)) from None
        except ENGINE_ERRORS as error:
            raise Refuted("it does not follow from the entries before it", _where(checker, entry.seq + 1)) from error
    if checker is None:
        raise Refuted("the recording is empty")
    return checker


def _where(checker: EntryChecker | None, line: int) -> str:
    return ", ".join(filter(None, (checker.where if checker else "", f"line {line} of the file")))

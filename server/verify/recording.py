"""Proves a recording: deals every hand again from its revealed deck, and computes all draws, places and prizes again.

This module checks only the entries. The module `journal` checks the checksums, which show whether the file was altered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from server.game import events
from server.game.deals import deal_rules
from server.game.hand import Hand, banks_before
from server.game.tournament import evolve
from server.journal.journal import Entry
from server.shuffle import deck_of
from server.verify.claims import Proof
from server.verify.course import Course, check_cut, check_end, check_stage, check_stage_end, check_withdrawal
from server.verify.games import Blinds, begin_hand, check_due, check_game, check_game_end, end_hand
from server.verify.refutation import Refuted, expect_equal, parse_key, prove_entries, replay

_CHECKS: Mapping[type[events.Event], Callable[[Course, Any], None]] = {
    events.BotWithdrawn: check_withdrawal,
    events.StageStarted: check_stage,
    events.GameStarted: check_game,
    events.BotEliminated: check_due,
    events.GameForfeited: check_due,
    events.BotRated: check_due,
    events.DealEnded: check_due,
    events.GameEnded: check_game_end,
    events.StageCut: check_cut,
    events.StageEnded: check_stage_end,
    events.TournamentEnded: check_end,
}
CONTEST_EVENTS: tuple[type[events.Event], ...] = (events.TournamentOpened, *_CHECKS)
"""The types of events outside hands that are computed again and compared with the recording."""


def verify(entries: Iterable[Entry], played: int = 0) -> Proof:
    """Proves the entries of a recording. `played` is the number of games before the first entry.

    Raises Refuted at the first entry that contradicts the entries before it.
    """
    return prove_entries(entries, lambda opened: Tournament(opened, played)).proof


def apply(course: Course, event: events.Event) -> None:
    """Checks and applies an event that is one of CONTEST_EVENTS. Raises Refuted if another event is due, or if the
    event's fields are wrong.
    """
    if not (course.due and type(event) is type(course.due[0])):
        course.check_nothing_due()
    if isinstance(event, events.TournamentOpened):
        raise Refuted("the tournament is opened twice")
    _CHECKS[type(event)](course, event)
    course.tournament = evolve(course.tournament, event)
    if isinstance(event, events.GameEnded) and course.tournament.deal_over:
        course.due.append(course.tournament.end_deal())


class Tournament:
    """Checks a recorded tournament entry by entry: the hands at the table, and everything between them."""

    def __init__(self, opened: events.Event, played: int = 0) -> None:
        """`played` is the number of games before the recording. Raises Refuted if the first event is impossible."""
        if not isinstance(opened, events.TournamentOpened):
            raise Refuted("the recording does not begin with the opening of a tournament")
        self._course = Course(opened)
        self._course.tournament = replace(self._course.tournament, games=played)
        self.proof = self._course.proof
        self.proof.entries = 1
        self._rules = opened.rules
        self._hand: list[events.Event] = []
        """The events of the current hand."""
        self._blinds = Blinds(opened.rules, 0)
        self._last_hand: Hand | None = None
        """The latest hand of the current game."""

    @property
    def where(self) -> str:
        hand = f"hand {self._course.hands + 1}" if self._hand else ""
        return ", ".join(filter(None, (self._course.where, hand)))

    def apply(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, events.HAND_EVENTS):
            self._apply_to_hand(event)
        elif isinstance(event, CONTEST_EVENTS):
            if self._hand:
                raise Refuted("an event of the contest happens in the middle of a hand")
            apply(self._course, event)
            if isinstance(event, events.GameStarted):
                if self._course.stage.deals:
                    self._rules = deal_rules(self._course.opened.rules, len(self._course.tournament.deals) + 1)
                self._blinds = Blinds(self._rules, len(event.seats))
                self._last_hand = None
                self.proof.games += 1
        self.proof.entries += 1
        self.proof.unfinished_hand = bool(self._hand)

    def _apply_to_hand(self, event: events.Event) -> None:
        if bool(self._hand) == isinstance(event, events.HandStarted):
            raise Refuted("a hand begins within a hand" if self._hand else "an event of a hand happens outside a hand")
        if isinstance(event, events.HandStarted):
            begin_hand(self._course, event.hand)
        self._hand.append(event)
        if isinstance(event, events.HandEnded):
            self._check_hand(self._hand, event)
            self._hand = []

    def _check_hand(self, recorded: Sequence[events.Event], ended: events.HandEnded) -> None:
        started = recorded[0]
        assert isinstance(started, events.HandStarted), "hands are collected from their start"
        key = parse_key(ended.deck_key, "the key of the deck")
        deck = deck_of(key)
        expect_equal("the seal of the deck, which was made before the hand,", started.deck_commitment, deck.commitment)
        expect_equal("the stacks before the hand", started.stacks, tuple(self._course.stacks))
        banks_ms = banks_before(self._rules, len(started.stacks), self._last_hand)
        expect_equal("the time in the banks before the hand", started.banks_ms, banks_ms)
        self._blinds.check_button(started)
        hand, replayed = replay(self._rules, recorded, deck)
        self._last_hand = hand
        if self._rules.exhibition_bank_ms is not UNSET:
            check_clock(replayed)
        self._blinds.check_posts(recorded)
        end_hand(self._course, ended.stacks, key, hand)
        if self._course.stage.decided_by == "earned":
            self._course.table += recorded
        self.proof.add_hand(self._rules, replayed)


def check_clock(hand: Sequence[events.Event]) -> None:
    """Raises Refuted if a bot lost its turn in an exhibition although its clock had not run out."""
    given_ms = 0
    for number, event in enumerate(hand):
        if isinstance(event, events.TurnStarted):
            given_ms = event.think_ms
        elif isinstance(event, events.ActionTaken) and event.fault == "timeout" and event.think_ms < given_ms:
            why = f"its clock gave it {given_ms / 1000:g} s, but it counts as late after {event.think_ms / 1000:g} s"
            raise Refuted(f"seat {event.seat + 1} did not lose its turn: {why}", event=number)

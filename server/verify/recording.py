"""Proves a recording: deals every hand again from its revealed deck, and computes all draws, places and prizes again.

This module checks only the recorded events. The module `journal` compares the checksums, which show whether the file
was altered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from server.game import events
from server.game.deals import deal_rules
from server.game.hand import Hand, next_banks_ms
from server.game.tournament import evolve
from server.journal.journal import Entry
from server.shuffle import deck_of
from server.verify.claims import Proof
from server.verify.contest_progress import (
    ContestProgress,
    check_end,
    check_stage_cut,
    check_stage_end,
    check_stage_start,
    check_withdrawal,
)
from server.verify.games import (
    BlindsChecker,
    check_due_event,
    check_game_end,
    check_game_start,
    check_hand_start,
    record_hand_end,
)
from server.verify.refutation import Refuted, expect_equal, parse_key, prove_entries, replay

_CHECKS: Mapping[type[events.Event], Callable[[ContestProgress, Any], None]] = {
    events.BotWithdrawn: check_withdrawal,
    events.StageStarted: check_stage_start,
    events.GameStarted: check_game_start,
    events.BotEliminated: check_due_event,
    events.GameForfeited: check_due_event,
    events.BotRated: check_due_event,
    events.DealEnded: check_due_event,
    events.GameEnded: check_game_end,
    events.StageCut: check_stage_cut,
    events.StageEnded: check_stage_end,
    events.TournamentEnded: check_end,
}
CHECKED_EVENTS: tuple[type[events.Event], ...] = (events.TournamentOpened, *_CHECKS)
"""The types of the checked events that do not belong to a hand."""


def verify(entries: Iterable[Entry], games_before: int = 0) -> Proof:
    """Proves the entries of a recording. `games_before` says how many games were played before the recording began.

    Raises Refuted at the first entry that contradicts the entries before it.
    """
    return prove_entries(entries, lambda opened: TournamentChecker(opened, games_before)).proof


def check_and_apply(contest: ContestProgress, event: events.Event) -> None:
    """Checks an event of a type in CHECKED_EVENTS, and applies it to `contest`. Raises Refuted if another event must
    come first, or if a field of `event` is wrong.
    """
    if not (contest.due_events and type(event) is type(contest.due_events[0])):
        contest.check_nothing_due()
    if isinstance(event, events.TournamentOpened):
        raise Refuted("the tournament is opened twice")
    _CHECKS[type(event)](contest, event)
    contest.tournament = evolve(contest.tournament, event)
    if isinstance(event, events.GameEnded) and contest.tournament.is_deal_over:
        contest.due_events.append(contest.tournament.end_deal())


class TournamentChecker:
    """Checks a recorded tournament entry by entry: the hands at the table, and everything between them."""

    def __init__(self, opened: events.Event, games_before: int = 0) -> None:
        """`games_before` says how many games were played before the recording began. Raises Refuted if no recording can
        begin with `opened`.
        """
        if not isinstance(opened, events.TournamentOpened):
            raise Refuted("the recording does not begin with the opening of a tournament")
        self._progress = ContestProgress(opened)
        self._progress.tournament = replace(self._progress.tournament, games=games_before)
        self.proof = self._progress.proof
        self.proof.entries = 1
        self._rules = opened.rules
        self._hand_events: list[events.Event] = []
        """The events of the current hand."""
        self._blinds_checker = BlindsChecker(opened.rules, 0)
        self._last_hand: Hand | None = None
        """The latest hand of the current game."""

    @property
    def where(self) -> str:
        hand = f"hand {self._progress.hands + 1}" if self._hand_events else ""
        return ", ".join(filter(None, (self._progress.where, hand)))

    def apply(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, events.HAND_EVENTS):
            self._apply_to_hand(event)
        elif isinstance(event, CHECKED_EVENTS):
            if self._hand_events:
                raise Refuted("an event of the contest happens in the middle of a hand")
            check_and_apply(self._progress, event)
            if isinstance(event, events.GameStarted):
                if self._progress.stage.deals:
                    self._rules = deal_rules(
                        self._progress.opened.rules, len(self._progress.tournament.deal_scores) + 1
                    )
                self._blinds_checker = BlindsChecker(self._rules, len(event.seats))
                self._last_hand = None
                self.proof.games += 1
        self.proof.entries += 1
        self.proof.unfinished_hand = bool(self._hand_events)

    def _apply_to_hand(self, event: events.Event) -> None:
        if bool(self._hand_events) == isinstance(event, events.HandStarted):
            raise Refuted(
                "a hand begins within a hand" if self._hand_events else "an event of a hand happens outside a hand"
            )
        if isinstance(event, events.HandStarted):
            check_hand_start(self._progress, event.hand)
        self._hand_events.append(event)
        if isinstance(event, events.HandEnded):
            self._check_hand(self._hand_events, event)
            self._hand_events = []

    def _check_hand(self, recorded: Sequence[events.Event], ended: events.HandEnded) -> None:
        started = recorded[0]
        assert isinstance(started, events.HandStarted), "hands are collected from their start"
        key = parse_key(ended.deck_key, "the key of the deck")
        deck = deck_of(key)
        expect_equal("the seal of the deck, which was made before the hand,", started.deck_commitment, deck.commitment)
        expect_equal("the stacks before the hand", started.stacks, tuple(self._progress.stacks))
        banks_ms = next_banks_ms(self._rules, len(started.stacks), self._last_hand)
        expect_equal("the time in the banks before the hand", started.banks_ms, banks_ms)
        self._blinds_checker.check_button(started)
        hand, replayed = replay(self._rules, recorded, deck)
        self._last_hand = hand
        if self._rules.exhibition_bank_ms is not UNSET:
            check_clock(replayed)
        self._blinds_checker.check_posts(recorded)
        record_hand_end(self._progress, ended.stacks, key, hand)
        if self._progress.stage.decided_by == "earned":  # chips won minus the luck of the board decide the stage
            self._progress.table_events += recorded
        self.proof.add_hand(self._rules, replayed)


def check_clock(hand: Sequence[events.Event]) -> None:
    """Raises Refuted if a bot lost its turn by a timeout before its clock ran out."""
    think_ms = 0
    for number, event in enumerate(hand):
        if isinstance(event, events.TurnStarted):
            think_ms = event.think_ms
        elif isinstance(event, events.ActionTaken) and event.fault == "timeout" and event.think_ms < think_ms:
            why = f"its clock gave it {think_ms / 1000:g} s, but it counts as late after {event.think_ms / 1000:g} s"
            raise Refuted(f"seat {event.seat + 1} did not lose its turn: {why}", event=number)

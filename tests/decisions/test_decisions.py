"""Reports on a bot's decisions agree with a recount, and each of its faults is reported once."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from msgspec import UNSET

from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.faults import BotRecord, OwnFault
from server.bots.record import Wrong
from server.game import events
from server.game.cards import DECK, Card
from server.game.events import Event, TurnStarted
from server.journal.journal import read_journal
from tests.bots.views import asked_view
from tests.support.house_contests import play_house_contest
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS

eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")

MIN_BOARD_CARDS = 3
"""The recount tries all boards once so many cards are on the board."""


class SlowHand:
    """One hand, with each seat's cards and its chips in the pot, computed only from the events."""

    def __init__(self, stacks: Sequence[int]) -> None:
        self.put = [0] * len(stacks)
        self.folded = {seat for seat, stack in enumerate(stacks) if not stack}
        self.cards: dict[int, tuple[Card, ...]] = {}
        self.board: tuple[Card, ...] = ()

    def apply(self, event: Event) -> None:
        match event:
            case events.BlindPosted(seat=seat, amount=amount) | events.ActionTaken(seat=seat, amount=amount):
                self.put[seat] += amount
                if isinstance(event, events.ActionTaken) and event.act == "fold":
                    self.folded.add(seat)
            case events.BetReturned(seat=seat, amount=amount):
                self.put[seat] -= amount
            case events.HoleDealt(seat=seat, cards=cards):
                self.cards[seat] = cards
            case events.StreetDealt(cards=cards):
                self.board += cards
            case _:
                pass

    def call_worth(self, me: int, to_call: int) -> Fraction:
        """What a call wins on average, minus its cost, if no other decision follows."""
        put = list(self.put)
        put[me] += to_call
        live = [seat for seat in range(len(put)) if seat not in self.folded]
        unseen = [
            card for card in DECK if card not in self.board and not any(card in own for own in self.cards.values())
        ]
        boards = [(*self.board, *rest) for rest in combinations(unseen, 5 - len(self.board))]
        return sum((self._won(me, put, live, board) for board in boards), Fraction()) / len(boards) - to_call

    def _won(self, me: int, put: Sequence[int], live: Sequence[int], board: Sequence[Card]) -> Fraction:
        strengths = {seat: eval7.evaluate([eval7.Card(card) for card in (*self.cards[seat], *board)]) for seat in live}
        won, low = Fraction(), 0
        for high in sorted({put[seat] for seat in live}):
            inside = [seat for seat in live if put[seat] >= high]
            amount = sum(min(max(chips - low, 0), high - low) for chips in put)
            if inside == [max(live, key=lambda seat: put[seat])] and high == max(put):
                amount += sum(max(chips - high, 0) for chips in put)
            best = max(strengths[seat] for seat in inside)
            winners = [seat for seat in inside if strengths[seat] == best]
            won += Fraction(amount, len(winners)) if me in winners else 0
            low = high
        return won


def with_noise(recorded: Sequence[Event]) -> list[Event]:
    """Adds a chat and a fault before every action, which must not hide the decision."""
    noise = (events.ChatSent(1, "Howdy!"), events.FaultNoted(1, "illegal", "dance"))
    return [each for one in recorded for each in ((*noise, one) if isinstance(one, events.ActionTaken) else (one,))]


def check(recorded: Sequence[Event], bot: int) -> int:
    """Compares every decision of a bot with the recount; returns the number of calls whose value was compared."""
    found, hand, seats, count = iter(decisions_of(with_noise(recorded), bot)), SlowHand(()), tuple[int, ...](), 0
    asked: TurnStarted | None = None
    for index, event in enumerate(recorded):
        if isinstance(event, events.GameStarted):
            seats = event.seats
        if isinstance(event, events.HandStarted):
            hand = SlowHand(event.stacks)
        if isinstance(event, events.ActionTaken) and asked and not asked.blind and seats[event.seat] == bot:
            later = (each for each in recorded[index + 1 :] if isinstance(each, TurnStarted | events.HandEnded))
            count += _compare(next(found), hand, asked, event, ends=not isinstance(next(later, None), TurnStarted))
        hand.apply(event)
        asked = event if isinstance(event, TurnStarted) else None if isinstance(event, events.ActionTaken) else asked
    assert next(found, None) is None
    return count


def _compare(found: Decision, hand: SlowHand, asked: TurnStarted, answer: events.ActionTaken, *, ends: bool) -> int:
    assert (found.act, found.amount, found.to_call) == (answer.act, answer.amount, asked.to_call)
    assert (found.cards, found.board, found.pot) == (hand.cards[asked.seat], hand.board, sum(hand.put))
    if answer.act == "call" and found.street != "preflop":
        assert (found.call_worth is not None) == ends
    if found.call_worth is None:
        assert found.gave_up is None
        return 0
    if answer.act in ("fold", "call"):
        assert found.gave_up == max(0, found.call_worth if answer.act == "fold" else -found.call_worth)
    if len(hand.board) < MIN_BOARD_CARDS:
        return 0
    assert found.call_worth == hand.call_worth(asked.seat, asked.to_call)
    return 1


@pytest.mark.parametrize("name", [name for name in KEPT_RECORDINGS if not name.startswith("upac")])
def test_decisions_in_kept_recordings_agree_with_the_recount(name: str) -> None:
    recorded = [entry.event for entry in read_journal(Path(KEPT_CONTESTS / name)).entries]
    for entrant in recorded[0].entrants[:3]:  # type: ignore[attr-defined]
        check(recorded, entrant.bot)


@pytest.mark.parametrize(
    ("contest", "bots", "contests"), [("quick-draw", 8, 1), ("enova", 6, 1), ("arena", 4, 1), ("upac", 2, 4)]
)
def test_decisions_of_house_bots_agree_with_the_recount(contest: str, bots: int, contests: int) -> None:
    counted = 0
    for seed in range(3, 3 + contests):
        recorded = [entry.event for entry in play_house_contest(contest, seed, bots)][:4000]
        counted += sum(check(recorded, bot) for bot in range(1, bots + 1))
    assert counted >= 3


def record_at_turn(hand: int) -> tuple[BotRecord, list[OwnFault]]:
    """A record of a bot that is to act in hand `hand`, and the list to which the record adds faults."""
    found: list[OwnFault] = []
    record = BotRecord("quick-draw", 1, found.append)
    record.hear(events.GameStarted(1, 9, (1, 2), (5000, 5000)))
    record.hear(events.HandStarted(hand, 0, 50, 100, 0, (5000, 5000), ""))
    record.hear(TurnStarted(0, 100, 200, 5000, 3000))
    return record, found


def test_rule_about_time_is_the_clocks_in_an_exhibition() -> None:
    rules = {}
    for banks_ms in (UNSET, (60_000, 60_000)):
        record, found = record_at_turn(1)
        record.hear(events.HandStarted(1, 0, 50, 100, 0, (5000, 5000), "", banks_ms))
        record.hear(TurnStarted(0, 100, 200, 5000, 3000 if banks_ms is UNSET else 90_000))
        record.hear(events.ActionTaken(0, "fold", 0, 0, all_in=False, think_ms=90_000, fault="timeout"))
        rules[banks_ms is UNSET] = found[0].rule
    assert "three seconds" in rules[True]
    assert rules[False] == "In this exhibition, the bot's clock gave it 90 s for this decision."


def test_late_answer_is_reported_with_its_hand_and_repeated_faults_of_a_turn_once() -> None:
    hand = asked_view().hand
    record, found = record_at_turn(hand.number + 1)
    record.wrong(Wrong("timeout", "its answer came after 5.0 s", b"{}", hand, late=True))
    assert [(each.hand, each.words) for each in found] == [
        (hand.number, f"hand {hand.number}: its answer came after 5.0 s")
    ]
    record.hear(events.ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert len(found) == 1, "the answer in time must not count as a fault"
    record, found = record_at_turn(1)
    for _ in range(3):
        record.wrong(Wrong("illegal", "an action that was not requested", b"{}", None))
    record.hear(events.ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert [each.words for each in found] == ["hand 1: an action that was not requested: its valid answer counts"]

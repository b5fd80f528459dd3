"""A bot's report lists every decision and what that decision cost the bot, and each fault once."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec import UNSET

from broadcast.on_air.table_state import with_tables
from server.app.decisions.decisions import decisions_of
from server.app.decisions.faults import BotRecord, FaultReport
from server.bots.message_records import BotFault
from server.game import events
from server.game.events import TurnStarted
from server.journal.journal import read_journal
from tests.bots.views import first_turn_view
from tests.commentary.test_drama import play_one_hand
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS

ACES_AND_KINGS, KING_BOARD = ("Ah Ad", "Kh Kd"), "Kc 7s 2d 3c 9h"
THREE_HOLES, HEARTS_BOARD = ("Ah Ad", "Kh Kd", "Qh Jh"), "2h 7h 7s 3c Kc"
TO_THE_TURN = "call call call call "


@pytest.mark.parametrize(("holes", "board", "acts", "worth"), [
    # The aces can call 900 for a pot of 2,000. Two of the 44 unseen cards win the pot for the aces.
    (ACES_AND_KINGS, KING_BOARD, TO_THE_TURN + "raise:900", Fraction(2 * 2000, 44) - 900),
    # The main pot has 900 chips, the side pot 1,400. Of the 42 unseen cards, seven (hearts) give the flush draw both
    # pots. Two cards (kings) give the kings both pots, and the other 33 give them only the side pot.
    (THREE_HOLES, HEARTS_BOARD, "raise:300 " + TO_THE_TURN + "raise:700", Fraction(7 * 2300, 42) - 700),
    (THREE_HOLES, HEARTS_BOARD, "raise:300 call " + TO_THE_TURN + "raise:700", Fraction(2 * 900 + 35 * 1400, 42) - 700),
    # On the river, no more cards come, so the aces have lost.
    (ACES_AND_KINGS, KING_BOARD, TO_THE_TURN + "call call raise:900", Fraction(-900)),
    # If the bots can still bet after the call, the call's worth is not known.
    (ACES_AND_KINGS, KING_BOARD, TO_THE_TURN + "raise:400", None),
])  # fmt: skip
def test_call_is_worth_its_share_of_the_pots_minus_its_cost(
    holes: Sequence[str], board: str, acts: str, worth: Fraction | None
) -> None:
    stacks = (1000, 1000) if len(holes) == 2 else (300, 1000, 1000)
    for answer in ("call", "fold"):
        recorded = [entry.event for entry in play_one_hand(f"{acts} {answer}", holes, board, stacks).entries]
        action = [event for event in recorded if isinstance(event, events.ActionTaken)][-1]
        *_, decision = decisions_of(recorded, 1 + action.seat)
        lost_chips = None if worth is None else max(0, worth if answer == "fold" else -worth)
        assert (decision.act, decision.call_worth, decision.gave_up) == (answer, worth, lost_chips)


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_every_decision_is_listed_with_the_turn_and_the_pot(name: str) -> None:
    entries, turn, pot = read_journal(KEPT_FOLDER / name).entries, TurnStarted(0, 0, 0, 0, 0), 0
    expected: defaultdict[int, list[tuple[object, ...]]] = defaultdict(list)
    for entry in with_tables(entries):
        match entry.event:
            case TurnStarted() as turn:
                pot = entry.table.pot
            case events.ActionTaken() as action if not turn.blind:
                options = (turn.to_call, turn.min_raise_to, turn.max_raise_to)
                answer = (action.act, action.amount, action.think_ms, action.fault)
                expected[entry.table.bots[action.seat]].append((pot, *options, *answer))
    assert expected
    for bot, rows in expected.items():
        assert [
            (one.pot, one.to_call, one.raise_from, one.raise_to, one.act, one.amount, one.think_ms, one.fault)
            for one in decisions_of((entry.event for entry in entries), bot)
        ] == rows


def record_at_turn(hand: int) -> tuple[BotRecord, list[FaultReport]]:
    """Returns the record of a bot whose turn it is in hand `hand`, and the list to which the record adds faults."""
    faults: list[FaultReport] = []
    record = BotRecord("quick-draw", 1, faults.append)
    record.apply(events.GameStarted(1, 9, (1, 2), (5000, 5000)))
    record.apply(events.HandStarted(hand, 0, 50, 100, 0, (5000, 5000), ""))
    record.apply(TurnStarted(0, 100, 200, 5000, 3000))
    return record, faults


def test_report_of_a_late_answer_in_an_exhibition_cites_the_clock() -> None:
    cited_rules = {}
    for is_exhibition in (False, True):
        record, faults = record_at_turn(1)
        banks_ms = (60_000, 60_000) if is_exhibition else UNSET
        record.apply(events.HandStarted(1, 0, 50, 100, 0, (5000, 5000), "", banks_ms))
        record.apply(TurnStarted(0, 100, 200, 5000, 90_000 if is_exhibition else 3000))
        record.apply(events.ActionTaken(0, "fold", 0, 0, all_in=False, think_ms=90_000, fault="timeout"))
        cited_rules[is_exhibition] = faults[0].rule
    assert "three seconds" in cited_rules[False]
    assert cited_rules[True] == "In this exhibition, the bot's clock gave it 90 s for this decision."


def test_repeated_faults_of_a_turn_are_reported_once() -> None:
    hand = first_turn_view().hand
    record, faults = record_at_turn(hand.number + 1)
    record.record_fault(BotFault("timeout", "its answer came after 5.0 s", b"{}", hand, late=True))
    (fault,) = faults
    assert (fault.hand, fault.words) == (hand.number, f"hand {hand.number}: its answer came after 5.0 s")
    record.apply(events.ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert len(faults) == 1, "the next hand's answer was punctual, so no fault may be added"
    record, faults = record_at_turn(1)
    for _ in range(3):
        record.record_fault(BotFault("illegal", "an action that was not requested", b"{}", None))
    record.apply(events.ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert [fault.words for fault in faults] == ["hand 1: an action that was not requested: its valid answer counts"]

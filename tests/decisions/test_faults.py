"""What an author reads about a fault: its hand, and what it cost."""

from server.app.decisions.faults import BotRecord, OwnFault
from server.bots.record import Wrong
from server.game.events import ActionTaken, GameStarted, HandStarted, TurnStarted
from tests.bots.views import asked_view


def test_late_answer_is_reported_with_the_hand_it_was_for() -> None:
    found: list[OwnFault] = []
    record = BotRecord("quick-draw", 1, found.append)
    hand = asked_view().hand
    turn = hand.turn
    assert turn
    record.hear(GameStarted(1, 9, (1, 2), (5000, 5000)))
    later = hand.number + 1
    record.hear(HandStarted(later, 0, 50, 100, 0, (5000, 5000), ""))
    record.hear(TurnStarted(0, 100, 200, 5000, 3000))
    record.wrong(Wrong("timeout", "its answer came after 5.0 s", b"{}", hand, late=True))
    assert [(each.hand, each.words) for each in found] == [
        (hand.number, f"hand {hand.number}: its answer came after 5.0 s")
    ]
    record.hear(ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert len(found) == 1, "the answer that came in time is not a fault"


def test_repeated_fault_in_a_turn_is_reported_once_and_a_valid_answer_counts() -> None:
    found: list[OwnFault] = []
    record = BotRecord("quick-draw", 1, found.append)
    record.hear(GameStarted(1, 9, (1, 2), (5000, 5000)))
    record.hear(HandStarted(1, 0, 50, 100, 0, (5000, 5000), ""))
    record.hear(TurnStarted(0, 100, 200, 5000, 3000))
    for _ in range(3):
        record.wrong(Wrong("illegal", "an action nobody had asked for", b"{}", None))
    record.hear(ActionTaken(0, "call", 100, 100, all_in=False, think_ms=20))
    assert [each.words for each in found] == ["hand 1: an action nobody had asked for: its valid answer counts"]

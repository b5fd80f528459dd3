"""Each action means in Quick Draw what the rule book says. `tests/judge` checks the contest's other rules.

At every table of this file, the last seat has the big blind.
"""

import pytest

from server.game.decisions import IllegalAction, RaiseTo
from server.game.events import HandShown
from tests.game.table import deal

TWO, THREE = "5000 5000", "5000 5000 5000"


@pytest.mark.parametrize(
    ("stacks", "script", "last_act"),
    [
        pytest.param(TWO, "call call", "1 check 100", id="a call of a bet that you have already made does nothing"),
        pytest.param(THREE, "raise:100", "0 call 100", id="a raise to the big blind is a call"),
        pytest.param(THREE, "raise:300 raise:300", "1 call 300", id="a raise to the highest bet is a call"),
        pytest.param(TWO, "call check / raise:0", "0 check 0", id="a raise to nothing when nobody bet is a check"),
        pytest.param(TWO, "call check / bet:1", "0 bet 1", id="the first bet of a later street may be 1 chip"),
        pytest.param(THREE, "raise:5000", "0 raise 5000", id="you may bet as much as you have"),
        pytest.param("700 5000 5000", "raise:1000000", "0 raise 700", id="more than you have is an all-in"),
        pytest.param("5000 200 5000 5000", "raise:1000 call", "1 call 200", id="calling more is an all-in call"),
        pytest.param("5000 200 5000 5000", "raise:1000 raise:3000", "1 call 200",
                     id="a raise is an all-in call if you have less than the highest bet"),
        pytest.param("5000 300 5000 5000", "fold all-in fold raise:4000", "3 call 300",
                     id="a raise that nobody could match is a call"),
    ],
)  # fmt: skip
def test_action_becomes_the_expected_act(stacks: str, script: str, last_act: str) -> None:
    assert deal(stacks).play(script).last_act == last_act


@pytest.mark.parametrize("amount", [299, 100, 1, 0, -1, -5000])
def test_raise_below_the_highest_bet_is_invalid_and_changes_nothing(amount: int) -> None:
    table = deal(THREE).play("raise:300")
    before, events = table.hand, len(table.events)
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        table.take(RaiseTo(amount))
    assert table.hand == before
    assert len(table.events) == events
    table.play("call call / check check check")


def test_showdown_names_the_live_hands_and_gives_their_best_five_cards() -> None:
    table = deal("5000 5000 5000", "As Ah, Kc Kd, 7h 2c", "Ac Kh 8d 9h Jd")
    table.play("call call fold / check check / check check / check check")
    assert table.shown == {0: "three of a kind, aces, king kicker", 1: "three of a kind, kings, ace kicker", 2: ""}
    best = ["".join(card[0] for card in event.best) for event in table.events if isinstance(event, HandShown)]
    assert best == ["AAAKJ", "KKKAJ", ""]

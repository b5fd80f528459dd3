"""The rules allow, refuse and impose the right actions in cases that recordings lack. `tests/judge` checks all others.

At every table of this file, the last seat has the big blind. With three seats, seat 0 therefore has the button.
"""

import msgspec
import pytest
from msgspec.structs import replace

from server.game.betting import fault_decision
from server.game.decisions import Call, Decision, Fold, IllegalAction, RaiseTo
from server.game.events import BlindPosted, Fault
from server.game.rules import Level, Rules
from tests.game.random_hands import RULES
from tests.game.table import deal

STANDARD, ARENA, ENOVA, UPAC = RULES["standard"], RULES["arena"], RULES["enova"], RULES["upac"]
SILENT = Rules(silence_checks=True)


@pytest.mark.parametrize("amount", [0, 199, 5001])
def test_a_raise_outside_the_range_is_refused_and_changes_nothing(amount: int) -> None:
    table = deal("5000 5000 5000", rules=STANDARD)
    with pytest.raises(IllegalAction, match=r"200\.\.5000"):
        table.take(RaiseTo(amount))
    assert table.turn.seat == 0


def test_the_big_blind_alone_posts_a_big_blind_ante() -> None:
    table = deal("500 500 500", rules=Rules(levels=(Level(50, 100, 10),), ante_from="big_blind"))
    posted = [(each.seat, each.blind, each.amount) for each in table.events if isinstance(each, BlindPosted)]
    assert posted == [(2, "ante", 10), (1, "small", 50), (2, "big", 100)]


def test_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    table = deal("5000 400 500 5000 5000", rules=STANDARD).play("raise:300 all-in all-in call fold")
    assert (table.turn.seat, table.raises) == (0, (700, 5000))
    table = deal("50 31 50 50", rules=replace(ENOVA, bet_cap="stack")).play("raise:30 all-in call fold")
    assert table.raises == (32, 50), (
        "if a raise by one chip is a full raise, every all-in above the bet must be a full raise"
    )


@pytest.mark.parametrize(
    ("amount", "act"),
    [
        *((amount, "0 raise 50") for amount in (1000, 51)),
        (7, "0 raise 7"),
        *((amount, "0 call 2") for amount in (2, 1, 0, -3)),
    ],
)
def test_in_upac_both_stacks_limit_a_raise_and_too_low_a_raise_is_a_call(amount: int, act: str) -> None:
    assert deal("50 50", rules=UPAC).play(f"raise:{amount}").last_act == act


def test_in_upac_an_all_in_cannot_be_raised_and_an_all_in_bot_may_fold() -> None:
    table = deal("90 10", rules=UPAC).play("raise:10 call / check")
    assert table.raises == (0, 0)
    assert table.play("raise:20").last_act == "0 check 0"
    assert deal("50 50", rules=UPAC).play("raise:50 call / fold").stacks == [100, 0]


@pytest.mark.parametrize(
    ("rules", "script", "fault", "decision"),
    [
        (ARENA, "", "illegal", Fold()),
        (ARENA, "call", "illegal", Call()),
        *((ARENA, "call", fault, Fold()) for fault in ("timeout", "malformed", "disconnected")),
        *((rules, "call", "illegal", Fold()) for rules in (STANDARD, UPAC)),
        *((SILENT, "", fault, Fold()) for fault in ("timeout", "disconnected")),
        *((SILENT, "call", fault, Call()) for fault in ("timeout", "disconnected")),
    ],
)
def test_a_fault_is_a_fold_unless_the_rules_make_it_a_check(
    rules: Rules, script: str, fault: Fault, decision: Decision
) -> None:
    assert fault_decision(deal("5000 5000", rules=rules).play(script).hand, fault) == decision


def test_a_hand_cap_of_zero_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="hand_cap"):
        msgspec.json.decode(b'{"hand_cap": 0}', type=Rules)

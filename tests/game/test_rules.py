"""Standard hold'em and every field of `Rules`: what the other contests do differently at the table.

In every table here the last seat has the big blind, so three-handed seat 0 is the button.
"""

import random
from typing import Literal

import msgspec
import pytest
from msgspec.structs import replace

from server.game.betting import fault_decision, resolve, start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, IllegalAction, RaiseTo
from server.game.events import BlindPosted, Fault, HandEnded, HandStarted, TurnStarted
from server.game.rules import Level, Rules, level_of
from tests.game.random_hands import RULES, random_decision, random_deck
from tests.game.table import deal

STANDARD, ARENA, ENOVA, UPAC = RULES["standard"], RULES["arena"], RULES["enova"], RULES["upac"]
SILENT = Rules(silence_checks=True)


# -- order of action -------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "button", "asked"), [(ARENA, 1, [0, 1] * 4), (UPAC, 0, [0, 1, 1, 0, 1, 0, 1, 0])])
def test_heads_up_the_dealer_is_the_big_blind_in_the_arena_and_the_small_blind_in_upac(
    rules: Rules, button: int, asked: list[int]
) -> None:
    table = deal("5000 5000", rules=rules).play("call check / check check / check check / check check")
    assert (table.hand.button, table.asked) == (button, asked)


def test_enova_heads_up_the_dealer_posts_2() -> None:
    table = deal("50 50", rules=ENOVA)
    assert [event for event in table.events if isinstance(event, BlindPosted)] == [
        BlindPosted(0, "small", 1, False),
        BlindPosted(1, "big", 2, False),
    ]
    assert table.hand.button == 1


# -- levels and antes ------------------------------------------------------------------------------


def test_blinds_rise_after_the_hands_of_a_level_and_the_last_level_stays() -> None:
    rules = Rules(levels=(Level(10, 20), Level(20, 30), Level(20, 40)), hands_per_level=24)
    smalls = [level_of(rules, hand).big for hand in (1, 24, 25, 48, 49, 72, 73, 720)]
    assert smalls == [20, 20, 30, 30, 40, 40, 40, 40]


def test_without_hands_per_level_the_first_level_stays() -> None:
    assert level_of(Rules(levels=(Level(10, 20), Level(20, 30))), 1000) == Level(10, 20)


def test_a_hand_is_dealt_at_its_level() -> None:
    rules = Rules(levels=(Level(10, 20), Level(20, 40, ante=5)), hands_per_level=2)
    table = deal("5000 5000 5000", rules=rules, number=3)
    assert isinstance(started := table.events[0], HandStarted)
    assert (started.small_blind, started.big_blind, started.ante) == (20, 40, 5)
    assert table.raises == (80, 4995)


def test_everybody_antes_before_the_blinds_and_an_ante_is_no_bet() -> None:
    table = deal("5000 5000 5000", rules=Rules(levels=(Level(50, 100, ante=10),)))
    assert [(event.seat, event.blind) for event in table.events if isinstance(event, BlindPosted)] == [
        (1, "ante"),
        (2, "ante"),
        (0, "ante"),
        (1, "small"),
        (2, "big"),
    ]
    assert table.bets == [0, 50, 100]
    assert table.stacks == [4990, 4940, 4890]
    table.play("call call check")
    assert table.pots == [(330, (0, 1, 2))]


def test_a_bot_all_in_on_its_ante_plays_for_the_antes() -> None:
    table = deal("7 5000 5000", "As Ah, Kc Kd, 7h 2c", "3s 4s 8d 9h Jd", rules=Rules(levels=(Level(50, 100, ante=10),)))
    table.play("call check / check check / check check / check check")
    assert table.awards == [{0: 21}, {1: 206}]


# -- minimum raise ---------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [0, 100, 101, 199, 5001])
def test_a_raise_outside_the_range_is_refused_and_changes_nothing(amount: int) -> None:
    table = deal("5000 5000 5000", rules=STANDARD)
    with pytest.raises(IllegalAction, match=r"200\.\.5000"):
        resolve(table.hand, RaiseTo(amount))
    with pytest.raises(IllegalAction, match=r"200\.\.5000"):
        table.take(RaiseTo(amount))
    assert table.turn.seat == 0


def test_an_all_in_below_a_full_raise_does_not_reopen_the_betting_for_those_who_acted() -> None:
    table = deal("5000 5000 450 5000 5000", rules=STANDARD).play("raise:300 call all-in")
    assert table.turn.seat == 3
    assert table.raises == (650, 5000), "who has not acted yet may raise, by the last full raise"
    table.play("fold fold")
    assert (table.turn.seat, table.turn.to_call, *table.raises) == (0, 150, 0, 0)
    table.play("call")
    assert (table.turn.seat, table.turn.to_call, *table.raises) == (1, 150, 0, 0)


def test_two_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    table = deal("5000 400 500 5000 5000", rules=STANDARD).play("raise:300 all-in all-in call fold")
    assert table.turn.seat == 0
    assert table.raises == (700, 5000)


def test_where_one_chip_is_a_raise_every_all_in_reopens_the_betting() -> None:
    table = deal("50 31 50 50", rules=replace(ENOVA, bet_cap="stack")).play("raise:30 all-in call fold")
    assert table.raises == (32, 50)


# -- raises outside the range ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "act"),
    [
        *((amount, "0 raise 50") for amount in (1000, 51)),
        (7, "0 raise 7"),
        *((least, "0 call 2") for least in (2, 1, 0, -3)),
    ],
)
def test_upac_clamps_a_raise_to_what_both_stacks_allow_and_calls_with_a_raise_by_nothing(amount: int, act: str) -> None:
    assert deal("50 50", rules=UPAC).play(f"raise:{amount}").last_act == act


def test_upac_a_raise_when_the_other_is_all_in_is_a_call() -> None:
    table = deal("90 10", rules=UPAC).play("raise:10 call / check")
    assert table.raises == (0, 0)
    assert table.play("raise:20").last_act == "0 check 0"


# -- bet cap ---------------------------------------------------------------------------------------


def test_enova_maximum_bet_is_the_shortest_active_stack() -> None:
    table = deal("50 20 50", rules=ENOVA)
    assert table.raises == (3, 20)
    with pytest.raises(IllegalAction, match=r"3\.\.20"):
        table.play("raise:21")


def test_enova_the_shortest_stack_counts_only_while_it_is_in_the_hand() -> None:
    assert deal("50 50 20 50", rules=ENOVA).play("call call fold").raises == (3, 50)


def test_enova_has_no_side_pots() -> None:
    table = deal("50 20 50", "As Ah, Kc Kd, 7h 2c", "3s 4s 8d 9h Jd", rules=ENOVA)
    table.play("raise:20 call call / check check / check check / check check")
    assert table.pots == [(60, (0, 1, 2))]


def test_enova_when_one_is_all_in_nobody_can_bet() -> None:
    table = deal("50 2 50", rules=ENOVA).play("call call check / check check / check check / check check")
    assert table.hand.over
    assert {(event.min_raise_to, event.max_raise_to) for event in table.events if isinstance(event, TurnStarted)} == {
        (0, 0)
    }


# -- asking on -------------------------------------------------------------------------------------


def test_upac_after_an_all_in_the_bots_are_still_asked_on_every_street() -> None:
    table = deal("50 50", rules=UPAC).play("raise:50 call / check check / check check / check check")
    assert table.asked == [0, 1, 1, 0, 1, 0, 1, 0]
    assert table.hand.over


def test_elsewhere_nobody_is_asked_after_an_all_in() -> None:
    table = deal("50 50", rules=replace(UPAC, ask_when_all_in=False)).play("raise:50 call")
    assert table.asked == [0, 1]
    assert table.hand.over


def test_upac_a_bot_that_is_all_in_may_still_fold() -> None:
    table = deal("50 50", rules=UPAC).play("raise:50 call / fold")
    assert table.stacks == [100, 0]


# -- faults ----------------------------------------------------------------------------------------


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
def test_a_fault_folds_except_where_the_rules_let_a_refused_or_silent_bot_check_for_free(
    rules: Rules, script: str, fault: Fault, decision: Decision
) -> None:
    assert fault_decision(deal("5000 5000", rules=rules).play(script).hand, fault) == decision


# -- odd chips -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("odd_chips", "lucky"), [("first_in_order", 2), ("last_in_order", 0)])
def test_odd_chips_go_to_the_first_winner_left_of_the_button_or_to_the_last(
    odd_chips: Literal["first_in_order", "last_in_order"], lucky: int
) -> None:
    rules = Rules(levels=(Level(50, 50, ante=1),), odd_chips=odd_chips)
    table = deal("51 49 51", "As Kd, 7h 2c, Ad Ks", "Ah Kh Qs 9s 4c", rules=rules).play("call")
    assert table.hand.button == 0
    assert table.awards == [{0: 73, 2: 73} | {lucky: 74}, {0: 2, 2: 2}]


# -- cap games ---------------------------------------------------------------------------------------


def test_a_cap_game_is_played_as_if_everybody_had_no_more_than_the_cap() -> None:
    dice = random.Random(7)
    for _ in range(100):
        bank = [dice.randint(3000, 9000) for _ in range(dice.randint(2, 6))]
        deck = random_deck(dice)
        capped, events = start_hand(Rules(hand_cap=3000), 1, 0, bank, deck)
        usual, expected = start_hand(STANDARD, 1, 0, [3000] * len(bank), deck)
        while not usual.over:
            decision = random_decision(dice, usual)
            usual, following = take_turn(usual, decision)
            expected += following
            capped, following = take_turn(capped, decision)
            events += following
        assert events[1:-1] == expected[1:-1]
        won = [seat.stack - 3000 for seat in usual.seats]
        assert [seat.stack for seat in capped.seats] == [had + chips for had, chips in zip(bank, won, strict=True)]
        assert isinstance(events[-1], HandEnded)
        assert events[-1].stacks == tuple(seat.stack for seat in capped.seats)


def test_a_hand_cap_of_nothing_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="hand_cap"):
        msgspec.json.decode(b'{"hand_cap": 0}', type=Rules)

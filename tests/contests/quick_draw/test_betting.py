"""The Quick Draw rule book, sentence by sentence: blinds, order of play, actions, all-ins, pots, showdowns.

In every table here the last seat has the big blind.
"""

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import resolve
from server.game.decisions import IllegalAction, RaiseTo
from server.game.events import BlindPosted, HandShown
from server.game.hand import next_blind
from tests.game.table import SIX, Table, deal

TWO, THREE, FOUR = "5000 5000", "5000 5000 5000", "5000 5000 5000 5000"
ACES_KINGS, LOW, TIE = "As Ah, Kc Kd", "3s 4s 8d 9h Jd", "Ah Kh Qs 9s 4c"


@pytest.mark.parametrize(
    ("stacks", "script", "asked"),
    [
        pytest.param(
            THREE, "call call check / check check check / check check check / check check check", [0, 1, 2] * 4,
            id="the first in the list acts first on every street",
        ),
        pytest.param(
            FOUR, "call raise:300 call call call / check", [0, 1, 2, 3, 0, 0, 1],
            id="everyone that called or raised must respond to a raise",
        ),
        pytest.param(
            "5000 300 5000 5000", "call raise:300 call raise:600 call call / check check check",
            [0, 1, 2, 3, 0, 2, 0, 2, 3, 0], id="one that is all in is out of the bidding order",
        ),
        pytest.param(
            THREE, "fold call check / check check / check check / check check", [0, 1, 2, 1, 2, 1, 2, 1, 2],
            id="one that folded is not asked again",
        ),
    ],
)  # fmt: skip
def test_order_of_play(stacks: str, script: str, asked: list[int]) -> None:
    assert deal(stacks).play(script).asked == asked


def test_preflop_everyone_must_call_up_to_100_or_raise_or_fold() -> None:
    table = deal(THREE)
    assert table.turn.to_call == 100
    assert table.play("call").turn.to_call == 50, "the blind bets count as bets for this round"
    assert table.play("call").turn.to_call == 0, "the big blind may check"
    assert table.play("raise:300").last_act == "2 raise 300", "or raise when everybody called"
    assert (table.turn.seat, table.turn.to_call) == (0, 200)


@pytest.mark.parametrize(
    ("stacks", "script", "last_act"),
    [
        pytest.param(TWO, "call call", "1 check 100", id="a call of a bid that you have already bet does nothing"),
        pytest.param(THREE, "raise:100", "0 call 100", id="a raise to the big blind is a call"),
        pytest.param(THREE, "raise:300 raise:300", "1 call 300", id="a raise to the highest bid is a call"),
        pytest.param(TWO, "call check / raise:0", "0 check 0", id="a raise to nothing when nobody bet is a check"),
        pytest.param(TWO, "call check / bet:1", "0 bet 1", id="the first bet of a later street may be 1 chip"),
        pytest.param(THREE, "raise:5000", "0 raise 5000", id="you may bet as much as you have"),
        pytest.param("700 5000 5000", "raise:1000000", "0 raise 700", id="a raise to more than you have bets it all"),
        pytest.param("5000 200 5000 5000", "raise:1000 call", "1 call 200", id="a call of more bets it all"),
        pytest.param("5000 200 5000 5000", "raise:1000 raise:3000", "1 call 200",
                     id="a raise beyond the highest bid that you cannot afford is an all-in call"),
        pytest.param("5000 300 5000 5000", "fold all-in fold raise:4000", "3 call 300",
                     id="a raise that nobody could match is a call"),
    ],
)  # fmt: skip
def test_action_becomes_the_expected_act(stacks: str, script: str, last_act: str) -> None:
    assert deal(stacks).play(script).last_act == last_act


@pytest.mark.parametrize("amount", [299, 100, 1, 0, -1, -5000])
def test_raise_below_the_current_highest_bid_is_invalid_and_changes_nothing(amount: int) -> None:
    table = deal(THREE).play("raise:300")
    before, events = table.hand, len(table.events)
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        resolve(table.hand, RaiseTo(amount))
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        table.take(RaiseTo(amount))
    assert table.hand == before
    assert len(table.events) == events
    table.play("call call / check check check")


@pytest.mark.parametrize(
    ("stacks", "script", "raises"),
    [
        pytest.param(THREE, "", (101, 5000), id="the minimum raise is 1 chip"),
        pytest.param(THREE, "raise:101", (102, 5000), id="also after a raise"),
        pytest.param(THREE, "raise:1000", (1001, 5000), id="a big raise does not widen the next"),
        pytest.param(TWO, "call check / bet:1", (2, 4900), id="on a later street"),
        pytest.param(THREE, "raise:300 call raise:301", (302, 5000), id="a raise of 1 chip reopens the betting"),
        pytest.param("5000 301 5000 5000", "raise:300 raise:301 call call", (302, 5000),
                     id="so does an all-in of 1 chip more"),
    ],
)  # fmt: skip
def test_minimum_raise_is_1_chip(stacks: str, script: str, raises: tuple[int, int]) -> None:
    assert deal(stacks).play(script).raises == raises


@pytest.mark.parametrize(
    ("stacks", "script", "bets", "left"),
    [
        pytest.param(THREE, "raise:250 call", [250, 250, 100], [4750, 4750, 4900],
                     id="a call raises your bet to the current highest bid"),
        pytest.param(THREE, "raise:160 raise:250", [160, 250, 100], [4840, 4750, 4900],
                     id="with 50 in for the round, raising to 250 puts 200 into the pot"),
        pytest.param("5000 200 5000 5000", "raise:1000 call call", [1000, 200, 1000, 100], [4000, 0, 4000, 4900],
                     id="a short call leaves the highest bid where it is"),
        pytest.param(THREE, "raise:400 fold fold", [0, 0, 0], [5150, 4950, 4900],
                     id="folding forfeits the chips you have bet on this hand"),
        pytest.param(THREE, "call call check / fold fold", [0, 0, 0], [4900, 4900, 5200],
                     id="a fold is allowed where a check is free"),
        pytest.param("1000 5000 5000", "all-in fold fold", [0, 0, 0], [1150, 4950, 4900],
                     id="the last live bot may fold to an all-in"),
    ],
)  # fmt: skip
def test_action_puts_in_the_expected_chips(stacks: str, script: str, bets: list[int], left: list[int]) -> None:
    table = deal(stacks).play(script)
    assert (table.bets, table.stacks, table.hand.over) == (bets, left, not any(bets))


def test_every_raise_after_circling_the_table_5_times_is_a_call() -> None:
    table = deal(THREE).play(one_chip_raises(101, 115))
    assert table.last_act == "2 raise 115", "the fifth lap may still raise"
    assert table.raises == (0, 0)
    table.play("raise:500")
    assert table.last_act == "0 call 115"
    table.play("raise:500 / check")


def test_laps_are_counted_around_the_table_whichever_bot_raises() -> None:
    table = deal(THREE).play("call raise:110 raise:120 fold raise:130 raise:140 raise:150 raise:160")
    table.play("raise:170 raise:180 raise:190 raise:200")
    assert table.last_act == "2 raise 200"
    assert table.play("raise:5000 / check").asked[-3:] == [1, 1, 2], "in the sixth lap it is a call"


def test_laps_start_again_on_every_street_and_a_raise_below_the_highest_bid_stays_invalid() -> None:
    table = deal(TWO).play(one_chip_raises(101, 110))
    with pytest.raises(IllegalAction):
        table.play("raise:109")
    table.play(f"raise:5000 / {one_chip_raises(1, 11)}")
    assert table.last_act == "0 call 10"
    assert table.play("bet:5").last_act == "0 bet 5"


def one_chip_raises(low: int, high: int) -> str:
    return " ".join(f"raise:{amount}" for amount in range(low, high + 1))


@pytest.mark.parametrize(
    ("stacks", "last_big", "blinds"),
    [
        pytest.param([5000] * 6, 4, [(4, 5), (5, 0), (0, 1), (1, 2), (2, 3), (3, 4)],
                     id="in six hands each player acts as both blinds once"),
        pytest.param([5000, 0, 5000, 0, 0, 5000], 5, [(5, 0), (0, 2), (2, 5), (5, 0)],
                     id="the big blind passes over busted seats and nobody skips it"),
        pytest.param([5000, 5000, 0, 5000, 5000, 5000], 3, [(3, 4)],
                     id="when the last small blind busts the last big blind becomes small blind"),
        pytest.param([0, 5000, 0, 5000], 3, [(3, 1), (1, 3), (3, 1), (1, 3)], id="heads-up the blinds alternate"),
    ],
)  # fmt: skip
def test_blinds_rotate_clockwise(stacks: list[int], last_big: int, blinds: list[tuple[int, int]]) -> None:
    big = last_big
    for expected in blinds:
        button, big = next_blind(QUICK_DRAW, big, stacks)
        table = Table(QUICK_DRAW, 1, button, stacks, deal(SIX).hand.deck)
        assert tuple(event.seat for event in posted(table)) == expected
        assert table.hand.order[-1] == big == expected[1]


def test_busted_bots_stay_in_the_list_and_are_not_dealt_in() -> None:
    table = deal("5000 0 5000 5000").play("call call check / check")
    assert table.hand.order == (0, 1, 2, 3)
    assert [seat.dealt_in for seat in table.hand.seats] == [True, False, True, True]
    assert table.asked == [0, 2, 3, 0, 2]


def test_blinds_are_50_and_100_and_a_bot_with_fewer_chips_posts_what_it_has() -> None:
    """In betting order, the small blind is second to last and the big blind last. The bet to match is 100 anyway."""
    table = deal(SIX)
    assert posted(table) == [BlindPosted(4, "small", 50, False), BlindPosted(5, "big", 100, False)]
    assert table.hand.order == (0, 1, 2, 3, 4, 5)
    table = deal("5000 5000 30 70")
    assert posted(table) == [BlindPosted(2, "small", 30, True), BlindPosted(3, "big", 70, True)]
    table = deal("5000 5000 5000 70")
    assert (table.turn.to_call, table.hand.current_bet) == (100, 100)
    assert table.play("call call").bets == [100, 100, 50, 70]


def posted(table: Table) -> list[BlindPosted]:
    return [event for event in table.events if isinstance(event, BlindPosted)]


@pytest.mark.parametrize(
    ("stacks", "script", "seat"),
    [("1000 5000 5000", "all-in fold", 2), ("1000 1000 5000 5000", "all-in all-in call", 3)],
)
def test_each_live_bot_is_asked_before_an_all_in_is_settled(stacks: str, script: str, seat: int) -> None:
    table = deal(stacks).play(script)
    assert (table.turn.seat, table.turn.to_call, table.hand.over) == (seat, 900, False)


@pytest.mark.parametrize(
    ("stacks", "script", "asked", "returned", "left"),
    [
        pytest.param("1000 1000", "all-in call", [0, 1], {}, [2000, 0], id="nobody is asked once everybody is all in"),
        pytest.param("100 5000", "call", [0], {}, [200, 4900], id="a lone live bot with nothing to match is not asked"),
        pytest.param("50 60", "", [], {1: 10}, [100, 10], id="everybody all in on the blinds"),
        pytest.param("5000 40", "", [], {0: 10}, [5040, 0], id="a small blind that covers the big one is not asked"),
        pytest.param("5000 70", "call", [0], {0: 30}, [5070, 0], id="the small blind matches a short big blind"),
    ],
)
def test_hand_ends_when_nobody_has_to_act(
    stacks: str, script: str, asked: list[int], returned: dict[int, int], left: list[int]
) -> None:
    table = deal(stacks, ACES_KINGS, LOW).play(script)
    assert (table.hand.over, table.asked, len(table.hand.board)) == (True, asked, 5)
    assert (table.returned, table.stacks) == (returned, left)


@pytest.mark.parametrize(
    ("stacks", "hands", "board", "script", "pots"),
    [
        pytest.param(
            "500 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW,
            "all-in raise:2000 call / check check / check check / check check",
            [(1500, (0, 1, 2), {0: 1500}), (3000, (1, 2), {1: 3000})],
            id="you win from each player only as much as you bet; the rest goes to the second-best hand",
        ),
        pytest.param(
            "300 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW, "all-in call call / bet:500 call / check check / check check",
            [(900, (0, 1, 2), {0: 900}), (1000, (1, 2), {1: 1000})], id="two live bots continue beside an all-in",
        ),
        pytest.param(
            "5000 1 5000", "3h 2c, As Ah, Kc Kd", LOW, "call check / check check / check check / check check",
            [(3, (0, 1, 2), {1: 3}), (198, (0, 2), {2: 198})], id="a small blind of one chip can win one from each",
        ),
        pytest.param(
            "750 250 500 500 500 500", "As Kd, Ad Ks, 7h 2c, 7d 2h, 8c 3d, 8d 3h", TIE, "all-in " * 6,
            [(1500, (0, 1, 2, 3, 4, 5), {0: 750, 1: 750}), (1250, (0, 2, 3, 4, 5), {0: 1250})],
            id="tied all-ins of different size are split by side pots",
        ),
        pytest.param(
            "1000 1000 1000", "As Kd, Ad Ks, 7h 2c", TIE, "all-in all-in all-in",
            [(3000, (0, 1, 2), {0: 1500, 1: 1500})], id="identical best 5 cards split the pot",
        ),
        pytest.param(
            "1001 1001 1001", "7h 2c, Ad Ks, As Kd", TIE, "all-in all-in all-in",
            [(3003, (0, 1, 2), {1: 1502, 2: 1501})], id="an odd chip goes to the first seat in betting order",
        ),
        pytest.param(
            "101 101 101 101", "As 2c, Ad 2d, Ac 2h, 3s 5d", "Ah Kh Qs 9s 8c", "all-in all-in all-in all-in",
            [(404, (0, 1, 2, 3), {0: 136, 1: 134, 2: 134})], id="odd chips are never destroyed",
        ),
        pytest.param("1000 1000", "Ah 9d, 6h 9c", "2c 3d 4s 5h Kd", "all-in call", [(2000, (0, 1), {1: 2000})],
                     id="a straight from the ace up is the lowest"),
        pytest.param("1000 1000", "Ah 9d, Ad 8c", "As 3d 4s 7h Kd", "all-in call", [(2000, (0, 1), {0: 2000})],
                     id="ties are broken by the kicker"),
        pytest.param("1000 1000", "Ah 2d, Kh Qc", "As 2c Ks Qd 7h", "all-in call", [(2000, (0, 1), {0: 2000})],
                     id="two pair is decided by the higher pair first"),
    ],
)  # fmt: skip
def test_pots_go_to_the_expected_winners(
    stacks: str, hands: str, board: str, script: str, pots: list[tuple[int, tuple[int, ...], dict[int, int]]]
) -> None:
    table = deal(stacks, hands, board).play(script)
    assert [(*pot, won) for pot, won in zip(table.pots, table.awards, strict=True)] == pots


def test_folded_chips_go_to_the_winner_of_their_pot_and_uncalled_chips_are_returned() -> None:
    table = deal("300 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW).play("all-in call call / bet:400 raise:800 fold")
    assert (table.returned, table.awards) == ({2: 400}, [{0: 900}, {2: 800}])
    assert table.stacks == [900, 4300, 5100]
    table = deal("5000 800", "As Ah, Kc Kd", LOW).play("raise:3000 call")
    assert (table.returned, table.pots) == ({0: 2200}, [(1600, (0, 1))])
    table = deal("5000 5000 5000").play("raise:3000 fold fold")
    assert (table.returned, table.awards) == ({0: 2900}, [{0: 250}]), "the pot is what was called"


def test_all_cards_are_revealed_at_the_end_of_every_hand_regardless_of_any_actions() -> None:
    table = deal("5000 5000 0 5000", "As Ah, Kc Kd, -, 7h 2c").play("raise:300 fold fold")
    shown = [event for event in table.events if isinstance(event, HandShown)]
    assert {event.seat: event.cards for event in shown} == {0: ("As", "Ah"), 1: ("Kc", "Kd"), 3: ("7h", "2c")}


def test_showdown_names_the_live_hands_and_gives_their_best_five_cards() -> None:
    table = deal("5000 5000 5000", "As Ah, Kc Kd, 7h 2c", "Ac Kh 8d 9h Jd")
    table.play("call call fold / check check / check check / check check")
    assert table.shown == {0: "three of a kind, aces, king kicker", 1: "three of a kind, kings, ace kicker", 2: ""}
    best = ["".join(card[0] for card in event.best) for event in table.events if isinstance(event, HandShown)]
    assert best == ["AAAKJ", "KKKAJ", ""]

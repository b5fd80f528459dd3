"""Each statistic by its definition, in hands made for its corners. The oracle: hands that were counted by hand.

Seat 0 is bot 1 and has the button; with three seats and more the blinds are bots 2 and 3.
"""

from collections.abc import Sequence

import pytest

from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.facts import BotStatistics
from tests.overlay.support.scripted_show import NAMES, Script

BOARD = "2c 7d 9h Ts 3c"


def table(count: int, stacks: Sequence[int] = ()) -> Script:
    script = Script(NAMES[:count]).connect().stage(games=3, advance=0)
    return script.game(tuple(range(1, count + 1)), tuple(stacks) or (5000,) * count)


def counted(script: Script) -> dict[int, BotStatistics]:
    """The last statistics on air, by bot."""
    events = [entry.event for entry in script.end_game().entries if isinstance(entry.event, StatisticsChanged)]
    return {row.bot: row for row in events[-1].rows}


def told(script: Script, *names: str) -> dict[int, list[str]]:
    """Each bot's figures: "2 of 3"."""
    return {
        bot: [f"{getattr(row, made)} of {getattr(row, could)}" for made, could in map(of, names)]
        for bot, row in counted(script).items()
    }


def of(name: str) -> tuple[str, str]:
    """The fields of a statistic: what was done, and how often it could have been."""
    return {
        "VPIP": ("vpip", "vpip_chances"),
        "PFR": ("pfr", "pfr_chances"),
        "3-bet": ("three_bets", "three_bet_chances"),
        "fold to 3-bet": ("three_bet_folds", "three_bet_fold_chances"),
        "c-bet": ("c_bets", "c_bet_chances"),
        "fold to c-bet": ("c_bet_folds", "c_bet_fold_chances"),
        "to showdown": ("showdowns", "flops"),
        "won there": ("showdowns_won", "showdowns"),
        "aggression": ("aggressive", "aggressive_chances"),
    }[name]


def test_a_walk_gives_the_big_blind_no_chance() -> None:
    assert told(table(3).hand("fold fold"), "VPIP", "PFR") == {
        1: ["0 of 1", "0 of 1"],
        2: ["0 of 1", "0 of 1"],
        3: ["0 of 0", "0 of 0"],
    }


def test_a_big_blind_that_checks_had_the_chance_and_let_it_pass() -> None:
    script = table(3).hand("call call call down", board=BOARD)
    assert told(script, "VPIP", "PFR") == {1: ["1 of 1", "0 of 1"], 2: ["1 of 1", "0 of 1"], 3: ["0 of 1", "0 of 1"]}


def test_a_limped_pot_has_no_three_bet_and_no_continuation_bet() -> None:
    script = table(3).hand("call call call raise:300 call call down", board=BOARD)
    assert set(map(tuple, told(script, "3-bet", "fold to 3-bet", "c-bet", "fold to c-bet").values())) == {
        ("0 of 0", "0 of 0", "0 of 0", "0 of 0")
    }


def test_a_raise_over_limpers_is_no_three_bet_but_one_over_a_raise_and_its_callers_is() -> None:
    # Bot 4 limps, bot 1 raises, bot 2 calls, bot 3 squeezes: that is the 3-bet. Bot 4 could fold to it or raise, but
    # did not raise first; bot 1 did, and folds.
    script = table(4).hand("call raise:300 call raise:1500 fold fold fold")
    assert told(script, "3-bet", "fold to 3-bet") == {
        1: ["0 of 0", "1 of 1"],
        2: ["0 of 1", "0 of 0"],
        3: ["1 of 1", "0 of 0"],
        4: ["0 of 0", "0 of 0"],
    }


def test_a_limper_who_raises_the_raiser_makes_a_three_bet() -> None:
    script = table(3).hand("call fold raise:400 raise:1200 call down", board=BOARD)
    assert told(script, "PFR", "3-bet", "fold to 3-bet") == {
        1: ["1 of 1", "1 of 1", "0 of 0"],
        2: ["0 of 1", "0 of 0", "0 of 0"],
        3: ["1 of 1", "0 of 0", "0 of 1"],
    }


def test_a_fourth_bet_is_no_three_bet_to_fold_to() -> None:
    # Bot 1 raises, bot 2 makes it three bets, bot 3 four: what bot 1 folds to is no 3-bet any more.
    script = table(3).hand("raise:300 raise:900 raise:2700 fold fold")
    assert told(script, "3-bet", "fold to 3-bet") == {
        1: ["0 of 0", "0 of 0"],
        2: ["1 of 1", "0 of 0"],
        3: ["0 of 0", "0 of 0"],
    }


def test_an_all_in_for_less_than_a_whole_raise_is_a_raise_and_one_for_less_than_a_call_a_call() -> None:
    # Bot 1 raises to 600; bot 2 is all in for 700: a raise all the same. Bot 3 is all in for 400: a call.
    script = table(3, (5000, 700, 400)).hand("raise:600 raise:700 call call down", board=BOARD)
    assert told(script, "VPIP", "PFR", "3-bet", "fold to 3-bet") == {
        1: ["1 of 1", "1 of 1", "0 of 0", "0 of 1"],
        2: ["1 of 1", "1 of 1", "1 of 1", "0 of 0"],
        3: ["1 of 1", "0 of 0", "0 of 0", "0 of 0"],
    }


def test_who_is_all_in_with_a_blind_had_no_chance_before_the_flop() -> None:
    script = table(3, (5000, 5000, 80)).hand("call call down", board=BOARD)
    assert told(script, "VPIP", "PFR", "to showdown") == {
        1: ["1 of 1", "0 of 1", "1 of 1"],
        2: ["1 of 1", "0 of 1", "1 of 1"],
        3: ["0 of 0", "0 of 0", "1 of 1"],
    }


def test_nobody_can_three_bet_who_has_not_the_chips_to_raise() -> None:
    script = table(2, (5000, 5000)).hand("raise:5000 call down", board=BOARD)
    assert told(script, "3-bet", "fold to 3-bet") == {1: ["0 of 0", "0 of 0"], 2: ["0 of 0", "0 of 0"]}


def test_the_last_raiser_bets_the_flop_and_each_other_folds_or_does_not() -> None:
    # Bots 2 and 3 call bot 1's raise. On the flop bot 1 bets, bot 2 folds, bot 3 calls.
    script = table(3).hand("raise:300 call call raise:400 fold call down", board=BOARD)
    assert told(script, "c-bet", "fold to c-bet") == {
        1: ["1 of 1", "0 of 0"],
        2: ["0 of 0", "1 of 1"],
        3: ["0 of 0", "0 of 1"],
    }


def test_a_round_of_checks_was_a_chance_to_bet_the_flop_that_was_not_taken() -> None:
    script = table(3).hand("raise:300 call call down", board=BOARD)
    rows = told(script, "c-bet", "fold to c-bet", "aggression")
    assert rows == {1: ["0 of 1", "0 of 0", "0 of 0"], 2: ["0 of 0"] * 3, 3: ["0 of 0"] * 3}


def test_who_is_bet_into_before_its_turn_had_no_chance_to_continue() -> None:
    # Bot 3 raises before the flop; on the flop bot 1 bets before bot 3 may.
    script = table(3).hand("call call raise:300 call call raise:400 call call down", board=BOARD)
    rows = told(script, "c-bet", "fold to c-bet")
    assert {tuple(each) for each in rows.values()} == {("0 of 0", "0 of 0")}


def test_who_meets_a_raise_of_the_continuation_bet_does_not_meet_that_bet_itself() -> None:
    # On the flop bot 1 bets and bot 2 raises: bot 3 folds to that raise.
    script = table(3).hand("raise:300 call call raise:400 raise:1200 fold fold", board=BOARD)
    assert told(script, "c-bet", "fold to c-bet") == {
        1: ["1 of 1", "0 of 0"],
        2: ["0 of 0", "0 of 1"],
        3: ["0 of 0", "0 of 0"],
    }


def test_a_bet_on_the_turn_after_a_checked_flop_is_no_continuation_bet() -> None:
    script = table(2).hand("call raise:300 call call call call raise:500 call down", board=BOARD)
    assert sum(row.c_bets for row in counted(script).values()) == 0


def test_who_is_all_in_before_the_flop_sees_it_and_goes_to_the_showdown() -> None:
    script = table(3).hand("raise:5000 fold call", holes={0: "Ah Ad", 2: "Kh Kd"}, board=BOARD)
    assert told(script, "c-bet", "to showdown", "won there", "aggression") == {
        1: ["0 of 0", "1 of 1", "1 of 1", "0 of 0"],
        2: ["0 of 0", "0 of 0", "0 of 0", "0 of 0"],
        3: ["0 of 0", "1 of 1", "0 of 1", "0 of 0"],
    }


def test_who_folds_on_the_flop_has_seen_it_but_no_showdown() -> None:
    script = table(2).hand("call call raise:400 fold", board=BOARD)
    assert sorted(rows[0] for rows in told(script, "to showdown").values()) == ["0 of 1", "0 of 1"]


def test_aggression_is_what_is_done_after_the_flop_but_checks() -> None:
    # Flop: check, bet, call. Turn: check, check. River: bet, raise, fold.
    script = table(2).hand("call call call raise:400 call call call raise:600 raise:2000 fold", board=BOARD)
    rows = counted(script)
    first, second = (row for row in rows.values())
    assert sum(row.aggressive for row in rows.values()) == 3
    assert first.aggressive_chances + second.aggressive_chances == 5


@pytest.mark.parametrize("acts", ["raise:300 raise:900 fold", "call raise:300 fold"])
def test_heads_up_the_blinds_are_no_chips_of_free_will(acts: str) -> None:
    # Quick Draw's button has the big blind heads-up, so the small blind acts first.
    rows = told(table(2).hand(acts), "VPIP")
    assert sorted(row[0] for row in rows.values()) == ["1 of 1", "1 of 1"]


def test_heads_up_a_walk_gives_nobody_a_chance_but_the_small_blind() -> None:
    rows = told(table(2).hand("fold"), "VPIP", "PFR")
    assert sorted(rows.values()) == [["0 of 0", "0 of 0"], ["0 of 1", "0 of 1"]]

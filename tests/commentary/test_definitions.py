"""Each statistic by its definition, in hands for its edge cases, counted by hand.

Seat 0 is bot 1 and has the button; with three seats and more the blinds are bots 2 and 3.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.facts import BotStatistics
from tests.overlay.support.scripted_show import NAMES, Script

BOARD = "2c 7d 9h Ts 3c"
FIELDS = {
    "VPIP": ("vpip", "vpip_chances"),
    "PFR": ("pfr", "pfr_chances"),
    "3-bet": ("three_bets", "three_bet_chances"),
    "fold to 3-bet": ("three_bet_folds", "three_bet_fold_chances"),
    "c-bet": ("c_bets", "c_bet_chances"),
    "fold to c-bet": ("c_bet_folds", "c_bet_fold_chances"),
    "to showdown": ("showdowns", "flops"),
    "won there": ("showdowns_won", "showdowns"),
    "aggression": ("aggressive", "aggressive_chances"),
}
"""The fields of each statistic: how often it happened, and how often it could have."""
NEVER = "0/0 0/0 0/0"


def statistics_of(stacks: Sequence[int], acts: str, **more: Any) -> dict[int, BotStatistics]:
    """The statistics by bot after a hand of bots with these stacks."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=3, advance=0)
    script.game(tuple(range(1, len(stacks) + 1)), tuple(stacks)).hand(acts, board=BOARD, **more)
    events = [entry.event for entry in script.end_game().entries if isinstance(entry.event, StatisticsChanged)]
    return {row.bot: row for row in events[-1].rows}


def figures(rows: Mapping[int, BotStatistics], name: str) -> str:
    """A statistic of every bot in order: "1/2 0/1"."""
    made, could = FIELDS[name]
    return " ".join(f"{getattr(rows[bot], made)}/{getattr(rows[bot], could)}" for bot in sorted(rows))


@pytest.mark.parametrize(
    ("stacks", "acts", "expected"),
    [
        pytest.param((5000,) * 3, "fold fold", {"VPIP": "0/1 0/1 0/0", "PFR": "0/1 0/1 0/0"},
            id="a walk gives the big blind no chance"),
        pytest.param((5000,) * 3, "call call call down", {"VPIP": "1/1 1/1 0/1", "PFR": "0/1 0/1 0/1"},
            id="a big blind that checks passes up its chance"),
        pytest.param((5000,) * 3, "call call call raise:300 call call down",
            dict.fromkeys(("3-bet", "fold to 3-bet", "c-bet", "fold to c-bet"), NEVER),
            id="a limped pot has no 3-bet and no c-bet"),
        # Bot 4 limps, bot 1 raises, bot 2 calls, bot 3 squeezes: that is the 3-bet. Bot 4 did not raise first.
        pytest.param((5000,) * 4, "call raise:300 call raise:1500 fold fold fold",
            {"3-bet": "0/0 0/1 1/1 0/0", "fold to 3-bet": "1/1 0/0 0/0 0/0"},
            id="a raise over limpers is no 3-bet, one over a raise and its callers is"),
        pytest.param((5000,) * 3, "call fold raise:400 raise:1200 call down",
            {"PFR": "1/1 0/1 1/1", "3-bet": "1/1 0/0 0/0", "fold to 3-bet": "0/0 0/0 0/1"},
            id="a limper may 3-bet the raiser"),
        # Bot 1 raises, bot 2 makes it three bets, bot 3 four: bot 1 does not fold to a 3-bet.
        pytest.param((5000,) * 3, "raise:300 raise:900 raise:2700 fold fold",
            {"3-bet": "0/0 1/1 0/0", "fold to 3-bet": NEVER},
            id="a fold to a fourth bet is no fold to a 3-bet"),
        # Bot 2 is all in for 700, still a raise; bot 3 for 400, a call.
        pytest.param((5000, 700, 400), "raise:600 raise:700 call call down",
            {"VPIP": "1/1 1/1 1/1", "PFR": "1/1 1/1 0/0", "3-bet": "0/0 1/1 0/0", "fold to 3-bet": "0/1 0/0 0/0"},
            id="an all-in for less than a full raise is a raise, one for less than a call a call"),
        pytest.param((5000, 5000, 80), "call call down",
            {"VPIP": "1/1 1/1 0/0", "PFR": "0/1 0/1 0/0", "to showdown": "1/1 1/1 1/1"},
            id="a bot all in with its blind has no chance before the flop"),
        pytest.param((5000,) * 2, "raise:5000 call down", {"3-bet": "0/0 0/0", "fold to 3-bet": "0/0 0/0"},
            id="a bot without the chips to raise cannot 3-bet"),
        pytest.param((5000,) * 3, "raise:300 call call raise:400 fold call down",
            {"c-bet": "1/1 0/0 0/0", "fold to c-bet": "0/0 1/1 0/1"},
            id="the last raiser bets the flop, and each other folds to it or not"),
        pytest.param((5000,) * 3, "raise:300 call call down",
            {"c-bet": "0/1 0/0 0/0", "fold to c-bet": NEVER, "aggression": NEVER},
            id="a round of checks is a missed chance to c-bet"),
        # Bot 3 raises before the flop; on the flop bot 1 bets before bot 3 may.
        pytest.param((5000,) * 3, "call call raise:300 call call raise:400 call call down",
            {"c-bet": NEVER, "fold to c-bet": NEVER},
            id="a bot that is bet into before its turn has no chance to c-bet"),
        # On the flop bot 1 bets and bot 2 raises: bot 3 folds to that raise.
        pytest.param((5000,) * 3, "raise:300 call call raise:400 raise:1200 fold fold",
            {"c-bet": "1/1 0/0 0/0", "fold to c-bet": "0/0 0/1 0/0"},
            id="a fold to a raise of the c-bet is no fold to the c-bet"),
        pytest.param((5000,) * 2, "call call raise:400 fold", {"to showdown": "0/1 0/1"},
            id="a fold on the flop is a flop seen without a showdown"),
        # Quick Draw's button has the big blind heads-up, so the small blind acts first.
        pytest.param((5000,) * 2, "raise:300 raise:900 fold", {"VPIP": "1/1 1/1"}, id="heads-up with a 3-bet"),
        pytest.param((5000,) * 2, "call raise:300 fold", {"VPIP": "1/1 1/1"}, id="heads-up with a limp"),
    ],
)  # fmt: skip
def test_statistics_count_by_their_definitions(stacks: Sequence[int], acts: str, expected: Mapping[str, str]) -> None:
    rows = statistics_of(stacks, acts)
    assert {name: figures(rows, name) for name in expected} == expected


def test_bots_all_in_before_the_flop_see_it_and_go_to_the_showdown() -> None:
    rows = statistics_of((5000,) * 3, "raise:5000 fold call", holes={0: "Ah Ad", 2: "Kh Kd"})
    assert [figures(rows, name) for name in ("c-bet", "to showdown", "won there", "aggression")] == [
        NEVER, "1/1 0/0 1/1", "1/1 0/0 0/1", NEVER,
    ]  # fmt: skip


def test_bet_on_the_turn_after_a_checked_flop_is_no_continuation_bet() -> None:
    rows = statistics_of((5000,) * 2, "call raise:300 call call call call raise:500 call down")
    assert sum(row.c_bets for row in rows.values()) == 0


def test_aggression_counts_everything_after_the_flop_but_checks() -> None:
    # Flop: check, bet, call. Turn: check, check. River: bet, raise, fold.
    rows = statistics_of((5000,) * 2, "call call call raise:400 call call call raise:600 raise:2000 fold")
    assert sum(row.aggressive for row in rows.values()) == 3
    assert sum(row.aggressive_chances for row in rows.values()) == 5


def test_heads_up_walk_gives_only_the_small_blind_a_chance() -> None:
    rows = statistics_of((5000,) * 2, "fold")
    for name in ("VPIP", "PFR"):
        assert sorted(figures(rows, name).split()) == ["0/0", "0/1"]

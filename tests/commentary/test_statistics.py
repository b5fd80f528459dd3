"""Statistics of how bots play, checked with hands counted by hand."""

from collections.abc import Sequence

import pytest

from broadcast.commentary.statistics.notices import notices
from broadcast.commentary.statistics.statistics import Statistics
from broadcast.odds.equity import WHOLE, equities
from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.facts import BotStatistics, Notice
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.on_air.table_state import with_tables
from server.game.events import FaultNoted
from server.hand_histories.import_hands import import_hands
from tests.overlay.support.scripted_show import NAMES, Script, folded
from tests.support.source_files import ROOT

BOARD = "2c 7d 9h Ts 3c"


def table(count: int, stacks: Sequence[int] = ()) -> Script:
    script = Script(NAMES[:count]).connect().stage(games=3, advance=0)
    return script.game(tuple(range(1, count + 1)), tuple(stacks) or (5000,) * count)


def statistics_of(script: Script) -> dict[int, BotStatistics]:
    """The latest statistics on air, by bot."""
    events = [entry.event for entry in script.end_game().entries if isinstance(entry.event, StatisticsChanged)]
    return {row.bot: row for row in events[-1].rows}


def test_bets_and_calls_are_counted_on_every_street() -> None:
    rows = statistics_of(table(2).hand("raise:300 call raise:400 call raise:500 call raise:600 call", board=BOARD))
    assert sum(row.bets for row in rows.values()) == 4
    assert sum(row.calls for row in rows.values()) == 4
    assert sum(row.vpip for row in rows.values()) == 2
    assert sum(row.pfr for row in rows.values()) == 1


def test_luck_is_what_the_board_gave_beyond_expectation_and_the_rest_is_earned() -> None:
    script = table(2).hand("raise:5000 call", holes={0: "Qh Qd", 1: "Ac Ks"}, board=BOARD)
    before = equities([("Qh", "Qd"), ("Ac", "Ks")])[0]
    rows = statistics_of(script)
    assert rows[1].luck == round(10000 - 10000 * before.share / (WHOLE * before.boards))
    assert rows[1].luck + rows[2].luck == 0
    assert {(row.all_ins, row.won, row.earned) for row in rows.values()} == {
        (1, 5000, 5000 - rows[1].luck),
        (1, -5000, rows[1].luck - 5000),
    }


def test_luck_counts_while_bots_can_still_bet_but_all_ins_do_not() -> None:
    rows = statistics_of(table(3, (400, 5000, 5000)).hand("raise:400 call call down", board=BOARD))
    assert [row.all_ins for row in rows.values()] == [0, 0, 0]
    assert sum(row.luck for row in rows.values()) == 0
    assert any(row.luck for row in rows.values())


def test_unknown_cards_leave_luck_and_earnings_unknown() -> None:
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    statistics = Statistics()
    for entry in with_tables(published):
        statistics.apply(entry.event, entry.table)
    rows = statistics.event.rows
    assert {row.earned for row in rows if row.hands} == {None}
    assert any(row.won for row in rows)


def test_biggest_pot_has_the_chips_won_in_one_hand_and_the_winning_hand() -> None:
    holes = {0: "Ah Ad", 1: "Kh Kd"}
    rows = statistics_of(table(2).hand("raise:1000 call " + "call " * 6, holes=holes, board=BOARD))
    assert (rows[1].biggest_pot, rows[1].biggest_with) == (2000, "a pair of aces")
    rows = statistics_of(table(2).hand("fold"))
    assert sorted((row.biggest_pot, row.biggest_with) for row in rows.values()) == [(0, ""), (100, "")]


def test_answers_and_faults_are_counted() -> None:
    script = table(2).hand("call call call call", board=BOARD)
    script.tell(FaultNoted(2, "malformed", "no JSON"))
    rows = statistics_of(script)
    assert sum(row.answers for row in rows.values()) == 4
    assert sum(row.think_ms for row in rows.values()) == 4 * 900
    assert [row.faults for row in rows.values()] == [0, 1]


def test_notices_name_one_bot_for_each_remarkable_figure() -> None:
    rows = [
        BotStatistics(
            1, hands=20, vpip=12, vpip_chances=20, pfr=8, pfr_chances=20, showdowns=8, showdowns_won=6, luck=900,
            earned=0, biggest_pot=9160, biggest_with="two pair", answers=60, think_ms=60 * 400, aggressive=9,
            aggressive_chances=10,
        ),
        BotStatistics(
            2, hands=20, vpip=3, vpip_chances=20, pfr=1, pfr_chances=20, showdowns=6, showdowns_won=2, luck=-900,
            earned=0, biggest_pot=800, answers=60, think_ms=60 * 1500, faults=2, aggressive=2, aggressive_chances=12,
        ),
    ]  # fmt: skip
    assert notices(rows) == [
        Notice("Biggest pot", 1, "9,160 with two pair"),
        Notice("Loosest", 1, "plays 60% of hands"),
        Notice("Tightest", 2, "plays 15% of hands"),
        Notice("Boldest", 1, "bets or raises 90% of the time"),
        Notice("Raises most", 1, "raises 40% of hands"),
        Notice("Showdowns", 1, "won 6 of 8"),
        Notice("Luckiest", 1, "900 by the cards alone"),
        Notice("Unluckiest", 2, "900 lost to the cards"),
        Notice("Quickest gun", 1, "0.4 seconds an answer"),
        Notice("Deepest thinker", 2, "1.5 seconds an answer"),
        Notice("Most misfires", 2, "2 faults"),
    ]


@pytest.mark.parametrize("rows", [[], [BotStatistics(1)], [BotStatistics(1, hands=20), BotStatistics(2, hands=20)]])
def test_small_samples_and_ties_have_no_notice(rows: list[BotStatistics]) -> None:
    assert notices(rows) == []


def test_statistics_come_after_every_game_and_stay_in_the_picture() -> None:
    script = table(2).hand("fold").end_game()
    kept = folded(script.entries).statistics
    assert [row.bot for row in kept.rows] == [1, 2]
    loosest = Notice("Loosest", 1, "x")
    assert reduce(State(), 1, 0, 0, StatisticsChanged((), (loosest,))).statistics.notices == (loosest,)

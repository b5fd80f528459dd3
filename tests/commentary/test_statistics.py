"""Statistics follow their definitions. The crosstable (who won how much from whom) adds up. Bots get awards."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.commentary.awards import Awards
from broadcast.commentary.statistics.hand_counts import divide_chips
from broadcast.commentary.statistics.notices import MIN_CLAIMS, find_notices
from broadcast.commentary.statistics.statistics import Statistics, significance_text
from broadcast.on_air.events import CaptionSpoken, StatisticsChanged
from broadcast.on_air.shared_types import BotStatistics, Notice, ReadingScores
from broadcast.on_air.table_state import with_tables
from broadcast.show.hold_times import hold_with_commentary
from server.equity.equity import FULL_SHARE, equities
from server.game.events import ChatSent, Event, FaultNoted, HandEnded, SeatVacated, StageEnded
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry, read_journal
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import KEPT_FOLDER, of_kind
from tests.support.source_files import ROOT

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
"""Each statistic's two fields: how often a bot did something, and how often the bot had a chance to do so."""
NO_CHANCES = "0/0 0/0 0/0"
TWO_STACKS, THREE_STACKS = (5000,) * 2, (5000,) * 3


def after_hand(
    acts: str, stacks: Sequence[int] = TWO_STACKS, *more_events: Event, holes: Mapping[int, str] | None = None
) -> dict[int, BotStatistics]:
    """The statistics of all bots after a game of one hand and the events in `more_events`."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=3, advance=0).game(range(1, len(stacks) + 1), stacks)
    entries = script.hand(acts, board=BOARD, holes=holes).put(*more_events).end_game().entries
    *_, statistics = (entry.event for entry in entries if isinstance(entry.event, StatisticsChanged))
    return {row.bot: row for row in statistics.rows}


def count_statistics(entries: Iterable[Entry]) -> Statistics:
    statistics = Statistics()
    for entry in with_tables(entries):
        statistics.apply(entry.event, entry.table)
    return statistics


def figures(rows: Mapping[int, BotStatistics], name: str) -> str:
    """The statistic `name` of each bot in order. In "1/2 0/1", the first bot has taken one of its two chances."""
    times, chances = FIELDS[name]
    return " ".join(f"{getattr(rows[bot], times)}/{getattr(rows[bot], chances)}" for bot in sorted(rows))


@pytest.mark.parametrize(
    ("stacks", "acts", "expected"),
    [
        # Bot 1 has the button. With three bots or more, bots 2 and 3 post the blinds. "down": all check or call.
        pytest.param(THREE_STACKS, "fold fold", {"VPIP": "0/1 0/1 0/0", "PFR": "0/1 0/1 0/0"},
            id="a walk gives the big blind no chance"),
        pytest.param(THREE_STACKS, "call call call down", {"VPIP": "1/1 1/1 0/1", "PFR": "0/1 0/1 0/1"},
            id="a big blind that checks passes up its chance"),
        pytest.param(THREE_STACKS, "call call call raise:300 call call down",
            dict.fromkeys(("3-bet", "fold to 3-bet", "c-bet", "fold to c-bet"), NO_CHANCES),
            id="a limped pot has no 3-bet and no c-bet"),
        # Bot 4 limps, bot 1 raises, bot 2 calls, and bot 3 makes the 3-bet. Only the fold of bot 1, the raiser, counts.
        pytest.param((5000,) * 4, "call raise:300 call raise:1500 fold fold fold",
            {"3-bet": "0/0 0/1 1/1 0/0", "fold to 3-bet": "1/1 0/0 0/0 0/0"},
            id="a raise over limpers is no 3-bet, but a raise over a raise and its callers is one"),
        pytest.param(THREE_STACKS, "call fold raise:400 raise:1200 call down",
            {"PFR": "1/1 0/1 1/1", "3-bet": "1/1 0/0 0/0", "fold to 3-bet": "0/0 0/0 0/1"},
            id="a limper may 3-bet the raiser"),
        # Bot 1 raises, bot 2 makes the 3-bet, and bot 3 makes the 4-bet, to which bot 1 folds.
        pytest.param(THREE_STACKS, "raise:300 raise:900 raise:2700 fold fold",
            {"3-bet": "0/0 1/1 0/0", "fold to 3-bet": NO_CHANCES},
            id="a fold to a fourth bet is not a fold to a 3-bet"),
        # The all-in of bot 2 for 700 is a raise. The all-in of bot 3 for 400 is a call.
        pytest.param((5000, 700, 400), "raise:600 raise:700 call call down",
            {"VPIP": "1/1 1/1 1/1", "PFR": "1/1 1/1 0/0", "3-bet": "0/0 1/1 0/0", "fold to 3-bet": "0/1 0/0 0/0"},
            id="an all-in below a full raise is a raise, and an all-in below a call is a call"),
        pytest.param((5000, 5000, 80), "call call down",
            {"VPIP": "1/1 1/1 0/0", "PFR": "0/1 0/1 0/0", "to showdown": "1/1 1/1 1/1"},
            id="a bot all in with its blind has no chance before the flop"),
        pytest.param(TWO_STACKS, "raise:5000 call down", {"3-bet": "0/0 0/0", "fold to 3-bet": "0/0 0/0"},
            id="a bot without the chips to raise cannot 3-bet"),
        pytest.param(THREE_STACKS, "raise:300 call call raise:400 fold call down",
            {"c-bet": "1/1 0/0 0/0", "fold to c-bet": "0/0 1/1 0/1"},
            id="the last raiser bets the flop, and each opponent folds to it or not"),
        pytest.param(THREE_STACKS, "raise:300 call call down",
            {"c-bet": "0/1 0/0 0/0", "fold to c-bet": NO_CHANCES, "aggression": NO_CHANCES},
            id="a round of checks is a missed chance to c-bet"),
        # Bot 3 raises before the flop. On the flop, bot 1 bets before bot 3 can act.
        pytest.param(THREE_STACKS, "call call raise:300 call call raise:400 call call down",
            {"c-bet": NO_CHANCES, "fold to c-bet": NO_CHANCES},
            id="a bot that is bet into before its turn has no chance to c-bet"),
        # On the flop, bot 1 bets and bot 2 raises. So bot 3 folds to the raise, and not to the c-bet.
        pytest.param(THREE_STACKS, "raise:300 call call raise:400 raise:1200 fold fold",
            {"c-bet": "1/1 0/0 0/0", "fold to c-bet": "0/0 0/1 0/0"},
            id="a fold to a raise of the c-bet is not a fold to the c-bet"),
        pytest.param(TWO_STACKS, "call call raise:400 fold", {"to showdown": "0/1 0/1"},
            id="a bot that folds on the flop has seen a flop but no showdown"),
        pytest.param(THREE_STACKS, "raise:5000 fold call",
            {"c-bet": NO_CHANCES, "to showdown": "1/1 0/0 1/1", "aggression": NO_CHANCES},
            id="bots that are all in before the flop go to the showdown and have no chance to bet"),
        # Flop: check, bet, call. Turn: check, check. River: bet, raise, fold.
        pytest.param(TWO_STACKS, "call call call raise:400 call call call raise:600 raise:2000 fold",
            {"aggression": "2/2 1/3", "c-bet": "0/0 0/0"},
            id="checks do not count as missed chances to bet or raise"),
    ],
)  # fmt: skip
def test_statistics_follow_their_definitions(stacks: Sequence[int], acts: str, expected: Mapping[str, str]) -> None:
    rows = after_hand(acts, stacks)
    assert {name: figures(rows, name) for name in expected} == expected


def test_every_hand_has_luck_but_all_ins_are_counted_only_if_nobody_can_bet() -> None:
    rows = after_hand("raise:5000 call", holes={0: "Qh Qd", 1: "Ac Ks"})
    equity = equities([("Qh", "Qd"), ("Ac", "Ks")])[0]
    luck = rows[1].luck
    assert luck == round(10000 - 10000 * equity.share / (FULL_SHARE * equity.boards))
    assert (rows[1].all_ins, rows[1].won, rows[1].earned) == (1, 5000, 5000 - luck)
    assert (rows[2].all_ins, rows[2].won, rows[2].earned) == (1, -5000, luck - 5000)
    rows = after_hand("raise:400 call call down", (400, 5000, 5000))
    assert [row.all_ins for row in rows.values()] == [0, 0, 0]
    assert any(row.luck for row in rows.values())


def test_unknown_cards_leave_luck_and_earnings_unknown() -> None:
    published_hand = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    rows = count_statistics(published_hand).on_air_event.rows
    assert {row.earned for row in rows if row.hands} == {None}
    assert any(row.won for row in rows)


def test_pots_bets_answers_and_faults_of_a_bot_are_counted() -> None:
    fault = FaultNoted(2, "malformed", "")
    rows = after_hand("raise:1000 call down", TWO_STACKS, fault, holes={0: "Ah Ad", 1: "Kh Kd"})
    assert (rows[1].biggest_pot, rows[1].biggest_with) == (2000, "a pair of aces")
    assert figures(rows, "won there") == "1/1 0/1"
    assert [(rows[bot].bets, rows[bot].calls) for bot in (1, 2)] == [(0, 1), (1, 0)]
    assert sum(row.answers for row in rows.values()) == 8
    assert sum(row.think_ms for row in rows.values()) == 8 * 900
    assert [row.faults for row in rows.values()] == [0, 1]
    assert sorted((row.biggest_pot, row.biggest_with) for row in after_hand("fold").values()) == [(0, ""), (100, "")]


def test_notices_and_awards_name_one_bot_for_each_title() -> None:
    # `reading` has the numbers of thoughts, of claims in them, and of false claims.
    rows = [
        BotStatistics(
            1, hands=20, vpip=12, vpip_chances=20, pfr=8, pfr_chances=20, showdowns=8, showdowns_won=6, luck=900,
            earned=-700, biggest_pot=9160, biggest_with="two pair", answers=60, think_ms=60 * 400, aggressive=9,
            aggressive_chances=10, words=27, reading=ReadingScores(50, MIN_CLAIMS, 1),
        ),
        BotStatistics(
            2, hands=20, vpip=3, vpip_chances=20, pfr=1, pfr_chances=20, showdowns=6, showdowns_won=2, luck=-900,
            earned=700, biggest_pot=800, answers=60, think_ms=60 * 1500, faults=2, aggressive=2, aggressive_chances=12,
            words=1, reading=ReadingScores(50, 2 * MIN_CLAIMS, 10),
        ),
        BotStatistics(3, earned=0, answers=50, think_ms=50 * 12, reading=ReadingScores(50, MIN_CLAIMS - 1, 0)),
    ]  # fmt: skip
    truth_notices = (
        Notice("Straightest shooter", 1, "19 of 20 claims in its thoughts were true"),
        Notice("Tallest tale", 2, "10 of 40 claims in its thoughts were false"),
    )
    assert find_notices(rows) == [  # Notices say what stands out in the statistics.
        Notice("Biggest pot", 1, "9,160 with two pair"),
        Notice("Loosest", 1, "plays 60% of hands"),
        Notice("Tightest", 2, "plays 15% of hands"),
        Notice("Boldest", 1, "bets or raises 90% of the time"),
        Notice("Raises most", 1, "40% of hands"),
        Notice("Showdowns", 1, "won 6 of 8"),
        Notice("Luckiest", 1, "900 chips up on luck"),
        Notice("Unluckiest", 2, "900 chips lost to bad luck"),
        Notice("Quickest gun", 3, "0.0 seconds a decision"),
        Notice("Deepest thinker", 2, "1.5 seconds a decision"),
        Notice("Most misfires", 2, "2 faults"),
        *truth_notices,
    ]
    assert Awards().choose(rows) == (
        *truth_notices,
        Notice("Luckiest", 1, "900 chips up on luck"),
        Notice("Best play", 2, "+700 chips with luck taken out"),
        Notice("Most talkative", 1, "27 words in 20 hands"),
        Notice("Unluckiest", 2, "900 chips lost to bad luck"),
        Notice("Fastest", 3, "12 ms a decision"),
    )


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [BotStatistics(1, hands=20), BotStatistics(2, hands=20)],
        [BotStatistics(1, hands=5, faults=1)],
        [BotStatistics(1, hands=5, showdowns=6, showdowns_won=3)],
        [BotStatistics(bot, luck=0, earned=0, words=50) for bot in (1, 2)],
        [BotStatistics(bot, luck=0, earned=0, words=10 * bot) for bot in (1, 2)],
        [BotStatistics(1, luck=500), BotStatistics(2, luck=-500)],
    ],
)
def test_small_samples_and_ties_earn_no_notice_and_no_award(rows: list[BotStatistics]) -> None:
    assert find_notices(rows) == []
    assert Awards().choose(rows) == ()


@pytest.mark.parametrize("name", ["enova.jsonl", "quick-draw.jsonl"])
def test_crosstable_adds_up_to_what_each_bot_won(name: str) -> None:
    entries = read_journal(KEPT_FOLDER / name).entries
    forfeited, balances, statistics = Counter[int](), Counter[int](), count_statistics(entries).on_air_event
    for entry in with_tables(entries):
        if isinstance(entry.event, SeatVacated):
            forfeited[entry.table.bots[entry.event.seat]] += entry.event.amount
    for cell in statistics.crosstable:
        assert cell.chips > 0
        balances[cell.by] += cell.chips
        balances[cell.of] -= cell.chips
    assert statistics.hands == len(of_kind(entries, HandEnded)) > 0
    assert [balances[row.bot] for row in statistics.rows] == [row.won + forfeited[row.bot] for row in statistics.rows]


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=9))
def test_crosstable_divides_losers_chips_in_proportion_to_winnings(changes: list[int]) -> None:
    winnings = dict(enumerate([*changes, -sum(changes)]))
    taken, total_won = divide_chips(winnings), sum(chips for chips in winnings.values() if chips > 0)
    for seat, chips in winnings.items():
        assert sum(amount for (by, _), amount in taken.items() if by == seat) == max(0, chips)
        assert sum(amount for (_, of), amount in taken.items() if of == seat) == max(0, -chips)
    for (by, of), amount in taken.items():
        assert amount >= 0
        assert abs(amount - Fraction(-winnings[of] * winnings[by], total_won)) < len(winnings)


def after_stage(hands: int, *more_events: Event, bots: int = 2, advance: int = 0) -> list[Event]:
    """Plays a stage of `hands` folded hands, then `more_events`. Returns the events from the stage's end on."""
    script = Script(NAMES[:bots]).connect().stage(games=1, hands=90, advance=advance).game(range(1, bots + 1))
    for _ in range(hands):
        script.hand("fold " * (bots - 1))
    script.put(*more_events).end_game().end_stage(script.seats, script.stacks, advancing=advance)
    events = [entry.event for entry in script.entries]
    return events[next(index for index, event in enumerate(events) if isinstance(event, StageEnded)) :]


def test_closing_statistics_follow_only_the_last_stage_and_stay_long_enough_to_read() -> None:
    chats = [*[ChatSent(1, "I have math on my side.")] * 5, ChatSent(2, "Howdy")]
    stage_ended, caption, statistics = after_stage(10, *chats)
    assert isinstance(statistics, StatisticsChanged)
    assert isinstance(caption, CaptionSpoken)
    assert statistics.closing  # `closing`: whether these are the last statistics of the tournament
    assert Notice("Most talkative", 1, "30 words in 10 hands") in statistics.awards
    assert hold_with_commentary(4000, stage_ended, [caption, statistics]) == 10_000
    assert [type(event) for event in after_stage(9)] == [StageEnded], "nine hands must be too few for statistics"
    first_stage = after_stage(12, bots=6, advance=3)
    assert not any(isinstance(event, StatisticsChanged) and event.closing for event in first_stage)


def test_closing_statistics_of_many_games_have_ranges_of_earnings() -> None:
    rows = count_statistics(play_house_contest("quick-draw", 5, 12)).closing_event().rows
    ranges = [(row.low, row.earned, row.high) for row in rows if row.low is not None]
    assert ranges
    assert all((low or 0) <= (earned or 0) <= (high or 0) for low, earned, high in ranges)


ONE_NIGHT = "One night isn't enough to tell a good bot from a lucky one"


@pytest.mark.parametrize(
    ("bounds", "caption"),
    [
        ([(None, None)], "After only 114 hands, nobody can tell a good bot from a lucky one."),
        ([(-5, 5), (-9, 3)], f"{ONE_NIGHT}. It could all still be luck."),
        ([(2, 9), (-9, 3)], f"{ONE_NIGHT}, but Ada's result looks like more than luck."),
        ([(2, 9), (-9, -3)], f"{ONE_NIGHT}. Only the results of Ada and Bob look like more than luck."),
    ],
)
def test_caption_names_the_bots_whose_range_excludes_zero(bounds: Sequence[tuple[Any, Any]], caption: str) -> None:
    rows = [BotStatistics(bot, hands=20, earned=0, low=low, high=high) for bot, (low, high) in enumerate(bounds, 1)]
    assert significance_text(StatisticsChanged(tuple(rows), hands=114), {1: "Ada", 2: "Bob"}).startswith(caption)

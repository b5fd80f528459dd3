"""At the end of a tournament, bots get the right awards for scripted hands and statistics."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from broadcast.commentary.awards import Awards
from broadcast.commentary.statistics.statistics import Statistics, plain_truth
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import CaptionSpoken, StatisticsChanged
from broadcast.on_air.facts import BotStatistics, Notice
from broadcast.on_air.table_state import HandOdds, with_tables
from broadcast.show.hold_times import hold_with_commentary
from server.game.events import ActionTaken, Event, HandStarted, StageEnded
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.hand_events import at_table
from tests.support.house_contests import play_house_contest

BOARD = "Kh 9h 4c 7s 2d"


def table(count: int = 2, hands: int = 0) -> Script:
    """A table of the last stage after `hands` folded hands."""
    script = Script(NAMES[:count]).connect().stage("High Noon", games=1, hands=90, advance=0)
    script.game(tuple(range(1, count + 1)))
    for _ in range(hands):
        script.hand("fold " * (count - 1))
    return script


def closing_events(script: Script) -> list[Event]:
    """The events that go on air when the script's last stage ends."""
    bots = script.seats
    script.end_game().end_stage(bots, script.stacks, advancing=0)
    events = [entry.event for entry in script.entries]
    return events[next(at for at, event in enumerate(events) if isinstance(event, StageEnded)) :]


def awards(script: Script) -> dict[str, Notice]:
    counted = closing_events(script)[-1]
    assert isinstance(counted, StatisticsChanged)
    assert counted.closing
    return {award.title: award for award in counted.awards}


def test_biggest_bluff_won_the_most_chips_even_if_another_had_a_smaller_chance() -> None:
    script, strong = table(hands=10), "Ks Kd"
    hopeless, drawing = "call raise:300 call raise:900 fold", "call raise:320 call call call raise:900 fold"
    for acts, weak in (("call call raise:400 fold", "3c 5d"), (hopeless, "3c 5d"), (drawing, "Qh Jh")):
        script.hand(acts, holes={0: weak, 1: strong}, board=BOARD)
        script.hand(acts, holes={0: strong, 1: weak}, board=BOARD)
    bettor = next(entry.event for entry in script.entries if getattr(entry.event, "bet", 0) == 400)
    assert isinstance(bettor, ActionTaken)
    assert awards(script)["Biggest bluff"] == Notice("Biggest bluff", bettor.seat + 1, "won 320 with nothing")


@pytest.mark.parametrize("ahead", [False, True])
def test_bluff_of_a_bot_that_believes_that_it_is_ahead_earns_no_award(ahead: bool) -> None:
    weak, strong = "3c 5d", "Ks Kd"
    script = table(hands=10).hand("call raise:300 call raise:900 fold", holes={0: weak, 1: strong}, board=BOARD)
    script.hand("call raise:300 call raise:900 fold", holes={0: strong, 1: weak}, board=BOARD)
    own = [entry.event for entry in script.entries if type(entry.event).__module__.startswith("server.")]
    awards, odds = Awards(), HandOdds()
    for entry in at_table(own):
        odds = HandOdds() if isinstance(entry.event, HandStarted) else odds
        if situation := situation_after(entry):
            odds = odds.after(equities_of(situation))
        awards.apply(replace(entry, believes_ahead=ahead), odds)
    assert ("Biggest bluff" in [award.title for award in awards.choose([])]) is not ahead


def test_award_is_only_for_a_bluff_from_behind_without_a_pair_or_a_call_with_a_weak_hand() -> None:
    script = table(hands=10).hand("raise:900 fold", holes={0: "Ks Kd", 1: "3c 5d"}, board=BOARD)
    bettor_ahead = {0: "3c 5d", 1: "Kc 9s"}
    script.hand("call raise:300 call raise:900 fold", holes=bettor_ahead, board=BOARD)
    script.hand("call call raise:600 call down", holes={0: "Kc Kd", 1: "9c 9d"}, board=BOARD)
    script.hand("call call call raise:600 call down", holes={0: "Kc Kd", 1: "9c 9d"}, board=BOARD)
    for pair in (0, 1):
        holes = {pair: "4s 5d", 1 - pair: "Ks Kd"}
        script.hand("call raise:300 call raise:900 fold", holes=holes, board=BOARD)
    assert not {"Biggest bluff", "Best call"} & {*awards(script)}


def test_best_call_is_the_most_expensive_correct_call_that_won_with_a_weak_hand() -> None:
    holes = {0: "Ac 5d", 1: "Qs Jd"}
    script = table(hands=10)
    for amount in (200, 600, 300):
        script.hand(f"call call raise:{amount} call call call call call", holes=holes, board=BOARD)
        script.hand(f"call call call raise:{amount} call call call call", holes=holes, board=BOARD)
    assert awards(script)["Best call"] == Notice("Best call", 1, "600 chips with ace high")


def row(bot: int, **fields: int | None) -> BotStatistics:
    return BotStatistics(bot, hands=20, **fields)  # type: ignore[arg-type]


def test_luck_earnings_speed_and_talk_earn_awards_except_for_ties_and_unknown_cards() -> None:
    rows = [
        row(1, luck=900, earned=-700, answers=50, think_ms=50 * 400, words=27),
        row(2, luck=-900, earned=700, answers=50, think_ms=50 * 12, words=1),
        row(3, luck=0, earned=0, answers=2),
    ]
    assert [(award.title, award.bot, award.text) for award in Awards().choose(rows)] == [
        ("Luckiest", 1, "900 chips up on luck"),
        ("Best play", 2, "+700 chips with luck taken out"),
        ("Most talkative", 1, "27 words in 20 hands"),
        ("Unluckiest", 2, "900 chips lost to bad luck"),
        ("Fastest", 2, "12 ms a decision"),
    ]
    assert Awards().choose([row(bot, luck=0, earned=0, words=50) for bot in (1, 2)]) == ()
    assert Awards().choose([row(bot, luck=0, earned=0, words=10 * bot) for bot in (1, 2)]) == ()
    assert Awards().choose([row(1, luck=500), row(2, luck=-500)]) == ()


def test_talk_counts_only_words_that_were_on_air() -> None:
    script = table(hands=10).chat(*[(1, "I have math on my side.")] * 5, (2, "Howdy"))
    assert awards(script)["Most talkative"] == Notice("Most talkative", 1, "30 words in 10 hands")


def test_closing_statistics_follow_the_last_stage_and_stay_long_enough_to_read() -> None:
    stage_ended, caption, counted = closing_events(table(hands=10))
    assert isinstance(counted, StatisticsChanged)
    assert isinstance(caption, CaptionSpoken)
    assert hold_with_commentary(4000, stage_ended, [caption, counted]) == 10_000
    assert [type(event) for event in closing_events(table(hands=9))] == [StageEnded]


def test_stages_before_the_last_have_no_closing_statistics() -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=3).game()
    for _ in range(12):
        script.hand("fold fold fold fold fold")
    script.end_game().end_stage(script.seats, script.stacks, advancing=3)
    assert not any(isinstance(entry.event, StatisticsChanged) and entry.event.closing for entry in script.entries)


def test_closing_statistics_of_many_games_have_a_range_for_what_each_bot_earned() -> None:
    statistics = Statistics()
    for entry in with_tables(play_house_contest("quick-draw", 5, 12)):
        statistics.apply(entry.event, entry.table)
    ranges = [(row.low, row.earned, row.high) for row in statistics.closing().rows if row.low is not None]
    assert ranges
    assert all((low or 0) <= (earned or 0) <= (high or 0) for low, earned, high in ranges)


PLAIN_TRUTH = "One night isn't enough to tell a good bot from a lucky one."


@pytest.mark.parametrize(
    ("bounds", "caption"),
    [
        ([], "After only 114 hands, nobody can tell a good bot from a lucky one."),
        ([(-5, 5), (-9, 3)], f"{PLAIN_TRUTH} It could all still be luck."),
        ([(2, 9), (-9, 3)], f"{PLAIN_TRUTH.removesuffix('.')}, but Ada's result looks like more than luck."),
        ([(2, 9), (-9, -3)], f"{PLAIN_TRUTH} Only the results of Ada and Bob look like more than luck."),
    ],
)
def test_caption_names_the_bots_whose_range_excludes_zero(bounds: Sequence[tuple[int, int]], caption: str) -> None:
    rows = tuple(row(bot, earned=0, low=low, high=high) for bot, (low, high) in enumerate(bounds, 1))
    words = plain_truth(StatisticsChanged(rows or (row(1),), hands=114), {1: "Ada", 2: "Bob"})
    assert words.startswith(caption)

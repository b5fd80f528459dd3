"""In a sparring match, every bot plays every deal from every seat. Results must not claim too much certainty."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from broadcast.odds.earned import Earned, EarnedByBot
from server.app.practice.games.plan import practice_format
from server.app.sparring.mirrored_tables import MirroredTables, sparring_format
from server.app.sparring.result import MIN_DEALS, Score
from server.bots.house.in_process import MIN_CHAT_GAP_SECONDS, InProcessBot, TalkingBot
from server.bots.house.ladder import LADDER, ladder_bb_per_100
from server.bots.house.styles import styles
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, ChatSent, Entrant, Event, GameStarted, HandStarted, HoleDealt, StreetDealt
from server.journal.journal import read_journal
from server.paths import GUIDE
from server.shuffle import parse_seed
from server.verify.recording import verify
from tests.support.games import ladder_matches
from tests.support.games.contests import play_contest
from tests.support.games.recordings import of_kind

DEALS = 12
MANY_DEALS = 400
MATCHES = 400


async def play_tables(
    contest: str, folder: Path | None, bots: int = 3, *, seed: str = "5", stop_after: int = DEALS
) -> list[list[EarnedByBot]]:
    """Plays a match of built-in bots. Returns each deal's results by table. All tables of a deal get the same cards."""
    results: list[list[EarnedByBot]] = []

    def add_deal(results_by_table: Sequence[EarnedByBot]) -> bool:
        results.append(list(results_by_table))
        return len(results) < stop_after

    entrants = [Entrant(number, style) for number, style in enumerate(("careful", "loose", "aggressive")[:bots], 1)]
    tables = MirroredTables(sparring_format(contest, DEALS, bots), entrants, parse_seed(seed), add_deal, folder)
    dice = {entrant.bot: random.Random(f"{seed} {entrant.bot}") for entrant in entrants}
    tables.seat_bots([InProcessBot(entrant.bot, styles()[entrant.name], dice[entrant.bot]) for entrant in entrants])
    await tables.play()
    return results


def test_every_bot_plays_every_seat_with_the_same_cards_and_stacks(tmp_path: Path) -> None:
    asyncio.run(play_tables("quick-draw", tmp_path))
    seats_by_table = list[list[tuple[int, ...]]]()
    hands_by_table = list[list[list[object]]]()
    for path in sorted(tmp_path.glob("*.jsonl")):
        entries = read_journal(path).entries
        assert verify(entries).finished
        seats_by_table.append([game.seats for game in of_kind(entries, GameStarted)])
        hands: list[list[object]] = []
        for event in (entry.event for entry in entries):
            if isinstance(event, HandStarted):
                hands.append([(event.stacks, event.small_blind, event.big_blind)])
            elif isinstance(event, HoleDealt | StreetDealt):
                hands[-1].append(event.cards)
        hands_by_table.append(hands)
    assert len(seats_by_table) == 3
    for deal in zip(*seats_by_table, strict=True):
        assert [sorted(bots) for bots in zip(*deal, strict=True)] == [[1, 2, 3]] * 3
    for same_hand in zip(*hands_by_table, strict=True):
        assert all(max(same_hand, key=len)[: len(hand)] == hand for hand in same_hand)


@pytest.mark.parametrize("contest", list(CONTESTS))
async def test_winnings_and_luck_sum_to_zero_at_every_table(contest: str) -> None:
    results = await play_tables(contest, None, bots=2)
    assert len(results) == DEALS
    for table in (table for deal in results for table in deal):
        assert set(table) == {1, 2}
        assert sum(earned.won for earned in table.values()) == sum(earned.luck for earned in table.values()) == 0


async def test_match_stops_on_request_and_only_the_same_seed_repeats_it() -> None:
    first = await play_tables("quick-draw", None, stop_after=4)
    assert len(first) == 4
    assert await play_tables("quick-draw", None, stop_after=4) == first
    assert await play_tables("quick-draw", None, stop_after=4, seed="6") != first


def mirrored_deal(chips: int) -> list[EarnedByBot]:
    """Returns the results of a deal in which the first bot wins `chips` chips at each of two tables."""
    return [{1: Earned(1, chips, Fraction()), 2: Earned(1, -chips, Fraction())}] * 2  # Earned(hands, won, luck)


def score_match(deals: Iterable[list[EarnedByBot]], max_deals: int, stack: int = 900) -> Score:
    """Returns the score of a match of at most `max_deals` deals. The match may end early if its result is certain."""
    score = Score(["Ann", "Bob"], max_deals, stack)
    for deal in deals:
        score.add_deal(deal)
        if score.can_end:
            break
    return score


def score_random_match(dice: random.Random, mean_chips: int) -> Score:
    """Scores a made-up match. At each table, the first bot wins `mean_chips`, plus or minus at most 900 (a stack)."""
    swings = (50, 50, -50, -50, 200, -200, 900, -900)
    return score_match((mirrored_deal(mean_chips + dice.choice(swings)) for _ in range(MANY_DEALS)), MANY_DEALS)


@pytest.mark.parametrize("mean_chips", [0, 40, 120])
def test_interval_holds_the_true_earnings_in_95_of_100_matches(mean_chips: int) -> None:
    dice, covered_count, certain_count, lopsided_count = random.Random(15), 0, 0, 0
    scores = [score_random_match(dice, mean_chips) for _ in range(MATCHES)]
    for result in (score.result() for score in scores):
        first, better = result.bots[0], result.better  # `better` is the chance that the first bot is better
        assert None not in (first.low, first.high, better)
        low, high = first.low or 0, first.high or 0
        covered_count += low <= 100 * mean_chips <= high
        certain_count += result.certain
        lopsided_count += not 0.05 <= (better or 0) <= 0.95
        assert result.certain == (low > 0 or high < 0)
    ended_early_count = sum(score.deals < MANY_DEALS for score in scores)
    assert 0.93 <= covered_count / MATCHES <= 0.97
    if mean_chips == 0:
        assert ended_early_count / MATCHES <= 0.05
        assert certain_count / MATCHES <= 0.06
        assert lopsided_count / MATCHES <= 0.11
    assert ended_early_count / MATCHES > 0.9 or mean_chips < 120


def test_one_sided_match_ends_early_but_not_before_a_hundred_deals() -> None:
    score = score_random_match(random.Random(1), 500)
    assert MIN_DEALS <= score.deals < MANY_DEALS
    result = score.result()
    assert result.certain
    assert (result.better or 0) > 0.97
    assert result.hands == 2 * score.deals


def test_match_with_equal_results_is_even() -> None:
    result = score_match([mirrored_deal(0)] * 30, 30).result()
    assert (result.alike, result.certain, result.better) == (True, False, 0.5)  # `alike`: each deal's earnings were 0
    result = score_match([mirrored_deal(100)] * 19, 19).result()
    assert [(bot.low, bot.high) for bot in result.bots] == [(None, None)] * 2
    assert result.better is None


def test_luck_counts_among_winnings_but_not_among_earnings() -> None:
    lucky = {1: Earned(1, 30, Fraction(20)), 2: Earned(1, -30, Fraction(-20))}
    score = score_match([[lucky, {1: Earned(1, -10), 2: Earned(1, 10)}]] * 5, 5)
    assert [(bot.won_per_100, bot.earned_per_100) for bot in score.result().bots] == [(1000.0, 0.0), (-1000.0, 0.0)]
    assert score.curve(5) == [0.0] * 6  # The curve shows how the first bot's total earnings grow.
    assert score_match([mirrored_deal(5)] * 8, 8).curve(4) == [0.0, 20.0, 40.0, 60.0, 80.0]


@pytest.mark.parametrize(("stack", "certain"), [(20, True), (5000, False)])
def test_certainty_allows_for_big_pots_not_yet_played(stack: int, certain: bool) -> None:
    """All pots have been small so far, but in a later deal, a bot may still lose its whole stack."""
    assert score_match([mirrored_deal(10)] * 45 + [mirrored_deal(-10)] * 15, 60, stack).result().certain == certain


def test_house_bots_keep_the_chat_limit_and_pause_between_messages() -> None:
    def make_chatty_bot(bot: int, dice: random.Random, notify: Callable[[Event], object]) -> TalkingBot:
        return TalkingBot(bot, styles()["chatty"], dice, 0.0, notify)

    start_seconds = time.monotonic()
    entries = play_contest(1, 4, practice_format(QUICK_DRAW_FORMAT, 4, 8), kind=make_chatty_bot)
    seconds = time.monotonic() - start_seconds
    chats = [event.bot for event in of_kind(entries, ChatSent)]
    assert chats
    assert max(chats.count(bot) for bot in chats) <= 1 + int(seconds / MIN_CHAT_GAP_SECONDS)
    assert seconds >= 0.9 * MESSAGE_GAP_SECONDS * len(of_kind(entries, ActionTaken))


@pytest.mark.parametrize("strength", range(2, len(LADDER) + 1))
def test_each_rung_earns_what_the_guide_says_against_the_rung_below(strength: int) -> None:
    """The house bots form a ladder, whose rungs are bots of rising strength."""
    standing = ladder_matches.play_match(strength, strength - 1, deals=100)
    assert min(standing.earned_per_100, standing.won_per_100) > 0
    rung = LADDER[strength - 1]
    assert 0 < rung.low < rung.bb_per_100 < rung.high
    assert standing.low
    assert standing.high
    assert standing.low < rung.high, "the interval measured here must overlap the published interval"
    assert rung.low < standing.high
    measured = f"{rung.bb_per_100:.0f}, {rung.low:.0f} to {rung.high:.0f}"
    row = f"| {strength} | {rung.name} | {ladder_bb_per_100(strength):.0f} | {measured} |"
    assert row in (GUIDE / "bots.md").read_text()

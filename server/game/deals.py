"""Duplicate poker: a deal is played at several tables with the same cards, but the bots change seats.

All functions are pure. A bot's score in a deal is the sum of the chips that the bot wins at all tables. Every bot plays
the same cards in the same seats, so the scores show who played these cards best. In some stages, scores leave out the
luck of the board: how many chips the community cards were worth to the bot.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from statistics import NormalDist

from msgspec import Struct
from msgspec.structs import replace

from server.game.events import DealEnded, StageStarted
from server.game.rules import Rules, level_of

MAX_WINNER_TESTS = 5
"""A stage of a tournament is played in this many parts. After each part except the last, a test checks whether the
stage's winner is certain.
"""
MIN_DEALS = 20
"""Before the first test, at least this many deals are played."""
O_BRIEN_FLEMING_FACTOR = 1.04
"""If there are five tests instead of one, the last test must demand a lead that is this many times as large. The factor
is from O'Brien and Fleming (1979).
"""

Scores = Mapping[int, int]
"""The bots' scores in a deal, in chips, by bot number. A score is what a bot won at all tables, minus its luck if
earned chips decide the stage.
"""


class PlayedTable(Struct, frozen=True):
    """A finished table of the current deal: its bots in seat order, and the chips that each bot won. If bots are ranked
    by earned chips, `luck` is each bot's luck of the board, in chips.
    """

    seats: tuple[int, ...]
    won: tuple[int, ...]
    luck: tuple[int, ...] = ()


def next_seat_order(seats: Sequence[int]) -> tuple[int, ...]:
    """Returns the seat order at the next table. Every bot moves on by one seat."""
    return (*seats[1:], seats[0])


def deal_seat_orders(seats: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns the seat orders at all tables of a deal, beginning with `seats`."""
    tables = [tuple(seats)]
    while len(tables) < len(seats):
        tables.append(next_seat_order(tables[-1]))
    return tables


def is_table_over(hands: int, played: int, stacks: Sequence[int]) -> bool:
    """Whether a table is over after `played` of the deal's `hands` hands. `stacks` are each seat's chips.

    A table ends early if a bot loses its stack, because the seats would then get other cards than at the other tables.
    """
    return played >= hands or not all(stacks)


def choose_group(shuffled_bots: Sequence[int], seats: int, deal_scores: Sequence[Scores]) -> list[int]:
    """Chooses the bots of the next deal, at most `seats` of them. Over many deals, all bots meet each other.

    Bots that have played the fewest deals come first. Among these bots, the one that has met the chosen bots least
    often comes first. If several bots are still equal, the order of `shuffled_bots` decides.
    """
    played = {bot: sum(bot in deal for deal in deal_scores) for bot in shuffled_bots}
    times_met = dict.fromkeys(combinations(sorted(shuffled_bots), 2), 0)
    for deal in deal_scores:
        for pair in combinations(sorted(deal), 2):
            times_met[pair] = times_met.get(pair, 0) + 1
    group: list[int] = []
    while len(group) < min(seats, len(shuffled_bots)):
        candidates = [bot for bot in shuffled_bots if bot not in group]
        group.append(
            min(candidates, key=lambda bot: (played[bot], sum(times_met[_sorted_pair(bot, other)] for other in group)))
        )
    return group


def _sorted_pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def deal_rules(rules: Rules, deal: int) -> Rules:
    """Returns the rules for the tables of deal number `deal` (from 1). Blinds rise after deals, not after hands: a
    level lasts `hands_per_level` deals.
    """
    return replace(rules, levels=(level_of(rules, deal),), hands_per_level=0)


def mean_score(bot: int, deal_scores: Sequence[Scores]) -> Fraction:
    """Returns a bot's score per deal, in chips, or 0 before its first deal."""
    scores = [deal[bot] for deal in deal_scores if bot in deal]
    return Fraction(sum(scores), len(scores)) if scores else Fraction()


def end_deal(stage: StageStarted, tables: Sequence[PlayedTable], earlier_scores: Sequence[Scores]) -> DealEnded:
    """Returns the event that ends a deal. `tables` are all tables of the deal, and `earlier_scores` are the results of
    the stage's earlier deals.
    """
    bots = tuple(sorted(tables[0].seats))
    won = _sums(bots, [(table.seats, table.won) for table in tables])
    luck = _sums(bots, [(table.seats, table.luck) for table in tables]) if stage.decided_by == "earned" else ()
    ended = DealEnded(len(earlier_scores) + 1, bots, won, luck=luck)
    return replace(ended, decided=is_decided(stage, [*earlier_scores, scores_of(ended)]))


def _sums(bots: Sequence[int], tables: Sequence[tuple[Sequence[int], Sequence[int]]]) -> tuple[int, ...]:
    """Adds up each bot's chips over all tables. A table consists of its bots and their chips, both in seat order."""
    sums = dict.fromkeys(bots, 0)
    for seats, chips in tables:
        for bot, amount in zip(seats, chips, strict=True):
            sums[bot] += amount
    return tuple(sums.values())


def scores_of(event: DealEnded) -> dict[int, int]:
    """Returns each bot's score in a finished deal: what it won, minus its luck if the event has `luck`."""
    luck = event.luck or (0,) * len(event.bots)
    return {bot: won - bot_luck for bot, won, bot_luck in zip(event.bots, event.won, luck, strict=True)}


def lead_needed(percent: int, bots: int, deals: int) -> int:
    """Returns how far the leader must be ahead of every rival, in hundredths of a standard error.

    `percent` is how certain the title should be, such as 97. If `percent` is 0, returns 0. `bots` is how many bots
    play, and `deals` is the maximum number of deals.
    """
    if not percent:
        return 0
    normal_quantile = NormalDist().inv_cdf(1 - (1 - percent / 100) / max(bots - 1, 1))
    degrees_of_freedom = max(deals - 1, 1)
    # Student's t distribution is wider than the normal distribution by about this much.
    student_correction = (normal_quantile**3 + normal_quantile) / (4 * degrees_of_freedom)
    return ceil(100 * O_BRIEN_FLEMING_FACTOR * (normal_quantile + student_correction))


def is_decided(stage: StageStarted, deal_scores: Sequence[Scores]) -> bool:
    """Whether the stage's winner is as certain as the stage demands. If so, the stage ends early.

    If tests were frequent, some bot would pass by chance. So there are at most four tests before the end of the stage,
    and early tests are stricter. The test computes with whole numbers, so that every machine comes to the same result.
    """
    planned, played = stage.deals or 0, len(deal_scores)
    step = ceil(planned / MAX_WINNER_TESTS) if planned else 0
    if not stage.lead_needed or played < MIN_DEALS or played % step or played >= planned:
        return False
    best, *others = sorted(stage.bots, key=lambda bot: -mean_score(bot, deal_scores))
    return all(
        _is_lead_significant(stage, [deal[best] - deal[other] for deal in deal_scores], planned) for other in others
    )


def _is_lead_significant(stage: StageStarted, differences: Sequence[int], planned: int) -> bool:
    """Whether the mean of n `differences` is at least z standard errors. Here, z is `lead_needed` / 100 times the
    square root of `planned` / n.

    Let S be the sum of the differences, and Q the sum of their squares. Then the square of (mean / standard error) is
    S * S * (n - 1) / (n * Q - S * S).
    """
    count, total = len(differences), sum(differences)
    squares = sum(difference * difference for difference in differences)
    needed = stage.lead_needed or 0
    spread = count * squares - total * total
    return total > 0 and 10_000 * total * total * (count - 1) * count >= needed * needed * planned * spread

"""How surely do the same cards for everybody tell who is better? Evenings of 90 deals, beside the usual format.

Goals: rank correlation with the true order at least 0.9; at most 0.4 of the usual format's hands for the same; 93 to
97 % of the 95 % intervals hold the truth; at 97 %, at most 3 % false titles; no instance meets a deal twice.
Run: `make bench BENCH=deals ARGS="--evenings 100"`.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from statistics import correlation, fmean

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from broadcast.odds.deal_scores import DealScores
from broadcast.odds.earned import units_of
from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot, decision_at
from server.bots.house.ladder import playing
from server.bots.house.styles import Style
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.deals import is_decided, lead_needed
from server.game.decisions import Action, Decision
from server.game.formats import Format, as_deals, as_series
from server.game.view import View
from server.journal.bus import Bus
from server.shuffle import key_of
from server.tournament.director import Director
from tests.bench.common.scales import in_all_processors, options, print_machine

LADDER = ((1,), (2,), (3,), (4,), (5,), (2, 5))
"""For each bot the strengths between which it chooses at each decision: the five rungs, and a mixture of two.

Their true order is that of all deals of all evenings together.
"""
EQUAL = ((4,),) * 6
BOTS = range(1, 7)
DEALS, SURE, GOAL = 90, 97, 0.9
TABLES = 6
SERIES = DEALS * TABLES // 24
"""The usual format is a series of so many of Quick Draw's finals of 24 hands, which is about as many hands."""
LONG_HANDS = 6
"""The hands of a deal in the evenings of longer deals."""
DRAWS = 400
"""How many evenings are drawn from the pools of games and of deals."""
SEED = bytes(32)
Chips = NDArray[np.float64]


class Kind(Struct, frozen=True):
    """A kind of evening: its bots, its format, how many are played, and in how many luck is told from play."""

    name: str
    bots: tuple[tuple[int, ...], ...]
    format: Format
    evenings: int
    told_apart: int = 0


class Evening(Struct, frozen=True):
    """What was measured in an evening.

    `won` is what each bot won, by deal and table; `earned` by deal, or () if luck was not told apart. `games` are the
    rankings of a series' games. `repeated` counts how often an instance of a bot met a hand that it had met before.
    """

    won: list[list[list[float]]]
    earned: list[list[float]]
    games: list[tuple[int, ...]]
    hands: int
    repeated: int


class Player(InProcessBot):
    """An instance of a bot. Notes the decks that it meets."""

    def __init__(self, bot: int, styles: Sequence[Style], dice: random.Random) -> None:
        super().__init__(bot, styles[0], dice)
        self._styles, self._choose = styles, dice
        self.met: list[str] = []

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Returns the action of one of its styles."""
        name = f"{view.game} {view.hand.number}"
        if self.met[-1:] != [name]:
            self.met.append(name)
        await asyncio.sleep(0)
        return Answer(resolve(decision_at(view, self._choose.choice(self._styles), self._choose)), 1)


def play(number: int) -> Evening:
    """Plays an evening."""
    kind, evening = SHARES[number]
    seed = key_of(SEED, f"{kind.name} {evening}")
    entrants = [events.Entrant(bot, f"Bot {bot}") for bot in BOTS]
    has_deals = bool(kind.format.stages[-1].deals)

    async def run() -> tuple[Bus, list[Player]]:
        bus = Bus(None, lambda: 0.0)
        director = Director(kind.format, entrants, seed=seed, bus=bus, tables_at_once=TABLES)
        players = []
        for table in range(TABLES if has_deals else 1):
            for bot, strengths in enumerate(kind.bots, 1):
                dice = random.Random(f"{seed.hex()} {table} {bot}")
                player = Player(bot, [playing("careful", strength) for strength in strengths], dice)
                (director.welcome_at(table, player) if has_deals else director.welcome(player))
                players.append(player)
        await director.run()
        return bus, players

    bus, players = asyncio.run(run())
    recorded = [entry.event for entry in bus.entries]
    won, earned = _won(recorded) if has_deals else [], list[list[float]]()
    if evening < kind.told_apart:
        earned = [[float(unit[bot].earned) for bot in BOTS] for unit in units_of(recorded)]
    return Evening(
        [won[first : first + TABLES] for first in range(0, len(won), TABLES)],
        earned,
        [event.ranking for event in recorded if isinstance(event, events.GameEnded) and event.ranking],
        sum(isinstance(event, events.HandEnded) for event in recorded),
        sum(len(player.met) - len({*player.met}) for player in players),
    )


def _won(recorded: Iterable[events.Event]) -> list[list[float]]:
    """What each bot won in each game."""
    games, seats, before = [], tuple[int, ...](), tuple[int, ...]()
    for event in recorded:
        match event:
            case events.GameStarted(seats=seats, stacks=before):
                pass
            case events.GameEnded(stacks=after):
                won = {bot: now - was for bot, was, now in zip(seats, before, after, strict=True)}
                games.append([float(won[bot]) for bot in BOTS])
    return games


def rank_correlation(results: Sequence[float], truth: Sequence[float]) -> float:
    """How well `results` order the bots: 1 if exactly as the truth does, 0 if they say nothing."""
    return correlation(*([sorted(row).index(each) for each in row] for row in (results, truth)))


def by_deal(evenings: Sequence[Evening]) -> Chips:
    """What each bot won: by evening, deal and bot."""
    return np.asarray(np.array([evening.won for evening in evenings]).sum(axis=2), float)


def of_series(games: Sequence[tuple[int, ...]]) -> list[float]:
    """Figures that rank the bots of a series: by games won, then by the sum of places."""
    won = [sum(ranking[0] == bot for ranking in games) for bot in BOTS]
    places = [sum(ranking.index(bot) for ranking in games) for bot in BOTS]
    return [wins - total / (10 * len(games) * len(BOTS)) for wins, total in zip(won, places, strict=True)]


def mean_correlation(deals: Iterable[Chips], truth: Sequence[float]) -> float:
    """The mean rank correlation of evenings with the truth; for each, the chips by deal and bot."""
    return fmean(rank_correlation(evening.mean(axis=0).tolist(), truth) for evening in deals)


def scored(won: Chips, percent: int) -> tuple[DealScores, int, int]:
    """An evening's scores after its deals, or fewer if its title is certain before.

    Also returns the number of deals, and the bot with the title; 0 if it is not certain.
    """
    stacks, needed = (QUICK_DRAW_FORMAT.starting_stack,) * len(BOTS), lead_needed(percent, len(BOTS), DEALS)
    stage = events.StageStarted(
        1, "", DEALS * TABLES, 1, tuple(BOTS), stacks, deals=DEALS, sure_percent=percent, lead_needed=needed
    )
    scores, deals = DealScores(stage), list[dict[int, int]]()
    for row in won:
        deals.append(dict(zip(BOTS, map(int, row), strict=True)))
        scores.add(events.DealEnded(len(deals), tuple(BOTS), tuple(deals[-1].values())))
        if is_decided(stage, deals):
            return scores, len(deals), scores.standings()[0].bot
    return scores, len(deals), 0


def deals_for(pool: Chips, truth: Sequence[float], goal: float) -> int:
    """After about how many deals, drawn from `pool`, the mean rank correlation with the truth is `goal`."""
    dice, many = np.random.default_rng(14), DEALS // 3
    while mean_correlation((pool[dice.integers(0, len(pool), many)] for _ in range(DRAWS)), truth) < goal:
        many += max(1, many // 10)
    return many


def part_of_usual(usual: Sequence[Evening], truth: Sequence[float], goal: float) -> float:
    """The hands of an evening of deals, as a part of those after which the usual format reaches the correlation `goal`.

    Evenings of more and more games are drawn from all games that were played.
    """
    dice, games = random.Random(14), [game for evening in usual for game in evening.games]
    per_game, many = sum(evening.hands for evening in usual) / len(games), SERIES
    while fmean(rank_correlation(of_series(dice.choices(games, k=many)), truth) for _ in range(DRAWS)) < goal:
        many += many // 10
    return DEALS * TABLES / (many * per_game)


def part_of_new_cards(ladder: Sequence[Evening]) -> float:
    """How many hands are needed to tell two bots apart, as a part of those with new cards at each table."""
    tables = np.array([evening.won for evening in ladder]).reshape(-1, TABLES, len(BOTS))
    pairs = [tables[:, :, one] - tables[:, :, other] for one, other in combinations(range(len(BOTS)), 2)]
    return fmean(float(each.sum(axis=1).var() / TABLES / each.var()) for each in pairs)


def measure(ladder: list[Evening], longer: list[Evening], equal: list[Evening], usual: list[Evening]) -> bool:
    """Prints the figures of all evenings; returns whether all goals are met."""
    won = by_deal(ladder)
    truth = [float(each) for each in won.mean(axis=(0, 1))]
    print("chips per deal, by all deals:", ", ".join(f"{each:+,.0f}" for each in truth))
    after, apart = mean_correlation(won, truth), [np.array(each.earned) for each in ladder if each.earned]
    longer_apart = [np.array(each.earned) for each in longer if each.earned]
    held = [
        each.low <= truth[each.bot - 1] <= each.high
        for evening in won
        for each in scored(evening, 0)[0].standings()
        if each.low is not None and each.high is not None
    ]
    best, ends = truth.index(max(truth)) + 1, [scored(evening, SURE)[1:] for evening in won]
    false = fmean(title not in (0, best) for _, title in ends)
    dice, pool = np.random.default_rng(14), by_deal(equal).reshape(-1, len(BOTS))
    drawn = (dice.permuted(pool[dice.integers(0, len(pool), DEALS)], axis=1) for _ in range(DRAWS))
    false_equal = fmean(scored(evening, SURE)[2] > 0 for evening in drawn)
    repeated = sum(evening.repeated for evening in (*ladder, *longer, *equal))
    part = part_of_usual(usual, truth, after)
    of_usual = fmean(rank_correlation(of_series(evening.games), truth) for evening in usual)
    hands = fmean(evening.hands for evening in longer)
    first = [fmean(evening.mean(axis=0).argmax() + 1 == best for evening in each) for each in (won, by_deal(longer))]
    first_usual = fmean(of_series(evening.games).index(max(of_series(evening.games))) + 1 == best for evening in usual)
    many = deals_for(won.reshape(-1, len(BOTS)), truth, GOAL), deals_for(np.concatenate(apart), truth, GOAL)
    rows = [
        (f"rank correlation with the true order, {DEALS} deals of one hand", f"{after:.2f}", f"at least {GOAL}"),
        ("the same, by what the bots earned", f"{mean_correlation(apart, truth):.2f}", ""),
        (f"the same, deals of up to {LONG_HANDS} hands", f"{mean_correlation(by_deal(longer), truth):.2f}", ""),
        (f"these by what the bots earned; {hands:,.0f} hands", f"{mean_correlation(longer_apart, truth):.2f}", ""),
        (f"rank correlation of the usual format, {SERIES} games of 24 hands", f"{of_usual:.2f}", ""),
        (f"deals of one hand for {GOAL}, by chips and by what was earned", f"{many[0]} and {many[1]}", ""),
        ("evenings that the best bot wins, one hand", f"{100 * first[0]:.0f} %", ""),
        (f"the same, deals of up to {LONG_HANDS} hands", f"{100 * first[1]:.0f} %", ""),
        ("the same, the usual format", f"{100 * first_usual:.0f} %", ""),
        ("hands for the same correlation, as a part of the usual format's", f"{part:.2f}", "at most 0.4"),
        ("hands to tell two bots apart, as a part of those with new cards", f"{part_of_new_cards(ladder):.2f}", ""),
        (f"95 % intervals that hold the truth, {len(won)} evenings", f"{100 * fmean(held):.1f} %", "93 to 97 %"),
        (f"evenings with a certain title, at {SURE} %", f"{100 * fmean(bool(title) for _, title in ends):.1f} %", ""),
        ("false titles, bots of the ladder", f"{100 * false:.1f} %", "at most 3 %"),
        ("false titles, six equal bots", f"{100 * false_equal:.1f} %", "at most 3 %"),
        ("hands that an instance of a bot met again", f"{repeated}", "0"),
    ]
    print("| what | measured | goal |\n|---|---|---|")
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    sure = 0.93 <= fmean(held) <= 0.97 and max(false, false_equal) <= 0.03
    return after >= GOAL and part <= 0.4 and sure and not repeated


def main() -> int:
    print_machine()
    played = in_all_processors(play, len(SHARES), "evenings", 1)
    found = [[one for (each, _), one in zip(SHARES, played, strict=True) if each == kind] for kind in KINDS]
    good = measure(*found)
    print(f"all goals met: {good} (goal True)")
    return 0 if good else 1


EVENINGS = options(__doc__, evenings=500).evenings
KINDS = (
    Kind("ladder", LADDER, as_deals(QUICK_DRAW_FORMAT, DEALS), EVENINGS, EVENINGS // 12),
    Kind("longer", LADDER, as_deals(QUICK_DRAW_FORMAT, DEALS, LONG_HANDS), EVENINGS // 12, EVENINGS // 25),
    Kind("equal", EQUAL, as_deals(QUICK_DRAW_FORMAT, DEALS), EVENINGS // 8),
    Kind("usual", LADDER, as_series(QUICK_DRAW_FORMAT, SERIES), EVENINGS // 6),
)
SHARES = [(kind, evening) for kind in KINDS for evening in range(kind.evenings)]

if __name__ == "__main__":
    sys.exit(main())

"""How surely do the same cards for everybody tell who is better? Evenings of 90 deals, beside the usual format.

Goals, by what bots earned: rank correlation with the true order at least 0.9; at most 0.4 of the usual format's hands
for it; 93 to 97 % of the 95 % intervals hold the truth; at most 3 % false titles at 97 %; no instance meets a hand
twice. Chips stand beside it. With 500 evenings, it takes 20 minutes or more.
Run: `make bench BENCH=deals ARGS="--evenings 100"`.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from statistics import fmean

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from broadcast.odds.certainty import Interval
from broadcast.odds.deal_scores import DealScores
from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot, decision_at
from server.bots.house.ladder import playing
from server.bots.house.styles import Style
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.equity.luck import HandLuck
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

The true order is what a format says in the long run: that of all deals, or of all games, of all evenings together.
The two differ. By chips the first rung is not the weakest, because it loses little; but it never wins a game.
"""
EQUAL = ((4,),) * 6
BOTS = range(1, 7)
DEALS, SURE, GOAL = 90, 97, 0.9
TABLES = 6
HANDS = 8
"""The hands of a deal that the guide recommends."""
SERIES = 77
"""The usual format is a series of so many of Quick Draw's finals of 24 hands: about as many hands."""
DRAWS = 2000
"""How many evenings are drawn from the pools of games and of deals."""
STEP = 1.03
"""By which factor numbers of games and deals rise until an evening is long enough."""
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

    `won` is what each bot won, by deal and bot; `luck` is the luck of the board, likewise, or None if it was not told
    apart. `games` are the rankings of a series' games. `repeated` counts how often an instance of a bot met a hand that
    it had met before.
    """

    won: Chips
    luck: Chips | None
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
    tells_apart = evening < kind.told_apart
    won, luck = count_chips(recorded if has_deals else (), tells_apart=tells_apart)
    return Evening(
        won,
        luck if tells_apart else None,
        [event.ranking for event in recorded if isinstance(event, events.GameEnded) and event.ranking],
        sum(isinstance(event, events.HandEnded) for event in recorded),
        sum(len(player.met) - len({*player.met}) for player in players),
    )


def count_chips(recorded: Iterable[events.Event], *, tells_apart: bool) -> tuple[Chips, Chips]:
    """What each bot won in an evening of deals, and the luck of the board, by deal and bot."""
    won, luck = np.zeros((DEALS, len(BOTS))), np.zeros((DEALS, len(BOTS)))
    hand_luck, game = HandLuck(), -1
    seats, stacks = tuple[int, ...](), tuple[int, ...]()
    for event in recorded:
        if tells_apart:
            hand_luck.apply(event)
        match event:
            case events.GameStarted():
                game, seats = game + 1, event.seats
            case events.HandStarted():
                stacks = event.stacks
            case events.HandEnded():
                for bot, before, after in zip(seats, stacks, event.stacks, strict=True):
                    won[game // TABLES, bot - 1] += after - before
                for bot, chips in hand_luck.luck.items() if tells_apart else ():
                    luck[game // TABLES, bot - 1] += float(chips)
    return won, luck


def rank_correlation(results: Chips, truth: Chips) -> float:
    """How well `results`, a row for each evening, order the bots: 1 if exactly as the truth does, 0 if not at all.

    The mean of all rows (Spearman's coefficient).
    """
    off = results.argsort(axis=-1).argsort(axis=-1) - truth.argsort().argsort()
    count = len(truth)
    return float(1 - 6 * (off**2).sum(axis=-1).mean() / (count**3 - count))


def by_chips(evenings: Iterable[Evening]) -> Chips:
    """What each bot won: by evening, deal and bot."""
    return np.array([evening.won for evening in evenings])


def by_earned(evenings: Iterable[Evening]) -> Chips:
    """The same without the luck of the board, of the evenings in which that was told apart."""
    return np.array([evening.won - evening.luck for evening in evenings if evening.luck is not None])


def scored(won: Chips, percent: int) -> tuple[DealScores, int]:
    """An evening's scores after its deals, or fewer if its title is certain before; `won` is what counts.

    Also returns the bot with the title; 0 if it is not certain.
    """
    stacks, needed = (QUICK_DRAW_FORMAT.starting_stack,) * len(BOTS), lead_needed(percent, len(BOTS), DEALS)
    stage = events.StageStarted(
        1, "", DEALS * TABLES, 1, tuple(BOTS), stacks, deals=DEALS, sure_percent=percent, lead_needed=needed
    )
    scores, deals = DealScores(stage), list[dict[int, int]]()
    for row in won:
        deals.append(dict(zip(BOTS, map(round, row.tolist()), strict=True)))
        scores.add(events.DealEnded(len(deals), tuple(BOTS), tuple(deals[-1].values())))
        if is_decided(stage, deals):
            return scores, scores.standings()[0].bot
    return scores, 0


def deals_for(pool: Chips, goal: float) -> int:
    """After how many deals, drawn from `pool`, the mean rank correlation with the order of the whole pool is `goal`."""
    dice, many, found = np.random.default_rng(14), DEALS // 9, 0.0
    while found < goal:
        many = ceil(many * STEP)
        drawn = np.array([pool[dice.integers(0, len(pool), many)].mean(axis=0) for _ in range(DRAWS)])
        found = rank_correlation(drawn, pool.mean(axis=0))
    return many


def games_for(usual: Iterable[Evening], goal: float) -> int:
    """After how many games of the usual format its mean rank correlation with its own order of all games is `goal`.

    Bots rank by games won, then by places.
    """
    games = [game for evening in usual for game in evening.games]
    places = np.array([[float(ranking.index(bot)) for bot in BOTS] for ranking in games])
    worth = (places == 0) - places / (10 * len(games) * len(BOTS))
    dice, many, found = np.random.default_rng(14), DEALS // 9, 0.0
    while found < goal:
        many = ceil(many * STEP)
        picked = dice.multinomial(many, np.full(len(games), 1 / len(games)), DRAWS)
        found = rank_correlation(picked @ worth, worth.sum(axis=0))
    return many


def held(evenings: Iterable[Sequence[Interval | None]], truth: Chips) -> float:
    """The part of the intervals that hold the truth; for each evening, one for each bot."""
    return fmean(
        each.low <= true <= each.high
        for intervals in evenings
        for each, true in zip(intervals, truth.tolist(), strict=True)
        if each
    )


def intervals_of(won: Chips) -> list[Interval | None]:
    """The interval of each bot after an evening of deals."""
    found = {each.bot: each for each in scored(won, 0)[0].standings()}
    bounds = [(found[bot].low, found[bot].high) for bot in BOTS]
    return [None if low is None or high is None else Interval(low, high) for low, high in bounds]


def false_titles(pool: Chips) -> float:
    """The part of evenings that give a certain title to one of equal bots; their deals are drawn from `pool`."""
    dice = np.random.default_rng(14)
    drawn = (dice.permuted(pool[dice.integers(0, len(pool), DEALS)], axis=1) for _ in range(DRAWS // 5))
    return fmean(scored(evening, SURE)[1] > 0 for evening in drawn)


def measure(ladder: list[Evening], equal: list[Evening], usual: list[Evening]) -> bool:
    """Prints the figures of all evenings, by what was earned and by chips; returns whether all goals are met."""
    won = [by_earned(ladder), by_chips(ladder)]
    truth = won[1].mean(axis=(0, 1))
    print("chips per deal, by all deals:", ", ".join(f"{each:+,.0f}" for each in truth))
    found = [rank_correlation(each.mean(axis=1), truth) for each in won]
    per_deal = fmean(evening.hands for evening in ladder) / DEALS
    per_game = fmean(evening.hands for evening in usual) / SERIES
    usually = games_for(usual, GOAL) * per_game
    sooner = [deals_for(each.reshape(-1, len(BOTS)), GOAL) * per_deal / usually for each in won]
    holding = [held(map(intervals_of, each), truth) for each in won]
    ends = [[scored(evening, SURE)[1] for evening in each] for each in won]
    certain = [fmean(title > 0 for title in each) for each in ends]
    false = [fmean(title not in (0, int(truth.argmax()) + 1) for title in each) for each in ends]
    false_equal = [false_titles(each.reshape(-1, len(BOTS))) for each in (by_earned(equal), by_chips(equal))]
    repeated = sum(evening.repeated for evening in (*ladder, *equal))
    print("| what | by what was earned | by chips | goal |\n|---|---|---|---|")
    for what, (earned, chips), goal in (
        (f"rank correlation, {DEALS} deals of up to {HANDS} hands", found, f"at least {GOAL}"),
        (f"hands for {GOAL}, as a part of the usual format's", sooner, "at most 0.4"),
        ("95 % intervals that hold the truth", holding, "0.93 to 0.97"),
        (f"evenings with a certain title, at {SURE} %", certain, ""),
        ("false titles, bots of the ladder", false, "at most 0.03"),
        ("false titles, six equal bots", false_equal, "at most 0.03"),
    ):
        print(f"| {what} | {earned:.3f} | {chips:.3f} | {goal} |")
    print(f"{repeated} hands that an instance of a bot met again (goal 0)")
    sure = all(0.93 <= each <= 0.97 for each in holding) and max(*false, *false_equal) <= 0.03
    return found[0] >= GOAL and sooner[0] <= 0.4 and sure and not repeated


def main() -> int:
    print_machine()
    played = in_all_processors(play, len(SHARES), "evenings", 1)
    found = [[one for (each, _), one in zip(SHARES, played, strict=True) if each == kind] for kind in KINDS]
    good = measure(*found)
    print(f"all goals met: {good} (goal True)")
    return 0 if good else 1


EVENINGS = options(__doc__, evenings=500).evenings
KINDS = (
    Kind("ladder", LADDER, as_deals(QUICK_DRAW_FORMAT, DEALS, HANDS), EVENINGS, EVENINGS // 8),
    Kind("equal", EQUAL, as_deals(QUICK_DRAW_FORMAT, DEALS, HANDS), EVENINGS // 8, EVENINGS // 8),
    Kind("usual", LADDER, as_series(QUICK_DRAW_FORMAT, SERIES), EVENINGS // 6),
)
SHARES = [(kind, evening) for kind in KINDS for evening in range(kind.evenings)]

if __name__ == "__main__":
    sys.exit(main())

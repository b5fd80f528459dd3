"""How surely do deals tell which bot is better?

Plays evenings of 90 deals, and others of the usual format. Goals for results without luck (results in chips are printed
as well): the rank correlation with the true order is at least 0.9. Deals need at most 0.4 of the usual hands for this,
and to tell two bots apart. 93 to 97 % of the 95 % intervals hold the truth. At most 3 % of titles are false at 97 %.
No instance meets a hand twice. 500 evenings take 20 minutes. Run: `make bench BENCH=deals ARGS="--evenings 100"`.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import ceil
from statistics import fmean

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from broadcast.odds.certainty import Interval
from broadcast.odds.deal_scores import DealScores
from broadcast.odds.others_play import OthersPlay
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
"""For each bot, the strengths between which it chooses at each decision.

Five bots are the rungs of the ladder, and one mixes two of them. The true order is the result of a format in the long
run: by all deals, or by all games, of all evenings. The two orders differ: by chips, the first rung is not the weakest,
because it loses little; but it never wins a game.
"""
EQUAL = ((4,),) * 6
BOTS = range(1, 7)
DEALS, SURE, GOAL = 90, 97, 0.9
TABLES = 6
HANDS = 8
"""The number of hands in a deal that the guide recommends."""
LENGTHS = (1, 2, 4, 6, 8, 10, 12)
"""The numbers of hands in a deal that are compared.

All deals are played with the largest number. To get a shorter deal, only its first hands are counted.
"""
SERIES = 77
"""The usual format is a series of SERIES finals of Quick Draw with 24 hands each: about as many hands as the deals."""
DRAWS = 2000
"""How many evenings are drawn from the pools of games and of deals."""
STEP = 1.03
"""The factor by which the number of games or deals grows at each try, until an evening is long enough."""
SEED = bytes(32)
Chips = NDArray[np.float64]


class Kind(Struct, frozen=True):
    """A kind of evening: its bots and format, how many evenings are played, and in how many of them (`told_apart`) luck
    is separated from play.
    """

    name: str
    bots: tuple[tuple[int, ...], ...]
    format: Format
    evenings: int
    told_apart: int = 0


class Evening(Struct, frozen=True):
    """What was measured in an evening.

    `won` has the chips that each bot won, by deal, table, hand and bot; 0 for hands that were not played. `luck` has
    the luck of the board, by deal, hand and bot. `others` has the chips that a bot owes to the play of others, by deal
    and bot, in deals of `HANDS` hands. Both are None if luck was not separated from play. `games` are the rankings of a
    series' games. `repeated` counts how often an instance of a bot met a hand that it had met before.
    """

    won: Chips
    luck: Chips | None
    others: Chips | None
    played: NDArray[np.int64]
    """The number of hands, by deal and table."""
    games: list[tuple[int, ...]]
    hands: int
    repeated: int


class Player(InProcessBot):
    """An instance of a bot. Remembers the decks of its hands."""

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
    counted = Counted(evening < kind.told_apart)
    for event in recorded if has_deals else ():
        counted.apply(event)
    return Evening(
        counted.won,
        counted.luck if evening < kind.told_apart else None,
        counted.others if evening < kind.told_apart else None,
        counted.played,
        [event.ranking for event in recorded if isinstance(event, events.GameEnded) and event.ranking],
        sum(isinstance(event, events.HandEnded) for event in recorded),
        sum(len(player.met) - len({*player.met}) for player in players),
    )


class Counted:
    """Counts the chips and the luck of each hand in an evening of deals."""

    def __init__(self, tells_apart: bool) -> None:
        self.won = np.zeros((DEALS, TABLES, LENGTHS[-1], len(BOTS)))
        self.luck = np.zeros((DEALS, LENGTHS[-1], len(BOTS)))
        self.others = np.zeros((DEALS, len(BOTS)))
        self.played = np.zeros((DEALS, TABLES), int)
        self._tells_apart = tells_apart
        self._hand_luck, self._others_play = HandLuck(), OthersPlay()
        self._game, self._hand = -1, 0
        self._seats, self._stacks = tuple[int, ...](), tuple[int, ...]()

    def apply(self, event: events.Event) -> None:
        match event:
            case events.GameStarted(seats=seats):
                self._game, self._seats = self._game + 1, seats
            case events.HandStarted(hand=hand, stacks=stacks):
                self._hand, self._stacks = hand, stacks
        if self._tells_apart:
            self._hand_luck.apply(event)
            if self._hand <= HANDS or not isinstance(event, events.HandEnded):
                self._others_play.apply(event)
        deal, table = divmod(self._game, TABLES)
        match event:
            case events.HandEnded(stacks=stacks):
                self.played[deal, table] += 1
                for bot, before, after in zip(self._seats, self._stacks, stacks, strict=True):
                    self.won[deal, table, self._hand - 1, bot - 1] = after - before
                for bot, luck in self._hand_luck.luck.items():
                    self.luck[deal, self._hand - 1, bot - 1] += float(luck)
            case events.DealEnded():
                for bot, given in self._others_play.end_deal().items():
                    self.others[deal, bot - 1] = float(given)


def rank_correlation(results: Chips, truth: Chips) -> float:
    """How well `results`, a row for each evening, order the bots: 1 if exactly as `truth` does, 0 if at random.

    Returns the mean of Spearman's coefficient over all rows.
    """
    off = results.argsort(axis=-1).argsort(axis=-1) - truth.argsort().argsort()
    count = len(truth)
    return float(1 - 6 * (off**2).sum(axis=-1).mean() / (count**3 - count))


def by_deal(evenings: Sequence[Evening], hands: int) -> Chips:
    """The chips that each bot won in deals of `hands` hands, by evening, deal and bot."""
    return np.array([evening.won[:, :, :hands].sum(axis=(1, 2)) for evening in evenings])


def earned_by_deal(evenings: Sequence[Evening], hands: int) -> Chips:
    """Like `by_deal` without the luck of the board. Has only the evenings in which luck was separated from play."""
    apart = [evening for evening in evenings if evening.luck is not None]
    return by_deal(apart, hands) - luck_by_deal(apart, hands)


def luck_by_deal(evenings: Sequence[Evening], hands: int) -> Chips:
    """The luck of the board: by evening, deal and bot."""
    return np.array([evening.luck[:, :hands].sum(axis=1) for evening in evenings if evening.luck is not None])


def hands_of(evenings: Sequence[Evening], hands: int) -> float:
    """The average number of hands in an evening whose deals have `hands` hands."""
    return fmean(float(np.minimum(evening.played, hands).sum()) for evening in evenings)


def of_series(won: Chips, places: Chips, games: int) -> Chips:
    """Turns the sums of a series into figures that rank the bots: by games won, then by places."""
    return won - places / (10 * games * len(BOTS))


def in_games(usual: Sequence[Evening]) -> tuple[Chips, Chips]:
    """All games of the usual format: 1 for the winner and 0 for the others, and the bots' places, by game and bot."""
    games = [game for evening in usual for game in evening.games]
    places = np.array([[float(ranking.index(bot)) for bot in BOTS] for ranking in games])
    return np.asarray(places == 0, float), places


def scored(won: Chips, percent: int) -> tuple[DealScores, int, int]:
    """Scores an evening's deals by `won` until its title is certain at `percent`, or to the last deal.

    Returns the scores, the number of deals, and the bot with the title, or 0 if the title is not certain.
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
            return scores, len(deals), scores.standings()[0].bot
    return scores, len(deals), 0


def deals_for(pool: Chips, goal: float) -> int:
    """The number of deals from `pool` whose mean rank correlation with the order of the whole pool is `goal`."""
    dice, many, found = np.random.default_rng(14), DEALS // 9, 0.0
    while found < goal:
        many = ceil(many * STEP)
        drawn = np.array([pool[dice.integers(0, len(pool), many)].mean(axis=0) for _ in range(DRAWS)])
        found = rank_correlation(drawn, pool.mean(axis=0))
    return many


def games_for(usual: Sequence[Evening], goal: float) -> int:
    """The number of games of the usual format whose mean rank correlation with the order of all games is `goal`."""
    won, places = in_games(usual)
    truth = of_series(won.sum(axis=0), places.sum(axis=0), len(won))
    dice, many, found = np.random.default_rng(14), DEALS // 9, 0.0
    while found < goal:
        many = ceil(many * STEP)
        picked = dice.multinomial(many, np.full(len(won), 1 / len(won)), DRAWS)
        found = rank_correlation(of_series(picked @ won, picked @ places, many), truth)
    return many


def hands_to_tell_apart(results: Chips, hands: float) -> Chips:
    """Returns, for each pair of bots, the number of hands after which their difference equals its standard error.

    `results` has a figure for each bot in each game or deal, and `hands` is the number of hands in a game or deal. To
    be certain to any degree that one bot is better takes a fixed multiple of the returned number.
    """
    pairs = [results[:, one] - results[:, other] for one, other in combinations(range(len(BOTS)), 2)]
    return np.array([hands * each.var() / each.mean() ** 2 for each in pairs])


def part_of_new_cards(ladder: Sequence[Evening]) -> float:
    """The hands needed to tell two bots apart, as a fraction of the hands needed if each table gets new cards."""
    tables = np.array([evening.won[:, :, 0] for evening in ladder]).reshape(-1, TABLES, len(BOTS))
    pairs = [tables[:, :, one] - tables[:, :, other] for one, other in combinations(range(len(BOTS)), 2)]
    return fmean(float(each.sum(axis=1).var() / TABLES / each.var()) for each in pairs)


def print_lengths(ladder: Sequence[Evening], usual: Sequence[Evening]) -> None:
    """Prints how many hands an evening has, and how well it orders the bots, for each length of a deal and for the
    usual format. The true order is the order by all deals of this length, or by all games.
    """
    print("| hands of a deal | hands | correlation, by chips | by earned | best bot wins, by chips | by earned |")
    print("|---|---|---|---|---|---|")
    for hands in LENGTHS:
        won, earned = by_deal(ladder, hands).mean(axis=1), earned_by_deal(ladder, hands).mean(axis=1)
        truth = won.mean(axis=0)
        cells = [f"{rank_correlation(each, truth):.2f}" for each in (won, earned)]
        cells += [f"{100 * wins_of_best(each, truth):.0f} %" for each in (won, earned)]
        print(f"| up to {hands} | {hands_of(ladder, hands):,.0f} | {' | '.join(cells)} |")
    won, places = (each.reshape(len(usual), -1, len(BOTS)).sum(axis=1) for each in in_games(usual))
    found = of_series(won, places, SERIES)
    own = of_series(won.sum(axis=0), places.sum(axis=0), SERIES * len(usual))
    played = fmean(evening.hands for evening in usual)
    cells = [f"{rank_correlation(found, own):.2f}", "", f"{100 * wins_of_best(found, own):.0f} %", ""]
    print(f"| the usual format | {played:,.0f} | {' | '.join(cells)} |")
    truth = by_deal(ladder, HANDS).mean(axis=(0, 1))
    print(
        f"rank correlation of the usual format with the order by chips per deal: {rank_correlation(found, truth):.2f}"
    )


def wins_of_best(found: Chips, truth: Chips) -> float:
    """The part of the evenings that the best bot wins. Each row of `found` is an evening."""
    return float((found.argmax(axis=1) == truth.argmax()).mean())


def shares(ladder: Sequence[Evening]) -> list[float]:
    """The percentages of the intervals' width that come from the luck of the board, from others' play before a bot's
    first decision, and from its own play. All bots are taken together.
    """
    apart = [evening for evening in ladder if evening.others is not None]
    won = by_deal(apart, HANDS).reshape(-1, len(BOTS))
    luck = luck_by_deal(apart, HANDS).reshape(-1, len(BOTS))
    others = np.concatenate([evening.others for evening in apart if evening.others is not None])
    off = won - won.mean(axis=0)
    return [float(100 * (part * off).sum() / (off * off).sum()) for part in (luck, others, won - luck - others)]


def held(evenings: Iterable[Sequence[Interval | None]], truth: Chips) -> float:
    """The part of the intervals that contain the true value. Each evening has an interval for each bot."""
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
    """The part of the evenings of equal bots in which one of them gets a certain title. Deals are drawn from `pool`."""
    dice = np.random.default_rng(14)
    drawn = (dice.permuted(pool[dice.integers(0, len(pool), DEALS)], axis=1) for _ in range(DRAWS // 5))
    return fmean(scored(evening, SURE)[2] > 0 for evening in drawn)


def in_percent(parts: Sequence[float]) -> str:
    """Two parts as percentages: the first by results without luck, the second by chips."""
    return "; ".join(f"{100 * each:.1f} %" for each in reversed(parts))


def measure(ladder: list[Evening], equal: list[Evening], usual: list[Evening]) -> bool:
    """Prints the figures of all evenings; returns whether all goals are met."""
    won, earned = by_deal(ladder, HANDS), earned_by_deal(ladder, HANDS)
    truth = won.mean(axis=(0, 1))
    print("chips per deal, by all deals:", ", ".join(f"{each:+,.0f}" for each in truth))
    print_lengths(ladder, usual)
    found = [rank_correlation(each.mean(axis=1), truth) for each in (won, earned)]
    per_deal, per_game = hands_of(ladder, HANDS) / DEALS, fmean(evening.hands for evening in usual) / SERIES
    pools = [each.reshape(-1, len(BOTS)) for each in (won, earned)]
    games, deals = games_for(usual, GOAL), [deals_for(pool, GOAL) for pool in pools]
    sooner = [each * per_deal / (games * per_game) for each in deals]
    usually, by_places = (hands_to_tell_apart(each, per_game) for each in in_games(usual))
    apart = [float(np.median(hands_to_tell_apart(pool, per_deal) / usually)) for pool in pools]
    sooner_of_two = float(np.median(hands_to_tell_apart(pools[1], per_deal) / np.minimum(usually, by_places)))
    holding = [held(map(intervals_of, each), truth) for each in (won, earned)]
    best = int(truth.argmax()) + 1
    ends = [[scored(evening, SURE)[2] for evening in each] for each in (won, earned)]
    certain = [fmean(title > 0 for title in each) for each in ends]
    false = [fmean(title not in (0, best) for title in each) for each in ends]
    alike = [by_deal(equal, HANDS), earned_by_deal(equal, HANDS)]
    false_equal = [false_titles(each.reshape(-1, len(BOTS))) for each in alike]
    repeated = sum(evening.repeated for evening in (*ladder, *equal))
    rows = [
        (
            f"rank correlation by what was earned, {DEALS} deals of up to {HANDS} hands",
            f"{found[1]:.2f}",
            f"at least {GOAL}",
        ),
        ("the same by chips", f"{found[0]:.2f}", ""),
        (f"hands for {GOAL} by what was earned, as a part of the usual format's", f"{sooner[1]:.2f}", "at most 0.4"),
        ("the same by chips", f"{sooner[0]:.2f}", ""),
        (f"deals for {GOAL}: by earned, by chips; games", f"{deals[1]}, {deals[0]}; {games}", ""),
        ("hands to know as surely which of two bots is better, by what was earned", f"{apart[1]:.2f}", "at most 0.4"),
        ("the same by chips", f"{apart[0]:.2f}", ""),
        ("by what was earned, if games won or places count, whichever tell sooner", f"{sooner_of_two:.2f}", ""),
        ("the same, one hand, as a part of new cards at each table", f"{part_of_new_cards(ladder):.2f}", ""),
        (f"95 % intervals that hold the truth, {len(earned)} evenings", f"{100 * holding[1]:.1f} %", "93 to 97 %"),
        (f"the same by chips, {len(won)} evenings", f"{100 * holding[0]:.1f} %", "93 to 97 %"),
        (
            "width of those by chips: luck, others' play, own",
            " + ".join(f"{each:.1f} %" for each in shares(ladder)),
            "",
        ),
        (f"evenings with a certain title, at {SURE} %; by chips", in_percent(certain), ""),
        ("false titles, bots of the ladder; by chips", in_percent(false), "at most 3 %"),
        ("false titles, six equal bots; by chips", in_percent(false_equal), "at most 3 %"),
        ("hands that an instance of a bot met again", f"{repeated}", "0"),
    ]
    print("| what | measured | goal |\n|---|---|---|")
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    sure = all(0.93 <= each <= 0.97 for each in holding) and max(*false, *false_equal) <= 0.03
    return found[1] >= GOAL and max(sooner[1], apart[1]) <= 0.4 and sure and not repeated


def main() -> int:
    print_machine()
    played = in_all_processors(play, len(SHARES), "evenings", 1)
    found = [[one for (each, _), one in zip(SHARES, played, strict=True) if each == kind] for kind in KINDS]
    good = measure(*found)
    print(f"all goals met: {good} (goal True)")
    return 0 if good else 1


EVENINGS = options(__doc__, evenings=500).evenings
KINDS = (
    Kind("ladder", LADDER, as_deals(QUICK_DRAW_FORMAT, DEALS, LENGTHS[-1]), EVENINGS, EVENINGS // 8),
    Kind("equal", EQUAL, as_deals(QUICK_DRAW_FORMAT, DEALS, HANDS), EVENINGS // 8, EVENINGS // 8),
    Kind("usual", LADDER, as_series(QUICK_DRAW_FORMAT, SERIES), EVENINGS // 6),
)
SHARES = [(kind, evening) for kind in KINDS for evening in range(kind.evenings)]

if __name__ == "__main__":
    sys.exit(main())

"""How surely do deals tell which bot is better?

Plays evenings of 90 deals. Goals: the rank correlation of results without luck with the true order is at least 0.9. 93
to 97 % of the 95 % intervals hold the truth, and at most 3 % of titles are false at 97 %, without luck and by chips. No
instance meets a hand twice. 500 evenings take 20 minutes. Run: `make bench BENCH=deals ARGS="--evenings 100"`.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from statistics import fmean

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from broadcast.odds.certainty import Interval
from broadcast.odds.deal_scores import DealScores
from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot, decision_at
from server.bots.house.ladder import style_of_rung
from server.bots.house.styles import Style
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.equity.luck import HandLuck
from server.game import events
from server.game.deals import is_decided, lead_needed
from server.game.decisions import Action, Decision
from server.game.formats import as_deals
from server.game.view import View
from server.journal.bus import Bus
from server.shuffle import key_of
from server.tournament.director import Director
from tests.bench.common.scales import in_all_processors, options
from tests.support.games.recordings import of_kind

LADDER = ((1,), (2,), (3,), (4,), (5,), (2, 5))
"""For each bot, the strengths between which it chooses at each decision.

Five bots are the rungs of the ladder, and one mixes two of them. The true order is the result of all deals of all
evenings. By chips, the first rung is not the weakest, because it loses little.
"""
BOTS = range(1, 7)
DEALS, HANDS, TABLES, SURE, GOAL = 90, 8, 6, 97, 0.9
FORMAT = as_deals(QUICK_DRAW_FORMAT, DEALS, HANDS)
DRAWN = 400
"""The number of evenings that are drawn from the pool of deals."""
SEED = bytes(32)
Chips = NDArray[np.float64]


class Share(Struct, frozen=True):
    """An evening to play: its bots ("ladder" or "equal"), its number, and whether luck is told apart from play."""

    kind: str
    number: int
    tells_apart: bool


class Evening(Struct, frozen=True):
    """What was measured in an evening.

    `won` has the chips that each bot won, by deal and bot. `earned` has the same without the luck of the board; it is
    empty if luck was not told apart. `repeated` counts how often an instance of a bot met a hand that it had met
    before.
    """

    won: Chips
    earned: Chips
    repeated: int


class Player(InProcessBot):
    """An instance of a bot, which chooses one of its styles at each decision. Remembers the names of its hands."""

    def __init__(self, bot: int, styles: Sequence[Style], dice: random.Random) -> None:
        super().__init__(bot, styles[0], dice)
        self._styles, self._choose = styles, dice
        self.met: list[str] = []

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        name = f"{view.game} {view.hand.number}"
        if self.met[-1:] != [name]:
            self.met.append(name)
        await asyncio.sleep(0)
        return Answer(resolve(decision_at(view, self._choose.choice(self._styles), self._choose)), 1)


def play(shares: Sequence[Share], number: int) -> Evening:
    """Plays an evening."""
    share = shares[number]
    seed = key_of(SEED, f"{share.kind} {share.number}")
    strengths = ((4,),) * len(BOTS) if share.kind == "equal" else LADDER
    bus, players = Bus(None, lambda: 0.0), list[Player]()

    async def run() -> None:
        entrants = [events.Entrant(bot, f"Bot {bot}") for bot in BOTS]
        director = Director(FORMAT, entrants, seed=seed, bus=bus, tables_at_once=TABLES)
        for table in range(TABLES):
            for bot, chosen in zip(BOTS, strengths, strict=True):
                dice = random.Random(f"{seed.hex()} {table} {bot}")
                players.append(Player(bot, [style_of_rung("careful", strength) for strength in chosen], dice))
                director.add_table_bot(table, players[-1])
        await director.run()

    asyncio.run(run())
    hand_luck, luck, lucks = HandLuck(), np.zeros(len(BOTS)), list[Chips]()
    for entry in bus.entries if share.tells_apart else ():
        hand_luck.apply(entry.event)
        match entry.event:
            case events.HandEnded():
                luck += [float(hand_luck.luck.get(bot, 0)) for bot in BOTS]
            case events.DealEnded():
                lucks.append(luck)
                luck = np.zeros(len(BOTS))
    ended = [dict(zip(deal.bots, deal.won, strict=True)) for deal in of_kind(bus.entries, events.DealEnded)]
    won = np.array([[float(deal[bot]) for bot in BOTS] for deal in ended])
    return Evening(
        won,
        won - np.array(lucks) if share.tells_apart else np.zeros(0),
        sum(len(player.met) - len({*player.met}) for player in players),
    )


def rank_correlation(results: Chips, truth: Chips) -> float:
    """How well `results`, a row for each evening, order the bots: 1 if exactly as `truth` does, 0 if at random.

    Returns the mean of Spearman's coefficient over all rows.
    """
    off = results.argsort(axis=-1).argsort(axis=-1) - truth.argsort().argsort()
    count = len(truth)
    return float(1 - 6 * (off**2).sum(axis=-1).mean() / (count**3 - count))


def scored(won: Chips, percent: int) -> tuple[DealScores, int]:
    """Scores an evening's deals by `won` until its title is certain at `percent`, or to the last deal.

    Returns the scores and the bot with the title, or 0 if the title is not certain.
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


def intervals_of(won: Chips) -> list[Interval | None]:
    """The interval of each bot after an evening of deals."""
    found = {each.bot: each for each in scored(won, 0)[0].standings()}
    bounds = [(found[bot].low, found[bot].high) for bot in BOTS]
    return [None if low is None or high is None else Interval(low, high) for low, high in bounds]


def held(evenings: Iterable[Chips], truth: Chips) -> float:
    """The part of the bots' intervals that contain the true value."""
    pairs = [pair for each in evenings for pair in zip(intervals_of(each), truth.tolist(), strict=True)]
    return fmean(each.low <= true <= each.high for each, true in pairs if each)


def false_titles(pool: Chips) -> float:
    """The part of the evenings of equal bots in which one of them gets a certain title. Deals are drawn from `pool`."""
    dice = np.random.default_rng(14)
    drawn = (dice.permuted(pool[dice.integers(0, len(pool), DEALS)], axis=1) for _ in range(DRAWN))
    return fmean(scored(evening, SURE)[1] > 0 for evening in drawn)


def main(evenings: int) -> int:
    counts = {"ladder": evenings, "equal": evenings // 8}
    shares = [Share(kind, each, each < evenings // 8) for kind, count in counts.items() for each in range(count)]
    played = in_all_processors(partial(play, shares), len(shares), "evenings", 1)
    ladder, equal = played[:evenings], played[evenings:]
    won = [
        np.array([evening.won for evening in ladder]),
        np.array([each.earned for each in ladder if each.earned.size]),
    ]
    alike = [np.array([evening.won for evening in equal]), np.array([evening.earned for evening in equal])]
    truth = won[0].mean(axis=(0, 1))
    print("chips per deal, by all deals:", ", ".join(f"{each:+,.0f}" for each in truth))
    good = True
    for what, found, peers in zip(("chips", "what was earned"), won, alike, strict=True):
        goals = what != "chips"
        correlation, holding = rank_correlation(found.mean(axis=1), truth), held(found, truth)
        titles = [scored(evening, SURE)[1] for evening in found]
        false = fmean(title not in (0, int(truth.argmax()) + 1) for title in titles)
        false_equal = false_titles(peers.reshape(-1, len(BOTS)))
        good &= 0.93 <= holding <= 0.97 and max(false, false_equal) <= 0.03
        good &= not goals or correlation >= GOAL
        print(f"| by {what}, {len(found)} evenings of {DEALS} deals of up to {HANDS} hands | measured | goal |")
        print(f"| rank correlation | {correlation:.2f} | {GOAL if goals else ''} |")
        print(f"| 95 % intervals that hold the truth | {holding:.1%} | 93 to 97 % |")
        print(f"| evenings with a certain title at {SURE} % | {fmean(title > 0 for title in titles):.1%} | |")
        print(f"| false titles: bots of the ladder, six equal bots | {false:.1%}, {false_equal:.1%} | 3 % |")
    repeated = sum(evening.repeated for evening in (*ladder, *equal))
    good &= not repeated
    print(f"| hands that an instance of a bot met again | {repeated} | 0 |\nall goals met: {good} (goal True)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(options(__doc__, evenings=500).evenings))

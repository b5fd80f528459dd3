"""Matches between rungs of the ladder of house bots. Mirrored deals from one seed give the same result in every run."""

import asyncio
import random
from collections.abc import Sequence

from broadcast.odds.earned import Unit
from server.app.sparring.mirrored_tables import MirroredTables, sparring_format
from server.app.sparring.result import MatchStanding, Score
from server.bots.house.in_process import InProcessBot
from server.bots.house.ladder import LADDER, style_of_rung
from server.contests import CONTESTS
from server.game.events import Entrant
from server.shuffle import key_of

SEED = bytes(32)


def match(one: int, others: int, deals: int, seats: int = 2, contest: str = "quick-draw") -> MatchStanding:
    """The standing, in big blinds, of a bot of strength `one` against bots of strength `others` in all other seats."""
    names = [LADDER[one - 1].name, *(f"{LADDER[others - 1].name} {seat}" for seat in range(1, seats))]
    seed = key_of(SEED, f"{contest} {seats} {one} {others}")
    score = Score(names, deals, CONTESTS[contest].format.starting_stack)

    def count(units: Sequence[Unit]) -> bool:
        score.add_deal(units)
        return True

    entrants = [Entrant(number, name) for number, name in enumerate(names, 1)]
    tables = MirroredTables(sparring_format(contest, deals, seats), entrants, seed, count)
    tables.seat_bots(
        [
            InProcessBot(
                bot, style_of_rung("careful", one if bot == 1 else others), random.Random(f"{seed.hex()} {bot}")
            )
            for bot in range(1, seats + 1)
        ]
    )
    asyncio.run(tables.play())
    big, found = CONTESTS[contest].format.rules.levels[0].big, score.result().bots[0]
    low, high = (None if each is None else each / big for each in (found.low, found.high))
    return MatchStanding(names[0], found.won_per_100 / big, found.earned_per_100 / big, low, high)

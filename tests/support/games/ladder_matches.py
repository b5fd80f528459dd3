"""Matches between built-in bots of different strength. Each strength is a rung of a ladder."""

import asyncio
import random
from collections.abc import Sequence

from broadcast.odds.earned import EarnedByBot
from server.app.sparring.mirrored_tables import MirroredTables, sparring_format
from server.app.sparring.result import MatchStanding, Score
from server.bots.house.in_process import InProcessBot
from server.bots.house.ladder import LADDER, style_of_rung
from server.contests import CONTESTS
from server.game.events import Entrant
from server.shuffle import key_of


def play_match(rung: int, other_rung: int, deals: int, seats: int = 2, contest: str = "quick-draw") -> MatchStanding:
    """Returns the result of a bot on `rung` against bots on `other_rung`, in big blinds per 100 hands."""
    names = [LADDER[rung - 1].name, *(f"{LADDER[other_rung - 1].name} {seat}" for seat in range(1, seats))]
    seed = key_of(bytes(32), f"{contest} {seats} {rung} {other_rung}")
    score = Score(names, deals, CONTESTS[contest].format.starting_stack)

    def score_deal(results_by_table: Sequence[EarnedByBot]) -> bool:
        score.add_deal(results_by_table)
        return True

    entrants = [Entrant(number, name) for number, name in enumerate(names, 1)]
    tables = MirroredTables(sparring_format(contest, deals, seats), entrants, seed, score_deal)
    styles = [style_of_rung("careful", strength) for strength in [rung, *[other_rung] * (seats - 1)]]
    dice = [random.Random(f"{seed.hex()} {bot}") for bot in range(1, seats + 1)]
    tables.seat_bots(list(map(InProcessBot, range(1, seats + 1), styles, dice)))
    asyncio.run(tables.play())
    big_blind, bot_score = CONTESTS[contest].format.rules.levels[0].big, score.result().bots[0]
    low, high = (None if limit is None else limit / big_blind for limit in (bot_score.low, bot_score.high))
    return MatchStanding(names[0], bot_score.won_per_100 / big_blind, bot_score.earned_per_100 / big_blind, low, high)

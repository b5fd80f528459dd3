"""Do agents over MCP play the same games as other bots?

Compares all events of a thousand hands, under the rules of four contests, with those of the same hands played with the
same decisions in the contests' own messages. Run: `make bench BENCH=agents`; shorter: `ARGS="--hands 100"`.
"""

import asyncio
import sys
from itertools import count, zip_longest

from server.game.events import HandEnded
from tests.bench.common.scales import options
from tests.mcp.agents import CONTESTS_OF_THREE, Answer, play_game, seat_by_mcp, seat_by_wire


async def compare(contest: str, hands: int) -> tuple[int, int, int]:
    """Plays games of at least `hands` hands in all; returns the numbers of hands, decisions and differences."""
    dealt, decided, different, seeds = 0, 0, 0, count()
    while dealt < hands:
        decisions, seed = list[Answer](), next(seeds).to_bytes(32, "big")
        by_mcp = await play_game(contest, seat_by_mcp(contest, decisions), 24, seed)
        by_wire = await play_game(contest, seat_by_wire(contest, decisions), 24, seed)
        dealt += sum(isinstance(event, HandEnded) for event in by_mcp)
        decided += len(decisions)
        different += sum(event != other_event for event, other_event in zip_longest(by_mcp, by_wire))
    return dealt, decided, different


def main(hands: int) -> int:
    different = 0
    for contest in CONTESTS_OF_THREE:
        dealt, decided, differing = asyncio.run(compare(contest, -(-hands // len(CONTESTS_OF_THREE))))
        print(f"| {contest} | {dealt} hands, {decided} decisions | {differing} events differ; goal: 0 |", flush=True)
        different += differing
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(options(__doc__, hands=1000).hands))

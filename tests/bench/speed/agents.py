"""Do agents over MCP play the same games as other bots?

A thousand hands under the rules of four contests are played twice with the same decisions, over MCP and over the
contests' own messages. All events are compared. Run: `make bench BENCH=agents`; shorter: `ARGS="--hands 100"`.
"""

import asyncio
import sys
from itertools import zip_longest

from server.game.events import HandEnded
from tests.bench.common.scales import options
from tests.mcp.agents import CONTESTS_OF_THREE, Answer, play_game, seat_by_mcp, seat_by_wire

GAME_HANDS = 24


async def compare(contest: str, hands: int) -> tuple[int, int, int]:
    """Plays games of at least `hands` hands in all; returns the numbers of hands, decisions and differences."""
    dealt, decided, different, game = 0, 0, 0, 0
    while dealt < hands:
        decisions, seed = list[Answer](), game.to_bytes(32, "big")
        events = await play_game(contest, seat_by_mcp(contest, decisions), GAME_HANDS, seed)
        same = await play_game(contest, seat_by_wire(contest, decisions), GAME_HANDS, seed)
        dealt += sum(isinstance(event, HandEnded) for event in events)
        different += sum(mine != theirs for mine, theirs in zip_longest(events, same))
        decided, game = decided + len(decisions), game + 1
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

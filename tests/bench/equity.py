"""How long do exact odds take, for 2 to 10 hands before the flop and six on each street?

The peer: a loop over all boards with eval7. Run: `make bench BENCH=equity`.
"""

import random
import statistics
import sys
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.odds.equity import equities
from broadcast.odds.tables import tables
from server.game.cards import DECK, Card
from tests.bench.common.scales import options, print_machine, timed
from tests.odds.oracle import Hole, by_eval7

DICE = random.Random(7)
SIX = 6


def dealt(hands: int, board: int = 0) -> tuple[list[Hole], list[Card]]:
    """Random hands and a random board."""
    cards = DICE.sample(DECK, 2 * hands + board)
    return [(cards[at], cards[at + 1]) for at in range(0, 2 * hands, 2)], cards[2 * hands :]


def milliseconds(situation: tuple[list[Hole], list[Card]]) -> float:
    """How long one answer takes."""
    return 1000 * timed(lambda _: equities(*situation), 1)


def loop(hands: Sequence[Hole], board: Sequence[Card], boards: int) -> float:
    """Milliseconds that a loop over every board takes, measured on `boards` of them and scaled."""
    rest = [card for card in DECK if card not in {*board, *(card for hand in hands for card in hand)}]
    come = list(combinations(map(by_eval7.card, rest), 5 - len(board)))
    held = [[by_eval7.card(card) for card in (*hand, *board)] for hand in hands]
    some = DICE.sample(come, min(boards, len(come)))

    def work(_: int) -> None:
        for more in some:
            values = [by_eval7.strength([*hand, *more]) for hand in held]
            values.count(max(values))

    return 1000 * timed(work, 1) * len(come) / len(some)


if __name__ == "__main__":
    flags = options(__doc__, situations=200, boards=20_000)
    print_machine()
    begun = time.perf_counter()
    tables()
    print(f"tables built, once: {1000 * (time.perf_counter() - begun):.0f} ms")
    before = sorted(milliseconds(dealt(DICE.randint(2, 10))) for _ in range(flags.situations))
    median, p99 = statistics.median(before), before[int(0.99 * len(before))]
    print(f"{flags.situations} times 2-10 hands before the flop: median {median:.2f} ms, p99 {p99:.2f} (goal 3 and 5)")
    print(f"twelve hands before the flop: {statistics.median(milliseconds(dealt(12)) for _ in range(20)):.2f} ms")
    for street, board in (("before the flop", 0), ("flop", 3), ("turn", 4), ("river", 5)):
        situations = [dealt(SIX, board) for _ in range(21)]
        ours = statistics.median(milliseconds(situation) for situation in situations)
        theirs = loop(*situations[0], flags.boards)
        print(f"six hands, {street:16} ours {ours:8.2f} ms   eval7 {theirs:10,.2f} ms   {theirs / ours:,.1f}x")

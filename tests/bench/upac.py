"""How long does a UPAC game of a hundred rounds between two house bots take? The peer: the engine alone.

Run: `make bench BENCH=upac`.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.bots.sandbox.local_process import start_house
from server.bots.sandbox.runner import Piped
from server.game.cards import DECK, Deck
from server.game.decide import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Entrant
from server.game.rules import UPAC
from server.season.game import Contender, play_game
from tests.bench.common.scales import options, print_machine


def house(bot: int, style: str, seed: int) -> Contender:
    async def start(log: Path) -> Piped:
        return start_house(style, f"{seed} {bot}", log)

    return Contender(Entrant(bot, style), start)


def game(number: int, folder: Path) -> tuple[int, float, float]:
    """Rounds, seconds on the clock, seconds of our own process."""
    begun, used = time.perf_counter(), time.process_time()
    bots = house(1, "calling", number), house(2, "careful", number)
    outcome = asyncio.run(play_game(*bots, seed=bytes([number] * 32), journal=folder / f"{number}.jsonl"))
    assert not outcome.forfeited, outcome.reason
    return outcome.rounds, time.perf_counter() - begun, time.process_time() - used


def rounds_a_second(count: int) -> float:
    """The engine alone, by UPAC's rules: random decisions, every event."""
    dice = random.Random(1)
    decks = [Deck(tuple(dice.sample(DECK, len(DECK)))) for _ in range(count)]
    begun = time.perf_counter()
    for deck in decks:
        hand, _ = start_hand(UPAC, 1, 0, (50, 50), deck)
        while not hand.over:
            hand, _ = take_turn(hand, _decision(dice, hand.current_bet))
    return count / (time.perf_counter() - begun)


def _decision(dice: random.Random, bet: int) -> Decision:
    roll = dice.random()
    return Fold() if roll < 0.08 else RaiseTo(bet + dice.randint(1, 9)) if roll < 0.3 else Call()


if __name__ == "__main__":
    flags = options(__doc__, games=5, rounds=5_000)
    print_machine()
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        games = [game(number, Path(name)) for number in range(flags.games)]
    for rounds, seconds, ours in games:
        each = f"{1000 * seconds / rounds:.1f} ms a round, {1000 * ours / rounds:.1f} of them ours"
        print(f"{rounds:4} rounds in {seconds:5.2f} s   {each}  (goal for 100: 4 s)")
    print(f"the engine alone: {rounds_a_second(flags.rounds):,.0f} rounds/s")

"""How many hands of six players per second can our engine (with validation and events) play? How many can pokerkit?

Both get the same random decisions, and are measured alternately, ROUNDS times each. Our decks are made beforehand,
because our engine does not shuffle. Pokerkit shuffles its own decks, which takes less than 1 % of its time.
Run: `make bench BENCH=engine`.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import cycle

from pokerkit import Automation, NoLimitTexasHoldem

from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.rules import Rules
from tests.bench.common.scales import options
from tests.game.random_hands import random_deck

STACK, SEATS, ROUNDS = 5000, 6, 3
DICE = random.Random(6)
DECKS = cycle([random_deck(DICE) for _ in range(500)])
ROLLS = [(DICE.random(), DICE.randrange(400)) for _ in range(9973)]
"""The random numbers for `choose`: a number from 0 to 1, and the chips by which a raise exceeds the smallest raise."""
Rolls = Iterator[tuple[float, int]]


def play_ours(rolls: Rolls) -> None:
    hand, _ = start_hand(Rules(), 1, 0, [STACK] * SEATS, next(DECKS))
    while turn := hand.turn:
        hand, _ = take_turn(hand, choose(next(rolls), turn.to_call, turn.min_raise_to, turn.max_raise_to))


def play_in_pokerkit(rolls: Rolls) -> None:
    state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (50, 100), 100, (STACK,) * SEATS, SEATS)
    while state.status:
        low = state.min_completion_betting_or_raising_to_amount or 0
        high = state.max_completion_betting_or_raising_to_amount or 0
        match choose(next(rolls), state.checking_or_calling_amount or 0, low, high):
            case Fold():
                state.fold()
            case Call():
                state.check_or_call()
            case RaiseTo(raise_to=raise_to):
                state.complete_bet_or_raise_to(raise_to)


def choose(roll: tuple[float, int], to_call: int, low: int, high: int) -> Decision:
    """Folds to one bet in six. If a raise is possible, raises in a quarter of the cases, sometimes all-in."""
    chance, extra_chips = roll
    if chance < 0.16 and to_call:
        return Fold()
    if chance < 0.75 or not high:
        return Call()
    return RaiseTo(high if chance < 0.77 else min(high, low + extra_chips))


def measure_rate(play: Callable[[Rolls], None], seconds: float) -> float:
    """Plays for `seconds` of processor time. Returns the hands per second."""
    hands, rolls, started_at = 0, cycle(ROLLS), time.process_time()
    while (spent := time.process_time() - started_at) < seconds:
        play(rolls)
        hands += 1
    return hands / spent


if __name__ == "__main__":
    seconds = options(__doc__, seconds=12.0).seconds / ROUNDS / 2
    rounds = [(measure_rate(play_ours, seconds), measure_rate(play_in_pokerkit, seconds)) for _ in range(ROUNDS)]
    ours, peer = map(max, zip(*rounds, strict=True))
    print(f"six players: ours {ours:,.0f} hands/s, pokerkit {peer:,.0f} hands/s, {ours / peer:.1f}x (goal 25x)")

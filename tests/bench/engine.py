"""How many hands of six players does the engine play per second, with validation and events? The peer is pokerkit.

Both play the same random decisions. Our decks are made beforehand, because the engine receives them; pokerkit shuffles
its own, which takes less than one per cent of its time. Run: `make bench BENCH=engine`.
"""

import random
from itertools import cycle

from pokerkit import Automation, NoLimitTexasHoldem

from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.rules import Rules
from tests.bench.common.scales import options, print_machine, print_ratio, side_by_side
from tests.game.random_hands import random_deck

STACK, SEATS = 5000, 6
DICE = random.Random(6)
DECKS = [random_deck(DICE) for _ in range(500)]
ROLLS = [(DICE.random(), DICE.randrange(400)) for _ in range(9973)]
"""The random numbers for `choose`: one from 0 to 1, and the chips by which a raise exceeds the smallest raise."""


def play_ours(hands: int) -> None:
    rolls, rules = cycle(ROLLS), Rules()
    for number in range(hands):
        hand, _ = start_hand(rules, 1, 0, [STACK] * SEATS, DECKS[number % len(DECKS)])
        while hand.turn is not None:
            turn = hand.turn
            hand, _ = take_turn(hand, choose(next(rolls), turn.to_call, turn.min_raise_to, turn.max_raise_to))


def play_in_pokerkit(hands: int) -> None:
    rolls = cycle(ROLLS)
    for _ in range(hands):
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
    """Folds to a bet in one of six cases, raises in a quarter of all cases, and sometimes goes all-in."""
    chance, more = roll
    if chance < 0.16 and to_call:
        return Fold()
    if chance < 0.75 or not high:
        return Call()
    return RaiseTo(high if chance < 0.77 else min(high, low + more))


if __name__ == "__main__":
    seconds = options(__doc__, seconds=12.0).seconds
    print_machine()
    rates = side_by_side(play_ours, play_in_pokerkit, seconds)
    print_ratio("hands, six players", "hands/s", "pokerkit", rates, goal="25x")

# mypy: ignore-errors
"""A peer of the engine's benchmark: `python texasholdem_hands.py HANDS` plays so many hands of six with texasholdem.

Prints the seconds of processor time. Runs in the peers' environment. Decisions are drawn as the benchmark draws them.
"""

import random
import sys
import time

from texasholdem import ActionType, TexasHoldEm


def play(hands, rolls):
    """Plays so many hands, each with full stacks; `rolls` gives pairs of a chance and of chips to raise by."""
    for _ in range(hands):
        game = TexasHoldEm(buyin=5000, big_blind=100, small_blind=50, max_players=6)
        game.start_hand()
        while game.is_hand_running():
            chance, more = next(rolls)
            moves = game.get_available_moves()
            to_call = game.chips_to_call(game.current_player)
            if chance < 0.16 and to_call:
                game.take_action(ActionType.FOLD)
            elif chance < 0.75 or ActionType.RAISE not in moves.action_types:
                game.take_action(ActionType.CALL if to_call else ActionType.CHECK)
            else:
                low, high = moves.raise_range.start, moves.raise_range.stop - 1
                game.take_action(ActionType.RAISE, total=high if chance < 0.77 else min(high, low + more))


def rolls():
    """Pairs of a chance and a number of chips, without end."""
    dice = random.Random(6)
    while True:
        yield dice.random(), dice.randrange(400)


if __name__ == "__main__":
    begun = time.process_time()
    play(int(sys.argv[1]), rolls())
    print(time.process_time() - begun)

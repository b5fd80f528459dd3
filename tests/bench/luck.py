"""Does the interval of what a bot earns hold the truth, and is luck taken out quickly? There is no peer.

Goals: 93-97 % of contests inside their 95 % interval; 3 ms a hand.
Run: `make bench BENCH=luck ARGS="--games 500"`.
"""

import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.odds.certainty import ENOUGH_FOR_T, FEWEST, interval_of
from broadcast.odds.earned import HandLuck, units_of
from broadcast.odds.tables import tables
from server.bots.house.styles import Situation, choose, styles
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decide import start_hand, take_turn
from server.game.events import Event, GameStarted, HandEnded, StageStarted
from server.game.hand import Hand, next_blind
from server.shuffle import deck_of
from tests.bench.common.scales import in_all_processors, options, print_machine, timed

GAMES = 100
"""Games in one share of the work."""
HANDS, STACK = 6, 5000
"""Hands and chips in a game of house bots, as in The Trials of Quick Draw."""
MAX_GAMES = 60
"""The most games in a contest whose interval is checked."""
STYLES = styles()


def house_game(dice: random.Random, kinds: Sequence[str]) -> list[Event]:
    """A game of house bots of some kinds; bots are numbered in that order."""
    stacks, seats = [STACK] * len(kinds), tuple(range(len(kinds)))
    events: list[Event] = [
        StageStarted(1, "", 1, HANDS, seats, tuple(stacks)),
        GameStarted(1, HANDS, seats, tuple(stacks)),
    ]
    big = dice.randrange(len(kinds))
    for number in range(1, HANDS + 1):
        if sum(stack > 0 for stack in stacks) > 1:
            button, big = next_blind(QUICK_DRAW, big, stacks)
            hand, happened = start_hand(QUICK_DRAW, number, button, stacks, deck_of(dice.randbytes(32)))
            events += happened
            while hand.turn is not None:
                hand, happened = take_turn(hand, choose(STYLES[kinds[hand.turn.seat]], _situation(hand), dice))
                events += happened
            stacks = [seat.stack for seat in hand.seats]
    return events


def _situation(hand: Hand) -> Situation:
    assert hand.turn is not None, "somebody is to act"
    seat = hand.seats[hand.turn.seat]
    pot = sum(each.committed for each in hand.seats)
    return Situation(seat.cards, hand.board, seat.bet, seat.stack, hand.current_bet, pot, len(hand.live) - 1)


def games_of_six(seed: int, number: int) -> list[dict[int, float]]:
    """One share of games of all six styles: what each style earned."""
    dice, found = random.Random(f"house {seed} {number}"), []
    for _ in range(GAMES):
        (unit,) = units_of(house_game(dice, list(STYLES)))
        found.append({bot: float(result.earned) for bot, result in unit.items()})
    return found


def print_coverage(games: Sequence[dict[int, float]], contests: int) -> float:
    """The part of contests, drawn from `games`, in which a bot's interval holds what it earns in all of them."""
    dice, held = random.Random(3), dict[str, list[bool]]()
    means = {bot: sum(game[bot] for game in games) / len(games) for bot in games[0]}
    for number in range(contests):
        count, bot = dice.randint(FEWEST, MAX_GAMES), number % len(means)
        interval = interval_of([game[bot] for game in dice.choices(games, k=count)])
        holds = interval is not None and interval.low <= means[bot] <= interval.high
        held.setdefault("by draws" if count < ENOUGH_FOR_T else "by Student", []).append(holds)
    for how, each in held.items():
        print(f"  {how}: {sum(each) / len(each):.1%} of {len(each):,}")
    every = [holds for each in held.values() for holds in each]
    print(f"{contests:,} contests of {FEWEST}-{MAX_GAMES} games: {sum(every) / len(every):.1%} inside (goal 93-97 %)")
    return sum(every) / len(every)


def print_time() -> float:
    """Milliseconds a hand of six house bots."""
    tables()
    dice = random.Random(4)
    games = [house_game(dice, list(STYLES)) for _ in range(50)]
    hands = sum(isinstance(event, HandEnded) for game in games for event in game)

    def work(_: int) -> None:
        for game in games:
            counting = HandLuck()
            for event in game:
                counting.apply(event)

    ours = min(timed(work, 1) for _ in range(3)) / hands
    print(f"{hands} hands of six: {1000 * ours:.2f} ms a hand (goal 3)")
    return 1000 * ours


def main() -> int:
    flags = options(__doc__, games=2_000, contests=2_000, seed=1)
    print_machine()
    shares = -(-flags.games // GAMES)
    six = in_all_processors(partial(games_of_six, flags.seed), shares, "games", GAMES)
    games = [game for share in six for game in share]
    good = 0.93 <= print_coverage(games, flags.contests) <= 0.97
    good &= print_time() <= 3
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

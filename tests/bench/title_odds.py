"""Are the title odds right? Prints Brier score and reliability over 2,000 simulated evenings of house bots.

There is no peer. Run: `make bench BENCH=title_odds`; shorter: `ARGS="--evenings 200"`.
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count

from msgspec import Struct

from broadcast.odds.title import first_place
from server.bots.house.in_process import decision_at
from server.bots.house.styles import Style, styles
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.betting import start_hand, take_turn
from server.game.hand import Hand, next_blind
from server.game.tournament import Format
from server.game.view import view_of
from server.shuffle import deck_of
from tests.bench.common.scales import in_all_processors, options, print_machine

SHARE = 20
CONTESTS = {"High Noon": (QUICK_DRAW_FORMAT, 6), "Arena": (ARENA_FORMAT, 6)}
BINS = 10


class Chance(Struct, frozen=True):
    """A chance shown for a bot with `left` hands to play (None: no limit).

    `won` is 1 if the bot won, 0 if it did not, and its share if several bots won together.
    """

    chance: float
    won: float
    left: int | None


def last_table(contest: Format, bots: int, dice: random.Random) -> Iterator[tuple[list[int], int | None]]:
    """Plays the last stage of an evening with house bots. Yields the stacks before each hand and after the last one,
    each time with the number of hands left.
    """
    rules, plan, all_styles = contest.rules, contest.stages[-1], [*styles().values()]
    playing = [dice.choice(all_styles) for _ in range(bots)]
    stacks, big = [contest.starting_stack] * bots, bots - 2
    for hand in count(1):
        yield stacks, plan.hands - hand + 1 if plan.hands else None
        if sum(stack > 0 for stack in stacks) < 2 or (plan.hands and hand > plan.hands):
            return
        button, big = next_blind(rules, big, stacks)
        dealt, _ = start_hand(rules, hand, button, stacks, deck_of(dice.randbytes(32)))
        stacks = _play(dealt, playing, dice)


def _play(hand: Hand, playing: Sequence[Style], dice: random.Random) -> list[int]:
    """Plays a hand to its end; returns the stacks after it."""
    while hand.turn:
        view = view_of(hand, hand.turn.seat, 1, ())
        hand, _ = take_turn(hand, decision_at(view, playing[hand.turn.seat], dice))
    return [seat.stack for seat in hand.seats]


def collect_chances(contest: Format, bots: int, seed: object) -> list[Chance]:
    """Returns the chances in one evening: before each hand, for each bot that still has chips."""
    moments = list(last_table(contest, bots, random.Random(f"{seed}")))
    final, _ = moments[-1]
    champions = [at for at, stack in enumerate(final) if stack == max(final)]
    return [
        Chance(chance, (at in champions) / len(champions), left)
        for stacks, left in moments[:-1]
        for at, chance in enumerate(first_place(stacks, left))
        if stacks[at]
    ]


def brier(chances: Sequence[Chance]) -> float:
    """Returns the mean square error of the chances: 0 if all were certain and right."""
    return sum((each.chance - each.won) ** 2 for each in chances) / len(chances)


def reliability(chances: Sequence[Chance]) -> list[tuple[int, float, float]]:
    """Returns for each tenth of the scale how many chances are in it, their mean, and how often they came true."""
    rows = []
    for tenth in range(BINS):
        here = [each for each in chances if min(BINS - 1, int(each.chance * BINS)) == tenth]
        if here:
            number = len(here)
            rows.append((number, sum(each.chance for each in here) / number, sum(each.won for each in here) / number))
    return rows


def _share(name: str, number: int) -> list[Chance]:
    contest, bots = CONTESTS[name]
    seeds = range(number * SHARE, (number + 1) * SHARE)
    return [each for seed in seeds for each in collect_chances(contest, bots, f"{name} {seed}")]


def print_table(name: str, chances: Sequence[Chance], evenings: int) -> None:
    even = brier([Chance(1 / CONTESTS[name][1], each.won, each.left) for each in chances])
    print(f"{name}: {evenings:,} evenings, {len(chances):,} chances, Brier {brier(chances):.4f} (equal: {even:.4f})")
    for number, mean, frequency in reliability(chances):
        print(f"   shown {mean:6.1%}   came true {frequency:6.1%}   {number:9,} times")


if __name__ == "__main__":
    flags = options(__doc__, evenings=2_000)
    print_machine()
    for name in CONTESTS:
        shares = -(-flags.evenings // SHARE)
        found = in_all_processors(partial(_share, name), shares, "evenings", SHARE)
        chances = [each for share in found for each in share]
        print_table(name, chances, shares * SHARE)

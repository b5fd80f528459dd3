"""The last stages of evenings of house bots, with the title odds before each hand and whether they came true."""

import random
from collections.abc import Iterator, Sequence
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

CONTESTS = {"High Noon": (QUICK_DRAW_FORMAT, 6), "Arena": (ARENA_FORMAT, 6)}
BINS = 10


class Chance(Struct, frozen=True):
    """A chance shown for a bot when `left` hands were still to be played; None if there is no limit.

    `won` is 1 if the bot won, 0 if it did not, and its share if several bots won together.
    """

    chance: float
    won: float
    left: int | None


def last_table(contest: Format, bots: int, dice: random.Random) -> Iterator[tuple[list[int], int | None]]:
    """Plays the last stage of an evening. Before each hand and at the end, yields the stacks and the hands left.

    Their number is None if it is not limited.
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
    """Returns the number of chances in each tenth of the scale, their mean, and how often they came true."""
    rows = []
    for tenth in range(BINS):
        here = [each for each in chances if min(BINS - 1, int(each.chance * BINS)) == tenth]
        if here:
            number = len(here)
            rows.append((number, sum(each.chance for each in here) / number, sum(each.won for each in here) / number))
    return rows

"""Side pots are split as by an independent, slow function that splits pots chip by chip."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from server.game.rules import Rules
from server.game.showdown import share_pot, split_pots

FIRST, LAST = Rules(odd_chips="first_in_order"), Rules(odd_chips="last_in_order")


@pytest.mark.parametrize("rules", [FIRST, LAST])
def test_pots_are_split_as_by_a_function_that_goes_chip_by_chip(rules: Rules) -> None:
    dice = random.Random(20)
    for _ in range(5_000):
        seats = dice.randint(2, 9)
        committed = [dice.choice((0, 1, 5, 12, dice.randint(0, 30))) for _ in range(seats)]
        live = sorted(dice.sample(range(seats), dice.randint(1, seats)))
        if not any(committed[seat] for seat in live):
            continue
        strengths = {seat: dice.randint(1, 3) for seat in live}
        order = dice.sample(range(seats), seats)
        pots = split_pots(committed, live)
        won: Counter[int] = Counter()
        for pot in pots:
            for award in share_pot(pot, strengths, order, rules):
                won[award.seat] += award.amount
        assert +won == slow_split(committed, strengths, order, rules), (committed, strengths, order)
        assert sum(pot.amount for pot in pots) == sum(committed)


def slow_split(
    committed: Sequence[int], strengths: Mapping[int, int], order: Sequence[int], rules: Rules
) -> Counter[int]:
    """Returns what each seat wins. Layer n has the n-th chip of every bet; layers with equal claimants are one pot."""
    pots: Counter[tuple[int, ...]] = Counter()
    claimants: tuple[int, ...] = ()
    for layer in range(1, max(committed) + 1):
        claimants = tuple(seat for seat in strengths if committed[seat] >= layer) or claimants
        pots[claimants] += sum(1 for chips in committed if chips >= layer)
    won: Counter[int] = Counter()
    for seats, chips in pots.items():
        best = max(strengths[seat] for seat in seats)
        winners = [seat for seat in order if seat in seats and strengths[seat] == best]
        for chip in range(chips):
            whole_round = chip < chips - chips % len(winners)
            lucky = winners[0] if rules.odd_chips == "first_in_order" else winners[-1]
            won[winners[chip % len(winners)] if whole_round else lucky] += 1
    return +won

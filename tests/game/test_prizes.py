"""Prizes are the right shares of the pool, to the cent, and go to players, not to bots."""

import random

from server.game.events import Placing
from server.game.prizes import place_all, prizes


def test_pool_of_60_dollars_pays_five_prizes_and_a_small_pool_only_three() -> None:
    assert prizes(12 * 500) == (2500, 1500, 1000, 500, 500)
    assert prizes(2000) == (500, 300, 200, 500, 500)
    assert prizes(1999) == (1001, 599, 399, 0, 0)


def test_the_whole_pool_is_paid_out_and_nobody_is_paid_twice() -> None:
    dice = random.Random(5)
    for _ in range(5_000):
        bots = dice.sample(range(1, 31), dice.randint(1, 30))
        players = {bot: f"player {dice.randint(1, 12)}" for bot in bots}
        pool = 500 * len(bots)
        paid = [placing.prize_cents for placing in place_all(bots, dict.fromkeys(bots, 0), players, prizes(pool))]
        assert sum(paid) == pool
        winners = [players[bot] for bot, cents in zip(bots, paid, strict=True) if cents]
        assert len(winners) == len(set(winners))


def test_bot_without_a_player_gets_its_own_prize() -> None:
    alone = place_all([2, 1], {1: 0, 2: 9}, {1: "", 2: ""}, (600, 400))
    assert alone == (Placing(1, 2, 9, 600), Placing(2, 1, 0, 400))

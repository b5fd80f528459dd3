"""Prizes are the right shares of the pool, to the cent, and go to players, not to bots."""

import random

import pytest

from server.game.events import Placing
from server.game.prizes import Share, place_all, prizes, share_out


def test_pool_of_60_dollars_pays_five_prizes_and_a_small_pool_only_three() -> None:
    assert prizes(12 * 500) == (2500, 1500, 1000, 500, 500)
    assert prizes(2000) == (500, 300, 200, 500, 500)
    assert prizes(1999) == (1001, 599, 399, 0, 0)


def test_organisers_prizes_add_up_to_the_pool_because_the_winner_gets_the_remainder() -> None:
    assert share_out(1000, (Share(part=5000), Share(part=2500), Share(part=2500))) == (500, 250, 250)
    assert share_out(1001, (Share(part=3334), Share(part=3333), Share(part=3333))) == (335, 333, 333)
    assert share_out(1001, (Share(100), Share(200))) == (801, 200)
    with pytest.raises(ValueError, match=r"\$3.00 are promised, but the pool is \$2.50"):
        share_out(250, (Share(100), Share(200)))


def test_prizes_go_to_players_and_not_to_each_bot() -> None:
    players = {1: "Ada", 2: "Ada", 3: "Bob", 4: "Ada", 5: "Cy", 6: "Di", 7: "Eve"}
    placings = place_all([1, 2, 3, 4, 5, 6, 7], dict.fromkeys(players, 0), players, prizes(3500))
    assert [(placing.bot, placing.prize_cents) for placing in placings] == [
        (1, 1250), (2, 0), (3, 750), (4, 0), (5, 500), (6, 500), (7, 500),
    ]  # fmt: skip
    assert [placing.place for placing in placings] == [1, 2, 3, 4, 5, 6, 7]
    alone = place_all([2, 1], {1: 0, 2: 9}, {1: "", 2: ""}, (600, 400))
    assert alone == (Placing(1, 2, 9, 600), Placing(2, 1, 0, 400)), "a bot without a player must get its own prize"


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

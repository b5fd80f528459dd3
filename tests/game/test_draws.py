"""Who sits at a table: draws of Quick Draw, from whole contests and single ones."""

import random
from collections import Counter

import pytest

from server.game.events import GameEnded, GameStarted
from server.game.tournament import StagePlan, Tournament, evolve
from tests.game.tournaments import CONTESTS, TRIALS, backwards, started, steps
from tests.support.random_contests import STACK, random_contests


def test_seats_are_drawn_from_those_who_played_least_and_still_have_chips() -> None:
    for contest in random_contests("draws", CONTESTS):
        for before, event, _ in steps(contest):
            if isinstance(event, GameStarted):
                check_draw(before, event)


def check_draw(before: Tournament, game: GameStarted) -> None:
    pool = {bot: before.records[bot].games for bot in before.alive()}
    assert set(game.seats) <= set(pool)
    assert len(set(game.seats)) == len(game.seats) == min(6, len(pool)) >= 2
    most = max(pool[bot] for bot in game.seats)
    assert all(games >= most for bot, games in pool.items() if bot not in game.seats)
    assert game.stacks == tuple(before.records[bot].stack for bot in game.seats), "bots keep their pots between games"


@pytest.mark.parametrize("left", [7, 8])
def test_with_7_or_8_bots_left_six_of_those_who_played_least_sit_down(left: int) -> None:
    tournament, chance = started(left), random.Random(left)
    sat_out: Counter[int] = Counter()
    for _ in range(12):
        seats = tournament.draw_seats(TRIALS, lambda bots, _drawn: chance.sample(list(bots), len(bots)))
        assert len(seats) == 6
        sat_out.update(set(tournament.alive()) - set(seats))
        tournament = evolve(tournament, GameStarted(tournament.games + 1, 6, seats, (STACK,) * 6))
        tournament = evolve(tournament, GameEnded(tournament.games, (STACK,) * 6))
        games = [record.games for record in tournament.records.values()]
        assert max(games) - min(games) <= 1
    assert sum(sat_out.values()) == 12 * (left - 6)


def test_bots_of_one_player_may_sit_at_one_table() -> None:
    tables = 0
    for contest in random_contests("one player", 100):
        players = {entrant.bot: entrant.player for entrant in contest.opened.entrants}
        for event in contest.events():
            if isinstance(event, GameStarted):
                tables += len({players[bot] for bot in event.seats}) < len(event.seats)
    assert tables


def test_the_dice_alone_decide_the_draw() -> None:
    assert started(8).draw_seats(TRIALS, backwards) == (8, 7, 6, 5, 4, 3)


def test_without_a_draw_bots_sit_in_the_order_of_their_entry() -> None:
    plan = StagePlan("Practice", games=1, hands=6, draw=False)
    assert started(8).draw_seats(plan, backwards) == (1, 2, 3, 4, 5, 6)

"""Who comes out ahead: of bots that lost their chips, and of those that kept some."""

from server.game.events import BotEliminated, GameEnded, GameStarted, StageStarted
from server.game.tournament import evolve
from tests.game.tournaments import as_they_come, backwards, started
from tests.support.random_contests import STACK


def test_the_second_bot_whose_pot_goes_to_0_in_the_finals_is_5th() -> None:
    finals = evolve(started(6), StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    [(first, place)] = finals.eliminated([(3, 700)], as_they_come)
    finals = evolve(finals, BotEliminated(first, 2, place))
    assert (first, place) == (3, 6)
    assert finals.eliminated([(1, 100)], as_they_come) == [(1, 5)]


def test_of_bots_out_in_one_hand_the_one_that_had_more_chips_ranks_higher() -> None:
    assert started(6).eliminated([(4, 900), (2, 800), (5, 1000)], as_they_come) == [(2, 6), (4, 5), (5, 4)]


def test_a_lot_ranks_bots_out_in_one_hand_with_equal_stacks() -> None:
    broke = [(4, 900), (2, 900), (5, 1000)]
    assert started(6).eliminated(broke, as_they_come) == [(4, 6), (2, 5), (5, 4)]
    assert started(6).eliminated(broke, backwards) == [(2, 6), (4, 5), (5, 4)]
    assert started(6).eliminated(broke[::-1], backwards) == [(2, 6), (4, 5), (5, 4)], "no seat is favoured"


def test_equal_stacks_are_ranked_by_lot() -> None:
    assert started(3).rank(as_they_come) == (1, 2, 3)
    assert started(3).rank(backwards) == (3, 2, 1)


def test_places_rank_before_stacks_and_stacks_before_the_lot() -> None:
    game = evolve(started(4), GameStarted(1, 6, (1, 2, 3, 4), (STACK,) * 4))
    game = evolve(game, BotEliminated(2, 1, 4))
    game = evolve(game, GameEnded(1, (4000, 0, 9000, 7000)))
    assert game.rank(as_they_come) == (3, 4, 1, 2)


def test_a_bot_with_no_chips_left_is_not_seated_again() -> None:
    busted = evolve(started(8), BotEliminated(5, 0, 8))
    assert busted.alive() == [1, 2, 3, 4, 6, 7, 8]

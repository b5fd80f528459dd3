"""Elo ratings for games of two bots, in hundredths of a point. All functions are pure."""

from collections.abc import Mapping, Sequence

from server.game.events import BotRated, Entrant, GameStarted

STARTING_RATING = 1000_00
K_FACTOR = 12
"""One game changes a rating by at most this many points: "Elo: start 1000, K = 12, score = final chips / 100"."""


def rating_change(rating: int, opponent_rating: int, score: float) -> int:
    """Returns the change of `rating`, in hundredths of a point, after a game against a bot with `opponent_rating`.
    `score` is the result, from 0 (lost) to 1. The opponent's rating changes by the same amount in the other direction.
    """
    expected = 1 / (1 + 10 ** ((opponent_rating - rating) / 400_00))
    return round(K_FACTOR * 100 * (score - expected))


def rate_game(entrants: Mapping[int, Entrant], game: GameStarted, stacks: Sequence[int]) -> list[BotRated]:
    """Returns both bots' new ratings after a game of two, or [] if the bots have no ratings."""
    before = [entrants[bot].rating for bot in game.seats]
    if not all(before) or len(before) != 2 or not sum(stacks):
        return []
    gained = rating_change(before[0], before[1], stacks[0] / sum(stacks))
    return [
        BotRated(game.game, bot, was + change, was)
        for bot, was, change in zip(game.seats, before, (gained, -gained), strict=True)
    ]

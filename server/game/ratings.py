"""Elo ratings of bots that play games of two, in hundredths of a point. Pure."""

from collections.abc import Mapping, Sequence

from server.game.events import BotRated, Entrant, GameStarted

START = 1000_00
K = 12
""" "Elo: start 1000, K = 12, score = final chips / 100"."""


def gain(rating: int, other: int, score: float) -> int:
    """What a score of 0 to 1 adds to `rating` and takes from `other`; all in hundredths of a point."""
    expected = 1 / (1 + 10 ** ((other - rating) / 400_00))
    return round(K * 100 * (score - expected))


def rate_game(entrants: Mapping[int, Entrant], game: GameStarted, stacks: Sequence[int]) -> list[BotRated]:
    """How a game of two changes its bots' ratings; nothing if they have none."""
    were = [entrants[bot].rating for bot in game.seats]
    if not all(were) or len(were) != 2 or not sum(stacks):
        return []
    gained = gain(were[0], were[1], stacks[0] / sum(stacks))
    return [
        BotRated(game.game, bot, was + change, was)
        for bot, was, change in zip(game.seats, were, (gained, -gained), strict=True)
    ]

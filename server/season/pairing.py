"""Pairs players for a season's games. In each draw (a round of games), each player challenges one random player of
similar rating.

The season's seed and recorded events alone determine each draw. So anybody can check the draws after the season.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from server.season.events import Pair
from server.shuffle import key_of, shuffled

MAX_PLACES_APART = 5
"""In the ranking, opponents are at most this many places apart. The contest's rules say: "the game is always queued
with a bot of similar rating".
"""


def players_by_rating(ratings: Mapping[int, int]) -> list[int]:
    """Returns the players by rating, best first. Players with equal ratings come in the order in which they entered."""
    return sorted(ratings, key=lambda player: (-ratings[player], player))


def draw_order(seed: bytes, draw: int, players: Iterable[int]) -> tuple[int, ...]:
    """Returns the order in which the players challenge in draw number `draw`."""
    return tuple(shuffled(key_of(seed, f"draw {draw}"), sorted(players)))


def players_nearby(ranking: Sequence[int], player: int) -> list[int]:
    """Returns the other players within MAX_PLACES_APART places of a player, best first."""
    index = ranking.index(player)
    return [*ranking[max(index - MAX_PLACES_APART, 0) : index], *ranking[index + 1 : index + MAX_PLACES_APART + 1]]


def next_pairing(
    seed: bytes, game: int, challengers_left: Iterable[int], ranking: Sequence[int], busy_players: Collection[int]
) -> Pair | None:
    """Returns the defender and the challenger of game number `game`, or None if no pair is free.

    `challengers_left` are the players who have not challenged yet. `ranking` has the active players, best first.
    `busy_players` are in a game now. All other players are free. The challenger is the first free player in
    `challengers_left` who has a free opponent within MAX_PLACES_APART places. The defender is drawn from the free
    opponents.
    """
    for challenger in challengers_left:
        if challenger in busy_players or challenger not in ranking:
            continue
        free_opponents = [player for player in players_nearby(ranking, challenger) if player not in busy_players]
        if free_opponents:
            return shuffled(key_of(seed, f"game {game} opponent"), free_opponents)[0], challenger
    return None

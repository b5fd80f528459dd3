"""Who plays whom in a season: players challenge in turn, an opponent of similar rating is drawn. Pure functions.

Each draw follows from the season's seed and its ledger alone, so that anybody can check it afterwards.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from server.season.events import Pair
from server.shuffle import key_of, shuffled

NEAR = 5
"""Opponents are at most so many places apart: "the game is always queued with a bot of similar rating"."""


def ladder(ratings: Mapping[int, int]) -> list[int]:
    """Players in the order of their ratings, the best first; of equal ones the player who entered first."""
    return sorted(ratings, key=lambda player: (-ratings[player], player))


def draw_order(seed: bytes, draw: int, players: Iterable[int]) -> tuple[int, ...]:
    """The order in which `players` challenge in that draw."""
    return tuple(shuffled(key_of(seed, f"draw {draw}"), sorted(players)))


def near(ranking: Sequence[int], player: int) -> list[int]:
    """The others within five places of a player, the best first."""
    at = ranking.index(player)
    return [*ranking[max(at - NEAR, 0) : at], *ranking[at + 1 : at + NEAR + 1]]


def next_pairing(
    seed: bytes, game: int, turns: Iterable[int], ranking: Sequence[int], busy: Collection[int]
) -> Pair | None:
    """Defender and challenger of the next game: the first who is free and has a free opponent near, drawn by lot.

    `game` is its number, `turns` are the players who have not challenged yet, `ranking` the active players, best first,
    `busy` the players who are in a game. None while no such pair is free.
    """
    for challenger in turns:
        if challenger in busy or challenger not in ranking:
            continue
        free = [player for player in near(ranking, challenger) if player not in busy]
        if free:
            return shuffled(key_of(seed, f"game {game} opponent"), free)[0], challenger
    return None

"""Who plays whom in a season: players challenge in turn, and opponents of similar rating are drawn. Pure.

Each draw follows from the season's seed and its ledger alone, so that anybody can check it afterwards.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from server.season.events import Pair
from server.shuffle import key_of, shuffled

NEAR = 5
"""The most places between opponents: "the game is always queued with a bot of similar rating"."""


def ladder(ratings: Mapping[int, int]) -> list[int]:
    """Players by rating, best first; if equal, the one who entered first."""
    return sorted(ratings, key=lambda player: (-ratings[player], player))


def draw_order(seed: bytes, draw: int, players: Iterable[int]) -> tuple[int, ...]:
    """The order in which players challenge in a draw."""
    return tuple(shuffled(key_of(seed, f"draw {draw}"), sorted(players)))


def near(ranking: Sequence[int], player: int) -> list[int]:
    """The others within NEAR places of a player, best first."""
    at = ranking.index(player)
    return [*ranking[max(at - NEAR, 0) : at], *ranking[at + 1 : at + NEAR + 1]]


def next_pairing(
    seed: bytes, game: int, turns: Iterable[int], ranking: Sequence[int], busy: Collection[int]
) -> Pair | None:
    """Defender and challenger of game number `game`; None while no pair is free.

    `turns` are the players who have yet to challenge, `ranking` the active players, best first, and `busy` those in a
    game. The challenger is the first in `turns` who has a free opponent within NEAR places; the opponent is drawn.
    """
    for challenger in turns:
        if challenger in busy or challenger not in ranking:
            continue
        free = [player for player in near(ranking, challenger) if player not in busy]
        if free:
            return shuffled(key_of(seed, f"game {game} opponent"), free)[0], challenger
    return None

"""Who meets whom in a season: everybody challenges in turn, an opponent of similar rating is drawn. Pure.

Every draw follows from the season's seed and what stands in the ledger, so that anybody can check it afterwards.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from server.shuffle import key_of, shuffled

NEAR = 5
"""Places of the ranking: "the game is always queued with a bot of similar rating"."""


class Pairing(Struct, frozen=True):
    """Two players; the challenger is the one whose turn it is."""

    defender: int
    challenger: int


def ladder(ratings: Mapping[int, int]) -> list[int]:
    """Players by their ratings, the best first; of equals who entered first."""
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
) -> Pairing | None:
    """The first in turn who is free and has a free opponent near, with one of these; None where there is nobody.

    `turns` are those who have still to challenge, `ranking` who is active, `busy` who is in a game.
    """
    for challenger in turns:
        if challenger in busy or challenger not in ranking:
            continue
        free = [player for player in near(ranking, challenger) if player not in busy]
        if free:
            return Pairing(shuffled(key_of(seed, f"game {game} opponent"), free)[0], challenger)
    return None

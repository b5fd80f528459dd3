"""Reads and writes game definitions. These are the files in which the contest ACPC states the rules of a game. No I/O.

High Noon can play only no-limit hold'em with equal stacks. It refuses other games with a reason.
"""

from itertools import takewhile

from msgspec import Struct

from server.game.rules import Level

PLAYER_COUNTS = range(2, 11)
MAX_BYTES = 10_000
MAX_CHIPS = 10**9


class BadGame(ValueError):
    """High Noon cannot play the game. The message says why."""


class Game(Struct, frozen=True):
    """A game. Every player starts each hand with `stack` chips."""

    players: int
    stack: int = 20_000
    level: Level = Level(50, 100)

    @property
    def name(self) -> str:
        """The name of this game's file in the competition."""
        return f"holdem.nolimit.{self.players}p.game" if self.players > 2 else "holdem.nolimit.2p.reverse_blinds.game"

    @property
    def blinds(self) -> list[int]:
        """The blinds by position. Position 0 is the first player after the button or, if two play, the big blind."""
        small, big = self.level.small, self.level.big
        return [big, small] if self.players == 2 else [small, big, *[0] * (self.players - 2)]


def read_game(text: str) -> Game:
    """Reads a game definition of at most MAX_BYTES. Keys may be in any case. Raises BadGame."""
    values = _values(text)
    if "nolimit" not in values:
        raise BadGame("High Noon plays only no-limit games: the key nolimit is missing")
    try:
        players, stack = int(values["numplayers"]), int(values["stack"].split()[0])
        small, big = sorted(map(int, values["blind"].split()))[-2:]
    except (KeyError, IndexError, ValueError):
        raise BadGame("numplayers, stack and blind must be numbers") from None
    if players not in PLAYER_COUNTS:
        raise BadGame(f"numplayers must be {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}, not {players}")
    if not 0 < small <= big < stack <= MAX_CHIPS:
        raise BadGame("blind must be a small and a big blind, and stack larger than both")
    game = Game(players, stack, Level(small, big))
    for key, value in _values(game_text(game)).items():
        if values.get(key, value) != value:
            raise BadGame(f"{key} must be {value}, not {values[key][:40]!r}")
    return game


def _values(text: str) -> dict[str, str]:
    """Returns the values in a game definition, keyed in lower case."""
    lines = (line.strip().lower() for line in text.splitlines())
    pairs = (line.partition("=") for line in takewhile(lambda line: line != "end gamedef", lines))
    return {key.strip(): " ".join(value.split()) for key, _, value in pairs}


def game_text(game: Game) -> str:
    """Returns the game's definition, as the text of a file."""
    return "\n".join((
        "GAMEDEF",
        "nolimit",
        f"numPlayers = {game.players}",
        "numRounds = 4",
        f"stack = {' '.join([str(game.stack)] * game.players)}",
        f"blind = {' '.join(map(str, game.blinds))}",
        f"firstPlayer = {'2' if game.players == 2 else '3'} 1 1 1",
        "numSuits = 4",
        "numRanks = 13",
        "numHoleCards = 2",
        "numBoardCards = 0 3 1 1",
        "END GAMEDEF",
        "",
    ))  # fmt: skip

"""Game definitions: the files in which the ACPC says how a game is played. Read and written. Pure.

Only no-limit hold'em with equal stacks can be played here; all else is refused in words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from server.game.rules import Level

PLAYERS = range(2, 11)
MAX_BYTES = 10_000
MAX_CHIPS = 10**9
_BEGIN, _END = "gamedef", "end gamedef"
_ONLY = {"numrounds": "4", "numsuits": "4", "numranks": "13", "numholecards": "2", "numboardcards": "0 3 1 1"}
"""What hold'em has, and nothing else is played here."""
_KEYS = (*_ONLY, "limit", "nolimit", "numplayers", "stack", "blind", "raisesize", "firstplayer", "maxraises")


class BadGame(ValueError):
    """The file is no game definition, or of a game that is not played here; the text says why."""


class Game(Struct, frozen=True):
    """A game: how many play, the blinds, and the chips with which everybody begins each hand."""

    players: int
    stack: int = 20_000
    level: Level = Level(50, 100)

    @property
    def name(self) -> str:
        """The name that the game's file has in the competition."""
        return f"holdem.nolimit.{self.players}p.game" if self.players > 2 else "holdem.nolimit.2p.reverse_blinds.game"

    @property
    def blinds(self) -> list[int]:
        """What each position posts; position 0 is the first after the button, which heads-up is the big blind."""
        small, big = self.level.small, self.level.big
        return [big, small] if self.players == 2 else [small, big, *[0] * (self.players - 2)]


def read_game(text: str) -> Game:
    """The game that a file defines. Keys may be written in any case; "#" begins a comment. Raises BadGame."""
    if len(text) > MAX_BYTES:
        raise BadGame(f"a game definition has at most {MAX_BYTES:,} characters")
    lines = [line.strip().lower() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if lines[:1] != [_BEGIN] or _END not in lines:
        raise BadGame("a game definition begins with GAMEDEF and ends with END GAMEDEF")
    given: dict[str, str] = {}
    for line in takewhile(lambda line: line != _END, lines[1:]):
        key, _, value = (part.strip() for part in line.partition("="))
        if key not in _KEYS:
            raise BadGame(f"a game definition has no key {key[:40]!r}")
        given[key] = " ".join(value.split())
    if "nolimit" not in given:
        raise BadGame("only no-limit games are played here: the key nolimit is missing")
    for key, value in _ONLY.items():
        if given.get(key, value) != value:
            raise BadGame(f"{key} must be {value}, as in hold'em, not {given[key][:40]!r}")
    return _game(given)


def _game(given: Mapping[str, str]) -> Game:
    (players,) = _numbers(given, "numplayers", lambda found: len(found) == 1, "one number")
    if players not in PLAYERS:
        raise BadGame(f"numplayers must be {PLAYERS[0]} to {PLAYERS[-1]}, not {players}")
    stacks = _numbers(given, "stack", lambda found: len(found) == players, f"{players} numbers")
    blinds = _numbers(given, "blind", lambda found: len(found) == players, f"{players} numbers")
    small, big = sorted(blinds[:2])
    game = Game(players, stacks[0], Level(small, big))
    if small == 0 or blinds != game.blinds:
        raise BadGame(f"blind must be a small and a big one, such as {_words(Game(players).blinds)}")
    if {*stacks} != {stacks[0]} or stacks[0] <= big:
        raise BadGame("stack must be the same for everybody, and more than the big blind")
    first = given.get("firstplayer", _first_players(players))
    if first.split() != _first_players(players).split():
        raise BadGame(f"firstPlayer must be {_first_players(players)}")
    return game


def _numbers(given: Mapping[str, str], key: str, right: Callable[[list[int]], bool], expected: str) -> list[int]:
    words = given.get(key, "").split()
    numbers = [int(word) for word in words if re.fullmatch("[0-9]{1,10}", word)]
    if len(numbers) != len(words) or not right(numbers) or any(number > MAX_CHIPS for number in numbers):
        raise BadGame(f"{key} must be {expected}, not {' '.join(words)[:40]!r}")
    return numbers


def _first_players(players: int) -> str:
    return "2 1 1 1" if players == 2 else "3 1 1 1"


def _words(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def game_text(game: Game) -> str:
    """The file of a game."""
    return "\n".join((
        "GAMEDEF",
        "nolimit",
        f"numPlayers = {game.players}",
        "numRounds = 4",
        f"stack = {_words([game.stack] * game.players)}",
        f"blind = {_words(game.blinds)}",
        f"firstPlayer = {_first_players(game.players)}",
        "numSuits = 4",
        "numRanks = 13",
        "numHoleCards = 2",
        "numBoardCards = 0 3 1 1",
        "END GAMEDEF",
        "",
    ))  # fmt: skip

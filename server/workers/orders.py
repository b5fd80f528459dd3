"""What goes between a season and its workers: a game to play, a bot's files, and what was played. MessagePack."""

import msgspec
from msgspec import Struct

from server.game.events import Entrant

ANY_BYTES = 64 << 20
"""The most bytes of a played game; its journal and logs have limits of their own, far below."""


class BotOrder(Struct, frozen=True):
    """One side of a game: what is shown of the bot, and the SHA-256 of its folder, by which a worker knows it."""

    entrant: Entrant
    digest: str


class GameOrder(Struct, frozen=True):
    """A game to play. Its cards follow from `seed`; its journal says that it was begun at `begun` (UTC, ISO 8601)."""

    version: str
    """Of the program that gives the order: another one may play otherwise."""
    number: int
    seed: bytes
    begun: str
    defender: BotOrder
    challenger: BotOrder


class PlayedGame(Struct, frozen=True, tag=True):
    """The files of a game that was played to its end."""

    journal: bytes
    public: bytes
    defender: bytes
    challenger: bytes
    seconds: float
    """How long it took on the worker."""


class BotsMissing(Struct, frozen=True, tag=True):
    """The worker has no bots of these digests; it is to be sent them, and asked again."""

    digests: tuple[str, ...]


class NotPlayed(Struct, frozen=True, tag=True):
    """The worker cannot play this game, in words for the organiser: a bot of it cannot be built there, say."""

    reason: str


Answer = PlayedGame | BotsMissing | NotPlayed
encode = msgspec.msgpack.Encoder().encode
read_order = msgspec.msgpack.Decoder(GameOrder).decode
_read_answer = msgspec.msgpack.Decoder(Answer).decode


def read_answer(text: object) -> Answer:
    """What a worker has answered. Raises msgspec.DecodeError for anything else."""
    if not isinstance(text, bytes) or len(text) > ANY_BYTES:
        raise msgspec.DecodeError("the answer is no played game")
    answer: Answer = _read_answer(text)
    return answer

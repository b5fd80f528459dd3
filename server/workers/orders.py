"""What goes between whoever has work and the workers: orders, bots' files, and what came of it. MessagePack."""

import msgspec
from msgspec import Struct

from server.game.events import Entrant

ANY_BYTES = 256 << 20
"""The most bytes of an answer: a film has the most."""
GAME_BYTES = 64 << 20
"""The most bytes of a played game, or of some deals; journals and logs have limits of their own, far below."""


class NotProved(Exception):
    """What a worker has returned is not what was ordered, or contradicts itself; the text says where."""


class Order(Struct, frozen=True):
    """One of a worker's jobs, and the order for it; the worker must have the files of these digests."""

    version: str
    """Of the program that gives the order: another one may do it otherwise."""
    job: str
    digests: tuple[str, ...]
    body: bytes


class Done(Struct, frozen=True, tag=True):
    """It is done; `result` is for whoever ordered it. `seconds` is how long it took on the worker."""

    result: bytes
    seconds: float


class FilesMissing(Struct, frozen=True, tag=True):
    """The worker has no files of these digests; it is to be sent them, and asked again."""

    digests: tuple[str, ...]


class NotDone(Struct, frozen=True, tag=True):
    """The worker cannot do this, in words for the organiser: a bot cannot be built there, say."""

    reason: str


class BotOrder(Struct, frozen=True):
    """One side of a game: what is shown of the bot, and the SHA-256 of its folder, by which a worker knows it."""

    entrant: Entrant
    digest: str


class GameOrder(Struct, frozen=True):
    """A game to play. Its cards follow from `seed`; its journal says that it was begun at `begun` (UTC, ISO 8601)."""

    number: int
    seed: bytes
    begun: str
    defender: BotOrder
    challenger: BotOrder


class PlayedGame(Struct, frozen=True):
    """The files of a game that was played to its end."""

    journal: bytes
    public: bytes
    defender: bytes
    challenger: bytes


Answer = Done | FilesMissing | NotDone
encode = msgspec.msgpack.Encoder().encode
read_order = msgspec.msgpack.Decoder(Order).decode
read_game_order = msgspec.msgpack.Decoder(GameOrder).decode
read_played_game = msgspec.msgpack.Decoder(PlayedGame).decode
_read_answer = msgspec.msgpack.Decoder(Answer).decode


def within(result: bytes, most: int) -> bytes:
    """The result of a worker, if it has at most so many bytes. Raises NotProved else."""
    if len(result) > most:
        raise NotProved(f"it has {len(result)} bytes; {most} are the most")
    return result


def read_answer(text: object) -> Answer:
    """What a worker has answered. Raises msgspec.DecodeError for anything else."""
    if not isinstance(text, bytes) or len(text) > ANY_BYTES:
        raise msgspec.DecodeError("the answer is none that a worker gives")
    answer: Answer = _read_answer(text)
    return answer

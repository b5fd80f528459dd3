"""The messages between workers and their clients in MessagePack: orders, missing files, and results."""

import msgspec
from msgspec import Struct

from server.game.events import Entrant

ANY_BYTES = 256 << 20
"""The most bytes of an answer; films are the largest."""
GAME_BYTES = 64 << 20
"""The most bytes of a played game, or of a batch of deals; journals and logs have far lower limits of their own."""


class NotProved(Exception):
    """A worker's result is not what was ordered, or contradicts itself; the text says where."""


class Order(Struct, frozen=True):
    """An order for one of a worker's jobs, which needs the files with these digests."""

    version: str
    """The version of the program that gives the order; another version might do it differently."""
    job: str
    digests: tuple[str, ...]
    body: bytes


class Done(Struct, frozen=True, tag=True):
    """The work is done, and took `seconds` on the worker."""

    result: bytes
    seconds: float


class FilesMissing(Struct, frozen=True, tag=True):
    """The worker lacks the files with these digests; send them and ask again."""

    digests: tuple[str, ...]


class NotDone(Struct, frozen=True, tag=True):
    """The worker cannot do this. `reason` tells the organiser why, such as a bot that cannot be built there."""

    reason: str


class BotOrder(Struct, frozen=True):
    """One side of a game: the bot as an entrant, and the SHA-256 of its files, by which workers know it."""

    entrant: Entrant
    digest: str


class GameOrder(Struct, frozen=True):
    """A game to play. Its cards follow from `seed`; `begun` is its start time for the journal (UTC, ISO 8601)."""

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


def within(result: bytes, max_bytes: int) -> bytes:
    """Returns a worker's result. Raises NotProved if it has more than `max_bytes` bytes."""
    if len(result) > max_bytes:
        raise NotProved(f"it has {len(result)} bytes; {max_bytes} are the most")
    return result


def read_answer(text: object) -> Answer:
    """Decodes a worker's answer. Raises msgspec.DecodeError for anything else."""
    if not isinstance(text, bytes) or len(text) > ANY_BYTES:
        raise msgspec.DecodeError("this is not an answer of a worker")
    answer: Answer = _read_answer(text)
    return answer

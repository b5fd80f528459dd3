"""The messages between workers (machines that play games) and their clients, as MessagePack: orders, requests for
missing files, and results.
"""

import msgspec
from msgspec import Struct

from server.game.events import Entrant

MAX_ANSWER_BYTES = 256 << 20
"""The maximum size of an answer, in bytes. The largest answers are video clips of hands."""
GAME_BYTES = 64 << 20
"""The maximum size of the result of a game or of a batch of deals, in bytes. If journals and logs keep to their limits,
results are far smaller.
"""


class ResultRejected(Exception):
    """A worker's result is not what was ordered, or contradicts itself. The message says which part is wrong."""


class Order(Struct, frozen=True):
    """An order to a worker to do the job that is named `job`. The job needs the files with these `digests`."""

    version: str
    """The version of the program that gives the order. Other versions might do the job differently."""
    job: str
    digests: tuple[str, ...]
    body: bytes


class Done(Struct, frozen=True, tag=True):
    """The result of the work, which took `seconds` on the worker."""

    result: bytes
    seconds: float


class FilesMissing(Struct, frozen=True, tag=True):
    """The worker does not have the files with these digests. The client sends the files and repeats the order."""

    digests: tuple[str, ...]


class NotDone(Struct, frozen=True, tag=True):
    """The worker cannot do the work. `reason` says why, in words for the organiser."""

    reason: str


class BotOrder(Struct, frozen=True):
    """One side of a game: the bot as an entrant, and the SHA-256 of its files, by which workers identify the bot."""

    entrant: Entrant
    digest: str


class GameOrder(Struct, frozen=True):
    """A game to play between the bot `challenger` and the bot `defender` that was drawn as its opponent. `seed`
    determines the cards. `begun` is the start time of the game's journal (UTC, ISO 8601).
    """

    number: int
    seed: bytes
    begun: str
    defender: BotOrder
    challenger: BotOrder


class PlayedGame(Struct, frozen=True):
    """The files of a game that was played to its end: its journal, its public log, and the two bots' own logs."""

    journal: bytes
    public: bytes
    defender: bytes
    challenger: bytes


WorkerAnswer = Done | FilesMissing | NotDone
encode = msgspec.msgpack.Encoder().encode
read_order = msgspec.msgpack.Decoder(Order).decode
read_game_order = msgspec.msgpack.Decoder(GameOrder).decode
read_played_game = msgspec.msgpack.Decoder(PlayedGame).decode
_read_answer = msgspec.msgpack.Decoder(WorkerAnswer).decode


def decode_result(result: bytes, max_bytes: int) -> bytes:
    """Returns a worker's `result` unchanged. Raises ResultRejected if it has more than `max_bytes` bytes."""
    if len(result) > max_bytes:
        raise ResultRejected(f"it has {len(result)} bytes, and the limit is {max_bytes}")
    return result


def read_answer(text: object) -> WorkerAnswer:
    """Decodes a worker's answer. Raises msgspec.DecodeError for anything else."""
    if not isinstance(text, bytes) or len(text) > MAX_ANSWER_BYTES:
        raise msgspec.DecodeError("this is not a worker's answer")
    answer: WorkerAnswer = _read_answer(text)
    return answer

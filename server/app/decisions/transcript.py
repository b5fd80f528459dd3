"""Writes the transcript of a game for one bot's author: every message to and from the bot, with its time.

During the game, a transcript stays in memory, with a limited size. When the game is over, it is written atomically.
"""

import logging
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from broadcast.archive.indexing import RECORDING_SUFFIX
from server.bots.message_records import Direction
from server.bots.sandbox.output_log import sanitized
from server.journal.atomic_file import write_atomically
from server.text.regular_file import read_regular

MAX_MESSAGE_BYTES = 4096
"""At most this many bytes of a message are kept. Most messages are shorter."""
MAX_DIRECTION_BYTES = 256 << 10
"""At most this many bytes of a game's messages in each direction are kept. For this limit, every message counts
`LINE_OVERHEAD_BYTES` more than its size. Further messages are counted, but not kept.
"""
LINE_OVERHEAD_BYTES = 128
"""The approximate overhead of a message, in bytes."""
TRANSCRIPT_SUFFIX = ".transcript"
_MAX_FILE_BYTES = 4 << 20
_MAX_CONTENT_BYTES = 8 << 20
_FASTEST_LEVEL = 1
"""zlib's fastest level, because other games need the processor. Messages are similar, so they compress well anyway."""


StructT = TypeVar("StructT", bound=Struct)


class Line(Struct, frozen=True):
    """A message to or from the bot, safe to print. `at_ms` is its time, in milliseconds since the game's start.

    `hand` is 0 before the first hand. `way` is ">" to the bot, "<" from the bot, or "!" for a remark by this program.
    `more` is how many bytes of the message were left out.
    """

    at_ms: int
    hand: int
    way: Direction
    text: str
    more: int = 0


class Transcript(Struct, frozen=True):
    """All lines in order, and how many messages were left out."""

    lines: tuple[Line, ...] = ()
    left_out: int = 0

    def by_hand(self) -> dict[int, list[Line]]:
        """The lines of each hand, keyed by hand number."""
        return {hand: list(lines) for hand, lines in groupby(self.lines, lambda line: line.hand)}


class MessageRecorder:
    """Collects the messages of one game."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._started_at = clock()
        self._kept_messages: list[tuple[int, int, Direction, bytes, int]] = []
        self._spent_bytes = Counter[bool]()
        self._left_out_count = 0

    def record(self, hand: int, direction: Direction, message: bytes) -> None:
        """Keeps a message, or only counts it if the messages in its direction would have too many bytes in total."""
        kept_bytes, to_bot = message[:MAX_MESSAGE_BYTES], direction == ">"
        self._spent_bytes[to_bot] += len(kept_bytes) + LINE_OVERHEAD_BYTES
        if self._spent_bytes[to_bot] > MAX_DIRECTION_BYTES:
            self._left_out_count += 1
            return
        at_ms = round((self._clock() - self._started_at) * 1000)
        self._kept_messages.append((at_ms, hand, direction, kept_bytes, len(message) - len(kept_bytes)))

    def transcript(self) -> Transcript:
        """Returns the transcript so far. This takes some milliseconds."""
        lines = (
            Line(at_ms, hand, direction, sanitized(message).decode(), more)
            for at_ms, hand, direction, message, more in self._kept_messages
        )
        return Transcript(tuple(lines), self._left_out_count)


def transcript_path(data: Path, recording: str, bot: int) -> Path:
    """The path of a bot's transcript in the folder `data`. `recording` is the name of the practice game's recording."""
    return data / "practice-pages" / "transcripts" / f"{Path(recording).name}.{bot}{TRANSCRIPT_SUFFIX}"


def write_transcript(messages: MessageRecorder, path: Path, recordings: Path) -> None:
    """Writes a transcript, and removes transcripts of games whose recordings are no longer in the folder `recordings`.

    Logs an error if the disk fails. Call this function in a thread, because it waits for the disk.
    """
    try:
        write_compressed(path, messages.transcript())
        # Lists transcripts before recordings. So a game that ends between the two listings keeps its transcript.
        transcripts = list(path.parent.iterdir())
        games = {recording.name.removesuffix(RECORDING_SUFFIX) for recording in recordings.glob(f"*{RECORDING_SUFFIX}")}
        for transcript in transcripts:
            if transcript.name.partition(".")[0] not in games:
                transcript.unlink(missing_ok=True)
    except OSError as error:
        logging.getLogger(__name__).error("cannot write a transcript: %s", error)


def read_transcript(path: Path) -> Transcript | None:
    """Reads the transcript in a file. Returns None if the file is missing or unreadable."""
    return read_compressed(path, Transcript)


def write_compressed(path: Path, value: Struct) -> int:
    """Compresses a value and writes it atomically to a file that only this user can read. Returns the file's size in
    bytes. Raises OSError.
    """
    packed = zlib.compress(msgspec.json.encode(value), _FASTEST_LEVEL)
    write_atomically(path, packed)
    return len(packed)


def read_compressed(path: Path, struct_type: type[StructT]) -> StructT | None:
    """Reads a value that `write_compressed` wrote to a file. Returns None if the file is missing or unreadable."""
    with suppress(OSError, zlib.error, msgspec.DecodeError, UnicodeDecodeError):
        if path.stat().st_size <= _MAX_FILE_BYTES:
            content = zlib.decompressobj().decompress(read_regular(path), _MAX_CONTENT_BYTES)
            return msgspec.json.decode(content, type=struct_type)
    return None

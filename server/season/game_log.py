"""The public log of a season's game: every line to and from both bots, with its time. Holds nothing private."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from server.bots.sandbox.output_log import harmless
from server.bots.transports.connection import Connection
from server.text.characters import clipped

MOST_BYTES = 2 << 20
"""The most bytes of one game; a hundred rounds take some 200 kB."""
LONGEST = 120
"""The most letters of a bot's line that are kept."""
_GATHERED = 1 << 16
"""Bytes that are gathered before they are written to the file."""
_MARK = 24
"""About how many bytes stand before each line: its time and the bot."""


class GameLog:
    """A file with lines such as `[1234] Defender < START SB`; the number is milliseconds since the game began.

    `<` goes to the bot, `>` comes from it. A file that exists already is continued. If the disk is full, the rest of
    the log is lost and nothing is raised.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds. Raises OSError where the file cannot be made."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)  # it holds hole cards of the game that goes on, which no other user of this machine may read
        self._file = path.open("ab", _GATHERED)
        self._left = MOST_BYTES - path.stat().st_size
        self._clock = clock
        self._began = clock()

    def system(self, text: str) -> None:
        """Adds a line of the server itself, and writes all gathered lines to the file."""
        self._add(f"System > {text}")
        self._try(self._file.flush)

    def tap(self, who: str, connection: Connection) -> Connection:
        """Wraps `connection`: the same, but its lines are logged as those of `who`, "Defender" or "Challenger"."""
        return _Tapped(connection, partial(self._put, who))

    def close(self) -> None:
        """Writes the remaining lines and closes the file."""
        self._try(self._file.close)

    def _put(self, who: str, way: str, line: str) -> None:
        if self._left > 0:
            self._left -= len(line) + _MARK
            self._add(f"{who} {way} {line}")

    def _add(self, line: str) -> None:
        at_ms = round((self._clock() - self._began) * 1000)
        self._try(lambda: self._file.write(f"[{at_ms}] {line}\n".encode(errors="replace")))

    def _try(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError:
            self._left = 0


class _Tapped:
    """A connection that logs the lines that go through it."""

    def __init__(self, connection: Connection, put: Callable[[str, str], None]) -> None:
        self._connection = connection
        self._put = put
        self._line = b""
        self.drain = connection.drain
        self.close = connection.close

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        def heard(piece: bytes) -> None:
            self._hear(piece)
            received(piece)

        self._connection.attach(heard, lost)

    def send(
        self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        if handed:
            return self._connection.send(message, droppable=droppable, handed=partial(self._sent, message, handed))
        self._sent(message)
        return self._connection.send(message, droppable=droppable)

    def _sent(self, message: bytes, handed: Callable[[], None] | None = None) -> None:
        self._put("<", message.decode().rstrip("\n"))
        if handed:
            handed()

    def _hear(self, piece: bytes) -> None:
        *whole, self._line = (self._line + piece).split(b"\n")
        for line in whole:
            if line.strip():
                text = harmless(line.strip()[: LONGEST + 1]).decode()
                self._put(">", clipped(text, LONGEST))
        self._line = self._line[: LONGEST + 1]

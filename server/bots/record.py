"""Records what one bot sends, receives and does wrong, for the bot's author, the bot's own log and the journal."""

from collections import deque
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from server.bots.transports.clock import Clock
from server.game.events import Fault
from server.game.hand import Hand
from server.token_bucket import TokenBucket

MAX_LINES = 40
"""The maximum number of lines in a bot's own log. The log keeps the newest lines."""
MAX_BYTES = 300
"""The maximum number of bytes of a message that a line of the log shows."""
FAULTS_AT_ONCE = 3
FAULT_SECONDS = 5.0
"""After the first three faults, the journal gets at most one fault in five seconds. Other faults are only counted."""

Way = Literal[">", "<", "!"]
"""The direction of a line: `>` is to the bot, `<` from it, and `!` is our own remark."""


class Wrong(Struct, frozen=True):
    """A fault, and the reason as text written by us.

    `sent` is the bot's message, or the part that arrived; b"" for none. `hand` is the hand in which the bot was asked;
    None if it was not asked. `late` means that the bot answered an earlier request after its time was up.
    """

    fault: Fault
    reason: str
    sent: bytes
    hand: Hand | None
    late: bool = False


class Record:
    """Keeps what a bot's author may see. This base class keeps nothing.

    Subclasses must be quick, and must limit what they keep.
    """

    def record(self, way: Way, message: bytes) -> None:
        """Records bytes sent to the bot or received from it, split anywhere."""

    def wrong(self, wrong: Wrong) -> None:
        """Records a fault of the bot."""


RecordOf = Callable[[int], Record]
"""Returns the record of the bot with that number."""


def no_record(_bot: int) -> Record:
    """Returns a record that keeps nothing."""
    return Record()


class Transcript:
    """A bot's own log: the newest messages to and from it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.time()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        """The lines, oldest first."""

    def record(self, way: Way, message: bytes) -> None:
        """Keeps a line: the seconds since the start, the direction, and the message."""
        text = message[:MAX_BYTES].decode(errors="replace").rstrip("\n")
        self.lines.append(f"{self._clock.time() - self._began:.3f} {way} {text}")


class FaultLimit:
    """Limits a bot's faults in the journal. The first few get in, then one every FAULT_SECONDS, with the number of
    those skipped.
    """

    def __init__(self, clock: Clock) -> None:
        self._bucket = TokenBucket(FAULTS_AT_ONCE, 1 / FAULT_SECONDS, clock.time)
        self._skipped = 0

    def record_fault(self, reason: str) -> str:
        """Counts a fault; returns what to write into the journal, "" beyond the limit."""
        if not self._bucket.spend(1):
            self._skipped += 1
            return ""
        more, self._skipped = self._skipped, 0
        return f"{reason} (and {more} more before)" if more else reason

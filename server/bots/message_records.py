"""Records a bot's messages and faults: for its author, for the bot's own log, and for the journal of all events."""

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
"""A line of the log shows at most this many bytes of a message."""
FAULTS_AT_ONCE = 3
FAULT_SECONDS = 5.0
"""A bot's first three faults go into the journal, later at most one every five seconds. Other faults are only counted.
"""

Direction = Literal[">", "<", "!"]
"""The direction of a line: `>` to the bot, `<` from the bot, `!` a remark by this program."""


class BotFault(Struct, frozen=True):
    """A fault of a bot, with the `reason` in this program's words.

    `sent` is the part of the bot's message that arrived. `hand` is the hand in which the bot was asked, or None. If
    `late`, the message answered an earlier request, whose time was up.
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

    def record(self, direction: Direction, message: bytes) -> None:
        """Records bytes that were sent to the bot or by the bot. They may begin or end in the middle of a message."""

    def record_fault(self, bot_fault: BotFault) -> None:
        """Records a fault of the bot."""


RecordFactory = Callable[[int], Record]
"""Returns the record for the bot with the given number."""


def no_record(_bot: int) -> Record:
    """Returns a record that keeps nothing."""
    return Record()


class Transcript:
    """A bot's own log: the newest messages to and from it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started_at = clock.time()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        """The lines, oldest first."""

    def record(self, direction: Direction, message: bytes) -> None:
        """Keeps a line: the seconds since this log was opened, the direction, and the message."""
        text = message[:MAX_BYTES].decode(errors="replace").rstrip("\n")
        self.lines.append(f"{self._clock.time() - self._started_at:.3f} {direction} {text}")


class FaultLimit:
    """Limits how many of a bot's faults go into the journal: the first few, then one every FAULT_SECONDS. The next
    fault in the journal says how many faults were left out before it.
    """

    def __init__(self, clock: Clock) -> None:
        self._bucket = TokenBucket(FAULTS_AT_ONCE, 1 / FAULT_SECONDS, clock.time)
        self._skipped = 0

    def count_fault(self, reason: str) -> str:
        """Counts a fault. Returns the text for the journal, or "" if the limit is reached."""
        if not self._bucket.spend(1):
            self._skipped += 1
            return ""
        skipped, self._skipped = self._skipped, 0
        return f"{reason} (and {skipped} more before)" if skipped else reason

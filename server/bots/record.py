"""What is taken down of one bot: for its author, for the bot when it asks for its log, and for the journal."""

from collections import deque
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from server.bots.transports.clock import Clock
from server.game.events import Fault
from server.game.hand import Hand
from server.token_bucket import TokenBucket

MOST_LINES = 40
"""Lines of a bot's own log that are kept, the newest."""
MOST_BYTES = 300
"""Of one message, in a line."""
FAULTS_AT_ONCE = 3
FAULT_SECONDS = 5.0
"""After the first three, one fault in five seconds is written into the journal; the others are counted."""

Way = Literal[">", "<", "!"]
"""`>` to the bot, `<` from it, `!` is what happened instead, in our own words."""


class Wrong(Struct, frozen=True):
    """A fault, and why, in our own words.

    `sent` is the very message, as it came, or as much of it as came; b"" where none did. `hand` is what it had to
    answer, None where it was not asked. `late`: it is an answer to an earlier request, whose time was up.
    """

    fault: Fault
    reason: str
    sent: bytes
    hand: Hand | None
    late: bool = False


class Record:
    """Takes down what its author may see; this one nothing. It must be quick, and keep strangers' bytes in limits."""

    def note(self, way: Way, message: bytes) -> None:
        """A message has gone to the bot, or come from it; the bytes may be cut anywhere."""

    def wrong(self, wrong: Wrong) -> None:
        """The bot has done something wrong."""


RecordOf = Callable[[int], Record]
"""The record of a bot, by its number."""


def no_record(_bot: int) -> Record:
    """Takes down nothing of any bot."""
    return Record()


class Transcript:
    """A bot's own log, from the moment it is made: the newest lines of what went to it and what came from it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.time()
        self._lines: deque[str] = deque(maxlen=MOST_LINES)

    def note(self, way: Way, message: bytes) -> None:
        """Keeps a line: seconds since the beginning, the way, and the message."""
        text = message[:MOST_BYTES].decode(errors="replace").rstrip("\n")
        self._lines.append(f"{self._clock.time() - self._began:.3f} {way} {text}")

    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        return tuple(self._lines)


class FaultLimit:
    """One bot's faults in the journal: the first ones, then one now and then with the number left out."""

    def __init__(self, clock: Clock) -> None:
        self._bucket = TokenBucket(FAULTS_AT_ONCE, 1 / FAULT_SECONDS, clock.time)
        self._left_out = 0

    def note(self, reason: str) -> str:
        """Takes note of a fault; returns the text to write down now, or "" where the limit is reached."""
        if not self._bucket.spend(1):
            self._left_out += 1
            return ""
        more, self._left_out = self._left_out, 0
        return f"{reason} (and {more} more before)" if more else reason

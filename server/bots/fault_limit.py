"""How often a bot's faults are written into the journal: a rate limit. It does not know what they are or cost."""

from server.bots.transports.clock import Clock
from server.token_bucket import TokenBucket

FAULTS_AT_ONCE = 3
FAULT_SECONDS = 5.0
"""After the first three, one fault in five seconds is written down; the others are counted."""


class FaultLimit:
    """The limit for one bot: its first faults are written down, then one now and then with the number left out."""

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

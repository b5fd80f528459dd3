"""How often a bot's misdeeds are written down. What they are and what they cost is not known here."""

from server.bots.transports.outbox import Clock

FAULTS_AT_ONCE = 3
FAULT_SECONDS = 5.0
"""After the first three, one misdeed in five seconds is noted; the rest are counted."""


class Sparing:
    """Notes misdeeds, but never floods the journal: the first few, then now and then one with the number left out."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left = float(FAULTS_AT_ONCE)
        self._at = clock.time()
        self._left_out = 0

    def note(self, reason: str) -> str:
        """What to write down now, or "" for nothing."""
        now = self._clock.time()
        self._left = min(self._left + (now - self._at) / FAULT_SECONDS, FAULTS_AT_ONCE)
        self._at = now
        if self._left < 1:
            self._left_out += 1
            return ""
        self._left -= 1
        more, self._left_out = self._left_out, 0
        return f"{reason} (and {more} more before)" if more else reason

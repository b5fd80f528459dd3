"""A bot's own log, which it may ask for: the newest lines of what went to it and what came from it."""

from collections import deque

from server.bots.transports.clock import Clock

MOST_LINES = 40
"""Lines that are kept, the newest."""
MOST_BYTES = 300
"""Of one message, in a line."""


class Transcript:
    """The log of one bot, from the moment it is made."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.time()
        self._lines: deque[str] = deque(maxlen=MOST_LINES)

    def note(self, way: str, message: bytes) -> None:
        """Keeps a line: seconds since the beginning, `way` (`>` to the bot, `<` from it), and the message."""
        text = message[:MOST_BYTES].decode(errors="replace").rstrip("\n")
        self._lines.append(f"{self._clock.time() - self._began:.3f} {way} {text}")

    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        return tuple(self._lines)

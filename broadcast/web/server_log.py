"""Limits the web server's log: warnings, which strangers can cause, to one a minute; no errors while it shuts down."""

import asyncio
import logging
from collections.abc import Callable
from types import TracebackType

SECONDS = 60.0
"""Between two lines of the same kind."""
_CUT_OFF = "Cancel %s running task(s), timeout graceful shutdown exceeded"


class ServerLog(logging.Filter):
    """Limits a logger's warnings while it is entered. `clock` gives monotonic seconds.

    Errors pass, except those of requests that are cut off because the server shuts down.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float]) -> None:
        super().__init__()
        self._log = log
        self._clock = clock
        self._said: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def __enter__(self) -> None:
        self._log.addFilter(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged; the next one that is says how many were left out."""
        if record.levelno != logging.WARNING:
            return not _is_our_end(record)
        kind, now = str(record.msg), self._clock()
        if now - self._said.get(kind, -SECONDS) < SECONDS:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._said[kind] = now
        if more := self._left_out.pop(kind, 0):
            record.msg = f"{kind} (and {more} times more in the last minutes)"
        return True


def _is_our_end(record: logging.LogRecord) -> bool:
    cause = record.exc_info[0] if record.exc_info else None
    return record.msg == _CUT_OFF or (cause is not None and issubclass(cause, asyncio.CancelledError))

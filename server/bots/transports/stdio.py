"""The connection to a bot that runs as a process: its standard input and output."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from server.bots.transports.clock import Clock
from server.bots.transports.connection import FileConnection, Message
from server.system.sockets import close, set_nonblocking

MESSAGE_BYTES = 4096
"""The maximum size of a message, in bytes. A message of at most this size is never split when it is written to
a pipe."""
END_SECONDS = 2.0
"""How many seconds to wait for the process to end after a pipe has closed. If the process has not ended by then,
`on_lost` is told only which pipe closed.
"""


class StdioConnection(FileConnection):
    """The connection over a bot's two pipes. `wait_for_exit` waits for the process to end, and returns the reason to
    pass to `on_lost`.
    """

    END_REASON = "closed its standard output"

    def __init__(self, stdin: int, stdout: int, wait_for_exit: Callable[[], Awaitable[str]], clock: Clock) -> None:
        for pipe in (stdin, stdout):
            set_nonblocking(pipe)
        super().__init__(stdout, stdin, clock)
        self._wait_for_exit = wait_for_exit
        self._end_report: asyncio.Task[None] | None = None

    def _may_queue(self, message: Message) -> bool:
        assert len(message.raw) <= MESSAGE_BYTES, "a pipe could cut a longer message"
        return True

    def _loss_reason(self, error: OSError) -> str:
        return "closed its standard input"

    def close(self) -> None:
        """Closes both pipes, which ends a bot that reads its input to the end. Does not call `on_lost`."""
        self._on_lost = None
        if self._end_report:
            self._end_report.cancel()
        self._close_now()

    def _close_as_lost(self, reason: str) -> None:
        """Reports how the process ended, or `reason` if it has not ended."""
        self._close_now()
        self._end_report = asyncio.ensure_future(self._report_end(reason))

    async def _report_end(self, reason: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                reason = await self._wait_for_exit()
        if self._on_lost:
            on_lost, self._on_lost = self._on_lost, None
            on_lost(reason)

    def _close_files(self) -> None:
        close(self._sink)
        close(self._source)

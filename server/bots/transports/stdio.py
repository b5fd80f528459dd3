"""The connection to a bot that runs as a process: its standard input and output."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from server.bots.transports.clock import Clock
from server.bots.transports.connection import FileConnection, Message
from server.system.sockets import close, unblock

MESSAGE_BYTES = 4096
"""A pipe takes a message of up to this many bytes whole or not at all."""
END_SECONDS = 2.0
"""How long to wait for the process to end after its output has ended. After that, `lost` is not told how it ended."""


class StdioConnection(FileConnection):
    """The two pipes of one bot, which close with the connection. `ended` waits for the process to end and returns how
    it ended, in words that are passed to the callback `lost`.
    """

    ENDED = "closed its standard output"

    def __init__(self, stdin: int, stdout: int, ended: Callable[[], Awaitable[str]], clock: Clock) -> None:
        for pipe in (stdin, stdout):
            unblock(pipe)
        super().__init__(stdout, stdin, clock)
        self._ended = ended
        self._end_report: asyncio.Task[None] | None = None

    def _accepts(self, message: Message) -> bool:
        assert len(message.raw) <= MESSAGE_BYTES, "a pipe could cut a longer message"
        return True

    def _reason(self, error: OSError) -> str:
        return "closed its standard input"

    def close(self) -> None:
        """Closes both pipes. A bot that reads its input to the end then exits. The callback `lost` is not called."""
        self._lost = None
        if self._end_report:
            self._end_report.cancel()
        self._shut()

    def _close_as_lost(self, reason: str) -> None:
        """Reports how the process ended, or `reason` if it has not ended."""
        self._shut()
        self._end_report = asyncio.ensure_future(self._report_end(reason))

    async def _report_end(self, reason: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                reason = await self._ended()
        if self._lost:
            lost, self._lost = self._lost, None
            lost(reason)

    def _release(self) -> None:
        close(self._sink)
        close(self._source)

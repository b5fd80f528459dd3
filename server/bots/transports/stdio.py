"""Standard input and output: the connection to a bot that runs as a process. Moves bytes; knows no poker and no lines.

Reads and writes the two pipes itself, to know when a request is with the kernel and to read, just before that, what
was said earlier. Never blocks: what a bot does not read waits, up to a limit; who says too much is read more slowly.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from functools import partial

from server.bots.transports.outbox import (
    BURST_BYTES,
    BYTES_PER_SECOND,
    DRAINED_READS,
    READ_BYTES,
    Clock,
    Message,
    Outbox,
    Timer,
)
from server.token_bucket import TokenBucket

MESSAGE_BYTES = 4096
"""A pipe takes so much whole or not at all."""
END_SECONDS = 2.0
"""How long to wait, after the end of a bot's output, for how the bot has ended."""


class StdioConnection:
    """The two pipes of one bot; they are this connection's, and closed with it.

    `ended` returns, in words, how the process ended, once it has.
    """

    def __init__(self, stdin: int, stdout: int, ended: Callable[[], Awaitable[str]], clock: Clock) -> None:
        for pipe in (stdin, stdout):
            os.set_blocking(pipe, False)
        self._stdin = stdin
        self._stdout = stdout
        self._ended = ended
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[str], None] | None = None
        self._open = True
        self._outbox = Outbox()
        self._writing = False
        self._watched = False
        """Whether the event loop watches for the bot's input to take more."""
        self._credit = TokenBucket(BURST_BYTES, BYTES_PER_SECOND, clock.time)
        self._pause: Timer | None = None
        self._farewell: asyncio.Task[None] | None = None

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Starts reading. `lost` is called once, with how the process ended, when the bot is gone."""
        self._received = received
        self._lost = lost
        self._loop.add_reader(self._stdout, self._read)

    # -- out ---------------------------------------------------------------------------------------

    def send(
        self, raw: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Queues the bytes of a whole message, at most MESSAGE_BYTES; returns a function that takes it back.

        `handed` is called when the kernel has it. Never blocks, never raises for what the bot does.
        """
        assert len(raw) <= MESSAGE_BYTES, "a longer one could be cut"
        message = Message(raw, droppable, handed)
        if self._open:
            self._outbox.put(message)
            self._pump()
        return partial(self._outbox.withdraw, message)

    def _pump(self) -> None:
        """Writes message after message until the pipe is full."""
        if self._writing or self._watched:
            return
        self._writing = True
        try:
            while self._open and self._outbox and self._write(self._outbox[0]):
                pass
        finally:
            self._writing = False

    def _write(self, message: Message) -> bool:
        """Writes one message; returns whether the kernel has it."""
        if message.handed:
            self.drain()  # What the bot said before a request is no answer to it.
            if not self._open or message not in self._outbox:
                return self._open
        try:
            os.write(self._stdin, message.raw)
        except BlockingIOError:
            self._watched = True
            self._loop.add_writer(self._stdin, self._writable)
            return False
        except OSError:
            self._gone("closed its standard input")
            return False
        self._outbox.popleft()
        if message.handed:
            message.handed()
        return True

    def _writable(self) -> None:
        self._unwatch()
        self._pump()

    def _unwatch(self) -> None:
        if self._watched:
            self._watched = False
            self._loop.remove_writer(self._stdin)

    # -- in ----------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Reads what has already been said, up to some lines, and passes it on before this returns."""
        for _ in range(DRAINED_READS):
            if not self._open or self._received is None or self._pause or not self._read():
                return

    def _read(self) -> bool:
        """Reads once and passes it on; returns whether there may be more."""
        try:
            received = os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            received = b""
        if not received:
            self._gone("closed its standard output")
            return False
        self._spend(len(received))
        assert self._received is not None, "nothing is read before somebody listens"
        self._received(received)
        return len(received) == READ_BYTES

    def _spend(self, count: int) -> None:
        """Whoever says too much is not read for a while, and waits with its pipe full."""
        seconds = self._credit.owe(count)
        if seconds and not self._pause:
            self._loop.remove_reader(self._stdout)
            self._pause = self._clock.call_at(self._clock.time() + seconds, self._read_on)

    def _read_on(self) -> None:
        self._pause = None
        if self._open:
            self._loop.add_reader(self._stdout, self._read)

    # -- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """Closes both pipes, which ends a bot that reads to the end. `lost` is not called for this."""
        self._lost = None
        if self._farewell:
            self._farewell.cancel()
        self._shut()

    def _gone(self, reason: str) -> None:
        """Tells the owner how the process ended; if it has not, what it did instead."""
        self._shut()
        self._farewell = asyncio.ensure_future(self._tell(reason))

    async def _tell(self, reason: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                reason = await self._ended()
        if self._lost:
            lost, self._lost = self._lost, None
            lost(reason)

    def _shut(self) -> None:
        if not self._open:
            return
        self._open = False
        self._unwatch()
        self._loop.remove_reader(self._stdout)
        if self._pause:
            self._pause.cancel()
        self._outbox.clear()
        os.close(self._stdin)
        os.close(self._stdout)

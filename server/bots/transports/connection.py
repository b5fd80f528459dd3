"""The base class of connections to bots, over sockets and pipes. Sends messages one by one, and limits how much it
reads per second.

Connections use file descriptors directly. So before they send a request, they can read everything that has arrived.
They also know when the kernel has taken the request. They never block. If a bot does not read, they queue a limited
number of messages. If a bot sends too much, they read more slowly.
"""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

from msgspec import Struct

from server.bots.transports.clock import Clock, Timer
from server.system.sockets import read, watcher, write
from server.token_bucket import TokenBucket

READ_BYTES = 2048
"""How many bytes are read at once. The number is small so that one bot's garbage does not delay the other bots."""
BYTES_PER_SECOND = 16 * 1024
"""How many bytes per second a bot may send on average. Even talkative bots send only a tenth of this."""
BURST_BYTES = 16 * 1024
"""How many bytes a bot may send at once. After that, we read only BYTES_PER_SECOND."""
MAX_WAITING_MESSAGES = 64
"""How many messages may wait to be sent. If there are more, the oldest droppable message (such as chat) is dropped. If
none is droppable, the oldest message is dropped.
"""
DRAINED_READS = 4
"""A bot's longest message arrives completely within this many reads, each of READ_BYTES."""


class Message(Struct, eq=False):
    """A message to the bot. `on_sent` is called once the kernel has taken the whole message."""

    raw: bytes
    droppable: bool
    on_sent: Callable[[], None] | None


class Connection(Protocol):
    """A connection to one bot. It moves bytes without knowing what they mean."""

    def attach(self, on_received: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Starts reading. `on_lost` is called once, with the reason, when the bot is gone."""

    def send(
        self, message: bytes, *, droppable: bool = False, on_sent: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Queues a message. Returns a function that withdraws the message if it has not been sent yet.

        When too many messages wait, droppable messages are dropped first. `on_sent` is called once the kernel
        has taken the message. By then, everything that the bot sent earlier has been read. Never raises, whatever the
        bot does.
        """

    def drain(self) -> None:
        """Reads what has already arrived and passes it on, up to the length of the longest message."""

    def close(self) -> None:
        """Sends the waiting messages, then closes. `on_lost` is not called."""


class FileConnection(Connection, ABC):
    """A connection over two non-blocking file descriptors, one to read and one to write."""

    END_REASON: str
    """The reason that is passed to `on_lost` at the end of the file (EOF)."""

    def __init__(self, source: int, sink: int, clock: Clock) -> None:
        self._source = source
        self._sink = sink
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._watcher = watcher(self._loop)
        self._on_received: Callable[[bytes], None] | None = None
        self._on_lost: Callable[[str], None] | None = None
        self._is_open = True
        self._queue = deque[Message]()
        """Messages to send, oldest first."""
        self._unsent: tuple[Message, bytes] | None = None
        """If the kernel has taken only a part of a message: that message, and its remaining bytes. Otherwise None."""
        self._is_pumping = False
        self._is_kernel_full = False
        """Whether the kernel's buffer is full. The event loop then waits until there is room."""
        self._read_budget = TokenBucket(BURST_BYTES, BYTES_PER_SECOND, clock.time)
        self._pause_timer: Timer | None = None

    def attach(self, on_received: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._on_received = on_received
        self._on_lost = on_lost
        self._watcher.add_reader(self._source, self._read)

    def send(
        self, message: bytes, *, droppable: bool = False, on_sent: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        queued = Message(message, droppable, on_sent)
        if self._is_open and self._may_queue(queued):
            self._queue.append(queued)
            if len(self._queue) > MAX_WAITING_MESSAGES:
                self._withdraw(next((other for other in self._queue if other.droppable), self._queue[0]))
            self._pump()
        return partial(self._withdraw, queued)

    def _withdraw(self, message: Message) -> None:
        with contextlib.suppress(ValueError):
            self._queue.remove(message)

    def _may_queue(self, message: Message) -> bool:
        return True

    def _may_send(self) -> bool:
        """Returns whether the next message may be sent now. If not, schedules another attempt."""
        return True

    def _pump(self) -> None:
        """Sends messages until the kernel's buffer is full or the next message has to wait."""
        if self._is_pumping or self._is_kernel_full:
            return
        self._is_pumping = True
        try:
            while self._is_open and self._queue and self._may_send() and self._start_sending(self._queue[0]):
                pass
        finally:
            self._is_pumping = False

    def _start_sending(self, message: Message) -> bool:
        """Sends a message. Returns whether the next message may follow."""
        if message.on_sent:
            self.drain()  # Bytes that arrived before a request cannot be its answer.
            if not self._is_open or message not in self._queue:
                return self._is_open
        return self._write(message, message.raw)

    def _write(self, message: Message, unsent: bytes) -> bool:
        """Writes `unsent`, the rest of a message. Returns whether the kernel has taken all of it."""
        try:
            sent_bytes = write(self._sink, unsent)
        except BlockingIOError:
            sent_bytes = 0
        except OSError as error:
            self._close_as_lost(self._loss_reason(error))
            return False
        if sent_bytes:
            self._withdraw(message)
            self._unsent = message, unsent[sent_bytes:]
        if sent_bytes < len(unsent):
            self._is_kernel_full = True
            self._watcher.add_writer(self._sink, self._writable)
            return False
        self._unsent = None
        self._message_sent(message)
        return True

    def _message_sent(self, message: Message) -> None:
        if message.on_sent:
            message.on_sent()

    def _writable(self) -> None:
        self._is_kernel_full = False
        self._watcher.remove_writer(self._sink)
        if self._unsent is None or self._write(*self._unsent):
            self._pump()

    def drain(self) -> None:
        for _ in range(DRAINED_READS):
            if not self._is_open or self._on_received is None or self._pause_timer or not self._read():
                return

    def _read(self) -> bool:
        """Reads once and passes the bytes on. Returns whether more may have arrived."""
        try:
            received = read(self._source, READ_BYTES)
        except BlockingIOError:
            return False
        except OSError as error:
            self._close_as_lost(self._loss_reason(error))
            return False
        if not received:
            self._close_as_lost(self.END_REASON)
            return False
        self._spend(len(received))
        assert self._on_received is not None, "nothing is read before `attach`"
        self._on_received(received)
        return len(received) == READ_BYTES

    def _spend(self, count: int) -> None:
        """Counts received bytes. Stops reading for a while if the bot sends too much, so that the bot has to wait."""
        seconds = self._read_budget.charge(count)
        if seconds and not self._pause_timer:
            self._watcher.remove_reader(self._source)
            self._pause_timer = self._clock.call_at(self._clock.time() + seconds, self._resume_reading)

    def _resume_reading(self) -> None:
        self._pause_timer = None
        if self._is_open:
            self._watcher.add_reader(self._source, self._read)

    def _close_now(self) -> None:
        """Closes at once, and drops waiting messages."""
        if not self._is_open:
            return
        self._is_open = False
        self._watcher.remove_reader(self._source)
        self._watcher.remove_writer(self._sink)
        if self._pause_timer:
            self._pause_timer.cancel()
        self._queue.clear()
        self._close_files()

    @abstractmethod
    def _close_as_lost(self, reason: str) -> None:
        """Closes, and calls `on_lost`."""

    @abstractmethod
    def _loss_reason(self, error: OSError) -> str:
        """Returns why the bot is gone."""

    @abstractmethod
    def _close_files(self) -> None:
        """Closes the files."""

"""Limits how many bytes are read from a bot's server, at once and for each call.

These limits also cover headers, interim replies and chunk framing. The body has a limit of its own.
"""

from collections.abc import Iterable
from typing import Any

import httpcore2

READ_BYTES = 4096
"""The maximum number of bytes that are parsed before other tasks get a turn."""
REPLY_START_BYTES = 1024
MAX_CALL_BYTES = 64 * 1024
"""The maximum number of bytes read for one call. This is enough for headers and the longest body, even if the body
comes in chunks of one byte. If more bytes arrive, the call fails.
"""


class ReplyTooLarge(Exception):
    """More than MAX_CALL_BYTES arrived for one call."""


class LimitedBackend(httpcore2.AnyIOBackend):
    """Opens connections. Each call has a budget of MAX_CALL_BYTES for all bytes that arrive."""

    def __init__(self) -> None:
        self._bytes_left = MAX_CALL_BYTES
        self.reply_start = b""
        """The first REPLY_START_BYTES that arrived for the call. The bot's author can see them."""
        self.opened_count = 0
        """How many connections have been opened."""
        self.is_closing = False
        """Whether no more calls will follow. The reply to the last call may still arrive."""

    def start_call(self) -> None:
        """Starts the budget of a new call."""
        self._bytes_left, self.reply_start = MAX_CALL_BYTES, b""

    def spend(self, received: bytes) -> None:
        """Counts the bytes of a read. Raises ReplyTooLarge once the call's budget is exceeded."""
        self.reply_start += received[: REPLY_START_BYTES - len(self.reply_start)]
        self._bytes_left -= len(received)
        if self._bytes_left < 0:
            raise ReplyTooLarge

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library passes it, here and below)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Returns a connection that is read in small pieces."""
        self.opened_count += 1
        stream = await super().connect_tcp(host, port, timeout, local_address, socket_options)
        if self.is_closing:
            await stream.aclose()
            raise httpcore2.ConnectError
        return _LimitedStream(stream, self)


class _LimitedStream(httpcore2.AsyncNetworkStream):
    def __init__(self, stream: httpcore2.AsyncNetworkStream, backend: LimitedBackend) -> None:
        self._stream = stream
        self._backend = backend

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        received = await self._stream.read(min(max_bytes, READ_BYTES), timeout)
        self._backend.spend(received)
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

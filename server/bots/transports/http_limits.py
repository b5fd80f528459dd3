"""How much of what a bot's server sends is read: little at once, and so much for a call. Moves bytes, reads none.

A body has its own limit; this is for all that a reply may consist of besides: fields, interim replies, bits of chunks.
"""

from collections.abc import Iterable
from typing import Any

import httpcore2

READ_BYTES = 4096
"""At most so much is looked into before everybody else has a turn."""
HEARD_BYTES = 1024
CALL_BYTES = 64 * 1024
"""All that is read for one call: room for a body of the longest, letter by letter in chunks of one, and for fields."""


class TooMuch(Exception):
    """More than CALL_BYTES came for one call."""


class LimitedBackend(httpcore2.AnyIOBackend):
    """Connections that share what may be read for the call that is made; `renew` is for the next one."""

    def __init__(self) -> None:
        self._left = CALL_BYTES
        self.heard = b""
        """What has come for the call, to show it: its first HEARD_BYTES."""
        self.opened = 0
        """How many connections have been asked for."""
        self.closing = False
        """Whether only the reply to a call that has been sent is waited for."""

    def renew(self) -> None:
        """A call begins."""
        self._left, self.heard = CALL_BYTES, b""

    def take(self, read: bytes) -> None:
        """These bytes were read. Raises TooMuch."""
        self.heard += read[: HEARD_BYTES - len(self.heard)]
        self._left -= len(read)
        if self._left < 0:
            raise TooMuch

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's, here and below)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection of which little is read at once."""
        self.opened += 1
        stream = await super().connect_tcp(host, port, timeout, local_address, socket_options)
        if self.closing:
            await stream.aclose()
            raise httpcore2.ConnectError
        return _LimitedStream(stream, self)


class _LimitedStream(httpcore2.AsyncNetworkStream):
    def __init__(self, stream: httpcore2.AsyncNetworkStream, owner: LimitedBackend) -> None:
        self._stream = stream
        self._owner = owner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        read = await self._stream.read(min(max_bytes, READ_BYTES), timeout)
        self._owner.take(read)
        return read

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

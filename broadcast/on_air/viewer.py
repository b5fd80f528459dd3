"""One page that follows the show."""

import asyncio
from collections.abc import Callable

from broadcast.web.connections.page_socket import text_frame

STOP_BYTES = 64 * 1024
"""Unsent bytes past which a viewer gets nothing more until it has drained."""
PATIENCE_SECONDS = 10
"""How long a viewer may stay behind before it is cut off."""


class Viewer:
    """One connected page. `next` is the number of the first frame that it has not been sent.

    `number` is the file number of its socket. `is_open` says whether one may send on that, past the transport.
    """

    def __init__(self, transport: asyncio.Transport, number: int, clock: Callable[[], float], following: int) -> None:
        self.next = following
        self.number = number
        self.is_open = False
        self._transport = transport
        self._clock = clock
        self._behind_since: float | None = None

    @property
    def unsent(self) -> int:
        """Bytes that wait here because the other end does not read."""
        return self._transport.get_write_buffer_size()

    @property
    def is_behind(self) -> bool:
        """Whether it gets nothing more before it has had the picture."""
        return self._behind_since is not None

    def send(self, frames: bytes) -> None:
        """Writes WebSocket frames, unless the viewer is behind or has more than `STOP_BYTES` unsent. Does not raise."""
        if self._behind_since is None and self.unsent > STOP_BYTES:
            self._behind_since = self._clock()
        if self._behind_since is None and not self._transport.is_closing():  # the application hears of that later
            self._transport.write(frames)

    def drop(self) -> None:
        """Cuts it off; the page connects again and gets the picture."""
        self._transport.abort()

    def catch_up(self, picture: Callable[[], bytes], following: int) -> None:
        """Sends the picture to a viewer that was behind and has drained; cuts off one that is behind for too long.

        `following` is the number of the first frame that is not in that picture.
        """
        if self._behind_since is None or self._transport.is_closing():
            return
        if not self.unsent:
            self._behind_since = None
            self.next = following
            self._transport.write(text_frame(picture()))
        elif self._clock() - self._behind_since > PATIENCE_SECONDS:
            self.drop()

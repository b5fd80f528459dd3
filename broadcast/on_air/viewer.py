"""One page that follows the show, and a list of those that keep up."""

import asyncio
from array import array
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
        self.place = -1
        """Where it is in the list of those that keep up; kept by `KeepingUp`."""
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
        if self._behind_since is None:
            self.go_on(frames)

    def go_on(self, rest: bytes) -> None:
        """Writes what is left of frames that were sent in part. Does not raise."""
        if not self._transport.is_closing():  # its disconnection has not reached the application yet
            self._transport.write(rest)

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


class KeepingUp:
    """The viewers that keep up, in any order, and the file numbers of their sockets in the same order.

    One that is taken out stays in its place, with -1 for its number, until `tidy` is called: who goes through the list
    meets each viewer once.
    """

    def __init__(self) -> None:
        self.viewers: list[Viewer] = []
        self.numbers = array("i")
        self._holes: list[int] = []

    def __len__(self) -> int:
        return len(self.viewers) - len(self._holes)

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer.place >= 0

    def add(self, viewer: Viewer) -> None:
        """Adds one that is not there, at the end."""
        viewer.place = len(self.viewers)
        self.viewers.append(viewer)
        self.numbers.append(viewer.number)

    def discard(self, viewer: Viewer) -> None:
        """Takes one out, if it is there."""
        if viewer in self:
            self.numbers[viewer.place] = -1
            self._holes.append(viewer.place)
            viewer.place = -1

    def tidy(self) -> None:
        """Puts the last ones into the places of those that were taken out."""
        for place in sorted(self._holes, reverse=True):
            last, number = self.viewers.pop(), self.numbers.pop()
            if place < len(self.viewers):
                self.viewers[place], self.numbers[place], last.place = last, number, place
        self._holes.clear()

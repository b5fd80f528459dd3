"""Sends the on-air log to many viewers over WebSockets: each message is framed once, and all get the same bytes.

No viewer is ever awaited. One that does not keep up is skipped, then sent the whole picture; one that stays behind is
cut off. With many viewers the event loop gets a turn after every few writes, and a rest after every long round: what
comes meanwhile goes out together, because a write costs the same for one message as for three.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from broadcast.on_air.log import AirLog
from broadcast.web.connections.frames import REASON_BYTES, TEXT, TRANSPORT, frame

STOP_BYTES = 64 * 1024
"""Unsent bytes past which a viewer gets nothing more until it has drained."""
PATIENCE_SECONDS = 10
"""How long a viewer may stay behind before it is cut off."""
NO_CHANNEL = 4404
"""Close code where there is no such channel. The reason says why; it is "" if the channel may still be opened."""
WRITTEN_AT_ONCE = 64
"""Viewers written to in one turn of the event loop: less than a millisecond."""

LONG_ROUND_SECONDS = 0.01
"""A round of writing that takes longer is followed by a rest of half its length."""
MOST_ROUND_SECONDS = 0.1
"""The longest that a round and its rest may take together, unless the round alone takes longer."""


class Viewer:
    """One connected page. `next` is the number of the first frame that it has not been sent."""

    def __init__(self, transport: asyncio.Transport, clock: Callable[[], float], following: int) -> None:
        self.next = following
        self._transport = transport
        self._clock = clock
        self._behind_since: float | None = None

    def send(self, frames: bytes) -> None:
        """Writes WebSocket frames, unless the viewer is behind or has more than `STOP_BYTES` unsent. Does not raise."""
        if self._transport.is_closing():  # its disconnection has not reached the application yet
            return
        if self._behind_since is None and self._transport.get_write_buffer_size() > STOP_BYTES:
            self._behind_since = self._clock()
        if self._behind_since is None:
            self._transport.write(frames)

    def catch_up(self, picture: Callable[[], bytes], following: int) -> None:
        """Sends the picture to a viewer that was behind and has drained; cuts off one that is behind for too long.

        `following` is the number of the first frame that is not in that picture.
        """
        if self._behind_since is None or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() == 0:
            self._behind_since = None
            self.next = following
            self._transport.write(frame(TEXT, picture()))
        elif self._clock() - self._behind_since > PATIENCE_SECONDS:
            self._transport.abort()


class Fanout:
    """The viewers of one channel. Sends them all that `air` puts on air."""

    def __init__(
        self, air: AirLog, clock: Callable[[], float], rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """`clock` gives monotonic seconds; `rest` returns after so many of them."""
        self._air = air
        self._clock = clock
        self._rest = rest
        self._viewers: set[Viewer] = set()
        self._rounds: asyncio.TimerHandle | None = None
        self._spread_at = clock()
        self._fresh: list[bytes] = []
        """Frames that were put on air since the last round of writing began."""
        self._count = 0
        """How many frames there were before these."""
        self._writing: asyncio.Task[None] | None = None
        air.listeners.add(self._spread)

    @property
    def viewers(self) -> int:
        """How many pages are connected."""
        return len(self._viewers)

    @property
    def _following(self) -> int:
        """The number of the next frame."""
        return self._count + len(self._fresh)

    async def serve(self, transport: asyncio.Transport, receive: Receive, after: int, epoch: str) -> None:
        """Serves one page until it disconnects.

        It is sent the entries after number `after` if it saw them in the same `epoch` of the log, else the picture.
        """
        viewer = Viewer(transport, self._clock, self._following)
        since_ms = int((self._clock() - self._spread_at) * 1000)
        texts = (self._air.welcome(since_ms), *self._air.catch_up(after, epoch))
        transport.write(b"".join(frame(TEXT, text) for text in texts))
        self._viewers.add(viewer)
        if self._rounds is None:
            self._make_rounds()
        try:
            await receive()  # PageSocket delivers nothing but the disconnection
        finally:
            self._viewers.discard(viewer)

    def _spread(self, text: bytes) -> None:
        self._spread_at = self._clock()
        if not self._viewers:
            return
        self._fresh.append(frame(TEXT, text))
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Writes new frames to every viewer, until no more have come meanwhile."""
        try:
            while self._fresh:
                await asyncio.sleep(0)  # so that all frames of the same turn go out in one write
                begun = self._clock()
                await self._write_fresh()
                took = self._clock() - begun
                if LONG_ROUND_SECONDS < took < MOST_ROUND_SECONDS:
                    await self._rest(min(took / 2, MOST_ROUND_SECONDS - took))
        finally:
            self._writing = None

    async def _write_fresh(self) -> None:
        fresh, self._fresh = self._fresh, []
        begun, self._count = self._count, self._count + len(fresh)
        whole = b"".join(fresh)
        for number, viewer in enumerate(list(self._viewers), 1):
            had = max(0, viewer.next - begun)  # it has these, as it came or got the picture later
            viewer.send(b"".join(fresh[had:]) if had else whole)
            if number % WRITTEN_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _make_rounds(self) -> None:
        """Sends the picture to viewers that fell behind, or cuts them off; once a second while there are viewers."""
        for viewer in self._viewers:
            viewer.catch_up(self._air.snapshot, self._following)
        self._rounds = asyncio.get_running_loop().call_later(1, self._make_rounds) if self._viewers else None


class ShowSocket:
    """The ASGI application behind `/ws/show?channel=main&after=N&epoch=E`."""

    def __init__(self, fanouts: Mapping[str, Fanout], absent: Callable[[str], str]) -> None:
        """`absent` says why there is no such channel and will be none, "" if it may still be opened."""
        self._fanouts = fanouts
        self._absent = absent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        asked = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
        channel = asked.get("channel", "main")
        fanout = self._fanouts.get(channel)
        # Accepted first: browsers give a page no reason for a refused handshake, and log each one as an error.
        await send({"type": "websocket.accept"})
        if fanout is None:
            await send({"type": "websocket.close", "code": NO_CHANNEL, "reason": _clipped(self._absent(channel))})
            return
        after = asked.get("after", "0")
        transport: asyncio.Transport = scope["extensions"][TRANSPORT]["transport"]
        number = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0
        await fanout.serve(transport, receive, number, asked.get("epoch", ""))


def _clipped(reason: str) -> str:
    raw = reason.encode()
    return reason if len(raw) <= REASON_BYTES else raw[: REASON_BYTES - 3].decode(errors="ignore") + "…"

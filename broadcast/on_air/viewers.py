"""Sends the on-air log to many viewers over WebSockets.

Each message is framed once, and all viewers get the same bytes. The show never waits for a viewer. Viewers that keep up
get messages in batches that bypass asyncio's transports. A viewer that falls behind gets the picture (the whole state
of the screen) later, or is disconnected. While messages are written, other tasks run every millisecond. A pause follows
a long round of writing. Messages that collect in the pause are written together, as cheaply as a single message.
"""

import asyncio
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from broadcast.on_air.air_log import AirLog
from broadcast.web.connections.batch_send import MAX_BATCH, BatchSender
from broadcast.web.connections.page_socket import MAX_REASON_BYTES, PAGE_EXTENSION, PageSocket, text_frame
from server.process import collect_and_freeze, unfreeze
from server.text.names_and_chat import clip_bytes

NO_CHANNEL = 4404
"""The close code for an unknown channel. The close reason is "" if the channel may still be opened."""

MAX_PENDING_BYTES = 64 * 1024
"""If a viewer has more unsent bytes than this, it gets no messages until all of these bytes have been sent."""
MAX_BEHIND_SECONDS = 10
"""How many seconds a viewer may stay behind before it is disconnected."""
HEARTBEAT_SECONDS = 2.0
"""A page gets a heartbeat after a silence of this many seconds, or up to a second later. Pages that hear nothing for
much longer assume that the connection is dead.
"""
TURN_SECONDS = 0.001
"""After this many seconds of writing, the event loop may run other tasks."""
LONG_ROUND_SECONDS = 0.01
"""After a round of writing that takes longer than this many seconds, writing pauses for half the time of the round."""
MAX_ROUND_SECONDS = 0.1
"""A round of writing and its pause together take at most this many seconds. A round that takes longer even without a
pause has no pause.
"""

FREEZE_BATCH = 256
"""Whenever this many new viewers have joined, the garbage collector runs once. From then on, it ignores these viewers.
"""
MIN_LEFT_BEFORE_UNFREEZE = 4096
"""When more viewers than this have left, and more than are connected, the garbage collector examines everything again.
Without this examination, each viewer who leaves would cost 2 kB for ever.
"""
MAX_UNSENT_BYTES = 256 << 20
"""The limit for the unsent bytes of all slow viewers of a channel. Above this limit, the slow viewers who joined last
are disconnected.
"""


class Viewer:
    """One connected page. `next_frame` is the number of the next frame that the page needs.

    `fd` is the file descriptor of its socket. `is_open` says whether the socket may be written to directly, without
    the transport.
    """

    def __init__(self, transport: asyncio.Transport, fd: int, clock: Callable[[], float], next_frame: int) -> None:
        self.next_frame = next_frame
        self.fd = fd
        self.is_open = False
        self.transport = transport
        self._clock = clock
        self.behind_since: float | None = None
        """When the viewer fell behind, or None while it keeps up."""

    @property
    def unsent_bytes(self) -> int:
        """How many bytes wait because the viewer does not read."""
        return self.transport.get_write_buffer_size()

    def send(self, frames: bytes) -> None:
        """Writes frames. Writes nothing if the viewer is behind or has more than MAX_PENDING_BYTES unsent. Does not
        raise.
        """
        if self.behind_since is None and self.unsent_bytes > MAX_PENDING_BYTES:
            self.behind_since = self._clock()
        # `serve` will remove a viewer whose transport is closing
        if self.behind_since is None and not self.transport.is_closing():
            self.transport.write(frames)

    def catch_up(self, picture: Callable[[], bytes], next_frame: int) -> None:
        """If the viewer is behind, sends it the picture once all earlier bytes are sent. Disconnects a viewer that
        stays behind.

        `next_frame` is the number of the first frame after the picture.
        """
        if self.behind_since is None or self.transport.is_closing():
            return
        if not self.unsent_bytes:
            self.behind_since = None
            self.next_frame = next_frame
            self.transport.write(text_frame(picture()))
        elif self._clock() - self.behind_since > MAX_BEHIND_SECONDS:
            self.transport.abort()


class Fanout:
    """Sends everything that goes on `air` to the viewers of one channel, which is one show."""

    def __init__(
        self,
        air: AirLog,
        clock: Callable[[], float],
        sender: BatchSender,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`clock` returns monotonic seconds, `sleep` waits for a number of seconds, and `sender` writes to viewers that
        keep up.
        """
        self._air = air
        self._clock = clock
        self._sender = sender
        self._sleep = sleep
        self._keeping_up: dict[Viewer, None] = {}
        """Viewers that have all frames so far, and have no unsent bytes."""
        self._batch_targets: tuple[list[Viewer], array[int]] | None = None
        """The viewers in `_keeping_up` with their file descriptors, cached for the next batch. The value is None once a
        viewer has joined or left.
        """
        self._others: dict[Viewer, None] = {}
        """All other viewers, in the order in which they fell behind or joined."""
        self._joined_count = self._left_count = 0
        self._check_timer: asyncio.TimerHandle | None = None
        self._on_air_at = self._sent_at = clock()
        """When the last entry went on air, and when the last message was sent. A message may be a heartbeat."""
        self._new_frames: list[bytes] = []
        """The frames that have arrived since the last round of writing started."""
        self._frame_count = 0
        """The number of frames before the frames in `_new_frames`."""
        self._writing: asyncio.Task[None] | None = None
        self._loop_ran_at = clock()
        """When the event loop last ran other tasks during the current round of writing."""
        air.listeners.add(self._broadcast)

    @property
    def viewer_count(self) -> int:
        """How many pages are connected."""
        return len(self._keeping_up) + len(self._others)

    @property
    def _next_frame(self) -> int:
        """The number of the next frame."""
        return self._frame_count + len(self._new_frames)

    async def drain(self) -> None:
        """Waits until everything on air has been sent to the viewers that keep up."""
        if self._writing is not None:
            await asyncio.shield(self._writing)  # if this call is cancelled, the writing goes on

    async def serve(self, page: PageSocket, receive: Receive, after_seq: int, epoch: str) -> None:
        """Serves one page until it disconnects.

        The page has all entries up to number `after_seq` of the log with the identifier `epoch`. It gets the entries
        that it has missed. If these are not kept, or the page has followed another log, it gets the picture.
        """
        viewer = Viewer(page.transport, page.fd, self._clock, self._next_frame)
        since_ms = int((self._clock() - self._on_air_at) * 1000)
        texts = (self._air.welcome_message(since_ms), *self._air.catch_up(after_seq, epoch))
        page.transport.write(b"".join(text_frame(text) for text in texts))
        self._others[viewer] = None
        page.watch_writable(partial(self._set_open, viewer))
        self._joined_count += 1
        if self._joined_count % FREEZE_BATCH == 0:
            collect_and_freeze()
        if self._check_timer is None:
            self._check_viewers()
        try:
            await receive()  # PageSocket delivers only the disconnection
        finally:
            self._keeping_up.pop(viewer, None)
            self._others.pop(viewer, None)
            self._batch_targets = None
            self._left_count += 1
            if self._left_count > max(MIN_LEFT_BEFORE_UNFREEZE, self.viewer_count):
                self._left_count = 0
                unfreeze()

    def _set_open(self, viewer: Viewer, is_open: bool) -> None:
        viewer.is_open = is_open
        self._reassign(viewer)

    def _reassign(self, viewer: Viewer) -> None:
        """Puts a connected viewer into `_keeping_up` or `_others`."""
        keeps_up = viewer.is_open and viewer.behind_since is None and viewer.next_frame <= self._frame_count
        source, target = (self._others, self._keeping_up) if keeps_up else (self._keeping_up, self._others)
        if viewer in source:
            del source[viewer]
            target[viewer] = None
            self._batch_targets = None

    def _broadcast(self, text: bytes) -> None:
        self._on_air_at = self._clock()
        self._send(text)

    def _send(self, text: bytes) -> None:
        self._sent_at = self._clock()
        if not self.viewer_count:
            return
        self._new_frames.append(text_frame(text))
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Writes new frames to every viewer until no new frames are left."""
        try:
            while self._new_frames:
                start = self._loop_ran_at = self._clock()
                await self._write_new_frames()
                seconds = self._clock() - start
                if LONG_ROUND_SECONDS < seconds < MAX_ROUND_SECONDS:
                    await self._sleep(min(seconds / 2, MAX_ROUND_SECONDS - seconds))
        finally:
            self._writing = None

    async def _write_new_frames(self) -> None:
        new_frames, self._new_frames = self._new_frames, []
        first_fresh, self._frame_count = self._frame_count, self._frame_count + len(new_frames)
        joined_frames = b"".join(new_frames)
        if self._batch_targets is None:
            self._batch_targets = list(self._keeping_up), array("i", [viewer.fd for viewer in self._keeping_up])
        others, (keeping_up, fds) = list(self._others), self._batch_targets
        for first in range(0, len(keeping_up), MAX_BATCH):
            await self._let_loop_run()
            batch = slice(first, first + MAX_BATCH)
            self._write_batch(keeping_up[batch], fds[batch], joined_frames)
        for viewer in others:
            await self._let_loop_run()
            # Skips frames that came before the viewer joined or got the picture.
            skipped = max(0, viewer.next_frame - first_fresh)
            viewer.send(b"".join(new_frames[skipped:]) if skipped else joined_frames)
            self._reassign(viewer)

    def _write_batch(self, viewers: Sequence[Viewer], fds: "array[int]", joined_frames: bytes) -> None:
        """Writes to viewers that kept up when the round started. Bypasses the transports of viewers that still keep
        up.
        """
        if self._batch_targets is None:  # a viewer has joined or left since the round started
            fds = array("i", [viewer.fd if viewer in self._keeping_up else -1 for viewer in viewers])
        for index, sent in self._sender.send(fds, joined_frames).items():
            viewers[index].send(joined_frames[sent:])

    async def _let_loop_run(self) -> None:
        """Lets the event loop run other tasks if they last ran more than `TURN_SECONDS` ago."""
        if self._clock() - self._loop_ran_at > TURN_SECONDS:
            await asyncio.sleep(0)
            self._loop_ran_at = self._clock()

    def _check_viewers(self) -> None:
        """Runs every second while there are viewers. Sends the picture to viewers that fell behind, or disconnects
        them.

        After a long silence, everybody gets a heartbeat with the number of the last entry. A page may take the
        heartbeat for an entry. The page then ignores it, because the page already has an entry with this number.
        """
        if self._clock() - self._sent_at >= HEARTBEAT_SECONDS:
            self._send(self._air.heartbeat_message())
        unsent = 0
        for viewer in list(self._others):
            viewer.catch_up(self._air.snapshot, self._next_frame)
            self._reassign(viewer)
            unsent += viewer.unsent_bytes
            if viewer.unsent_bytes and unsent > MAX_UNSENT_BYTES:
                viewer.transport.abort()
        self._check_timer = asyncio.get_running_loop().call_later(1, self._check_viewers) if self.viewer_count else None


class ShowSocket:
    """The ASGI application behind `/ws/show?channel=main&after=N&epoch=E`."""

    def __init__(self, fanouts: Mapping[str, Fanout], why_absent: Callable[[str], str]) -> None:
        """`why_absent` gets a channel's name and returns why the channel will not be opened, or "" if it may still be
        opened.
        """
        self._fanouts = fanouts
        self._why_absent = why_absent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # the message "websocket.connect"
        query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
        channel = query.get("channel", "main")
        fanout = self._fanouts.get(channel)
        # Accept the connection first. After a refused handshake, browsers log an error but hide the reason.
        await send({"type": "websocket.accept"})
        if fanout is None:
            reason = clip_bytes(self._why_absent(channel), MAX_REASON_BYTES)
            await send({"type": "websocket.close", "code": NO_CHANNEL, "reason": reason})
            return
        after = query.get("after", "0")
        page: PageSocket = scope["extensions"][PAGE_EXTENSION]["page"]
        number = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0
        await fanout.serve(page, receive, number, query.get("epoch", ""))

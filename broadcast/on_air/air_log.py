"""The on-air log of one channel: its numbered entries, the picture they add up to, and who listens."""

import secrets
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec

from broadcast.on_air.events import OnAirEntry, PaceChanged
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from server.game.events import Event

KEPT_ENTRIES = 2000
"""How many entries a page can catch up on one by one; a page that missed more gets the picture."""
REPLAYED_ENTRIES = 200
"""A new page that would get more entries than this gets the picture at once."""


class AirLog:
    """All that viewers may see now. Numbers start at 1 without gaps; every new log has a new `epoch`.

    `speed` is that of the opened channel (0: as fast as possible), `pace` the present speed of the show.
    """

    def __init__(self, channel: str, speed: float, title: str = "") -> None:
        """`title` is its name in lists of channels."""
        self.channel = channel
        self.title = title
        self.began = datetime.now(UTC)
        self.speed = speed
        self.pace = speed
        self.epoch = secrets.token_hex(8)
        self.last = 0
        self.at_ms = 0
        self.listeners: set[Callable[[bytes], None]] = set()
        """Called with every message to viewers, as JSON."""
        self.followers: set[Callable[[Event], None]] = set()
        """Called with every event that is put on air, once the picture contains it."""
        self.recorders: set[Callable[[OnAirEntry, State, State], None]] = set()
        """Called with every entry, including recalled ones, and the pictures before and after it."""
        self._kept: deque[bytes] = deque(maxlen=KEPT_ENTRIES)
        self._snapshot = b""
        self.picture = State()

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        """Puts `event` on air: listeners get its JSON, followers the event itself."""
        self._send(self.recall(event, at_ms, hold_ms))
        for follower in tuple(self.followers):
            follower(event)

    def recall(self, event: Event, at_ms: int, hold_ms: int) -> bytes:
        """Adds an event that was on air before a restart and returns its JSON. Nothing is sent."""
        entry = OnAirEntry(self.last + 1, at_ms, hold_ms, event)
        text = entry.text()
        before = self.picture
        self.picture = reduce(before, entry.seq, at_ms, hold_ms, event)
        self._kept.append(text)
        self._snapshot = b""
        self.last, self.at_ms = entry.seq, at_ms
        if isinstance(event, PaceChanged):
            self.pace = event.speed
        for recorder in tuple(self.recorders):
            recorder(entry, before, self.picture)
        return text

    def refresh(self) -> None:
        """Sends the whole picture to all listeners, because `recall` sends nothing."""
        self._send(self.snapshot())

    def welcome(self, since_ms: int = 0) -> bytes:
        """The first message of every connection, as JSON. Its time is `since_ms` milliseconds after the last entry."""
        at_ms = self.at_ms + since_ms
        return self._text("welcome", at_ms=at_ms, epoch=self.epoch, channel=self.channel, speed=self.pace)

    def heartbeat(self) -> bytes:
        """What pages get while nothing comes on air, as JSON, so that they notice a dead connection."""
        return self._text("heartbeat")

    def catch_up(self, after: int, epoch: str) -> list[bytes]:
        """What a page lacks after entry `after` of the log `epoch`, as JSON: the entries, or the picture."""
        missing = self.last - after
        known = epoch == self.epoch and 0 <= missing <= len(self._kept)
        fresh = after == 0 and missing <= min(REPLAYED_ENTRIES, len(self._kept))
        if known or fresh:
            return list(self._kept)[len(self._kept) - missing :]
        return [self.snapshot()]

    def snapshot(self) -> bytes:
        """The whole picture after the last entry, as JSON; encoded once, however many pages join."""
        if not self._snapshot:
            self._snapshot = self._text("snapshot", state=self.picture)
        return self._snapshot

    def _send(self, text: bytes) -> None:
        for listener in tuple(self.listeners):
            listener(text)

    def _text(self, kind: str, **rest: Any) -> bytes:
        return msgspec.json.encode({"seq": self.last, "at_ms": self.at_ms, "type": kind} | rest)

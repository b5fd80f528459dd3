"""The on-air log of one channel: numbered entries as they are sent, the picture they add up to, and who listens."""

import secrets
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec

from broadcast.on_air.events import OnAirEntry, PaceChanged
from broadcast.on_air.picture import fold
from broadcast.on_air.picture_state import State
from server.game.events import Event

KEPT_ENTRIES = 2000
"""How many entries a page can catch up on one by one; further back it gets the picture instead."""
REPLAYED_ENTRIES = 200
"""A page that knows nothing and would get more than this gets the picture at once."""


class AirLog:
    """All that viewers may see now. Numbers start at 1 and never skip; `epoch` differs in every new log.

    `speed` is what the channel was opened with (0: as fast as it goes), `pace` how fast the show goes now.
    """

    def __init__(self, channel: str, speed: float, title: str = "") -> None:
        """`title` is what a list of channels calls it."""
        self.channel = channel
        self.title = title
        self.began = datetime.now(UTC)
        self.speed = speed
        self.pace = speed
        self.epoch = secrets.token_hex(8)
        self.last = 0
        self.at_ms = 0
        self.listeners: set[Callable[[bytes], None]] = set()
        """Each is called with every message to viewers, as JSON."""
        self.followers: set[Callable[[Event], None]] = set()
        """Each is called with every event that is put on air, after it is in the picture."""
        self.recorders: set[Callable[[OnAirEntry, State, State], None]] = set()
        """Each is called with every entry, recalled ones too, and with the pictures before and after it."""
        self._kept: deque[bytes] = deque(maxlen=KEPT_ENTRIES)
        self._snapshot = b""
        self.picture = State()

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        """Puts `event` on air: calls all listeners with its JSON and all followers with the event itself."""
        self._send(self.recall(event, at_ms, hold_ms))
        for follower in tuple(self.followers):
            follower(event)

    def recall(self, event: Event, at_ms: int, hold_ms: int) -> bytes:
        """Adds `event` as the next entry and returns its JSON, without sending it: it was on air before a restart."""
        entry = OnAirEntry(self.last + 1, at_ms, hold_ms, event)
        text = entry.text()
        before = self.picture
        self.picture = fold(before, entry.seq, at_ms, hold_ms, event)
        self._kept.append(text)
        self._snapshot = b""
        self.last, self.at_ms = entry.seq, at_ms
        if isinstance(event, PaceChanged):
            self.pace = event.speed
        for recorder in tuple(self.recorders):
            recorder(entry, before, self.picture)
        return text

    def refresh(self) -> None:
        """Sends the whole picture to all listeners; needed after `recall`, which sends nothing."""
        self._send(self.snapshot())

    def welcome(self, since_ms: int = 0) -> bytes:
        """The first message of every connection, as JSON. Its time is `since_ms` after the last entry."""
        at_ms = self.at_ms + since_ms
        return self._text("welcome", at_ms=at_ms, epoch=self.epoch, channel=self.channel, speed=self.pace)

    def heartbeat(self) -> bytes:
        """What pages are sent while nothing comes on air, as JSON, so that they know a silent connection for dead."""
        return self._text("heartbeat")

    def catch_up(self, after: int, epoch: str) -> list[bytes]:
        """What a page lacks that has the entries up to `after` of the log `epoch`, as JSON: entries, or the picture."""
        missing = self.last - after
        known = epoch == self.epoch and 0 <= missing <= len(self._kept)
        fresh = after == 0 and missing <= min(REPLAYED_ENTRIES, len(self._kept))
        if known or fresh:
            return list(self._kept)[len(self._kept) - missing :]
        return [self.snapshot()]

    def snapshot(self) -> bytes:
        """The whole picture after the last entry, as JSON: made once, however many pages join."""
        if not self._snapshot:
            self._snapshot = self._text("snapshot", state=self.picture)
        return self._snapshot

    def _send(self, text: bytes) -> None:
        for listener in tuple(self.listeners):
            listener(text)

    def _text(self, kind: str, **rest: Any) -> bytes:
        return msgspec.json.encode({"seq": self.last, "at_ms": self.at_ms, "type": kind} | rest)

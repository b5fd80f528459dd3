"""Keeps the on-air log: everything that goes on air on one channel. Numbers its entries, and passes them to listeners.
After each entry, computes the picture, which is the state shown on screen.
"""

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
"""If a page has missed at most this many entries, it gets them one by one. Otherwise it gets the whole picture."""
NEW_PAGE_ENTRIES = 200
"""If the log has at most this many entries, a new page gets them one by one. Otherwise it gets the whole picture."""


class AirLog:
    """Everything that viewers may see now. Entries are numbered from 1 without gaps. `epoch` identifies the log.

    `speed` is the speed at which the channel was opened, or 0 for as fast as possible. `pace` is the show's current
    speed.
    """

    def __init__(self, channel: str, speed: float, title: str = "") -> None:
        """`title` is the name of the channel in lists."""
        self.channel = channel
        self.title = title
        self.began = datetime.now(UTC)
        self.speed = speed
        self.pace = speed
        self.epoch = secrets.token_hex(8)
        self.last_seq = 0
        self.at_ms = 0
        self.listeners: set[Callable[[bytes], None]] = set()
        """These get every message to viewers, as JSON."""
        self.followers: set[Callable[[Event], None]] = set()
        """These get every event that goes on air, after the picture has changed."""
        self.recorders: set[Callable[[OnAirEntry, State, State], None]] = set()
        """These get every entry, also from `recall`, with the pictures before and after the entry."""
        self._kept_entries: deque[bytes] = deque(maxlen=KEPT_ENTRIES)
        self._snapshot = b""
        self.picture = State()

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        """Puts `event` on air, `at_ms` into the show, for `hold_ms`. Listeners get the entry as JSON, and followers get
        the event.
        """
        self._send(self.recall(event, at_ms, hold_ms))
        for follower in tuple(self.followers):
            follower(event)

    def recall(self, event: Event, at_ms: int, hold_ms: int) -> bytes:
        """Adds an event to the log and returns the new entry as JSON, but sends nothing. After a restart, the show
        calls this method for each event that was on air.
        """
        entry = OnAirEntry(self.last_seq + 1, at_ms, hold_ms, event)
        text = entry.to_json()
        before = self.picture
        self.picture = reduce(before, entry.seq, at_ms, hold_ms, event)
        self._kept_entries.append(text)
        self._snapshot = b""
        self.last_seq, self.at_ms = entry.seq, at_ms
        if isinstance(event, PaceChanged):
            self.pace = event.speed
        for recorder in tuple(self.recorders):
            recorder(entry, before, self.picture)
        return text

    def refresh(self) -> None:
        """Sends the whole picture to all listeners. Needed after `recall`, which sends nothing."""
        self._send(self.snapshot())

    def welcome_message(self, since_ms: int = 0) -> bytes:
        """Returns the first message of a connection, as JSON. The last entry went on air `since_ms` milliseconds
        ago.
        """
        at_ms = self.at_ms + since_ms
        return self._encode("welcome", at_ms=at_ms, epoch=self.epoch, channel=self.channel, speed=self.pace)

    def heartbeat_message(self) -> bytes:
        """Returns, as JSON, the message that pages get while nothing goes on air.

        A page that gets no message at all for a while knows that its connection is dead.
        """
        return self._encode("heartbeat")

    def catch_up(self, after_seq: int, epoch: str) -> list[bytes]:
        """Returns the messages that a page needs next, as JSON: the entries that it has missed, or the whole picture.

        The page has all entries up to number `after_seq` of the log with this `epoch`. For a new page, `after_seq` is
        0.
        """
        missing = self.last_seq - after_seq
        is_kept = epoch == self.epoch and 0 <= missing <= len(self._kept_entries)
        is_new_page = after_seq == 0 and missing <= min(NEW_PAGE_ENTRIES, len(self._kept_entries))
        if is_kept or is_new_page:
            return list(self._kept_entries)[len(self._kept_entries) - missing :]
        return [self.snapshot()]

    def snapshot(self) -> bytes:
        """Returns the picture after the last entry, as JSON. Encodes each picture only once for all pages."""
        if not self._snapshot:
            self._snapshot = self._encode("snapshot", state=self.picture)
        return self._snapshot

    def _send(self, text: bytes) -> None:
        for listener in tuple(self.listeners):
            listener(text)

    def _encode(self, kind: str, **rest: Any) -> bytes:
        return msgspec.json.encode({"seq": self.last_seq, "at_ms": self.at_ms, "type": kind} | rest)

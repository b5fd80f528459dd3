"""Keeps answers to uploads for a minute: a browser that sends a form twice shows only the second answer.

The first may hold a player's secret, which is told only once.
"""

import time
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from server.season.standings import Upload

SECONDS = 60.0
"""How long an answer is kept."""
MOST = 50
"""The most answers that are kept; a further one replaces the oldest."""


class Taken(Struct, frozen=True):
    """The answer to an upload that was accepted; without `upload` it waits until the operator lets its player in.

    The browser keeps `badge`; `secret` is set for a new player, who is told it only once.
    """

    badge: str
    upload: Upload | None = None
    secret: str = ""
    notes: tuple[str, ...] = ()


class Answers:
    """The answers of the last minute.

    `form` is the number of a form, which only the browser knows that loaded it; "" keeps and finds nothing.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._kept: dict[tuple[str, bytes], tuple[float, Taken]] = {}

    def again(self, form: str, name: str, archive: bytes) -> Taken | None:
        """The answer that the same form got with the same content, None if it got none."""
        at, taken = self._kept.get((form, _digest(name, archive)), (0.0, None))
        return taken if form and taken and self._clock() - at < SECONDS else None

    def keep(self, form: str, name: str, archive: bytes, taken: Taken) -> None:
        """Keeps an answer under its form and content."""
        if not form:
            return
        self._kept[form, _digest(name, archive)] = self._clock(), taken
        if len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]


def _digest(name: str, archive: bytes) -> bytes:
    return sha256(sha256(name.encode(errors="replace")).digest() + archive).digest()

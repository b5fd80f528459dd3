"""Answers that tell a secret, for the browser that sent the same form twice: it shows only the last of them."""

import time
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from server.front.season_book import Upload

SECONDS = 60.0
"""An answer is given again for so long."""
MOST = 50
"""Answers that are remembered at a time."""


class Taken(Struct, frozen=True):
    """What was taken: a player's upload; without one it waits for the operator's nod.

    `badge` is what the browser is to keep, `secret` is told once, to a player who had none.
    """

    badge: str
    upload: Upload | None = None
    secret: str = ""
    notes: tuple[str, ...] = ()


class Answers:
    """Those of the last minute. `form` is what only the browser knows that was given the form; "": nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._kept: dict[tuple[str, bytes], tuple[float, Taken]] = {}

    def again(self, form: str, name: str, archive: bytes) -> Taken | None:
        """The answer to the very same form."""
        at, taken = self._kept.get((form, _digest(name, archive)), (0.0, None))
        return taken if form and taken and self._clock() - at < SECONDS else None

    def keep(self, form: str, name: str, archive: bytes, taken: Taken) -> None:
        """Remembers an answer."""
        if not form:
            return
        self._kept[form, _digest(name, archive)] = self._clock(), taken
        if len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]


def _digest(name: str, archive: bytes) -> bytes:
    return sha256(sha256(name.encode(errors="replace")).digest() + archive).digest()

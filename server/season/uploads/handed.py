"""An upload to a season as it was sent, its refusal, and its answer, which is kept for a minute.

A browser that sends a form twice shows only the second answer, and the first may hold a player's secret, which is shown
only once.
"""

import time
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from server.season.player_secrets import badge_of, opens
from server.season.standings import Upload

MAX_BYTES = 12 << 20
"""The largest archive of an upload; the organiser can enter larger ones."""
SECONDS = 60.0
"""How long an answer is kept."""
MAX_ANSWERS = 50
"""How many answers are kept; the next one replaces the oldest."""


class Declined(Exception):
    """An upload or an operator's request is refused: the HTTP status, and why, in sentences for its sender."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.status = status
        self.faults = faults


class Handed(Struct, frozen=True):
    """An upload as it was sent.

    `secret`, or the `badge` that the browser keeps, shows who sends it. `name` is the player's, `form` the number of
    the form ("" for none), `address` where the request came from.
    """

    archive: bytes
    name: str = ""
    secret: str = ""
    invitation: str = ""
    badge: str = ""
    form: str = ""
    address: str = ""

    def badge_for(self, seal: str) -> str:
        """The badge that belongs to `seal`, if the sender has it or its secret; else ""."""
        return next((badge for badge in (self.badge, badge_of(self.secret)) if opens(badge, seal)), "")


class Taken(Struct, frozen=True):
    """The answer to an upload that was accepted. Without `upload` it waits until the operator lets its player in.

    The browser keeps `badge`; `secret` is a new player's, and shown only once.
    """

    badge: str
    upload: Upload | None = None
    secret: str = ""
    notes: tuple[str, ...] = ()


class Answers:
    """The answers of the last minute, by a form's content and its number, which only the browser that loaded it has."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._kept: dict[tuple[str, str, bytes], tuple[float, Taken]] = {}

    def again(self, handed: Handed) -> Taken | None:
        """The answer that this form got with the same content, or None."""
        at, taken = self._kept.get(_key(handed), (0.0, None))
        return taken if self._clock() - at < SECONDS else None

    def keep(self, handed: Handed, taken: Taken) -> None:
        """Keeps the answer to a form; an upload without the number of a form is not answered again."""
        if not handed.form:
            return
        self._kept[_key(handed)] = self._clock(), taken
        if len(self._kept) > MAX_ANSWERS:
            del self._kept[next(iter(self._kept))]


def _key(handed: Handed) -> tuple[str, str, bytes]:
    return handed.form, handed.name, sha256(handed.archive).digest()

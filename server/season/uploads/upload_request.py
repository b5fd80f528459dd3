"""Represents an upload to a season as the browser sent it, and keeps the server's answer for a minute.

If a browser sends a form twice, the sender sees only the second answer. So the second answer repeats the first answer,
which may contain a new player's secret.
"""

import time
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from server.season.player_secrets import badge_matches, badge_of
from server.season.season_state import Upload

MAX_ARCHIVE_BYTES = 12 << 20
"""The maximum size of an uploaded archive. The organiser can enter larger archives in the event file."""
ANSWER_KEPT_SECONDS = 60.0
"""How many seconds an answer is kept."""
MAX_ANSWERS = 50
"""How many answers are kept. A further answer replaces the oldest."""


class RequestRefused(Exception):
    """An upload or an operator's request is refused, with an HTTP status and with reasons that the sender can read."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.status = status
        self.faults = faults


class UploadRequest(Struct, frozen=True):
    """An upload as it was sent.

    The `secret` or the browser's `badge` (a hash of the secret) identifies the sender. `name` is the player's name, and
    `address` is the sender's network address. `form` identifies the form by two random texts: one from the browser's
    cookie, and one from the form itself. If either is missing, `form` is "".
    """

    archive: bytes
    name: str = ""
    secret: str = ""
    invitation: str = ""
    badge: str = ""
    form: str = ""
    address: str = ""

    def badge_for(self, seal: str) -> str:
        """Returns the sender's badge if `seal` is the badge's hash, else "". The badge was sent or is made from the
        secret.
        """
        return next((badge for badge in (self.badge, badge_of(self.secret)) if badge_matches(badge, seal)), "")


class UploadAnswer(Struct, frozen=True):
    """The answer to an accepted upload. If `upload` is None, the player must wait for the operator's approval.

    The browser keeps `badge`. `secret` is set for a new player only, and is shown only once.
    """

    badge: str
    upload: Upload | None = None
    secret: str = ""
    notes: tuple[str, ...] = ()


class RecentAnswers:
    """The answers of the last minute, keyed by the request's `form`, player name and archive. Nobody else gets a
    sender's answer, because only the sender's browser has the cookie that is part of `form`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        self._clock = clock
        self._answers: dict[tuple[str, str, bytes], tuple[float, UploadAnswer]] = {}

    def find(self, request: UploadRequest) -> UploadAnswer | None:
        """Returns the answer that the same form got in the last minute, or None."""
        answered_at, answer = self._answers.get(_answer_key(request), (0.0, None))
        return answer if self._clock() - answered_at < ANSWER_KEPT_SECONDS else None

    def keep(self, request: UploadRequest, answer: UploadAnswer) -> None:
        """Keeps the answer to a form. Does nothing if the request's `form` is ""."""
        if not request.form:
            return
        self._answers[_answer_key(request)] = self._clock(), answer
        if len(self._answers) > MAX_ANSWERS:
            del self._answers[next(iter(self._answers))]


def _answer_key(request: UploadRequest) -> tuple[str, str, bytes]:
    return request.form, request.name, sha256(request.archive).digest()

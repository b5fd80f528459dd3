"""Stores challenges to practice games between two authors' bots, and limits how many may be open. Each challenge is
secret, and valid for one game.

Challenges survive restarts. The module `matchmaking` brings the two bots together.
"""

import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.web.access import is_same_link
from broadcast.web.templates import local_time
from server.ip_addresses import client_subnet
from server.journal.atomic_file import write_atomically
from server.registration.register import RegistrationRefused

OPEN_SECONDS = 48 * 3600
"""A challenge is valid for this many seconds."""
EXPIRED_SECONDS = 7 * 24 * 3600
"""After a challenge has expired, its link says so for this many seconds."""
MAX_PER_PAGE = 5
MAX_PER_ADDRESS = 50
MAX_OPEN = 1000
"""Limits on open challenges: per author's page, per address, and in total."""
MAX_KEPT = 5000
"""At most this many challenges are kept, including expired ones. If there are more, the oldest are removed."""
_CODE_PATTERN = re.compile(r"[\w-]{22}", re.ASCII)
_MAX_BYTES = 4 << 20
_NO_SUCH_CHALLENGE = "no such challenge: it has been played or withdrawn, or its code is incomplete"


class Challenge(Struct, frozen=True):
    """A challenge to another author's bot. `by` is a hash of the link to the challenger's page, and `name` is the name
    of the challenger's bot. `address` is the challenger's network address.

    The game has `hands` hands and `seats` seats. House bots take the remaining seats. The challenge expires at `until`,
    in seconds since 1970.
    """

    code: str
    by: str
    name: str
    seats: int
    hands: int
    until: int
    address: str

    @property
    def path(self) -> str:
        """The path of the page for the challenged author."""
        return f"/practice/challenge/{self.code}"

    @property
    def until_when(self) -> str:
        """The time when the challenge expires, as text."""
        return local_time(self.until)

    def is_by(self, token: str) -> bool:
        """Whether `token` is the last part of the link to the challenger's page."""
        return is_same_link(self.by, _hash_token(token))


class OpenChallenges:
    """All challenges of a practice server, kept in one file."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Reads the challenges in the file at `path`. Ignores an unreadable file. `clock` gives seconds since 1970."""
        self._path = path
        self._clock = clock
        self._by_code: dict[str, Challenge] = {}
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            if path.stat().st_size <= _MAX_BYTES:
                stored = msgspec.json.decode(path.read_bytes(), type=tuple[Challenge, ...])
                self._by_code = {challenge.code: challenge for challenge in stored}

    def add(self, token: str, name: str, seats: int, hands: int, client: str) -> Challenge:
        """Makes a challenge in the name of the bot `name`. `token` is the last part of the link to the author's page.

        `client` is the address of the request. Raises RegistrationRefused (429) if too many challenges are open. Raises
        OSError.
        """
        now, household_address, by = int(self._clock()), client_subnet(client), _hash_token(token)
        still_open = [challenge for challenge in self._by_code.values() if challenge.until > now]
        page_count = sum(challenge.by == by for challenge in still_open)
        address_count = sum(challenge.address == household_address for challenge in still_open)
        for limit, count, scope in (
            (MAX_PER_PAGE, page_count, "of this page"),
            (MAX_PER_ADDRESS, address_count, f"of {household_address}"),
            (MAX_OPEN, len(still_open), "on this server"),
        ):
            if count >= limit:
                raise RegistrationRefused(
                    429, f"{limit} challenges {scope} are already open: withdraw one, or wait until one is accepted"
                )
        code, until = secrets.token_urlsafe(16), now + OPEN_SECONDS
        challenge = self._by_code[code] = Challenge(code, by, name, seats, hands, until, household_address)
        self._save()
        return challenge

    def find(self, code: str) -> Challenge:
        """Returns the challenge with this code. Raises RegistrationRefused: 404 if there is none, 410 if it has
        expired.
        """
        challenge = self._by_code.get(code) if _CODE_PATTERN.fullmatch(code) else None
        if challenge is None:
            raise RegistrationRefused(404, _NO_SUCH_CHALLENGE)
        if challenge.until <= self._clock():
            raise RegistrationRefused(
                410, f"the challenge of {challenge.name} has expired: nobody accepted it by {challenge.until_when}"
            )
        return challenge

    def list_for(self, token: str, *, expired: bool) -> list[Challenge]:
        """Returns an author's open challenges or, if `expired`, the author's expired challenges. The latest come first.
        `token` is the last part of the link to the author's page.
        """
        now = self._clock()
        made_by_author = (challenge for challenge in self._by_code.values() if challenge.is_by(token))
        return [challenge for challenge in made_by_author if (challenge.until <= now) == expired][::-1]

    def remove(self, code: str) -> None:
        """Removes a challenge that was accepted or withdrawn. Raises OSError."""
        if self._by_code.pop(code, None):
            self._save()

    def _save(self) -> None:
        now = self._clock()
        recent = [challenge for challenge in self._by_code.values() if now < challenge.until + EXPIRED_SECONDS]
        kept = recent[-MAX_KEPT:]
        self._by_code = {challenge.code: challenge for challenge in kept}
        write_atomically(self._path, msgspec.json.encode(kept))


def _hash_token(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()

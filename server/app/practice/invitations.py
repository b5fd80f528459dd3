"""Keeps invitations to games between two authors' bots. Each is secret, and valid for one game and a limited time.

Invitations survive restarts. The module `challenges` plays the games.
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
from server.addresses import client_subnet
from server.journal.atomic_file import write_atomically
from server.registration.register import RegistrationRefused

OPEN_SECONDS = 48 * 3600
"""How long an invitation is valid."""
EXPIRED_SECONDS = 7 * 24 * 3600
"""How long the link of an expired invitation still says that the invitation has expired."""
MAX_PER_PAGE = 5
MAX_PER_ADDRESS = 50
MAX_OPEN = 1000
"""Limits on open invitations: per author's page, per address, and in total."""
MAX_KEPT = 5000
"""How many invitations are kept, including expired ones. If there are more, the oldest are removed."""
_CODE_PATTERN = re.compile(r"[\w-]{22}", re.ASCII)
_MAX_BYTES = 4 << 20
_NO_SUCH_CHALLENGE = "no such challenge: it has been played or withdrawn, or its code is incomplete"


class Invitation(Struct, frozen=True):
    """An invitation. `by` is a hash of the link to the challenger's page, and `name` is the name of the challenger's
    bot. `address` is the challenger's network address.

    The game has `hands` hands and `seats` seats; house bots take the remaining seats. The invitation expires at
    `until`, in seconds since 1970.
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
        """The time when the invitation expires, as text."""
        return local_time(self.until)

    def is_by(self, token: str) -> bool:
        """Whether `token` is the last part of the link to the challenger's page."""
        return is_same_link(self.by, _hash(token))


class Invitations:
    """All invitations of a practice server, kept in one file."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Reads the invitations in the file at `path`. Ignores an unreadable file. `clock` gives seconds since 1970."""
        self._path = path
        self._clock = clock
        self._all: dict[str, Invitation] = {}
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            if path.stat().st_size <= _MAX_BYTES:
                found = msgspec.json.decode(path.read_bytes(), type=tuple[Invitation, ...])
                self._all = {each.code: each for each in found}

    def invite(self, token: str, name: str, seats: int, hands: int, client: str) -> Invitation:
        """Makes an invitation from the bot `name`; `token` is the last part of the link to its author's page.

        `client` is the address of the request. Raises RegistrationRefused (429) if too many invitations are open,
        OSError.
        """
        now, household_address, by = int(self._clock()), client_subnet(client), _hash(token)
        still_open = [each for each in self._all.values() if each.until > now]
        for limit, count, whose in (
            (MAX_PER_PAGE, sum(each.by == by for each in still_open), "of this page"),
            (MAX_PER_ADDRESS, sum(each.address == household_address for each in still_open), f"of {household_address}"),
            (MAX_OPEN, len(still_open), "on this server"),
        ):
            if count >= limit:
                raise RegistrationRefused(
                    429, f"{limit} challenges {whose} are already open: withdraw one, or wait until one is accepted"
                )
        made = Invitation(secrets.token_urlsafe(16), by, name, seats, hands, now + OPEN_SECONDS, household_address)
        self._all[made.code] = made
        self._save()
        return made

    def find(self, code: str) -> Invitation:
        """The invitation with this code. Raises RegistrationRefused: 404 if there is none, 410 if it has expired."""
        invitation = self._all.get(code) if _CODE_PATTERN.fullmatch(code) else None
        if invitation is None:
            raise RegistrationRefused(404, _NO_SUCH_CHALLENGE)
        if invitation.until <= self._clock():
            raise RegistrationRefused(
                410, f"the challenge of {invitation.name} has expired: nobody accepted it by {invitation.until_when}"
            )
        return invitation

    def list_for(self, token: str, *, expired: bool) -> list[Invitation]:
        """An author's open invitations or, if `expired`, the author's expired invitations. The latest come first.
        `token` is the last part of the link to the author's page.
        """
        now = self._clock()
        mine = (each for each in self._all.values() if each.is_by(token) and (each.until <= now) == expired)
        return list(mine)[::-1]

    def remove(self, code: str) -> None:
        """Removes an invitation that was accepted or withdrawn. Raises OSError."""
        if self._all.pop(code, None):
            self._save()

    def _save(self) -> None:
        now = self._clock()
        kept = [each for each in self._all.values() if now < each.until + EXPIRED_SECONDS][-MAX_KEPT:]
        self._all = {each.code: each for each in kept}
        write_atomically(self._path, msgspec.json.encode(kept))


def _hash(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()

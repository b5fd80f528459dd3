"""Receives upload forms within limits on number, bytes and time, so that no sender keeps others out.

A form is kept on disk until it is complete; only complete forms take one of the few places for reading.
"""

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import IO

from fastapi import Request
from starlette.requests import ClientDisconnect

from server.addresses import Shares
from server.season.standings import Player
from server.season.uploads.handed import MOST_BYTES, Declined
from server.submissions.multipart import BadForm, Form, read_form

FORM_BYTES = MOST_BYTES + (64 << 10)
"""The largest form: an archive and its fields."""
AT_ONCE_OF_AN_ADDRESS = 24
"""Forms that one address may send at once."""
AT_ONCE_OF_A_PLAYER = 2
"""Forms that a known player may send at once; these do not count for its address."""
AT_ONCE_OF_STRANGERS = 100
"""Forms that all unknown senders together may send at once."""
MOST_BYTES_OF_STRANGERS = 256 << 20
"""Bytes that all unknown senders together may have sent of unfinished forms."""
READ_AT_ONCE = 2
"""Complete forms that are read at a time."""
IN_MEMORY = 1 << 20
"""A form is kept in memory up to so many bytes, then on disk."""
GRACE_SECONDS = 10.0
"""So long a form may be slow; from then on LEAST_RATE holds, on average."""
LEAST_RATE = 32 << 10
"""Bytes a second."""
SECONDS = 180.0
"""The longest that a form may take."""


class _Coming:
    """A form that is being received: whether its sender is unknown, and how many bytes have come."""

    def __init__(self, *, stranger: bool) -> None:
        self.stranger = stranger
        self.size = 0


class Intake:
    """Receives the upload forms of one season."""

    def __init__(self, folder: Path) -> None:
        """Unfinished forms are kept in `folder`."""
        self.grace_seconds = GRACE_SECONDS
        self._folder = folder
        self._coming: set[_Coming] = set()
        self._strangers = Shares(AT_ONCE_OF_STRANGERS, AT_ONCE_OF_AN_ADDRESS)
        self._of_players: Counter[int] = Counter()
        self._whole = asyncio.Semaphore(READ_AT_ONCE)

    @contextlib.asynccontextmanager
    async def form(self, request: Request, player: Player | None) -> AsyncIterator[Form]:
        """The form of a request, read; it is kept inside this context. `player` is the sender, if its badge is known.

        Raises Declined where a limit is exceeded, BadForm where it is no such form or broke off, OSError where the disk
        is full.
        """
        leave = self._place(request.client.host if request.client else "", player)
        coming = _Coming(stranger=player is None)
        self._coming.add(coming)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(self._folder)) as file:
                await self._receive(request, coming, file)
                async with self._whole:
                    yield await asyncio.to_thread(_read, request.headers.get("content-type", ""), file)
        finally:
            self._coming.discard(coming)
            leave()

    def _place(self, address: str, player: Player | None) -> Callable[[], None]:
        """Counts a form in; what is returned counts it out. Raises Declined where too many are being received."""
        if player is None:
            place = self._strangers.take(address)
            if not isinstance(place, str):
                return place
        elif self._of_players[player.number] < AT_ONCE_OF_A_PLAYER:
            self._of_players[player.number] += 1
            return partial(self._of_players.subtract, (player.number,))
        raise Declined(503, "Others are sending their bots at this moment. Try again in a minute.")

    async def _receive(self, request: Request, coming: _Coming, file: IO[bytes]) -> None:
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.grace_seconds) as late:
                async for piece in request.stream():
                    coming.size += len(piece)
                    self._check_size(coming)
                    file.write(piece)
                    late.reschedule(began + min(self.grace_seconds + coming.size / LEAST_RATE, SECONDS))
        except TimeoutError:
            slow = f"under {LEAST_RATE >> 10} KiB/s, or over {SECONDS:g} s in all"
            raise Declined(408, f"The upload was too slow: {slow}.") from None
        except ClientDisconnect:
            raise BadForm("The upload broke off") from None

    def _check_size(self, coming: _Coming) -> None:
        if coming.size > FORM_BYTES:
            raise Declined(413, f"The archive is larger than {MOST_BYTES >> 20} MB.")
        if coming.stranger and sum(each.size for each in self._coming if each.stranger) > MOST_BYTES_OF_STRANGERS:
            raise Declined(503, "Others are sending large bots at this moment. Try again in a minute.")


def _read(content_type: str, file: IO[bytes]) -> Form:
    file.seek(0)
    return read_form(content_type, file.read())

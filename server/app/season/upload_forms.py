"""Receives and reads upload forms. Limits keep one sender from blocking all others.

A large form is stored on disk while it arrives. Only a few complete forms are parsed at a time. We do not use
Starlette's parser, because it accepts forms that were cut short, and stores files in the system's temporary folder.
"""

import asyncio
import contextlib
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import IO

from fastapi import Request
from msgspec import Struct
from starlette.requests import ClientDisconnect

from server.ip_addresses import AddressSlots
from server.season.season_state import Player
from server.season.uploads.upload_request import MAX_ARCHIVE_BYTES, RequestRefused

FORM_BYTES = MAX_ARCHIVE_BYTES + (64 << 10)
FORMS_PER_ADDRESS = 24
FORMS_PER_PLAYER = 2
"""A player may send at most this many forms at once. These forms do not count against the limit for the player's
address.
"""
FORMS_OF_STRANGERS = 100
MAX_BYTES_OF_STRANGERS = 256 << 20
"""All unfinished forms of strangers (senders who are not players yet) together may have at most this many bytes."""
PARSES_AT_ONCE = 2
MAX_MEMORY_BYTES = 1 << 20
"""A form of at most this many bytes is kept in memory. A larger form goes to disk."""
GRACE_SECONDS = 10.0
"""A form may take this many seconds to arrive, plus one second for each MIN_BYTES_PER_SECOND bytes. A slower form is
refused.
"""
MIN_BYTES_PER_SECOND = 32 << 10
"""How fast an upload must arrive on average, in bytes per second."""
UPLOAD_SECONDS = 180.0
MAX_PARTS = 16
MAX_HEADER_BYTES = 4096
MAX_TEXT_BYTES = 4096
"""A field that is not a file may have at most this many bytes."""
_BOUNDARY = re.compile(r'multipart/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
_FIELD_NAME = re.compile(rb'[;\s]name="([^"]{1,100})"', re.IGNORECASE)
_HAS_FILE_NAME = re.compile(rb"[;\s]filename\*?=", re.IGNORECASE)
_DISPOSITION = b"content-disposition:"


class BadForm(ValueError):
    """The body of a request is not a valid form. The message says why."""


class UploadForm(Struct, frozen=True):
    """The fields and files of a form, keyed by name. If a name occurs twice, only the first is kept."""

    fields: Mapping[str, str]
    files: Mapping[str, bytes]


class _Incoming(Struct, eq=False):
    """A form that is being received. `is_stranger` says whether its sender is a stranger, and `size` is how many bytes
    have arrived.
    """

    is_stranger: bool
    size: int = 0


class FormReceiver:
    """Receives the upload forms of one season."""

    def __init__(self, folder: Path) -> None:
        self.grace_seconds = GRACE_SECONDS
        self._folder = folder
        self._incoming_forms: set[_Incoming] = set()
        self._stranger_slots = AddressSlots(FORMS_OF_STRANGERS, FORMS_PER_ADDRESS)
        self._forms_by_player: Counter[int] = Counter()
        self._parse_slots = asyncio.Semaphore(PARSES_AT_ONCE)

    @contextlib.asynccontextmanager
    async def receive_form(self, request: Request, player: Player | None) -> AsyncIterator[UploadForm]:
        """Yields the form of a request. `player` is the sender, or None for a stranger. Until the context ends, the
        form counts against the sender's limits.

        Raises RequestRefused if a limit is exceeded, BadForm if the form is invalid or incomplete, or OSError if the
        disk is full.
        """
        release = self._acquire(request.client.host if request.client else "", player)
        incoming = _Incoming(is_stranger=player is None)
        self._incoming_forms.add(incoming)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.SpooledTemporaryFile(MAX_MEMORY_BYTES, dir=str(self._folder)) as file:
                await self._receive(request, incoming, file)
                file.seek(0)
                async with self._parse_slots:
                    content_type = request.headers.get("content-type", "")
                    yield await asyncio.to_thread(lambda: read_form(content_type, file.read()))
        finally:
            self._incoming_forms.discard(incoming)
            release()

    def _acquire(self, address: str, player: Player | None) -> Callable[[], None]:
        """Takes a slot for a form. Returns a function that releases the slot. Raises RequestRefused if no slot is free
        for this sender.
        """
        if player is None:
            slot = self._stranger_slots.acquire(address)
            if not isinstance(slot, str):
                return slot
        elif self._forms_by_player[player.number] < FORMS_PER_PLAYER:
            self._forms_by_player[player.number] += 1
            return partial(self._forms_by_player.subtract, (player.number,))
        raise RequestRefused(503, "Others are sending their bots right now. Try again in a minute.")

    async def _receive(self, request: Request, incoming: _Incoming, file: IO[bytes]) -> None:
        started_at = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.grace_seconds) as timeout:
                async for piece in request.stream():
                    incoming.size += len(piece)
                    if incoming.size > FORM_BYTES:
                        raise _too_large()
                    stranger_bytes = sum(form.size for form in self._incoming_forms if form.is_stranger)
                    if incoming.is_stranger and stranger_bytes > MAX_BYTES_OF_STRANGERS:
                        raise RequestRefused(503, "Others are sending large bots right now. Try again in a minute.")
                    file.write(piece)
                    timeout.reschedule(
                        started_at + min(self.grace_seconds + incoming.size / MIN_BYTES_PER_SECOND, UPLOAD_SECONDS)
                    )
        except TimeoutError:
            slow = f"under {MIN_BYTES_PER_SECOND >> 10} KiB/s, or over {UPLOAD_SECONDS:g} s in total"
            raise RequestRefused(408, f"The upload was too slow: {slow}.") from None
        except ClientDisconnect:
            raise BadForm("The upload was cut short") from None


def _too_large() -> RequestRefused:
    return RequestRefused(413, f"The archive is larger than {MAX_ARCHIVE_BYTES >> 20} MB.")


def read_form(content_type: str, body: bytes) -> UploadForm:
    """Parses the form in `body`, which has the given Content-Type. Raises BadForm if the form is invalid or incomplete,
    or RequestRefused if a file is too large.
    """
    boundary_match = _BOUNDARY.match(content_type.strip())
    if not boundary_match:
        raise BadForm("The form must be sent as multipart/form-data")
    boundary = b"--" + (boundary_match[1] or boundary_match[2]).encode("latin-1", errors="replace")
    preamble, *parts = (b"\r\n" + body).split(b"\r\n" + boundary, MAX_PARTS + 1)
    if not parts or preamble.strip() or not parts[-1].startswith(b"--"):
        raise BadForm("The form is not complete")
    fields: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for part in parts[:-1]:
        _add_part(part, fields, files)
    return UploadForm(fields, files)


def _add_part(part: bytes, fields: dict[str, str], files: dict[str, bytes]) -> None:
    header, blank, content = part.partition(b"\r\n\r\n")
    disposition = next((line for line in header.split(b"\r\n") if line.lower().startswith(_DISPOSITION)), b"")
    name = _FIELD_NAME.search(disposition)
    if not blank or not name or len(header) > MAX_HEADER_BYTES:
        raise BadForm("The form has a part without a name")
    key = name[1].decode("utf-8", errors="replace")
    if _HAS_FILE_NAME.search(disposition):
        if len(content) > MAX_ARCHIVE_BYTES:
            raise _too_large()
        files.setdefault(key, content)
    elif len(content) > MAX_TEXT_BYTES:
        raise BadForm(f"The field {key} is too long")
    else:
        fields.setdefault(key, content.decode("utf-8", errors="replace"))

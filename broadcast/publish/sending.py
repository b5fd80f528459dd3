"""Sends files to a place: several at a time, and none that was there already with the same content."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from broadcast.publish.place import BRIEFLY, Place, Stored
from broadcast.publish.program import kind_of

AT_ONCE = 8
"""Files on their way to a place at the same time."""


class File(Struct, frozen=True):
    """A file of a site. `cache` is its `Cache-Control`."""

    path: str
    content: bytes
    cache: str = BRIEFLY


class Sender:
    """Sends files to one place, and counts them."""

    def __init__(self, place: Place, step: Callable[[], None] = lambda: None) -> None:
        """`step` is called after each file."""
        self._place = place
        self._step = step
        self._stored: Mapping[str, Stored] = {}
        self.sent = 0
        self.kept = 0
        """How many files were there already."""

    async def send(self, files: Iterable[File]) -> None:
        """Sends all of `files`, in any order; returns when the place has taken them. Raises PlaceTrouble."""
        stored = self._stored = self._stored or await self._place.list()
        room = asyncio.Semaphore(AT_ONCE)

        async def one(file: File) -> None:
            kind = kind_of(file.path)
            async with room:
                if await self._place.has(file.path, stored.get(file.path), file.content, kind):
                    self.kept += 1
                else:
                    await self._place.put(file.path, file.content, kind, file.cache)
                    self.sent += 1
            self._step()

        sending = [asyncio.ensure_future(one(file)) for file in files]
        try:
            await asyncio.gather(*sending)
        finally:
            for each in sending:
                each.cancel()
            await asyncio.gather(*sending, return_exceptions=True)

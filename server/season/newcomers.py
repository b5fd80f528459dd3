"""Newcomers without an invitation: kept beside the ledger until the operator lets them in or turns them away."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from server.journal.atomic_file import keep_whole
from server.season.player_secrets import opens

MOST = 60
MOST_OF_AN_ADDRESS = 15
"""A whole class may share one; with an invitation nobody waits."""
MOST_BYTES = 200 << 20
MOST_BYTES_OF_AN_ADDRESS = 60 << 20
"""Of the archives that wait."""


class Newcomer(Struct, frozen=True):
    """Who waits, and with which bot. `at` is when, in seconds since 1970; `size` is the archive's, in bytes."""

    number: int
    name: str
    seal: str
    bot: str
    address: str
    at: float
    size: int


class Newcomers:
    """Those of one season; they are there again after a restart."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where their archives lie, and need not be there yet."""
        self._folder = folder
        self._all = {each.number: each for each in _kept(folder)}

    def waiting(self) -> list[Newcomer]:
        """Everybody who waits, in the order they came."""
        return list(self._all.values())

    def find(self, number: int) -> Newcomer | None:
        """The one of that number, if that one waits."""
        return self._all.get(number)

    def of_badge(self, badge: str) -> Newcomer | None:
        """The one whose badge this is."""
        return next((each for each in self._all.values() if badge and opens(badge, each.seal)), None)

    def has_room(self, newcomer: Newcomer) -> bool:
        """Whether one may wait too, in place of whoever has its number."""
        others = [each for each in self._all.values() if each.number != newcomer.number]
        same = [each for each in others if each.address == newcomer.address]
        few = len(others) < MOST and len(same) < MOST_OF_AN_ADDRESS
        small = _size([*same, newcomer]) <= MOST_BYTES_OF_AN_ADDRESS
        return few and small and _size([*others, newcomer]) <= MOST_BYTES

    @property
    def next_number(self) -> int:
        """A number nobody who waits has."""
        return max(self._all, default=0) + 1

    async def keep(self, newcomer: Newcomer, archive: bytes) -> None:
        """Has a newcomer wait, in place of whoever has its number. Raises OSError."""
        await asyncio.to_thread(keep_whole, self._archive(newcomer.number), archive)
        await asyncio.to_thread(keep_whole, self._papers(newcomer.number), msgspec.json.encode(newcomer))
        self._all[newcomer.number] = newcomer

    def archive(self, newcomer: Newcomer) -> Path:
        """Where the archive lies."""
        return self._archive(newcomer.number)

    def forget(self, newcomer: Newcomer) -> None:
        """Has one wait no longer, let in or turned away. Raises OSError."""
        self._papers(newcomer.number).unlink(missing_ok=True)
        self._archive(newcomer.number).unlink(missing_ok=True)
        self._all.pop(newcomer.number, None)

    def _archive(self, number: int) -> Path:
        return self._folder / f"{number:06}.zip"

    def _papers(self, number: int) -> Path:
        return self._folder / f"{number:06}.json"


def _kept(folder: Path) -> Iterator[Newcomer]:
    """Those whose papers can be read."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield msgspec.json.decode(path.read_bytes(), type=Newcomer)
        except (OSError, msgspec.DecodeError):
            continue


def _size(newcomers: list[Newcomer]) -> int:
    return sum(each.size for each in newcomers)

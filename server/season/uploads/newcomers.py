"""Keeps the newcomers of a season: players who wait until the operator lets them in or turns them away."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from server.ip_addresses import AddressSlots, owner_subnet
from server.journal.atomic_file import write_atomically
from server.season.player_secrets import badge_matches
from server.text.regular_file import read_regular

MAX_NEWCOMERS = 60
"""How many newcomers may wait at once."""
MAX_PER_ADDRESS = 15
"""How many newcomers from one address may wait. All students of a school may share an address."""
MAX_TOTAL_BYTES = 200 << 20
"""The maximum total size of the waiting newcomers' archives, in bytes."""
MAX_BYTES_OF_AN_ADDRESS = 60 << 20
MAX_BYTES_OF_A_NETWORK = 120 << 20


class Newcomer(Struct, frozen=True):
    """A waiting player. `bot` is the name of the player's bot, and `size` is the size of the bot's archive in bytes.

    `at` is the time of the upload, in seconds since 1970. `seal` is a hash that verifies the player's secret.
    """

    number: int
    name: str
    seal: str
    bot: str
    address: str
    at: float
    size: int


class Newcomers:
    """The newcomers of one season, kept on disk across restarts."""

    def __init__(self, folder: Path) -> None:
        """Keeps newcomers in `folder`, which need not exist yet."""
        self._folder = folder
        self._by_number = {newcomer.number: newcomer for newcomer in _read_newcomers(folder)}

    def waiting_list(self) -> list[Newcomer]:
        """Returns all newcomers in the order in which they arrived."""
        return list(self._by_number.values())

    def find(self, number: int) -> Newcomer | None:
        """Returns newcomer `number`, or None."""
        return self._by_number.get(number)

    def find_by_badge(self, badge: str) -> Newcomer | None:
        """Returns the newcomer with this badge, or None. Badge and seal are different hashes of the same secret."""
        waiting = self._by_number.values() if badge else ()
        return next((newcomer for newcomer in waiting if badge_matches(badge, newcomer.seal)), None)

    def has_room(self, newcomer: Newcomer) -> bool:
        """Returns whether there is room for `newcomer`. Ignores a newcomer with the same number, whom `newcomer` would
        replace.
        """
        others = [other for other in self._by_number.values() if other.number != newcomer.number]
        address_slots = AddressSlots(MAX_NEWCOMERS, MAX_PER_ADDRESS)
        for other in others:
            address_slots.acquire(other.address)
        same_address = [other for other in others if other.address == newcomer.address]
        same_network = [other for other in others if owner_subnet(other.address) == owner_subnet(newcomer.address)]
        fits_limits = (
            _total_size([*same_address, newcomer]) <= MAX_BYTES_OF_AN_ADDRESS
            and _total_size([*same_network, newcomer]) <= MAX_BYTES_OF_A_NETWORK
            and _total_size([*others, newcomer]) <= MAX_TOTAL_BYTES
        )
        return fits_limits and callable(address_slots.acquire(newcomer.address))  # without a slot, acquire returns text

    @property
    def next_number(self) -> int:
        """A number that no newcomer has yet."""
        return max(self._by_number, default=0) + 1

    async def keep(self, newcomer: Newcomer, archive: bytes) -> None:
        """Keeps a newcomer and the newcomer's archive. Replaces any newcomer with the same number. Raises OSError."""
        await asyncio.to_thread(write_atomically, self.archive_path(newcomer.number), archive)
        await asyncio.to_thread(write_atomically, self._file_path(newcomer.number), msgspec.json.encode(newcomer))
        self._by_number[newcomer.number] = newcomer

    def remove(self, newcomer: Newcomer) -> None:
        """Removes a newcomer and the newcomer's archive. Raises OSError."""
        self._file_path(newcomer.number).unlink(missing_ok=True)
        self.archive_path(newcomer.number).unlink(missing_ok=True)
        self._by_number.pop(newcomer.number, None)

    def archive_path(self, number: int) -> Path:
        """Returns the path of the archive of newcomer `number`."""
        return self._folder / f"{number:06}.zip"

    def _file_path(self, number: int) -> Path:
        return self._folder / f"{number:06}.json"


def _read_newcomers(folder: Path) -> Iterator[Newcomer]:
    """Reads the newcomers from disk. Skips unreadable files."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield msgspec.json.decode(read_regular(path), type=Newcomer)
        except (OSError, msgspec.DecodeError):
            continue


def _total_size(newcomers: list[Newcomer]) -> int:
    return sum(newcomer.size for newcomer in newcomers)

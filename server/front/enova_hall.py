"""Registration for an Enova tournament: who may come in, while it is open, and nobody twice. Knows no game.

A host that a bot names is dangerous: it is looked up once, here, and must be where the organiser allows.
"""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

from server.bots.transports.http import Address, HostRefused, LookUp
from server.event_entries import EntryPlan
from server.front.calling import THIS_MACHINE
from server.front.enova_roll import Registered, keep_roll, read_roll, same_name, taken_name
from server.front.finding import Finder
from server.lobby import Refused

MOST_BOTS = 64
CLOSED = "No active tournaments."
NOT_US = "is where this server itself listens; give the host and port where your bot does"
NOT_YOURS = "is this server itself, seen from here; give an address of your own machine"


class EnovaHall:
    """The registrations of one tournament, on disk before anybody is welcomed."""

    def __init__(
        self, path: Path, networks: Sequence[str] = (), *, title: str = "Enova Hold'em", look_up: LookUp | None = None
    ) -> None:
        """Open, with those who are kept at `path`. `networks` are where bots may be besides this machine.

        Raises OSError, RollDamaged.
        """
        self.title = title
        self.networks = (*THIS_MACHINE, *networks)
        self._path = path
        self._find = Finder(self.networks, look_up)
        self._roll = list(read_roll(path))
        self._open = True
        self._came = asyncio.Event()

    @property
    def roll(self) -> tuple[Registered, ...]:
        """Who is in, in the order in which they came."""
        return tuple(self._roll)

    @property
    def is_open(self) -> bool:
        return self._open

    def close(self) -> None:
        """Lets nobody in any more, nor whoever is being looked up at this moment."""
        self._open = False

    def reopen(self) -> None:
        """Lets others in again, as where too few were ready."""
        self._open = True

    async def gathered(self, bots: int) -> None:
        """Returns once so many have registered."""
        while len(self._roll) < bots:
            self._came.clear()
            await self._came.wait()

    async def enter(self, entries: Sequence[EntryPlan]) -> list[str]:
        """Takes in the bots an organiser has named, with their players; says of each that cannot come in why."""
        refusals = []
        for entry in entries:
            try:
                name = taken_name(entry.bot)
                address = await self._find(entry.url)
                self._take(Registered(name, address, entry.player))
            except (ValueError, Refused) as error:
                refusals.append(f"{entry.bot}: {error}")
        return refusals

    async def register(self, hostname: str, name: str, client: str, own_port: int = 0) -> Registered:
        """The bot as it was taken in; `client` is the address that asks, `own_port` where it asked. Raises Refused.

        Who registers the same bot again is welcome again.
        """
        self._check_open()
        bot = await look_at(hostname, name, client, self._find, own_port)
        self._check_open()
        return self._take(bot)

    def _check_open(self) -> None:
        if not self._open:
            raise Refused(404, CLOSED)

    def _take(self, bot: Registered) -> Registered:
        for other in self._roll:
            named_alike, at_once = same_name(other.name, bot.name), is_at(other.address, bot.address)
            if named_alike and at_once:
                return other
            if named_alike:
                raise Refused(409, f'The name "{bot.name}" is taken ("{other.name}"); choose another')
            if at_once:
                raise Refused(409, f'{bot.address.name} is registered already, as "{other.name}"')
        if len(self._roll) >= MOST_BOTS:
            raise Refused(409, f"The tournament is full: {MOST_BOTS} bots have registered")
        try:
            keep_roll(self._path, [*self._roll, bot])
        except OSError as error:
            raise Refused(503, f"The registration cannot be kept ({error.strerror}); try again in a minute") from None
        self._roll.append(bot)
        self._came.set()
        return bot


async def look_at(hostname: str, name: str, client: str, find: Finder, own_port: int = 0) -> Registered:
    """A bot as it wants to be registered, by whoever asks from the address `client` at our own port. Raises Refused."""
    if not hostname.strip():
        raise Refused(400, "hostname is missing: where your bot listens, such as 10.23.221.24:3000")
    if not name.strip():
        raise Refused(400, "name is missing: what your bot is called, such as Bot Awesome (netid2)")
    try:
        bot = Registered(taken_name(name), await find(hostname, client))
    except HostRefused as refusal:
        raise Refused(400, f"hostname {refusal}") from None
    except ValueError as error:
        raise Refused(400, str(error)) from None
    if is_ours(bot.address, client):
        raise Refused(400, f"hostname {NOT_YOURS}")
    if is_this_server(bot.address, own_port):
        raise Refused(400, f"hostname {NOT_US}")
    return bot


def is_at(one: Address, other: Address) -> bool:
    """Whether two are the same server, by whatever name."""
    return one.port == other.port and not set(one.found).isdisjoint(other.found)


def is_this_server(address: Address, own_port: int) -> bool:
    """Whether an address is the very one at which this server listens."""
    return address.port == own_port and any(map(_is_here, address.found))


def is_ours(address: Address, client: str) -> bool:
    """Whether somebody elsewhere has named an address that is, seen from here, this machine's own."""
    return any(map(_is_here, address.found)) and not _is_here(client)


def _is_here(address: str) -> bool:
    """Whether an address is one of this machine's: only at those can anybody listen here."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 6:
        found = found.ipv4_mapped or found
    with socket.socket(socket.AF_INET if found.version == 4 else socket.AF_INET6) as probe:
        try:
            probe.bind((str(found), 0))
        except OSError:
            return False
    return True

"""Where bots that are called come to practise: who is taken in is called to its seat and plays a game of its own.

A host that a bot names is dangerous: whoever hands one in here has looked it up where the organiser allows.
"""

import asyncio
import random
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from server.bots.house_seat import HouseSeat
from server.bots.styles import styles
from server.bots.transports.http import Address
from server.front.enova_hall import is_at
from server.front.enova_roll import Registered
from server.front.practice_guests import Guest
from server.front.practice_kinds import Kind
from server.front.practice_rooms import PracticeRooms, Rivals
from server.front.practice_table import PracticeTable, title_of
from server.game.events import Entrant, TournamentEnded

PATIENCE_SECONDS = 10.0
"""Some bots register before their server is up; so long one is called again that was not ready."""
AGAIN_SECONDS = 0.5


class CalledHall:
    """Those who are called, of one practice command."""

    def __init__(self, kind: Kind, rooms: PracticeRooms, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.guests = rooms.guests
        self._kind = kind
        self._rooms = rooms
        self._patience_seconds = patience_seconds
        self._playing: list[tuple[Guest, Address]] = []

    def welcome(self, name: str, address: Address, client: str) -> Guest:
        """The bot's game, which begins by itself; `client` is the address that asks. Raises Refused.

        Who comes again before that game is over is shown to the same one. Without a name it gets one.
        """
        for guest, at in self._playing:
            if is_at(at, address):
                return guest
        leave = self._rooms.places.take(client)
        guest = self._rooms.guest(name, "is called to its seat")
        self._playing.append((guest, address))
        self._rooms.start(self._host(guest, address, leave))
        return guest

    async def _host(self, guest: Guest, address: Address, leave: Callable[[], None]) -> None:
        """One guest, from the call to its seat to the end of its game."""
        try:
            if await self._takes_its_seat(guest, address):
                await self._play(guest, address)
        finally:
            self._playing.remove((guest, address))
            leave()

    async def _takes_its_seat(self, guest: Guest, address: Address) -> bool:
        clock = asyncio.get_running_loop()
        until = clock.time() + self._patience_seconds
        while why := await self._kind.refusal(Registered(guest.name, address)):
            if clock.time() >= until:
                self._rooms.lose(guest, f"is not seated: {why}")
                return False
            self.guests.stands(guest, f"is called again, for it is not there yet: {why}")
            await asyncio.sleep(AGAIN_SECONDS)
        return True

    async def _play(self, guest: Guest, address: Address) -> None:
        """The game; where the disk does not take it, the guest hears that."""
        rooms = self._rooms
        rivals = rooms.rivals(guest.name, self._kind.contest.stages[0].seats - 1)
        air = rooms.open(guest)
        try:
            entrants = _entrants(guest, rivals)
            contest = replace(self._kind.contest, title=title_of(guest.name))
            table = PracticeTable(rooms.settings, air, contest, entrants, rooms.files.begin)
            observer = rooms.show(guest, table)
            rooms.played(guest, observer, await self._played(table, address, entrants, rivals))
        except OSError as error:
            rooms.lose(guest, f"has lost its game, which the server's disk did not take: {error}")

    async def _played(
        self, table: PracticeTable, address: Address, entrants: Sequence[Entrant], rivals: Rivals
    ) -> TournamentEnded:
        """How the game ended."""
        bot = self._kind.guest(entrants, address, table.director.hear)
        try:
            table.director.welcome(bot)
            for number, (character, _) in enumerate(rivals, 2):
                dice = random.Random(f"{table.seed.hex()} {number}")  # noqa: S311 (how a house bot plays, never cards)
                style = styles()[character.style]
                table.director.welcome(HouseSeat(number, style, dice, table.think_seconds))
            return await table.play()
        finally:
            table.close()
            await bot.close()


def _entrants(guest: Guest, rivals: Rivals) -> list[Entrant]:
    """The guest is bot 1."""
    others = [replace(entrant, bot=bot) for bot, (_, entrant) in enumerate(rivals, 2)]
    return [Entrant(1, guest.name), *others]

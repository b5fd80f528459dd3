"""Where bots that are called come to practise: who is taken in is called to its seat and plays a game of its own.

A host that a bot names is dangerous: whoever hands one in here has looked it up where the organiser allows.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from server.bots.house_seat import HouseSeat
from server.bots.styles import styles
from server.bots.transports.http import Address
from server.front.enova_hall import is_at
from server.front.enova_roll import Registered
from server.front.practice_kinds import Kind
from server.front.practice_rooms import MOST_GAMES, PracticeRooms, Rivals
from server.front.practice_table import PracticeTable
from server.front.words import plain
from server.game.events import Entrant, Event, FaultNoted, HandEnded
from server.lobby import Refused

MOST_OF_ONE = 40
"""Games at once of one address: nobody can take all tables."""
PATIENCE_SECONDS = 10.0
"""Some bots register before their server is up; so long one is called again that was not ready."""
AGAIN_SECONDS = 0.5
KEPT = 40
"""Guests whose games are told of on the page."""
MOST_FAULTS = 5


class Guest(Struct):
    """A bot that has come, and how its game stands, in words for its author."""

    bot: Registered
    channel: str
    stands: str = "is called to its seat"
    seated: bool = False
    faults: list[str] = []

    @property
    def watch_url(self) -> str:
        """Where its game is shown, once it has begun."""
        return f"/overlay?channel={self.channel}"


class CalledHall:
    """The guests of one practice command."""

    def __init__(self, kind: Kind, rooms: PracticeRooms, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.guests: deque[Guest] = deque(maxlen=KEPT)
        """The latest first."""
        self.listeners: list[Callable[[Guest], object]] = []
        """They hear whenever it has changed how a guest stands."""
        self._kind = kind
        self._rooms = rooms
        self._patience_seconds = patience_seconds
        self._playing: list[tuple[Guest, str]] = []

    def welcome(self, name: str, address: Address, client: str) -> Guest:
        """The bot's game, which begins by itself; `client` is the address that asks. Raises Refused.

        Who comes again before that game is over is shown to the same one. Without a name it gets one.
        """
        for guest, _ in self._playing:
            if is_at(guest.bot.address, address):
                return guest
        if len(self._playing) >= MOST_GAMES:
            raise Refused(503, f"all {MOST_GAMES} practice tables are taken, try again in a minute")
        if sum(other == client for _, other in self._playing) >= MOST_OF_ONE:
            raise Refused(429, f"{MOST_OF_ONE} bots from {client} are playing already")
        channel = self._rooms.next_channel()
        guest = Guest(Registered(name or f"Guest {channel.rpartition('-')[2]}", address), channel)
        self.guests.appendleft(guest)
        self._playing.append((guest, client))
        self._rooms.start(self._host(guest))
        return guest

    async def _host(self, guest: Guest) -> None:
        """One guest, from the call to its seat to the end of its game."""
        try:
            if await self._takes_its_seat(guest):
                await self._play(guest)
        finally:
            self._playing = [(other, client) for other, client in self._playing if other is not guest]

    def _tell(self, guest: Guest, stands: str) -> None:
        if stands != guest.stands:
            guest.stands = stands
            for listener in self.listeners:
                listener(guest)

    async def _takes_its_seat(self, guest: Guest) -> bool:
        clock = asyncio.get_running_loop()
        until = clock.time() + self._patience_seconds
        while why := await self._kind.refusal(guest.bot):
            if clock.time() >= until:
                self._tell(guest, f"is not seated: {why}")
                return False
            self._tell(guest, f"is called again, for it is not there yet: {why}")
            await asyncio.sleep(AGAIN_SECONDS)
        return True

    async def _play(self, guest: Guest) -> None:
        """The game; where the disk does not take it, the guest hears that."""
        guest.seated = True
        self._tell(guest, "plays")
        air = self._rooms.open(guest.channel)
        try:
            rivals = self._rooms.rivals(guest.bot.name, self._kind.contest.stages[0].seats - 1)
            entrants = _entrants(guest, rivals)
            table = PracticeTable(self._rooms.settings, air, self._kind.contest, entrants)
            self._rooms.start(table.show())
            self._tell(guest, await self._played(table, guest, entrants, rivals))
        except OSError as error:
            self._rooms.close(guest.channel)
            self._tell(guest, f"has lost its game, which the server's disk did not take: {error}")

    async def _played(self, table: PracticeTable, guest: Guest, entrants: Sequence[Entrant], rivals: Rivals) -> str:
        """How the game ended."""

        def hear(event: Event) -> None:
            table.director.hear(event)
            if isinstance(event, FaultNoted) and len(guest.faults) < MOST_FAULTS:
                guest.faults.append(plain(event.detail))

        bot = self._kind.guest(entrants, guest.bot.address, hear)
        try:
            table.director.welcome(bot)
            for number, (character, _) in enumerate(rivals, 2):
                dice = random.Random(f"{table.seed.hex()} {number}")  # noqa: S311 (how a house bot plays, never cards)
                style = styles()[character.style]
                table.director.welcome(HouseSeat(number, style, dice, table.think_seconds))
            ended = await table.play()
        finally:
            table.close()
            await bot.close()
        place = next(placing.place for placing in ended.placings if placing.bot == 1)
        hands = sum(isinstance(event, HandEnded) for event in table.events)
        return f"has played {hands} hands and come in as number {place} of {len(entrants)}"


def _entrants(guest: Guest, rivals: Rivals) -> list[Entrant]:
    """The guest is bot 1."""
    others = [replace(entrant, bot=bot) for bot, (_, entrant) in enumerate(rivals, 2)]
    return [Entrant(1, guest.bot.name), *others]

"""Check-in on the day: who is entered gets a door, one bot each, until all are there."""

import asyncio
import hmac
from collections.abc import Mapping, Sequence

from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.transports.tcp_listener import Door, NobodyCame, open_door
from server.game.events import BotDisconnected, Entrant, Event
from server.registration.register import CheckedIn, Refused, Registration
from server.text.plain import folded_name
from server.tournament.director import Director

WAIT_SECONDS = 30.0
"""How long a door stays open for the bot that registered."""


class CheckInDesk:
    """Lets entrants in until the tournament begins, also again. `everybody` is set while all of them are connected."""

    def __init__(
        self, entrants: Sequence[Entrant], director: Director, host: str, secrets: Mapping[int, str] | None = None
    ) -> None:
        """`secrets` are what some entrants must show, for a name can be guessed."""
        self.everybody = asyncio.Event()
        self._expected = {folded_name(entrant.name): entrant for entrant in entrants}
        self._doors: dict[int, Door] = {}
        self._present: set[int] = set()
        self._director = director
        self._host = host
        self._secrets = secrets or {}
        self._waits: set[asyncio.Task[None]] = set()
        self._closed = False
        if not entrants:
            self.everybody.set()

    def close(self) -> None:
        """Lets nobody in any more: the tournament begins."""
        self._closed = True
        for door in self._doors.values():
            door.close()

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """A door for an entrant that is not here yet. Raises Refused for everybody else.

        Who registers again before connecting gets a new door, and the old one is shut.
        """
        if self._closed:
            raise Refused(409, "the tournament has begun, and nobody can join it any more")
        entrant = self._expected.get(folded_name(registration.name))
        if entrant is None:
            raise Refused(403, f"{registration.name} is not entered in this tournament")
        if not hmac.compare_digest(registration.secret.encode(), self._secrets.get(entrant.bot, "").encode()):
            raise Refused(403, f'{registration.name} needs the secret it was given, as "secret" beside its name')
        if entrant.bot in self._present:
            raise Refused(409, f"{registration.name} is connected already, and there is no rejoining")
        door = await open_door(self._host, address, WAIT_SECONDS)
        if earlier := self._doors.pop(entrant.bot, None):
            earlier.close()
        self._doors[entrant.bot] = door
        wait = asyncio.create_task(self._let_in(entrant, door))
        self._waits.add(wait)
        wait.add_done_callback(self._waits.discard)
        return CheckedIn(door.port, entrant.bot)

    async def _let_in(self, entrant: Entrant, door: Door) -> None:
        try:
            wire = await door.entered()
        except NobodyCame:
            return
        self._present.add(entrant.bot)
        self._director.welcome(Bot(entrant.bot, QuickDraw(), wire, self._hear))
        if len(self._present) == len(self._expected):
            self.everybody.set()

    def _hear(self, event: Event) -> None:
        """Passes on what a bot did out of turn; who is gone may come again while there is still a door to be had."""
        if isinstance(event, BotDisconnected):
            self._present.discard(event.bot)
            self.everybody.clear()
        self._director.hear(event)

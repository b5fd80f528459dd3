"""Games between the bots of two authors who both want it: each registers its bot with the code of the invitation.

The bot that comes first waits, connected and asked nothing, until the other has come.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

from msgspec import Struct

from server.addresses import household
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import BotAt
from server.app.practice.guests import Guest
from server.app.practice.invitations import Invitation
from server.bots.transports.http import Address
from server.game.tournament import Format
from server.registration.register import Refused
from server.registration.wishes import Asked, House
from server.text.look_alikes import look_alike

MEET_SECONDS = 600.0
"""How long a bot waits for the other one."""
CHALLENGER, CHALLENGED = 1, 2
"""Their numbers in the game."""
LOOK_SECONDS = 0.5
"""The pause between two looks whether a bot that waits is still there."""


class NotSeated(Exception):
    """Why a bot that has registered does not play, as a continuation of its name."""


class Entry(Struct, frozen=True, eq=False):
    """A bot that has registered, and its invitation if it has one; `free` gives its table back."""

    guest: Guest
    house: House
    invitation: Invitation | None
    free: Callable[[], None]


class _Waiting(Struct, eq=False):
    """A bot that waits, or plays with the one that came after it."""

    entry: Entry
    bot: BotAt
    begun: asyncio.Event
    over: asyncio.Event


class _Meeting(Struct, eq=False):
    """The bots that have registered with one invitation: the challenger's as True, the other one as False."""

    guests: dict[bool, Guest]
    waiting: _Waiting | None = None


class Challenges:
    """The games of the bots that register with one practice command: alone, or with an invitation against another."""

    def __init__(
        self, channels: PracticeChannels, contest: Callable[[int, int], Format], *, meet_seconds: float = MEET_SECONDS
    ) -> None:
        """`contest` gives the game of so many seats and hands."""
        self._channels = channels
        self._contest = contest
        self._meet_seconds = meet_seconds
        self._meetings: dict[str, _Meeting] = {}

    def enter(self, name: str, stands: str, asked: Asked, client: str) -> Entry:
        """Adds a bot that registers from the address `client`. Two bots of an invitation have the same channel.

        Raises Refused: 429 or 503 where there is no table for it, 404 or 410 where its invitation cannot be taken (any
        more), 409 where another bot has come in its stead, or where its name is the challenger's and its key is not.
        """
        free = self._channels.places.take(client)
        try:
            invitation, guest = self._admitted(name, stands, asked)
        except Refused:
            free()
            raise
        guest.client = household(client)
        return Entry(guest, asked.house, invitation, free)

    def _admitted(self, name: str, stands: str, asked: Asked) -> tuple[Invitation | None, Guest]:
        if not asked.challenge:
            return None, self._channels.guest(name, stands, asked)
        invitation = self._channels.invitations.found(asked.challenge)
        challenger = bool(asked.key) and invitation.is_by(self._channels.own.token(name, asked.key))
        if not challenger and look_alike(name, invitation.name):
            raise Refused(409, f"{invitation.name} is the challenger: register it with the key of its page")
        meeting = self._meetings.get(invitation.code)
        if meeting and challenger in meeting.guests:
            raise Refused(409, f"{meeting.guests[challenger].name} has registered for this challenge already")
        meeting = self._meetings.setdefault(invitation.code, _Meeting({}))
        other = next(iter(meeting.guests.values()), None)
        guest = self._channels.guest(name, stands, asked, beside=other)
        guest.number = CHALLENGER if challenger else CHALLENGED
        meeting.guests[challenger] = guest
        return invitation, guest

    async def host(self, entry: Entry, coming: Callable[[], Awaitable[BotAt]], alone: Format) -> None:
        """Plays the game of a bot once it has come, and once both are there where two were to meet, else `alone`.

        Returns at its end, or when this bot need not wait any longer; its table is free then. `coming` raises
        NotSeated.
        """
        try:
            bot = await coming()
            if entry.invitation:
                await self._meet(entry, bot, entry.invitation)
            else:
                await self._channels.play([(entry.guest, bot)], alone, house=entry.house)
        except NotSeated as error:
            self.leave(entry, str(error))
        finally:
            entry.free()

    async def _meet(self, entry: Entry, bot: BotAt, invitation: Invitation) -> None:
        meeting = self._meetings[invitation.code]
        if meeting.waiting is None:
            meeting.waiting = _Waiting(entry, bot, asyncio.Event(), asyncio.Event())
            try:
                await self._wait(meeting.waiting, invitation)
            finally:
                meeting.waiting = None
            return
        first = meeting.waiting
        first.begun.set()
        del self._meetings[invitation.code]
        try:
            self._channels.invitations.remove(invitation.code)
            both = sorted([(first.entry.guest, first.bot), (entry.guest, bot)], key=lambda each: each[0].number)
            house = House(max(first.entry.house.think_ms, entry.house.think_ms))
            contest = self._contest(invitation.seats, invitation.hands)
            await self._channels.play(both, contest, house=house)
        finally:
            first.over.set()

    def leave(self, entry: Entry, why: str) -> None:
        """Says that a bot does not play, or not any more; the other one may wait on, and the invitation stays."""
        if entry.invitation:
            meeting = self._meetings[entry.invitation.code]
            meeting.guests = {side: each for side, each in meeting.guests.items() if each is not entry.guest}
            if meeting.guests:
                self._channels.guests.stands(entry.guest, why, over=True)
                return
            del self._meetings[entry.invitation.code]
        self._channels.lose([entry.guest], why)

    async def _wait(self, waiting: _Waiting, invitation: Invitation) -> None:
        """Waits for the game with the other bot, to its end. Raises NotSeated where there is none."""
        guest = waiting.entry.guest
        opponent = "the bot that it has challenged" if guest.number == CHALLENGER else invitation.name
        self._channels.guests.stands(guest, f"waits for {opponent}")
        try:
            async with asyncio.timeout(self._meet_seconds):
                while not (waiting.begun.is_set() or _is_gone(waiting.bot)):
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_SECONDS):
                            await waiting.begun.wait()
            why = f"is gone, and {opponent} had not come yet"
        except TimeoutError:
            why = f"has waited {self._meet_seconds / 60:g} minutes for {opponent}"
        finally:
            if not waiting.begun.is_set() and isinstance(waiting.bot, socket.socket):
                waiting.bot.close()
        if not waiting.begun.is_set():
            raise NotSeated(f"{why}: there is no game")
        await waiting.over.wait()


def _is_gone(bot: BotAt) -> bool:
    """Whether a bot that waits has closed its connection. One that is called is not asked."""
    if isinstance(bot, Address):
        return False
    try:
        return not bot.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True

"""Games between the bots of two authors who both want it: each registers its bot with the code of the invitation.

The bot that comes first waits, connected and asked nothing, until the other has come.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from server.app.practice.channels import Player, PracticeChannels
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


class _Waiting(Struct, eq=False):
    """A bot that waits, or plays with the one that came after it."""

    guest: Guest
    bot: socket.socket | Address
    house: House
    begun: asyncio.Event
    over: asyncio.Event


class _Meeting(Struct, eq=False):
    """The bots that have registered with one invitation: the challenger's as True, the other one as False."""

    guests: dict[bool, Guest]
    waiting: _Waiting | None = None


class Challenges:
    """The games of the bots that register with one practice command: alone, or with an invitation against another."""

    def __init__(
        self,
        channels: PracticeChannels,
        contest: Callable[[int, int], Format],
        *,
        linger_seconds: float = 0.0,
        meet_seconds: float = MEET_SECONDS,
    ) -> None:
        """`contest` gives the game of so many seats and hands; sockets are closed `linger_seconds` after its end."""
        self._channels = channels
        self._contest = contest
        self._linger_seconds = linger_seconds
        self._meet_seconds = meet_seconds
        self._meetings: dict[str, _Meeting] = {}

    def enter(self, name: str, stands: str, asked: Asked) -> tuple[Invitation | None, Guest]:
        """Adds a bot that registers; returns it, and its invitation if it has one. Two bots have the same channel then.

        Raises Refused: 404 or 410 where it cannot be taken (any more), 409 where another bot has come in its stead, or
        where its name is the challenger's and its key is not.
        """
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

    async def play(
        self, invitation: Invitation | None, guest: Guest, bot: socket.socket | Address, house: House, alone: Format
    ) -> None:
        """Plays the game, once both bots are there where two were to meet, and `alone` where one has no invitation.

        Returns at its end, or when this bot need not wait any longer.
        """
        if invitation is None:
            await self._channels.play([Player(guest, bot)], alone, house=house, linger_seconds=self._linger_seconds)
            return
        meeting = self._meetings[invitation.code]
        if meeting.waiting is None:
            await self._wait(invitation, meeting, _Waiting(guest, bot, house, asyncio.Event(), asyncio.Event()))
            return
        first = meeting.waiting
        first.begun.set()
        del self._meetings[invitation.code]
        try:
            self._channels.invitations.remove(invitation.code)
            both = (Player(first.guest, first.bot), Player(guest, bot))
            players = sorted(both, key=lambda each: each.guest.number)
            think_ms = max(first.house.think_ms, house.think_ms)
            contest = self._contest(invitation.seats, invitation.hands)
            await self._channels.play(players, contest, house=House(think_ms), linger_seconds=self._linger_seconds)
        finally:
            first.over.set()

    def leave(self, invitation: Invitation | None, guest: Guest, why: str) -> None:
        """Says that a bot does not play, or not any more; the other one may wait on, and the invitation stays."""
        if invitation is None:
            self._channels.lose([guest], why)
            return
        meeting = self._meetings[invitation.code]
        meeting.guests = {side: each for side, each in meeting.guests.items() if each is not guest}
        if meeting.guests:
            self._channels.guests.stands(guest, why, over=True)
            return
        del self._meetings[invitation.code]
        self._channels.lose([guest], why)

    async def _wait(self, invitation: Invitation, meeting: _Meeting, waiting: _Waiting) -> None:
        meeting.waiting = waiting
        opponent = "the bot that it has challenged" if waiting.guest.number == CHALLENGER else invitation.name
        self._channels.guests.stands(waiting.guest, f"waits for {opponent}")
        try:
            why = await self._until_begun(waiting)
        finally:
            if not waiting.begun.is_set() and isinstance(waiting.bot, socket.socket):
                waiting.bot.close()
        if waiting.begun.is_set():
            await waiting.over.wait()
            return
        meeting.waiting = None
        self.leave(invitation, waiting.guest, why.format(opponent=opponent))

    async def _until_begun(self, waiting: _Waiting) -> str:
        """Waits until the game begins, and not too long; returns why a bot waits no longer."""
        try:
            async with asyncio.timeout(self._meet_seconds):
                while not (waiting.begun.is_set() or _is_gone(waiting.bot)):
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_SECONDS):
                            await waiting.begun.wait()
        except TimeoutError:
            return f"has waited {self._meet_seconds / 60:g} minutes for {{opponent}}: there is no game"
        return "is gone, and {opponent} had not come yet: there is no game"


def _is_gone(bot: socket.socket | Address) -> bool:
    """Whether a bot that waits has closed its connection. One that is called is not asked."""
    if isinstance(bot, Address):
        return False
    try:
        return not bot.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True

"""Runs practice games between two authors' bots: each author registers a bot with the code of the same invitation.

The first bot to arrive stays connected, but its game begins only when the other bot arrives.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from msgspec import Struct

from server.addresses import client_subnet
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import BotEndpoint
from server.app.practice.guests import Guest
from server.app.practice.invitations import Invitation
from server.bots.transports.http import Address
from server.game.formats import Format
from server.registration.register import RegistrationRefused
from server.registration.wishes import AuthorWishes, HouseSettings
from server.text.look_alikes import look_alike

MEET_SECONDS = 600.0
"""How long a bot waits for its opponent."""
CHALLENGER, CHALLENGED = 1, 2
"""The bot numbers of the two authors' bots in the game."""
CONNECTION_CHECK_SECONDS = 0.5
"""The pause between two checks whether a waiting bot is still connected."""


class NotSeated(Exception):
    """A registered bot does not play. The message gives the reason as the end of a sentence that begins with the bot's
    name, such as "left before Ada arrived".
    """


class RegisteredGuest(Struct, frozen=True, eq=False):
    """A registered bot. `house` says how the house bots in its game play. `invitation` is the invitation that the bot
    registered with, if any. `release_table` releases the bot's table.
    """

    guest: Guest
    house: HouseSettings
    invitation: Invitation | None
    release_table: Callable[[], None]


class _Waiting(Struct, eq=False):
    """The first of two bots to connect. It waits for its opponent or, once `started`, plays against the opponent."""

    registered_guest: RegisteredGuest
    bot: BotEndpoint
    game_over: asyncio.Event
    started: bool = False


class _Meeting(Struct, eq=False):
    """The bots registered with one invitation. In `guests`, the challenger has the key True, the other bot False."""

    guests: dict[bool, Guest]
    waiting: _Waiting | None = None


class Challenges:
    """All games of a practice server. A game has one author's bot or, by invitation, the bots of two authors."""

    def __init__(
        self,
        channels: PracticeChannels,
        make_format: Callable[[int, int], Format],
        *,
        meet_seconds: float = MEET_SECONDS,
    ) -> None:
        """`make_format` returns the format of a game with the given numbers of seats and hands."""
        self._channels = channels
        self._make_format = make_format
        self._meet_seconds = meet_seconds
        self._meetings: dict[str, _Meeting] = {}

    def register(self, name: str, status: str, wishes: AuthorWishes, client: str) -> RegisteredGuest:
        """Registers the bot `name` from the address `client`. Its game first has the status `status`. Both bots of an
        invitation share a channel.

        Raises RegistrationRefused: 429 or 503 if there is no free table, 404 or 410 if the invitation is unknown or
        expired. The status is 409 if another bot has already registered for this side of the invitation, or if the bot
        has the challenger's name without the challenger's key.
        """
        release_table = self._channels.slots.acquire(client)
        try:
            invitation, guest = self._admit(name, status, wishes)
        except RegistrationRefused:
            release_table()
            raise
        guest.client = client_subnet(client)
        return RegisteredGuest(guest, wishes.house, invitation, release_table)

    def _admit(self, name: str, status: str, wishes: AuthorWishes) -> tuple[Invitation | None, Guest]:
        if not wishes.challenge:
            return None, self._channels.add_guest(name, status, wishes)
        invitation = self._channels.invitations.find(wishes.challenge)
        challenger = bool(wishes.key) and invitation.is_by(self._channels.practice_pages.token(name, wishes.key))
        if not challenger and look_alike(name, invitation.name):
            raise RegistrationRefused(409, f"{invitation.name} is the challenger: register it with the key of its page")
        meeting = self._meetings.get(invitation.code)
        if meeting and challenger in meeting.guests:
            raise RegistrationRefused(
                409, f"{meeting.guests[challenger].name} has already registered for this challenge"
            )
        meeting = self._meetings.setdefault(invitation.code, _Meeting({}))
        other = next(iter(meeting.guests.values()), None)
        guest = self._channels.add_guest(name, status, wishes, opponent=other)
        guest.number = CHALLENGER if challenger else CHALLENGED
        meeting.guests[challenger] = guest
        return invitation, guest

    async def host(
        self, registered_guest: RegisteredGuest, connect_bot: Callable[[], Awaitable[BotEndpoint]], solo_format: Format
    ) -> None:
        """Awaits the bot that `connect_bot` returns, and plays its game. If the bot has an invitation, first waits for
        its opponent.

        `solo_format` is the format of a game without an invitation. Releases the table and returns once the game is
        over or the bot stops waiting. `connect_bot` may raise NotSeated.
        """
        try:
            bot = await connect_bot()
            if registered_guest.invitation:
                await self._play_challenge(registered_guest, bot, registered_guest.invitation)
            else:
                await self._channels.play([(registered_guest.guest, bot)], solo_format, house=registered_guest.house)
        except NotSeated as error:
            self.withdraw(registered_guest, str(error))
        finally:
            registered_guest.release_table()

    async def _play_challenge(
        self, registered_guest: RegisteredGuest, bot: BotEndpoint, invitation: Invitation
    ) -> None:
        meeting = self._meetings[invitation.code]
        if meeting.waiting is None:
            meeting.waiting = _Waiting(registered_guest, bot, asyncio.Event())
            try:
                await self._wait_for_opponent(meeting.waiting, invitation)
            finally:
                meeting.waiting = None
            return
        opponent = meeting.waiting
        opponent.started = True
        del self._meetings[invitation.code]
        try:
            self._channels.invitations.remove(invitation.code)
            players = sorted(
                [(opponent.registered_guest.guest, opponent.bot), (registered_guest.guest, bot)],
                key=lambda each: each[0].number,
            )
            house = HouseSettings(max(opponent.registered_guest.house.think_ms, registered_guest.house.think_ms))
            contest = self._make_format(invitation.seats, invitation.hands)
            await self._channels.play(players, contest, house=house)
        finally:
            opponent.game_over.set()

    def withdraw(self, registered_guest: RegisteredGuest, why: str) -> None:
        """Reports why a bot will not play. Its opponent may keep waiting, and the invitation stays valid."""
        if registered_guest.invitation:
            meeting = self._meetings[registered_guest.invitation.code]
            meeting.guests = {side: each for side, each in meeting.guests.items() if each is not registered_guest.guest}
            if meeting.guests:
                self._channels.guests.report_status(registered_guest.guest, why, over=True)
                return
            del self._meetings[registered_guest.invitation.code]
        self._channels.report_lost([registered_guest.guest], why)

    async def _wait_for_opponent(self, waiting: _Waiting, invitation: Invitation) -> None:
        """Waits until the opponent has arrived and their game is over. Raises NotSeated if there is no game."""
        guest = waiting.registered_guest.guest
        opponent = "the bot that it has challenged" if guest.number == CHALLENGER else invitation.name
        self._channels.guests.report_status(guest, f"waits for {opponent}")
        try:
            async with asyncio.timeout(self._meet_seconds):
                while not (waiting.started or _is_gone(waiting.bot)):  # noqa: ASYNC110  no event says that it hung up
                    await asyncio.sleep(CONNECTION_CHECK_SECONDS)
            why = f"left before {opponent} arrived"
        except TimeoutError:
            why = f"has waited {self._meet_seconds / 60:g} minutes for {opponent}"
        finally:
            if not waiting.started and isinstance(waiting.bot, socket.socket):
                waiting.bot.close()
        if not waiting.started:
            raise NotSeated(f"{why}: there is no game")
        await waiting.game_over.wait()


def _is_gone(bot: BotEndpoint) -> bool:
    """Whether a waiting bot has closed its connection. An HTTP bot has no connection to close."""
    if isinstance(bot, Address):
        return False
    try:
        bot.setblocking(False)
        return not bot.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True

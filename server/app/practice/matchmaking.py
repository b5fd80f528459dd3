"""Decides whom a bot plays in practice: only house bots or, by a challenge, also the bot of another author.

Both authors register with the code of the challenge. The bot that arrives first stays connected and waits for the
second bot.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from msgspec import Struct

from server.app.practice.games.plan import BotEndpoint
from server.app.practice.guests import Guest
from server.app.practice.open_challenges import Challenge
from server.app.practice.practice_server import PracticeServer
from server.bots.transports.http import Address
from server.game.formats import Format
from server.ip_addresses import client_subnet
from server.registration.practice_options import HouseSettings, PracticeOptions
from server.registration.register import RegistrationRefused
from server.text.look_alikes import look_alike

MEET_SECONDS = 600.0
"""A bot waits at most this many seconds for its opponent."""
CHALLENGER, CHALLENGED = 1, 2
"""The bot numbers of the two authors' bots in the game."""
CONNECTION_CHECK_SECONDS = 0.5
"""The pause between two checks whether a waiting bot is still connected."""


class NotSeated(Exception):
    """A registered bot does not play. The message gives the reason as the end of a sentence that begins with the bot's
    name, such as "left before Ada arrived".
    """


class RegisteredGuest(Struct, frozen=True, eq=False):
    """A registered bot. `house_settings` says how the house bots in its game play. `challenge` is the challenge with
    which the bot registered, if any. `release_table` releases the bot's table.
    """

    guest: Guest
    house_settings: HouseSettings
    challenge: Challenge | None
    release_table: Callable[[], None]


class _Waiting(Struct, eq=False):
    """A bot that has connected before its opponent. It waits until `started` is true, and then plays."""

    registered_guest: RegisteredGuest
    bot: BotEndpoint
    game_over: asyncio.Event
    started: bool = False


class _Meeting(Struct, eq=False):
    """The bots that came with one challenge. `guests` has the challenger under the key True, and the other bot under
    False.
    """

    guests: dict[bool, Guest]
    waiting: _Waiting | None = None


class Matchmaker:
    """Brings bots into the games of a practice server. A bot without a challenge comes alone. A bot with a challenge
    meets another author's bot.
    """

    def __init__(
        self,
        server: PracticeServer,
        make_format: Callable[[int, int], Format],
        *,
        meet_seconds: float = MEET_SECONDS,
    ) -> None:
        """`make_format` returns the format of a game with the given numbers of seats and hands."""
        self._server = server
        self._make_format = make_format
        self._meet_seconds = meet_seconds
        self._meetings: dict[str, _Meeting] = {}

    def register(self, name: str, status: str, options: PracticeOptions, client: str) -> RegisteredGuest:
        """Registers the bot `name` from the address `client`. The first status of its game is `status`. Both bots of a
        challenge share a channel, which shows their game.

        Raises RegistrationRefused: 429 or 503 if there is no free table, 404 if the challenge is unknown, 410 if it has
        expired. Raises the same error with 409 if this side of the challenge has already registered, or if a bot
        with the challenger's name lacks the challenger's key.
        """
        release_table = self._server.slots.acquire(client)
        try:
            challenge, guest = self._admit(name, status, options)
        except RegistrationRefused:
            release_table()
            raise
        guest.client = client_subnet(client)
        return RegisteredGuest(guest, options.house_settings, challenge, release_table)

    def _admit(self, name: str, status: str, options: PracticeOptions) -> tuple[Challenge | None, Guest]:
        if not options.challenge:
            return None, self._server.add_guest(name, status, options)
        challenge = self._server.challenges.find(options.challenge)
        is_challenger = bool(options.key) and challenge.is_by(self._server.practice_pages.token(name, options.key))
        if not is_challenger and look_alike(name, challenge.name):
            raise RegistrationRefused(409, f"{challenge.name} is the challenger: register it with the key of its page")
        meeting = self._meetings.get(challenge.code)
        if meeting and is_challenger in meeting.guests:
            raise RegistrationRefused(
                409, f"{meeting.guests[is_challenger].name} has already registered for this challenge"
            )
        meeting = self._meetings.setdefault(challenge.code, _Meeting({}))
        opponent = next(iter(meeting.guests.values()), None)
        guest = self._server.add_guest(name, status, options, opponent=opponent)
        guest.number = CHALLENGER if is_challenger else CHALLENGED
        meeting.guests[is_challenger] = guest
        return challenge, guest

    async def connect_and_play(
        self, registered_guest: RegisteredGuest, connect_bot: Callable[[], Awaitable[BotEndpoint]], solo_format: Format
    ) -> None:
        """Waits until `connect_bot` returns the bot. If the bot has a challenge, also waits for the opponent. Then
        plays the game.

        `solo_format` is the format of a game without a challenge. Releases the table and returns once the game is over
        or the bot stops waiting. `connect_bot` may raise NotSeated.
        """
        try:
            bot = await connect_bot()
            if registered_guest.challenge:
                await self._play_challenge(registered_guest, bot, registered_guest.challenge)
            else:
                await self._server.play(
                    [(registered_guest.guest, bot)], solo_format, house_settings=registered_guest.house_settings
                )
        except NotSeated as error:
            self.withdraw(registered_guest, str(error))
        finally:
            registered_guest.release_table()

    async def _play_challenge(self, registered_guest: RegisteredGuest, bot: BotEndpoint, challenge: Challenge) -> None:
        meeting = self._meetings[challenge.code]
        if meeting.waiting is None:
            meeting.waiting = _Waiting(registered_guest, bot, asyncio.Event())
            try:
                await self._wait_for_opponent(meeting.waiting, challenge)
            finally:
                meeting.waiting = None
            return
        opponent = meeting.waiting
        opponent.started = True
        del self._meetings[challenge.code]
        try:
            self._server.challenges.remove(challenge.code)
            players = sorted(
                [(opponent.registered_guest.guest, opponent.bot), (registered_guest.guest, bot)],
                key=lambda player: player[0].number,
            )
            house_settings = HouseSettings(
                max(opponent.registered_guest.house_settings.think_ms, registered_guest.house_settings.think_ms)
            )
            contest_format = self._make_format(challenge.seats, challenge.hands)
            await self._server.play(players, contest_format, house_settings=house_settings)
        finally:
            opponent.game_over.set()

    def withdraw(self, registered_guest: RegisteredGuest, why: str) -> None:
        """Reports why a bot will not play. The bot's opponent may keep waiting, and the challenge stays valid."""
        if registered_guest.challenge:
            meeting = self._meetings[registered_guest.challenge.code]
            leaving = registered_guest.guest
            meeting.guests = {side: guest for side, guest in meeting.guests.items() if guest is not leaving}
            if meeting.guests:
                self._server.guests.report_status(registered_guest.guest, why, over=True)
                return
            del self._meetings[registered_guest.challenge.code]
        self._server.report_lost([registered_guest.guest], why)

    async def _wait_for_opponent(self, waiting: _Waiting, challenge: Challenge) -> None:
        """Waits for the opponent, and then until the two bots' game is over. Raises NotSeated if there is no game."""
        guest = waiting.registered_guest.guest
        opponent = "the bot that it has challenged" if guest.number == CHALLENGER else challenge.name
        self._server.guests.report_status(guest, f"waits for {opponent}")
        try:
            async with asyncio.timeout(self._meet_seconds):
                while not (waiting.started or _is_gone(waiting.bot)):  # noqa: ASYNC110  no event reports a hang-up
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

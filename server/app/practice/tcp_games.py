"""Practice games of bots that connect: a listening port for each bot that registers, and a game once it connects."""

from collections import defaultdict
from collections.abc import Callable

from server.addresses import household
from server.app.practice.challenges import Challenges
from server.app.practice.channels import Player, PracticeChannels
from server.app.practice.guests import Guest
from server.app.practice.invitations import Invitation
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import BotListener, NobodyCame, listen_for_bot
from server.game.tournament import Format
from server.registration.register import CheckedIn, Refused, Registration

CONNECT_SECONDS = 15.0
"""How long a port waits for the bot that registered."""
MOST_WAITING = 40
"""Ports that wait for one address; one more closes the oldest, so a bot that connects at once is always let in."""
LINGER_SECONDS = 5.0
"""Between the last `hand_result` and the end of the connection, by which a bot knows that its game is over."""


class TcpGames:
    """The games of one practice command, for bots that connect by TCP."""

    def __init__(
        self,
        contest: Callable[[int, int], Format],
        channels: PracticeChannels,
        *,
        connect_seconds: float = CONNECT_SECONDS,
        linger_seconds: float = LINGER_SECONDS,
    ) -> None:
        """`contest` gives the game of so many seats and hands."""
        self.guests = channels.guests
        self._contest = contest
        self._channels = channels
        self._connect_seconds = connect_seconds
        self._linger_seconds = linger_seconds
        self._challenges = Challenges(channels, contest, linger_seconds=linger_seconds)
        self._listeners: defaultdict[str, list[BotListener]] = defaultdict(list)

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for the bot that registers, and starts its game once it connects; returns the port and its page.

        `address` is where the request came from. Raises Refused: 429 where it has too many games, 503 where all tables
        or ports are taken.
        """
        leave, settings = self._channels.places.take(address), self._channels.settings
        try:
            listener = await listen_for_bot(settings.host, address, self._connect_seconds, ports=settings.game_ports)
        except OSError as error:
            leave()
            raise Refused(503, f"no port is free for a game: {error.strerror}") from None
        waiting = self._listeners[household(address)]
        waiting.append(listener)
        if len(waiting) > MOST_WAITING:
            waiting[0].close()
        try:
            invitation, guest = self._guest(registration)
        except Refused:
            self._forget(listener, household(address))
            leave()
            raise
        guest.client = household(address)
        self._channels.start(self._host(registration, guest, invitation, listener, address, leave))
        return CheckedIn(listener.port, guest.number, guest.watch_url, guest.own_url, guest.house)

    def _guest(self, registration: Registration) -> tuple[Invitation | None, Guest]:
        name, stands, asked = registration.name, "has registered and is to connect", registration.asked
        if asked.challenge:
            return self._challenges.enter(name, stands, asked)
        return None, self._channels.guest(name, stands, asked)

    async def _host(  # noqa: PLR0917 (who plays what, and where it comes in)
        self,
        registration: Registration,
        guest: Guest,
        invitation: Invitation | None,
        listener: BotListener,
        address: str,
        leave: Callable[[], None],
    ) -> None:
        """Waits for the bot and plays its game; its connection is closed some seconds after the end."""
        house = registration.asked.house
        try:
            connection = await self._entered(listener, household(address))
            if connection is None:
                why = f"registered and did not connect to port {listener.port} in time: there is no game"
                if invitation:
                    self._challenges.leave(invitation, guest, why)
                else:
                    self._channels.lose([guest], why)
            elif invitation:
                await self._challenges.play(invitation, guest, connection.given_away(), house)
            else:
                contest = self._contest(registration.test_game_size, registration.test_hand_count)
                player = Player(guest, connection.given_away())
                await self._channels.play([player], contest, house=house, linger_seconds=self._linger_seconds)
        finally:
            leave()

    async def _entered(self, listener: BotListener, household: str) -> TcpConnection | None:
        try:
            return await listener.accept()
        except NobodyCame:
            return None
        finally:
            self._forget(listener, household)

    def _forget(self, listener: BotListener, household: str) -> None:
        listener.close()
        self._listeners[household].remove(listener)
        if not self._listeners[household]:
            del self._listeners[household]

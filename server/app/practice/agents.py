"""Seats agents (bots that play by MCP) in practice games. When an agent joins, its game against house bots begins at
once.
"""

import socket
from collections.abc import Callable

from server.app.mcp.door import Admitted, Seats, Wish, check_wish, connect_seat
from server.app.mcp.seat import NotNow, Seat
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import DEFAULT_HANDS, DEFAULT_SEATS
from server.app.practice.guests import Guest
from server.contests.contest import Contest
from server.game.formats import Format
from server.registration.register import TEST_GAME_SIZES, TEST_HAND_COUNTS, Refused
from server.registration.wishes import Asked, House


class PracticeDoor:
    """Lets agents into the games of a practice server."""

    about = (
        "Practice: `join` seats you at once in a game against house bots. `seats` is the size of the table, 2 to 6, "
        "and `hands` the length of the game, 1 to 24."
    )

    def __init__(self, channels: PracticeChannels, contest: Contest, game: Callable[[int, int], Format]) -> None:
        """`game` returns the format of a game with the given numbers of seats and hands."""
        self.contest = contest
        self.form = contest.format
        self._channels = channels
        self._game = game
        self._seats = Seats()
        self.seat = self._seats.seat

    def admit(self, wish: Wish, client: str) -> Admitted:
        """Seats an agent in a new game. An agent that sends its secret gets its seat back. Raises NotNow like
        `Door.admit`.
        """
        if wish.secret:
            self._seats.seat(wish.secret)
            found = self._seats.find(wish.secret)
            assert found, "the seat has just been found"
            return found
        check_wish(wish, self.contest)
        size = _within("seats", wish.seats, TEST_GAME_SIZES, 2 if self.contest.duel else DEFAULT_SEATS)
        hands = _within("hands", wish.hands, TEST_HAND_COUNTS, DEFAULT_HANDS)
        try:
            free = self._channels.slots.acquire(client)
        except Refused as refused:
            raise NotNow(refused.text) from None
        try:
            guest = self._channels.guest(wish.name, "has joined", Asked())
            guest.client = client
            admitted = self._seats.add(Seat(wish.name), watch_url=guest.watch_url, own_url=guest.own_url)
            table_end = connect_seat(admitted.seat, self._channels.start)
        except BaseException:
            free()
            raise
        self._channels.start(self._play(guest, table_end, self._game(size, hands), free))
        return admitted

    async def _play(self, guest: Guest, table_end: socket.socket, contest: Format, free: Callable[[], None]) -> None:
        try:
            await self._channels.play([(guest, table_end)], contest, house=House(), agents=True)
        finally:
            table_end.close()  # if the game's process has a copy of the socket, that process ends the connection
            free()


def _within(key: str, asked: int, allowed: range, default: int) -> int:
    if not asked:
        return default
    if asked not in allowed:
        raise NotNow(f"{key} must be from {allowed[0]} to {allowed[-1]}, not {asked}: join again")
    return asked

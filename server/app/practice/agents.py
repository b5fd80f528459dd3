"""Lets agents (bots that play by MCP) into practice games. When an agent joins, its game against house bots begins at
once.
"""

import socket
from collections.abc import Callable

from server.app.mcp.admit_agents import AdmittedAgent, AgentSeats, JoinRequest, check_join_request, connect_seat
from server.app.mcp.seat import AgentRequestError, AgentSeat
from server.app.practice.games.plan import DEFAULT_HANDS, DEFAULT_SEATS
from server.app.practice.guests import Guest
from server.app.practice.practice_server import PracticeServer
from server.contests.contest import Contest
from server.game.formats import Format
from server.registration.practice_options import HouseSettings, PracticeOptions
from server.registration.register import TEST_GAME_SIZES, TEST_HAND_COUNTS, RegistrationRefused


class PracticeDoor:
    """Lets agents into the games of a practice server."""

    joining_text = (
        "Practice: `join` seats you at once in a game against house bots. `seats` is the size of the table, 2 to 6, "
        "and `hands` the length of the game, 1 to 24."
    )

    def __init__(self, server: PracticeServer, contest: Contest, make_format: Callable[[int, int], Format]) -> None:
        """`make_format` returns the format of a game with the given numbers of seats and hands."""
        self.contest = contest
        self.contest_format = contest.format
        self._server = server
        self._make_format = make_format
        self._seats = AgentSeats()
        self.find_seat = self._seats.find_seat

    def admit(self, join_request: JoinRequest, client: str) -> AdmittedAgent:
        """Gives an agent a seat in a new game. An agent that sends its secret gets its old seat back. Raises
        AgentRequestError if the agent cannot be seated.
        """
        if join_request.secret:
            self._seats.find_seat(join_request.secret)
            seated = self._seats.find_agent(join_request.secret)
            assert seated, "the seat has just been found"
            return seated
        check_join_request(join_request, self.contest)
        size = _check_range("seats", join_request.seats, TEST_GAME_SIZES, 2 if self.contest.is_duel else DEFAULT_SEATS)
        hands = _check_range("hands", join_request.hands, TEST_HAND_COUNTS, DEFAULT_HANDS)
        try:
            release_table = self._server.slots.acquire(client)
        except RegistrationRefused as refused:
            raise AgentRequestError(refused.text) from None
        try:
            guest = self._server.add_guest(join_request.name, "has joined", PracticeOptions())
            guest.client = client
            admitted = self._seats.add(AgentSeat(join_request.name), watch_url=guest.watch_url, own_url=guest.own_url)
            table_socket = connect_seat(admitted.seat, self._server.start)
        except BaseException:
            release_table()
            raise
        self._server.start(self._play(guest, table_socket, self._make_format(size, hands), release_table))
        return admitted

    async def _play(
        self, guest: Guest, table_socket: socket.socket, contest_format: Format, release_table: Callable[[], None]
    ) -> None:
        try:
            await self._server.play(
                [(guest, table_socket)], contest_format, house_settings=HouseSettings(), agents=True
            )
        finally:
            table_socket.close()  # a game process closes its own copy of the socket
            release_table()


def _check_range(key: str, value: int, allowed: range, default: int) -> int:
    if not value:
        return default
    if value not in allowed:
        raise AgentRequestError(f"{key} must be from {allowed[0]} to {allowed[-1]}, not {value}: join again")
    return value

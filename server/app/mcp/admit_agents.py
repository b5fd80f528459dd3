"""Lets agents (bots that play by MCP) into practice games and tournaments, and keeps their seats at the table. Each
seat has a secret, which its agent sends with every call.
"""

import secrets
import socket
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from msgspec import Struct

from server.app.mcp.seat import AgentRequestError, AgentSeat, WrongSecret
from server.contests.contest import Contest
from server.game.formats import Format
from server.text.names_and_chat import name_fault

MAX_SEATS = 400
"""How many seats are remembered. When all are taken, a new agent's seat replaces the oldest seat whose game is over. If
no game is over, the new agent is not seated.
"""


class JoinRequest(Struct, frozen=True):
    """The wishes of an agent that joins. If a wish is "" or 0, the server chooses."""

    name: str
    contest: str = ""
    seats: int = 0
    hands: int = 0
    secret: str = ""


class AdmittedAgent(Struct, frozen=True):
    """An agent's seat and its secret. `watch_url` is the path of the page that shows the game, and `own_url` is the
    path of the author's page. Each is "" if there is no such page.
    """

    seat: AgentSeat
    secret: str
    watch_url: str = ""
    own_url: str = ""


class Door(Protocol):
    """Seats agents, in practice or in a tournament."""

    contest: Contest
    contest_format: Format
    """The format of the games that agents join."""
    joining_text: str
    """A text that tells agents how to join."""

    def admit(self, join_request: JoinRequest, client: str) -> AdmittedAgent:
        """Seats an agent that joins from the address `client`. Raises AgentRequestError, with the reason, if the agent
        cannot be seated.
        """

    def find_seat(self, secret: str) -> AgentSeat:
        """The seat with this secret. Raises WrongSecret if there is none."""


class AgentSeats:
    """The seats of a server, keyed by secret."""

    def __init__(self) -> None:
        self._seats: OrderedDict[str, AdmittedAgent] = OrderedDict()

    def add(self, seat: AgentSeat, secret: str = "", watch_url: str = "", own_url: str = "") -> AdmittedAgent:
        """Keeps a seat under `secret`. If `secret` is "", makes up a secret. Raises AgentRequestError if too many
        agents are playing.
        """
        while len(self._seats) >= MAX_SEATS:
            oldest_ended = next((secret for secret, agent in self._seats.items() if agent.seat.end_reason), None)
            if oldest_ended is None:
                raise AgentRequestError(f"{MAX_SEATS} agents are playing: try again in a minute")
            del self._seats[oldest_ended]
        admitted = AdmittedAgent(seat, secret or secrets.token_urlsafe(16), watch_url, own_url)
        self._seats[admitted.secret] = admitted
        return admitted

    def find_agent(self, secret: str) -> AdmittedAgent | None:
        """The agent with this secret, or None."""
        return self._seats.get(secret)

    def find_seat(self, secret: str) -> AgentSeat:
        """The seat with this secret. Raises WrongSecret if there is none."""
        if agent := self.find_agent(secret):
            return agent.seat
        raise WrongSecret("no seat has this secret: call join, and use the secret that it returns")


def connect_seat(seat: AgentSeat, start: Callable[[Coroutine[Any, Any, None]], object]) -> socket.socket:
    """Connects a new seat, and returns the table's end of the connection. Calls `start` with a coroutine that passes
    messages from the table to the seat. `start` must keep this coroutine running until the game is over.
    """
    seat_end, table_end = socket.socketpair()
    seat_end.setblocking(False)
    start(seat.listen(seat_end))
    return table_end


def check_join_request(join_request: JoinRequest, contest: Contest) -> None:
    """Raises AgentRequestError if the agent wants another contest, or if its name cannot be displayed."""
    if join_request.contest not in ("", contest.id):
        raise AgentRequestError(
            f'this server plays "{contest.id}", not "{join_request.contest[:40]}": leave out contest, or change it'
        )
    if why := name_fault(join_request.name):
        raise AgentRequestError(f"{why}: join with another name")

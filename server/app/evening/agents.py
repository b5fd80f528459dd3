"""Lets agents (bots that play by MCP) join a tournament.

Agents are entrants with `mcp = true` in the event file. They join with the secrets that the file gives them.
"""

import asyncio
import hmac
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from server.app.mcp.admit_agents import AdmittedAgent, AgentSeats, JoinRequest, check_join_request, connect_seat
from server.app.mcp.seat import AgentRequestError, AgentSeat, WrongSecret
from server.bots.bot import Bot
from server.bots.dialects.agent import AgentDialect
from server.bots.message_records import RecordFactory, no_record
from server.bots.transports.socket_pair import PairConnection
from server.contests import CONTESTS
from server.game.events import BotDisconnected, Entrant, Event
from server.game.formats import Format
from server.text.look_alikes import look_alike
from server.tournament.director import Director


class EveningDoor:
    """Admits the agents of a tournament. The event `all_connected` is set while all agents are connected."""

    joining_text = (
        "A tournament: before it begins, `join` with the name and the secret of your entry. `leave` withdraws you from "
        "it. The contest sets `seats` and `hands`."
    )

    def __init__(
        self,
        contest_format: Format,
        agents: Sequence[Entrant],
        secrets: Mapping[int, str],
        director: Director,
        make_record: RecordFactory = no_record,
    ) -> None:
        """`contest_format` says how this evening is played. `secrets` has the agents' secrets, keyed by bot number."""
        self.contest = CONTESTS[contest_format.contest]
        self.contest_format = contest_format
        self.all_connected = asyncio.Event()
        self._agents = tuple(agents)
        self._secrets = secrets
        self._director = director
        self._make_record = make_record
        self._seats = AgentSeats()
        self.find_seat = self._seats.find_seat
        self._bots: list[Bot] = []
        self._connected_bots: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_begun = False
        if not agents:
            self.all_connected.set()

    def admit(self, join_request: JoinRequest, client: str) -> AdmittedAgent:
        """Seats an agent. An agent that joins again gets its old seat. Raises AgentRequestError if the agent cannot be
        seated.
        """
        check_join_request(join_request, self.contest)
        entrant = next((agent for agent in self._agents if look_alike(agent.name, join_request.name)), None)
        if entrant is None:
            raise AgentRequestError(
                f"{join_request.name} is not entered as an agent in this tournament: join with the name of your entry"
            )
        if not hmac.compare_digest(join_request.secret.encode(), self._secrets[entrant.bot].encode()):
            raise WrongSecret(f"the secret is wrong: join as {entrant.name} with the secret of its entry")
        seated = self._seats.find_agent(join_request.secret)
        if seated and (not seated.seat.end_reason or self._has_begun):
            return seated
        if self._has_begun:
            raise AgentRequestError("the tournament has begun, and no bot can join it now")
        admitted = self._seats.add(AgentSeat(entrant.name, "the tournament is over"), join_request.secret)
        table_end = connect_seat(admitted.seat, self._spawn)
        connection = PairConnection(table_end, asyncio.get_running_loop())
        dialect, record = AgentDialect(self.contest.notified_events), self._make_record(entrant.bot)
        bot = Bot(entrant.bot, dialect, connection, self._on_bot_event, record=record, has_numbered_answers=True)
        self._bots.append(bot)
        self._director.add_bot(bot)
        self._connected_bots.add(entrant.bot)
        if len(self._connected_bots) == len(self._agents):
            self.all_connected.set()
        return admitted

    def close(self) -> None:
        """Admits no further agents, because the tournament begins."""
        self._has_begun = True

    def disconnect_agents(self) -> None:
        """Disconnects all agents, because the tournament is over."""
        for bot in self._bots:
            bot.hang_up()

    def _on_bot_event(self, event: Event) -> None:
        if isinstance(event, BotDisconnected):
            self._connected_bots.discard(event.bot)
            self.all_connected.clear()
        self._director.record_bot_event(event)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

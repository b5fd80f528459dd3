"""Lets in bots that run on other machines: remote bots connect, and agents join by MCP (Model Context Protocol)."""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from broadcast.web.connections.limits import MAX_CALLER_CONNECTIONS
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import address_of, listen_with_retries, serving_on
from server.app.evening.agents import EveningDoor
from server.app.evening.boxed_bots import BotEntry
from server.app.evening.check_in import CheckInDesk
from server.bots.message_records import RecordFactory
from server.config.event_file import EveningPlan
from server.console import say
from server.contests import CONTESTS
from server.game.events import Entrant
from server.registration.register import register_router
from server.text.characters import printable
from server.tournament.director import Director


class RemoteEntrants:
    """The remote bots and the agents of a tournament."""

    def __init__(
        self,
        plan: EveningPlan,
        entrants: Sequence[Entrant],
        entries: Sequence[BotEntry],
        director: Director,
        make_record: RecordFactory,
    ) -> None:
        """`entries` has an entry for each of the `entrants` that takes part."""
        self._plan = plan
        self._contest = contest = CONTESTS[plan.contest]
        remote_secrets = {entry.bot: entry.secret for entry in entries if entry.remote}
        agent_secrets = {entry.bot: entry.secret for entry in entries if entry.mcp}
        self._remote_bots = [entrant for entrant in entrants if entrant.bot in remote_secrets]
        self._agents = [entrant for entrant in entrants if entrant.bot in agent_secrets]
        self._check_in_desk = CheckInDesk(
            self._remote_bots,
            director,
            contest.make_dialect,
            plan.host,
            remote_secrets,
            ports=plan.game_ports,
            make_record=make_record,
        )
        self._door = EveningDoor(plan.contest_format, self._agents, agent_secrets, director, make_record)

    async def open(self, exit_stack: AsyncExitStack) -> None:
        """Lets the bots in until `exit_stack` ends, and prints how they can join.

        Raises OSError, or Refusal if there are agents but the MCP SDK is not installed.
        """
        plan, has_registration = self._plan, self._contest.has_registration
        if not has_registration:
            ports = await self._check_in_desk.open_ports()
            for entrant in self._remote_bots:
                say(f"  {printable(entrant.name)}: connects to {plan.host} {ports[entrant.bot]}")
            exit_stack.callback(self._check_in_desk.close)
        if not self._agents and not (has_registration and self._remote_bots):
            return
        app = guarded_app(plan.hosts, media=plan.media)
        if has_registration and self._remote_bots:
            app.include_router(register_router(self._check_in_desk.check_in))
        if self._agents:
            from server.app.mcp.serve import add_agent_routes  # noqa: PLC0415  the MCP SDK may not be installed

            await exit_stack.enter_async_context(add_agent_routes(app, self._door))
        listener = await listen_with_retries(plan.host, plan.register_port)
        await exit_stack.enter_async_context(serving_on(app, listener, max_connections=MAX_CALLER_CONNECTIONS))
        base = address_of(listener)
        if has_registration and self._remote_bots:
            say(f"  remote bots     POST {base}/register, with their secrets")
        if self._agents:
            say(f"  agents          {base}/mcp, by MCP, with their secrets; they read {base}/llms.txt")

    @property
    def all_connected(self) -> bool:
        """Whether all remote bots and agents are connected."""
        return self._check_in_desk.all_connected.is_set() and self._door.all_connected.is_set()

    async def wait_for_all(self) -> None:
        """Waits until all remote bots and agents are connected."""
        while not self.all_connected:
            await self._check_in_desk.all_connected.wait()
            await self._door.all_connected.wait()

    def close(self) -> None:
        """Lets no further bots in."""
        self._check_in_desk.close()
        self._door.close()

    def disconnect_agents(self) -> None:
        """Tells the agents that the tournament is over."""
        self._door.disconnect_agents()

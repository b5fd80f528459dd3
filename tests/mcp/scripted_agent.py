"""An agent without a model, which uses the tools through the official MCP client.

Its games can be compared with games in which the same decisions come over the contest's own messages (its wire).
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.agents import EveningDoor
from server.app.mcp.serve import add_agent_routes
from server.app.practice.games.plan import practice_format
from server.bots.bot import Bot
from server.bots.dialects.wire import Choice, Question
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests import CONTESTS
from server.game.events import ActionTaken, Entrant, Event
from server.journal.bus import Bus
from server.tournament.director import Director
from tests.bots.http_servers import Caller, answer, host_playing

Answer = dict[str, Any]
Choose = Callable[[Answer], Answer]
"""Gets the answer of wait_for_turn at the agent's turn; returns the arguments of `act`."""


class ToolRefused(Exception):
    """A tool has answered with an error; the text is its sentence."""


class Agent:
    """A connected agent. `heard` has all answers, as text."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.secret = ""
        self.heard: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Calls a tool; returns its structured answer. Raises ToolRefused."""
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert isinstance(content, TextContent)
        self.heard.append(content.text)
        if answer.is_error:
            raise ToolRefused(content.text)
        assert json.loads(content.text) == answer.structured_content, "both forms must say the same"
        return dict(answer.structured_content)

    async def join(self, name: str = "Oracle", **wishes: Any) -> Answer:
        joined = await self.call("join", name=name, **wishes)
        self.secret = joined["secret"]
        return joined

    async def wait(self) -> Answer:
        return await self.call("wait_for_turn", secret=self.secret)

    async def wait_until_asked(self) -> Answer:
        while not (situation := await self.wait())["your_turn"]:
            assert "game_over" not in situation
        return situation

    async def act(self, situation: Answer, **action: Any) -> Answer:
        return await self.call("act", secret=self.secret, state=situation["state"], **action)

    async def play(self, choose: Choose) -> list[Answer]:
        """Plays to the end of the game; returns all answers to wait_for_turn."""
        answers = []
        while True:
            answers.append(situation := await self.wait())
            if situation.get("game_over"):
                return answers
            if situation["your_turn"]:
                await self.act(situation, **choose(situation))


@asynccontextmanager
async def agent_at(server: str | StdioServerParameters) -> AsyncIterator[Agent]:
    """An agent connected to a server's address, or to a program that it starts."""
    async with Client(f"{server}/mcp" if isinstance(server, str) else server) as client:
        yield Agent(client)


async def sent_call(base: str, tool: str, **arguments: Any) -> asyncio.StreamWriter:
    """Calls a tool without the client; returns the connection, on which the answer has yet to come."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    body, (host, _, port) = json.dumps(call).encode(), base.removeprefix("http://").partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    about = f"Host: {host}:{port}\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
    writer.write(f"POST /mcp HTTP/1.1\r\n{about}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    return writer


def legal(situation: Answer) -> dict[str, Answer]:
    return {move["action"]: move for move in situation["legal"]}


def call_or_check(situation: Answer) -> Answer:
    return {"action": "check" if "check" in legal(situation) else "call"}


def smallest_raise(situation: Answer) -> Answer:
    return {"action": "raise", "amount": legal(situation)["raise"]["min"]}


HOST = "127.0.0.1"
ENTRANTS = (Entrant(1, "Oracle"), Entrant(2, "Ada"), Entrant(3, "Babbage"))
WORD = "the-secret-of-the-oracle"
THINK_MS = 60_000
"""A time to think in which no bot is late, however busy the machine is."""
KINDS = ("call", "raise", "check", "fold", "call", "fold", "check", "fold", "all_in", "fold", "raise")
Seating = Callable[[Director], AbstractAsyncContextManager[None]]
"""Seats the first entrant's bot, which plays until the context ends."""
WIRED = ("quick-draw", "arena", "enova", "acpc")
"""The contests that have room for three bots at a table."""


async def played(contest: str, seating: Seating, hands: int, seed: bytes = bytes(32)) -> list[Event]:
    """The events of a game of at most `hands` hands against two house bots, without the times."""
    bus = Bus(None, time.monotonic)
    form = practice_format(CONTESTS[contest].format, len(ENTRANTS), hands)
    form = replace(form, rules=replace(form.rules, think_ms=THINK_MS, time_bank_ms=UNSET))
    director = Director(form, ENTRANTS, seed=seed, bus=bus)
    async with seating(director):
        for number, style in ((2, "random"), (3, "calling")):
            director.add_bot(InProcessBot(number, styles()[style], random.Random(number)))
        await director.run()
    return [_comparable(entry.event) for entry in bus.entries]


def _comparable(event: Event) -> Event:
    """Leaves out the time, and the bot's own word for its action, because not every contest has one for all-in."""
    return replace(event, think_ms=0, declared=UNSET) if isinstance(event, ActionTaken) else event


def varied(turn: int, situation: Answer) -> Answer:
    """Another kind of action each turn, as far as it is legal."""
    kind = KINDS[turn % len(KINDS)]
    if "post_blind" in legal(situation):
        return {"action": "post_blind"}
    if kind not in legal(situation):
        return call_or_check(situation)
    return smallest_raise(situation) if kind == "raise" else {"action": kind}


def by_mcp(contest: str, decisions: list[Answer]) -> Seating:
    """Seats an agent at the door of a tournament; adds its decisions, with the chips that they cost, to `decisions`."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        door = EveningDoor(CONTESTS[contest].format, ENTRANTS[:1], {1: WORD}, director)
        app = guarded_app()

        def choose(situation: Answer) -> Answer:
            decision = varied(len(decisions), situation)
            if decision["action"] != "post_blind":
                decision["thought"] = f"This is decision {len(decisions)}."
            decisions.append({"thought": "", **legal(situation)[decision["action"]], **decision})
            return decision

        async with add_agent_routes(app, door), serving(app, HOST, 0) as base, agent_at(base) as agent:
            await agent.join("Oracle", secret=WORD)
            await door.all_connected.wait()
            playing = asyncio.create_task(agent.play(choose))
            yield
            door.disconnect_agents()
            await playing

    return seating


def by_wire(contest: str, decisions: list[Answer]) -> Seating:
    """Seats a bot that writes the same decisions in the contest's own messages."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        remaining, wire = iter(decisions), CONTESTS[contest].wire()

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while line := await reader.readline():
                if isinstance(question := wire.read(line), Question):
                    writer.write(wire.write(_choice(next(remaining), question)))

        async def answer_calls(caller: Caller) -> None:
            while True:
                head, body = await caller.heard()
                asked = wire.read(body) if head.startswith(f"POST {wire.action_path} ") else None
                said = wire.write(_choice(next(remaining), asked)) if isinstance(asked, Question) else b""
                await caller.say(answer(said))

        if wire.action_path:
            async with host_playing(answer_calls) as host:
                bot = HttpBot(
                    1,
                    CONTESTS[contest].make_http_dialect(ENTRANTS),
                    HttpConnection(host.address),
                    director.record_bot_event,
                )
                director.add_bot(bot)
                yield
                await bot.close()
            return
        listener = await listen_for_bot(HOST, "", 60.0)
        reader, writer = await asyncio.open_connection(HOST, listener.port)
        writer.write(wire.hello)
        director.add_bot(Bot(1, CONTESTS[contest].make_dialect(), await listener.accept(), director.record_bot_event))
        talking = asyncio.create_task(talk(reader, writer))
        yield
        writer.close()
        talking.cancel()

    return seating


def _choice(decision: Answer, question: Question) -> Choice:
    """A decision of the agent as a choice. Where a contest has no word for all-in, the bot raises to all, or calls."""
    moves, action = {move.action: move for move in question.spot.legal}, decision["action"]
    amount = decision.get("amount", 0)
    if action == "all_in" and action not in moves:
        action, amount = ("raise", moves["raise"].max) if "raise" in moves else ("call", 0)
    return Choice(action, amount, decision["thought"])

"""Scripted agents (bots that join by MCP) use the server's tools.

Tests compare games by MCP with games by other protocols. Tests also compare what an agent is told in two hands that
differ only in what the agent must not see.
"""

import asyncio
import json
import random
import re
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import msgspec
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from msgspec import UNSET, Struct
from msgspec.structs import replace
from starlette.types import Message

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.agents import EveningDoor
from server.app.mcp import tools
from server.app.mcp.admit_agents import AdmittedAgent, JoinRequest
from server.app.mcp.seat import AgentRequestError, AgentSeat
from server.app.mcp.serve import add_agent_routes
from server.app.practice.games.plan import practice_format
from server.bots import bot as bots
from server.bots.bot import Bot
from server.bots.dialects.agent import AgentDialect
from server.bots.dialects.wire import Choice, Question
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.bots.transports.socket_pair import PairConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.cards import Deck
from server.game.decisions import Action, Decision, Fold, RaiseTo
from server.game.events import ActionTaken, Entrant, Event, HoleDealt, StreetDealt
from server.game.view import View
from server.journal.bus import Bus
from server.tournament.dealer import Table
from server.tournament.director import Director
from server.tournament.resumable_log import ResumableLog
from tests.bots.http_servers import Caller, make_response, serve_bot
from tests.game.random_hands import random_deck
from tests.publish.published_pairs import Comparison, play_hand, reshuffled
from tests.support.background import background_task
from tests.support.games.contests import DiceBot

HOST = "127.0.0.1"
ENTRANTS = (Entrant(1, "Oracle"), Entrant(2, "Ada"), Entrant(3, "Babbage"))
SECRET = "the-secret-of-the-oracle"  # noqa: S105 (an agent's secret in a test)
STACKS, AGENTS_SEAT = [5000] * 4, 0
ACTION_CYCLE = ("call", "raise", "check", "fold", "call", "fold", "check", "fold", "all_in", "fold", "raise")
CONTESTS_OF_THREE = ("quick-draw", "arena", "enova", "acpc")
"""The contests whose tables have room for three bots."""
Seating = Callable[[Director], AbstractAsyncContextManager[None]]
"""A function that seats the first entrant's bot in a Director's contest. The bot plays until the context ends."""
Answer = dict[str, Any]
Choose = Callable[[Answer], Answer]
"""A function that takes an answer of the tool `wait_for_turn`, and returns the arguments for the tool `act`."""


class ToolRefused(Exception):
    """A tool has answered with an error. The exception has the tool's error message."""


class Agent(Struct):
    client: Client
    secret: str = ""

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Calls a tool. Returns its structured answer, or raises ToolRefused."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        if result.is_error:
            raise ToolRefused(content.text)
        assert json.loads(content.text) == result.structured_content, "the text must equal the structured answer"
        return dict(result.structured_content)

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
        """Plays to the end of the game. Returns all answers of the tool `wait_for_turn`."""
        answers = []
        while True:
            answers.append(situation := await self.wait())
            if situation.get("game_over"):
                return answers
            if situation["your_turn"]:
                await self.act(situation, **choose(situation))


@asynccontextmanager
async def agent_at(server: str | StdioServerParameters) -> AsyncIterator[Agent]:
    """Yields an agent connected to a server. If `server` is a command, the MCP client runs this command."""
    async with Client(f"{server}/mcp" if isinstance(server, str) else server) as client:
        yield Agent(client)


async def send_call(base: str, tool: str, **arguments: Any) -> asyncio.StreamWriter:
    """Calls a tool without the MCP client, and does not wait for the answer. Returns the connection."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    body, (host, _, port) = json.dumps(call).encode(), base.removeprefix("http://").partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head_lines = f"Host: {host}:{port}\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
    writer.write(f"POST /mcp HTTP/1.1\r\n{head_lines}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    return writer


def legal_moves(situation: Answer) -> dict[str, Answer]:
    return {move["action"]: move for move in situation["legal"]}


def call_or_check(situation: Answer) -> Answer:
    return {"action": "check" if "check" in legal_moves(situation) else "call"}


async def play_game(contest: str, seating: Seating, hands: int) -> list[Event]:
    """Two built-in bots and the bot of `seating` play up to `hands` hands. Returns the events without think times."""
    bus = Bus(None, time.monotonic)
    contest_format = practice_format(CONTESTS[contest].format, len(ENTRANTS), hands)
    # With a minute to think, no bot is late, however busy the machine is.
    rules = replace(contest_format.rules, think_ms=60_000, time_bank_ms=UNSET)
    director = Director(replace(contest_format, rules=rules), ENTRANTS, seed=bytes(32), bus=bus)
    async with seating(director):
        for number, style in ((2, "random"), (3, "calling")):
            director.add_bot(InProcessBot(number, styles()[style], random.Random(number)))
        await director.run()
    # Drops `declared` (the bot's own word for its action), because not every contest's protocol has a word for all-in.
    events = [entry.event for entry in bus.entries]
    return [replace(act, think_ms=0, declared=UNSET) if isinstance(act, ActionTaken) else act for act in events]


def vary_action(turn: int, situation: Answer) -> Answer:
    action = ACTION_CYCLE[turn % len(ACTION_CYCLE)]
    moves = legal_moves(situation)
    if "post_blind" in moves:
        return {"action": "post_blind"}
    if action not in moves:
        return call_or_check(situation)
    return {"action": action, "amount": moves["raise"]["min"]} if action == "raise" else {"action": action}


def seat_by_mcp(contest: str, decisions: list[Answer]) -> Seating:
    """Seats an agent that joins by MCP. Adds each decision, with its amount of chips, to `decisions`."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        admission = EveningDoor(CONTESTS[contest].format, ENTRANTS[:1], {1: SECRET}, director)  # It admits agents.
        app = guarded_app()

        def choose(situation: Answer) -> Answer:
            decision = vary_action(len(decisions), situation)
            if decision["action"] != "post_blind":
                decision["thought"] = f"This is decision {len(decisions)}."
            decisions.append({"thought": "", **legal_moves(situation)[decision["action"]], **decision})
            return decision

        async with add_agent_routes(app, admission), serving(app, HOST, 0) as base, agent_at(base) as agent:
            await agent.join("Oracle", secret=SECRET)
            await admission.all_connected.wait()
            playing = asyncio.create_task(agent.play(choose))
            yield
            admission.disconnect_agents()
            await playing

    return seating


def seat_by_wire(contest: str, decisions: list[Answer]) -> Seating:
    """Seats a bot that sends the given decisions by the contest's own protocol (the contest's `wire`)."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        remaining, wire = iter(decisions), CONTESTS[contest].wire()

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while line := await reader.readline():
                if isinstance(question := wire.read(line), Question):
                    writer.write(wire.write(_make_choice(next(remaining), question)))

        async def answer_calls(caller: Caller) -> None:
            while True:
                head, body = await caller.read_request()
                question = wire.read(body) if head.startswith(f"POST {wire.action_path} ") else None
                reply = wire.write(_make_choice(next(remaining), question)) if isinstance(question, Question) else b""
                await caller.say(make_response(reply))

        if wire.action_path:
            async with serve_bot(answer_calls) as host:
                dialect, connection = CONTESTS[contest].make_http_dialect(ENTRANTS), HttpConnection(host.address)
                director.add_bot(bot := HttpBot(1, dialect, connection, director.record_bot_event))
                yield
                await bot.close()
            return
        listener = await listen_for_bot(HOST, "", 60.0)
        reader, writer = await asyncio.open_connection(HOST, listener.port)
        writer.write(wire.hello)
        director.add_bot(Bot(1, CONTESTS[contest].make_dialect(), await listener.accept(), director.record_bot_event))
        async with background_task(talk(reader, writer)):
            yield
        writer.close()

    return seating


def _make_choice(decision: Answer, question: Question) -> Choice:
    """Returns a decision as a bot's choice. An illegal all-in becomes the highest legal raise, or else a call."""
    moves, action = {move.action: move for move in question.spot.legal}, decision["action"]
    amount = decision.get("amount", 0)
    if action == "all_in" and action not in moves:
        action, amount = ("raise", moves["raise"].max) if "raise" in moves else ("call", 0)
    return Choice(action, amount, decision["thought"])


def find_different_answers(dice: random.Random, pairs: int) -> Comparison:
    """Compares the tools' answers in pairs of hands. The hands of a pair differ only in what the agent must not see."""
    turn_count, differing = 0, list[str]()
    for number in range(1, pairs + 1):
        deck = random_deck(dice)
        events, decisions, _ = play_hand(dice, 1, STACKS, deck)
        cards = next({*event.cards} for event in events if isinstance(event, HoleDealt) and event.seat == AGENTS_SEAT)
        board = [card for event in events if isinstance(event, StreetDealt) for card in event.cards]
        equal_board_size = dice.choice([size for size in (0, 3, 4, 5) if size <= len(board)])
        other_deck = reshuffled(dice, deck, cards | {*board[:equal_board_size]})
        answers = asyncio.run(_play_by_mcp(deck, decisions, equal_board_size, "odds"))
        other_answers = asyncio.run(_play_by_mcp(other_deck, decisions, equal_board_size, "outs"))
        turn_count += len(answers)
        differing += [f"pair {number}"] * (answers != other_answers)
    return Comparison(pairs, turn_count, differing)


class _ScriptedBot(DiceBot):
    """An opponent of the agent. It makes the given decisions. Its thoughts contain its hole cards and `word`."""

    def __init__(self, decisions: Iterator[Decision], word: str) -> None:
        self._decisions, self._word = decisions, word

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> bots.Answer:
        await asyncio.sleep(0)
        note = f"I have {view.hand.seats[view.seat].cards}: {self._word}."
        return bots.Answer(resolve(next(self._decisions)), 0, note=note)


class OneSeat:
    """Gives the tools a single seat. An agent has this seat already, so no other agent can join."""

    contest = CONTESTS["quick-draw"]
    contest_format = contest.format
    joining_text = "The seat is taken."

    def __init__(self, seat: AgentSeat) -> None:
        self._seat = seat

    def admit(self, join_request: JoinRequest, client: str) -> AdmittedAgent:
        raise AgentRequestError(self.joining_text)

    def find_seat(self, secret: str) -> AgentSeat:
        return self._seat


async def _play_by_mcp(deck: Deck, all_decisions: Sequence[Decision], equal_board_size: int, word: str) -> list[bytes]:
    """Plays a hand until the board has more than `equal_board_size` cards. Returns the tools' answers for each turn."""
    seat, decisions = AgentSeat("Oracle"), iter(all_decisions)
    agents_end, tables_end = socket.socketpair()
    agents_end.setblocking(False)
    caller = tools.Caller("127.0.0.1", "http://127.0.0.1", asyncio.Queue[Message]().get)  # This client never hangs up.
    tool_server = tools.Tools(OneSeat(seat))
    listening = asyncio.create_task(seat.listen(agents_end))
    connection = PairConnection(tables_end, asyncio.get_running_loop())
    dialect = AgentDialect(OneSeat.contest.notified_events)
    agent = bots.Bot(1, dialect, connection, lambda _: None, has_numbered_answers=True)
    entrants, table_bots = (*ENTRANTS, Entrant(4, "Curie")), (agent, *(_ScriptedBot(decisions, word) for _ in range(3)))
    log = ResumableLog(Bus(None, time.monotonic), lambda _: None)
    playing = asyncio.create_task(Table(QUICK_DRAW, 1, entrants, table_bots, log).play_hand(1, 1, STACKS, deck))
    answers: list[bytes] = []
    while True:
        waiting = asyncio.create_task(tool_server.call("wait_for_turn", {"secret": SECRET}, caller))
        await asyncio.wait((waiting, playing), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            break
        turn_answer = _encode(waiting.result())
        situation = msgspec.json.decode(turn_answer)
        if not situation["your_turn"] or len(situation["table"]["board"]) > equal_board_size:
            break
        history_answer = _encode(await tool_server.call("history", {"secret": SECRET}, caller))
        act = _make_act_arguments(next(decisions), situation)
        act_answer = _encode(await tool_server.call("act", {"secret": SECRET, **act, "thought": "As I like."}, caller))
        answers.append(b"\n".join((turn_answer, history_answer, act_answer)))
    for task in (waiting, playing, listening):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    agent.hang_up()
    return answers


def _encode(answer: object) -> bytes:
    """Returns an answer as JSON, without the agent's remaining time, which varies."""
    return re.sub(rb'"time_left_ms":\d+,', b"", msgspec.json.encode(answer))


def _make_act_arguments(decision: Decision, situation: dict[str, object]) -> dict[str, object]:
    actions = {move["action"] for move in situation["legal"]}  # type: ignore[attr-defined]
    state = {"state": situation["state"]}
    if isinstance(decision, RaiseTo):
        return {**state, "action": "raise", "amount": decision.raise_to}
    return {**state, "action": "fold" if isinstance(decision, Fold) else "check" if "check" in actions else "call"}

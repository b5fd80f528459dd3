"""An agent's game is the game that a bot by the contest's own wire has with the same decisions."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from msgspec.structs import replace

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.agents import EveningDoor
from server.app.mcp.serve import add_agents
from server.app.practice.games.plan import short
from server.bots.bot import Bot
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
from tests.mcp.scripted_agent import Answer, agent_at, call_or_check, legal, smallest_raise

HOST = "127.0.0.1"
ENTRANTS = (Entrant(1, "Oracle"), Entrant(2, "Ada"), Entrant(3, "Babbage"))
WORD = "the-secret-of-the-oracle"
HANDS = 24
THINK_MS = 60_000
"""So much that no bot is late, however busy the machine is."""
Seating = Callable[[Director], AbstractAsyncContextManager[None]]
"""Seats the first entrant's bot, which plays until the context ends."""


async def played(contest: str, seating: Seating) -> list[Event]:
    """The events of a game against two house bots, without the times."""
    bus = Bus(None, time.monotonic)
    form = short(CONTESTS[contest].format, len(ENTRANTS), HANDS)
    form = replace(form, rules=replace(form.rules, think_ms=THINK_MS))
    director = Director(form, ENTRANTS, seed=bytes(32), bus=bus)
    async with seating(director):
        for number, style in ((2, "random"), (3, "calling")):
            director.welcome(InProcessBot(number, styles()[style], random.Random(number)))
        await director.run()
    events = [entry.event for entry in bus.entries]
    return [replace(event, think_ms=0) if isinstance(event, ActionTaken) else event for event in events]


def varied(turn: int, situation: Answer) -> Answer:
    """Another kind of action each turn, as far as it is legal."""
    kind = ("call", "raise", "check", "fold", "call", "check", "all_in")[turn % 7]
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
            decision = varied(len(decisions), situation) | {"thought": f"This is decision {len(decisions)}."}
            decisions.append({**legal(situation)[decision["action"]], **decision, "table": situation["table"]})
            return decision

        async with add_agents(app, door), serving(app, HOST, 0) as base, agent_at(base) as agent:
            await agent.join("Oracle", secret=WORD)
            await door.all_connected.wait()
            playing = asyncio.create_task(agent.play(choose))
            yield
            door.end()
            await playing

    return seating


def by_quick_draw(decisions: list[Answer]) -> Seating:
    """Seats a bot that sends the same decisions over TCP. It has no word for all-in, so it raises to all it has."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        listener = await listen_for_bot(HOST, "", 60.0)
        reader, writer = await asyncio.open_connection(HOST, listener.port)
        director.welcome(Bot(1, CONTESTS["quick-draw"].talk(), await listener.accept(), director.hear))

        async def play() -> None:
            remaining = iter(decisions)
            while line := await reader.readline():
                if json.loads(line)["command"] == "request_action":
                    writer.write(
                        json.dumps({"command": "take_action", **_quick_draw(next(remaining))}).encode() + b"\n"
                    )

        playing = asyncio.create_task(play())
        yield
        writer.close()
        playing.cancel()

    return seating


def _quick_draw(decision: Answer) -> Answer:
    action, note = decision["action"], decision["thought"]
    me = decision["table"]["players"][decision["table"]["you"]]
    match action:
        case "raise":
            return {"action": "raise", "raise_amount": decision["amount"], "note": note}
        case "all_in":
            return {"action": "raise", "raise_amount": me["bet"] + me["chips"], "note": note}
        case "fold":
            return {"action": "fold", "note": note}
        case _:
            return {"action": "call", "note": note}


def by_arena(decisions: list[Answer]) -> Seating:
    """Seats a bot that answers its calls with the same decisions."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        remaining = iter(decisions)

        async def play(caller: Caller) -> None:
            while True:
                await caller.heard()
                decision = next(remaining)
                await caller.say(
                    answer({"action": decision["action"], "amount": decision["amount"], "note": decision["thought"]})
                )

        async with host_playing(play) as host:
            bot = HttpBot(1, CONTESTS["arena"].call(ENTRANTS), HttpConnection(host.address), director.hear)
            director.welcome(bot)
            yield
            await bot.close()

    return seating


@pytest.mark.parametrize(("contest", "by_wire"), [("quick-draw", by_quick_draw), ("arena", by_arena)])
async def test_same_decisions_by_mcp_and_by_the_contests_own_wire_make_the_same_events(
    contest: str, by_wire: Callable[[list[Answer]], Seating]
) -> None:
    decisions: list[Answer] = []
    events = await played(contest, by_mcp(contest, decisions))
    same = await played(contest, by_wire(decisions))
    assert {each["action"] for each in decisions} == {"fold", "check", "call", "raise", "all_in"}
    assert len(decisions) > 2 * 7
    assert _without_declared(events) == _without_declared(same)


def _without_declared(events: list[Event]) -> list[Event]:
    """Leaves out the bot's own word for its action, because Quick Draw has none for all-in."""
    return [replace(event, declared="all_in") if isinstance(event, ActionTaken) else event for event in events]

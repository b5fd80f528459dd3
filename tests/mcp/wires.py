"""Games in which the same decisions come by MCP, or by the contest's own wire."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from msgspec import UNSET
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
from server.contests.acpc.betting import Turns, acts_of
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import GAME
from server.game.events import ActionTaken, Entrant, Event
from server.journal.bus import Bus
from server.tournament.director import Director
from tests.bots.http_servers import Caller, answer, host_playing
from tests.mcp.scripted_agent import Answer, agent_at, call_or_check, legal, smallest_raise

HOST = "127.0.0.1"
ENTRANTS = (Entrant(1, "Oracle"), Entrant(2, "Ada"), Entrant(3, "Babbage"))
WORD = "the-secret-of-the-oracle"
THINK_MS = 60_000
"""So much that no bot is late, however busy the machine is."""
KINDS = ("call", "raise", "check", "fold", "call", "fold", "check", "fold", "all_in", "fold", "raise")
Seating = Callable[[Director], AbstractAsyncContextManager[None]]
"""Seats the first entrant's bot, which plays until the context ends."""


async def played(contest: str, seating: Seating, hands: int, seed: bytes = bytes(32)) -> list[Event]:
    """The events of a game of at most `hands` hands against two house bots, without the times."""
    bus = Bus(None, time.monotonic)
    form = short(CONTESTS[contest].format, len(ENTRANTS), hands)
    form = replace(form, rules=replace(form.rules, think_ms=THINK_MS, time_bank_ms=UNSET))
    director = Director(form, ENTRANTS, seed=seed, bus=bus)
    async with seating(director):
        for number, style in ((2, "random"), (3, "calling")):
            director.welcome(InProcessBot(number, styles()[style], random.Random(number)))
        await director.run()
    return [_comparable(entry.event) for entry in bus.entries]


def _comparable(event: Event) -> Event:
    """Leaves out the time, and the bot's own word for its action, because not every contest has one for all-in."""
    return replace(event, think_ms=0, declared=UNSET) if isinstance(event, ActionTaken) else event


def varied(turn: int, situation: Answer) -> Answer:
    """Another kind of action each turn, as far as it is legal. Never folds for free, which the ACPC forbids."""
    kind = KINDS[turn % len(KINDS)]
    if "post_blind" in legal(situation):
        return {"action": "post_blind"}
    if kind not in legal(situation) or (kind == "fold" and "check" in legal(situation)):
        return call_or_check(situation)
    return smallest_raise(situation) if kind == "raise" else {"action": kind}


def by_mcp(contest: str, decisions: list[Answer]) -> Seating:
    """Seats an agent at the door of a tournament; adds its decisions, with the chips that they cost, to `decisions`."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        door = EveningDoor(CONTESTS[contest].format, ENTRANTS[:1], {1: WORD}, director)
        app = guarded_app()

        def choose(situation: Answer) -> Answer:
            words = (
                "" if contest == "acpc" else f"This is decision {len(decisions)}."
            )  # the ACPC has no field for words
            decision = varied(len(decisions), situation) | {"thought": words}
            decisions.append(
                {
                    **legal(situation)[decision["action"]],
                    **decision,
                    "table": situation["table"],
                    "legal": situation["legal"],
                }
            )
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


def by_enova(decisions: list[Answer]) -> Seating:
    """Seats a bot that answers its calls with the same decisions, as totals for the street."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        remaining = iter(decisions)

        async def play(caller: Caller) -> None:
            while True:
                head, _ = await caller.heard()
                is_turn = head.startswith("POST /player/action")
                await caller.say(answer(_enova(next(remaining)) if is_turn else b""))

        async with host_playing(play) as host:
            bot = HttpBot(1, CONTESTS["enova"].call(ENTRANTS), HttpConnection(host.address), director.hear)
            director.welcome(bot)
            yield
            await bot.close()

    return seating


def _enova(decision: Answer) -> Answer:
    me = decision["table"]["players"][decision["table"]["you"]]
    match decision["action"]:
        case "post_blind":
            return {"action": "blind", "amount": decision["amount"]}
        case "fold":
            return {"action": "fold", "note": decision["thought"]}
        case "raise":
            return {"action": "bet", "amount": decision["amount"], "note": decision["thought"]}
        case _:
            return {"action": "bet", "amount": me["bet"] + decision["amount"], "note": decision["thought"]}


def by_acpc(decisions: list[Answer]) -> Seating:
    """Seats a player that answers each state of its own with the same decisions."""

    @asynccontextmanager
    async def seating(director: Director) -> AsyncIterator[None]:
        listener = await listen_for_bot(HOST, "", 60.0)
        reader, writer = await asyncio.open_connection(HOST, listener.port)
        writer.write(b"VERSION:2.0.0\r\n")
        director.welcome(Bot(1, CONTESTS["acpc"].talk(), await listener.accept(), director.hear))

        async def play() -> None:
            remaining = iter(decisions)
            while line := (await reader.readline()).decode().strip():
                if is_own_turn(line):
                    writer.write(f"{line}:{_acpc(next(remaining))}\r\n".encode())

        playing = asyncio.create_task(play())
        yield
        writer.close()
        playing.cancel()

    return seating


def is_own_turn(state: str) -> bool:
    """Whether it is the turn of the player that gets this state of the ACPC."""
    _, own, _, betting, _ = state.split(":")
    turns = Turns(Game(len(ENTRANTS), GAME.stack))
    for act in acts_of(betting):
        if act == "/":
            turns.next_street()
        else:
            turns.apply(act)
    return turns.acting == int(own)


def _acpc(decision: Answer) -> str:
    me = decision["table"]["players"][decision["table"]["you"]]
    raises = any(move["action"] == "raise" for move in decision["legal"])
    match decision["action"]:
        case "raise":
            return f"r{me['in_pot'] - me['bet'] + decision['amount']}"
        case "all_in" if raises:
            return f"r{me['in_pot'] + me['chips']}"
        case "fold":
            return "f"
        case _:
            return "c"


BY_WIRE: dict[str, Callable[[list[Answer]], Seating]] = {
    "quick-draw": by_quick_draw, "arena": by_arena, "enova": by_enova, "acpc": by_acpc,
}  # fmt: skip
"""The contests' own wires."""

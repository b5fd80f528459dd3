"""Sends malformed input to everything that listens on the network, each followed by valid input.

Each function returns how many inputs broke the listener: it answered with 5xx or not at all, or refused valid input.
"""

import asyncio
import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path

import httpx
from fastapi import FastAPI

from broadcast.web.serve import serving
from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import Decided, Heard
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA
from server.contests.enova.dialect import Enova
from server.contests.enova.rules import ENOVA
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from server.contests.upac.dialect import Upac
from server.game.betting import resolve
from server.game.decisions import Call
from server.game.view import View
from server.registration.register import CheckedIn, Registration, register_router
from server.text.strict_json import JsonObject
from tests.bots.http_servers import Caller, answer, host_playing
from tests.bots.tcp_client import CALL, HOST, HOWDY, TcpClient, connected, settle
from tests.bots.views import entrants_of, table_view
from tests.desk.desk_server import DeskServer, contest_events
from tests.desk.http_requests import ask, headers
from tests.game.table import deal

SECONDS = 10.0
WAITS = 40
"""How often the server's clock is advanced by 50 ms before the time for an answer is nearly over."""


def alter(dice: random.Random, *texts: bytes) -> bytes:
    """Returns one of `texts` with one to four random changes."""
    text = bytearray(dice.choice(texts))
    for _ in range(dice.randint(1, 4)):
        mutate(text, dice)
    return bytes(text)


def mutate(text: bytearray, dice: random.Random) -> None:
    """Makes one random change: cuts out, inserts, changes or repeats bytes, or cuts off the end."""
    at = dice.randrange(len(text) + 1)
    match dice.randrange(5):
        case 0:
            text[at : at + dice.randint(1, 9)] = b""
        case 1:
            text[at:at] = dice.choice(
                (b'"', b"{", b"}", b"\\", b"[", b"]", b",", b":", b"\n", b"\\u", b"\xf0\x9f", b"\0")
            )
        case 2:
            text[at : at + 1] = bytes([dice.randrange(256)])
        case 3:
            text[at:at] = bytes(text[: dice.randrange(len(text) + 1)])
        case _:
            del text[at:]


# -- bots over TCP -----------------------------------------------------------------------------------


async def quick_draw(inputs: int, dice: random.Random) -> int:
    """Sends bytes on a bot's TCP connection during its turn."""
    broken, client = 0, await connected()
    for number in range(inputs):
        if number % 200 == 199 or not client.bot.connected:
            client.bot.hang_up()
            client.close()
            client = await connected()
        broken += not await _answers_in_time(client, alter(dice, CALL, HOWDY) + CALL)
    client.bot.hang_up()
    client.close()
    return broken


async def _answers_in_time(client: TcpClient, message: bytes) -> bool:
    """Whether the server asks the bot, and accepts an answer in `message`."""
    asked = client.ask()
    await _read_until(client, lambda received: b'"request_action"' in received)
    await client.say(message)
    await _read_until(client, lambda _: asked.done())
    asked.cancel()
    return asked.done() and not asked.cancelled() and not asked.result().fault


async def _read_until(client: TcpClient, enough: Callable[[bytes], bool]) -> None:
    """Reads from the server while its clock runs, until `enough` is true or the time for an answer is nearly over."""
    received = b""
    for _ in range(WAITS):
        await settle()
        with suppress(BlockingIOError):
            received += client.connection.recv(65536)
        if enough(received):
            return
        client.clock.advance(0.05)


async def upac(inputs: int, dice: random.Random) -> int:
    """Sends a bot's lines, each in two pieces that are cut anywhere."""
    broken, dialect = 0, Upac()
    for _ in range(inputs):
        line = alter(dice, b"C\n", b"R6\n", b"F\n", b"R99999999\n") + b"\nC\n"
        cut = dice.randrange(len(line))
        message = dialect.receive(line[:cut]) + dialect.receive(line[cut:])
        broken += message[-1:] != [Heard(b"C", Decided(Call()))]
    return broken


async def arena_answers(inputs: int, dice: random.Random) -> int:
    """Sends an Arena bot's answers to the server's calls; every second answer is good."""
    view = table_view(deal("2000 2000 2000", rules=ARENA))
    return await _try_answers(inputs, dice, Arena(player_ids(entrants_of(3))), view, {"action": "call", "amount": 20})


async def enova_answers(inputs: int, dice: random.Random) -> int:
    """Sends an Enova bot's answers to calls that ask it for the blind; every second answer is good."""
    view = table_view(deal("200 200 200", rules=ENOVA))
    return await _try_answers(inputs, dice, Enova(), view, {"action": "blind", "amount": "1"})


async def _try_answers(inputs: int, dice: random.Random, dialect: HttpDialect, view: View, good: JsonObject) -> int:
    right, broken = answer(good), 0
    replies = [right]

    async def play(caller: Caller) -> None:
        await caller.heard()
        await caller.say(replies[-1])  # and hangs up

    async with host_playing(play) as host:
        bot = HttpBot(1, dialect, HttpConnection(host.address), lambda _: None)
        for _ in range(inputs):
            replies[-1] = alter(dice, right)
            await bot.ask(view, partial(resolve, view.hand))
            replies[-1] = right
            broken += bool((await bot.ask(view, partial(resolve, view.hand))).fault)
        await bot.close()
    return broken


# -- registrations ---------------------------------------------------------------------------------


async def registration(inputs: int, dice: random.Random) -> int:
    """Sends bodies to `POST /register`."""

    async def check_in(_registration: Registration, _address: str) -> CheckedIn:
        return CheckedIn(5001, 7)

    app = FastAPI(openapi_url=None)
    app.include_router(register_router(check_in))
    good = b'{"name": "Billy the Kid", "test_game_size": 4, "test_hand_count": 12}'
    async with serving(app, HOST, 0) as base:
        return await _try_bodies(inputs, dice, f"{base}/register", good, "application/json")


async def enova_registration(inputs: int, dice: random.Random) -> int:
    """Sends bodies to `POST /tournament/register`."""
    with tempfile.TemporaryDirectory() as name:
        app = enova_app(EnovaRegistry(Path(name) / "bots.json"))
        async with serving(app, HOST, 0) as base:
            form = "application/x-www-form-urlencoded"
            return await _try_bodies(
                inputs, dice, f"{base}/tournament/register", b"hostname=127.0.0.1:3001&name=Bot%20Awesome", form
            )


async def _try_bodies(inputs: int, dice: random.Random, url: str, good: bytes, kind: str) -> int:
    broken = 0
    async with httpx.AsyncClient(timeout=SECONDS, headers={"Content-Type": kind}) as web:
        for _ in range(inputs):
            broken += (await web.post(url, content=alter(dice, good))).status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
            broken += (await web.post(url, content=good)).status_code != HTTPStatus.OK
    return broken


# -- the desk --------------------------------------------------------------------------------------


async def desk(inputs: int, dice: random.Random) -> int:
    """Sends requests with the control token."""
    return await asyncio.to_thread(_try_requests, inputs, dice)


def _try_requests(inputs: int, dice: random.Random) -> int:
    good = b'{"control": "held", "value": true, "operator": "Ann", "bot": 0}'
    broken = 0
    with tempfile.TemporaryDirectory() as media, DeskServer(Path(media), contest_events()) as server:
        sent = headers(server, "control", content_type="application/json")
        for _ in range(inputs):
            answered = ask(server, "POST", "/api/desk/set", sent, alter(dice, good) or b" ")
            broken += answered.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
            broken += ask(server, "POST", "/api/desk/set", sent, good).status_code != HTTPStatus.OK
    return broken

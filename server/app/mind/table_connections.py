"""Brings a mind (a bot that asks a language model) to a contest's table: registers it, and lets it play over TCP or by
standard input and output.
"""

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable

import msgspec

from server.app.mind.mind_bot import MindBot
from server.bots.dialects import http_calls
from server.bots.http_bot import call_on_new_connection
from server.bots.transports.http import ALL_NETWORKS, CallFailed, HostRefused, find_host, host_and_port
from server.errors import Refusal
from server.text.characters import printable

LINE_BYTES = 64 * 1024
"""The maximum size of a message from the contest's server, in bytes."""
REGISTER_SECONDS = 20.0


class _Registered(msgspec.Struct, frozen=True):
    """The fields that the bot needs from the answer to a registration."""

    port_number: int


async def register(server: str, request: http_calls.Request, say: Callable[[str], object]) -> bytes:
    """Sends the registration `request` to `server` ("host:port"). Passes the answer to `say`, and returns its body.
    Raises Refusal if the server does not answer or turns the bot away.
    """
    try:
        address = await find_host(*host_and_port(server), ALL_NETWORKS)
        reply = await call_on_new_connection(address, request, REGISTER_SECONDS)
    except (HostRefused, CallFailed) as error:
        raise Refusal(f"{server} cannot be used: {error}. Is highnoon practice running there?") from None
    text = printable(reply.body.decode(errors="replace").strip())
    if reply.status != http_calls.OK:
        raise Refusal(f"{server} turned the bot away: {text[:300]}")
    say(text[:1000])
    return reply.body


def read_port(body: bytes) -> int:
    """Returns the port in the answer to a registration. Raises Refusal."""
    try:
        return msgspec.json.decode(body, type=_Registered).port_number
    except msgspec.DecodeError:
        raise Refusal("the answer to the registration names no port: is it the right contest?") from None


async def play_over_tcp(mind_bot: MindBot, host: str, port: int) -> None:
    """Plays over TCP until the server closes the connection. The bot's `wire` has the messages that the contest demands
    at the start and after a timeout. Raises OSError if nothing listens at `host` and `port`.
    """
    reader, writer = await asyncio.open_connection(host, port, limit=LINE_BYTES)
    with contextlib.closing(writer), contextlib.suppress(ConnectionError):
        writer.write(mind_bot.wire.hello)
        async for line in reader:
            answer = await mind_bot.answer(line)
            if answer is None:
                await mind_bot.wait_out_turn()
                answer = mind_bot.wire.timeout_message
            writer.write(answer)
            await writer.drain()


async def play_over_stdio(mind_bot: MindBot) -> None:
    """Plays by standard input and output until standard input ends."""
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        while line := sys.stdin.buffer.readline(LINE_BYTES):
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, b"")

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        sys.stdout.buffer.write(await mind_bot.answer(line) or b"")
        sys.stdout.buffer.flush()

"""The connection over a bot's standard input and output, with real pipes. The test is at the bot's end."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest

from server.bots.sandbox.process import two_pipes
from server.bots.transports.stdio import StdioConnection
from tests.bots.fakes import FakeClock


class Pipes:
    """A connection to a bot, and the bot's ends of its two pipes."""

    def __init__(self, stdin: int, stdout: int, ours: tuple[int, int]) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.heard: list[bytes] = []
        self.lost: list[str] = []
        self.how_it_ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.connection = StdioConnection(*ours, self._ended, FakeClock())
        self.connection.attach(self._hear, self._lose)
        self._changed = asyncio.Event()

    async def wait_until(self, condition: Callable[[], object]) -> None:
        """Waits until `condition()` is true, which is checked whenever something arrives or ends."""
        async with asyncio.timeout(60.0):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def _hear(self, piece: bytes) -> None:
        self.heard.append(piece)
        self._changed.set()

    def _lose(self, reason: str) -> None:
        self.lost.append(reason)
        self._changed.set()

    async def _ended(self) -> str:
        return await asyncio.shield(self.how_it_ended)


@pytest.fixture
async def bot() -> AsyncIterator[Pipes]:
    with two_pipes() as (ours, theirs):
        opened = Pipes(os.dup(theirs[0]), os.dup(theirs[1]), ours)
    yield opened
    opened.connection.close()
    for end in (opened.stdin, opened.stdout):
        with suppress(OSError):  # The test has closed this end.
            os.close(end)


async def test_output_is_read_before_a_request_is_sent_and_before_the_end_is_reported(bot: Pipes) -> None:
    os.write(bot.stdout, b"C\n")
    order: list[object] = []
    bot.connection.send(b"STACK 1 50 2 50\n", on_handed_over=lambda: order.append(list(bot.heard)))
    assert order == [[b"C\n"]]
    assert os.read(bot.stdin, 100) == b"STACK 1 50 2 50\n"
    os.write(bot.stdout, b"F\n")
    os.close(bot.stdout)
    await bot.wait_until(lambda: len(bot.heard) == 2)
    assert not bot.lost
    bot.how_it_ended.set_result("ended with status 134")
    await bot.wait_until(lambda: bot.lost)
    assert (bot.heard, bot.lost) == ([b"C\n", b"F\n"], ["ended with status 134"])
    bot.connection.send(b"FLOP\n")


async def test_closing_ends_the_bots_input_and_reports_nothing(bot: Pipes) -> None:
    bot.connection.send(b"END FOLD SB\n")
    bot.connection.close()
    os.set_blocking(bot.stdin, True)
    assert os.read(bot.stdin, 100) == b"END FOLD SB\n"
    assert os.read(bot.stdin, 100) == b""
    bot.connection.close()
    assert not bot.lost

"""Fixtures: two bots with a fake clock. One has a fake connection, the other a TCP connection."""

from collections.abc import AsyncIterator

import pytest

from tests.bots.bot_harness import Harness
from tests.bots.tcp_client import TcpClient, connected


@pytest.fixture
def harness() -> Harness:
    return Harness()


@pytest.fixture
async def client() -> AsyncIterator[TcpClient]:
    opened = await connected()
    yield opened
    opened.bot.hang_up()
    opened.clock.advance(60.0)
    opened.close()

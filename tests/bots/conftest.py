"""A fixture: a bot with a fake clock and a TCP connection."""

from collections.abc import AsyncIterator

import pytest

from tests.bots.tcp_client import TcpClient, connected


@pytest.fixture
async def client() -> AsyncIterator[TcpClient]:
    opened = await connected()
    yield opened
    opened.bot.hang_up()
    opened.clock.advance(60.0)
    opened.close()

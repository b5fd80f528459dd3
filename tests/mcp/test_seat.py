"""An agent's seat, with the test as its table."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import pytest

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.mcp.seat import NotNow, Seat
from server.app.mcp.serve import add_agents
from server.bots.dialects.agent import Asked, Move, News, Table, Taken, line_of
from tests.mcp.agent_pairs import WORD, OneSeat, differing_answers
from tests.mcp.scripted_agent import agent_at, sent_call

PAIRS = 200
"""The benchmark `published_decks` compares ten thousand pairs."""
TABLE = Table(1, 1, "preflop", 0, ("Ah", "Kh"), (), 150, 100, 0, 50, 100, 0, ())
STARTED = News("hand_started", 1)


def asked(state: int) -> bytes:
    return line_of(Asked(state, 60_000, TABLE, (Move("fold", 0), Move("call", 100))))


@asynccontextmanager
async def seated() -> AsyncIterator[tuple[Seat, asyncio.StreamReader, asyncio.StreamWriter]]:
    """A seat, and what its table reads from and writes to. The table closes the connection in the end."""
    ours, theirs = socket.socketpair()
    seat = Seat("Oracle")
    listening = asyncio.create_task(seat.listen(ours))
    reader, writer = await asyncio.open_connection(sock=theirs)
    yield seat, reader, writer
    writer.close()
    await writer.wait_closed()
    await listening


async def test_call_that_is_replaced_takes_no_news_from_the_call_that_replaces_it() -> None:
    async with seated() as (seat, _, table):
        given_up = asyncio.create_task(seat.wait())
        table.write(line_of(STARTED))
        await asyncio.sleep(0.1)
        waiting = asyncio.create_task(seat.wait())
        replaced = await given_up
        assert (replaced.your_turn, replaced.news) == (False, ())
        table.write(asked(1))
        situation = await waiting
        assert (situation.state, situation.news) == (1, (STARTED,))


async def test_wait_whose_client_hangs_up_takes_no_news_with_it() -> None:
    app = guarded_app()
    async with (
        seated() as (seat, _, table),
        add_agents(app, OneSeat(seat)),
        serving(app, "127.0.0.1", 0) as base,
        agent_at(base) as agent,
    ):
        agent.secret = WORD
        waiting = await sent_call(base, "wait_for_turn", secret=WORD)
        await agent.call("history", secret=WORD)  # By then the server has the call,
        waiting.transport.abort()
        await agent.call("history", secret=WORD)  # and here it knows that the call is cut off.
        table.write(line_of(STARTED) + asked(1))
        while not (await agent.call("history", secret=WORD))["hands"]:
            pass
        situation = await agent.wait()
        assert (situation["state"], [each["what"] for each in situation["news"]]) == (1, ["hand_started"])
        assert "news" not in await agent.wait()


async def test_action_that_the_table_no_longer_takes_is_refused_and_the_next_one_counts() -> None:
    async with seated() as (seat, heard, table):

        async def heard_by_table(act: Awaitable[None], answer: bytes) -> None:
            acting = asyncio.ensure_future(act)
            assert b'"action":"call"' in await heard.readline()
            table.write(answer)
            await acting

        table.write(asked(1))
        assert (await seat.wait()).state == 1
        with pytest.raises(NotNow, match="the table refused the action: it came too late"):
            await heard_by_table(seat.act(1, "call"), asked(2))
        assert (await seat.wait()).state == 2
        await heard_by_table(seat.act(2, "call"), line_of(Taken(1)) + line_of(Taken(2)))
        with pytest.raises(NotNow, match="request 2 is not open"):
            await seat.act(2, "call")
    assert (await seat.wait()).game_over


def test_no_answer_depends_on_cards_or_thoughts_that_the_agent_may_not_know() -> None:
    compared = differing_answers(random.Random(1), PAIRS)
    assert compared.differing == []
    assert compared.moments > PAIRS

"""An agent's seat, with the test as its table."""

import asyncio
import random
import socket
from collections.abc import Awaitable

import pytest

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.mcp.seat import NotNow, Seat
from server.app.mcp.serve import add_agents
from server.bots.dialects.agent import Asked, Move, News, Table, Taken, legal_moves, line_of
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW
from tests.bots.views import table_view
from tests.game.table import deal
from tests.mcp.agent_pairs import WORD, OneSeat, differing_answers
from tests.mcp.scripted_agent import agent_at, sent_call

PAIRS = 200
"""The benchmark `published_decks` compares ten thousand pairs."""
TABLE = Table(1, 1, "preflop", 0, ("Ah", "Kh"), (), 150, 100, 0, 50, 100, 0, ())


def asked(state: int) -> bytes:
    return line_of(Asked(state, 60_000, TABLE, (Move("fold", 0), Move("call", 100))))


def test_fold_is_not_offered_where_the_contest_forbids_it() -> None:
    """In the ACPC nobody may fold if checking is free."""
    stacks = "5000 5000 5000"
    facing_a_bet, option = (deal(stacks, rules=ACPC_FORMAT.rules).play(script) for script in ("", "call call"))
    assert "fold" in {move.action for move in legal_moves(table_view(facing_a_bet))}
    assert "fold" not in {move.action for move in legal_moves(table_view(option))}
    elsewhere = deal(stacks, rules=QUICK_DRAW).play("call call")
    assert "fold" in {move.action for move in legal_moves(table_view(elsewhere))}


async def test_call_that_is_replaced_takes_no_news_from_the_call_that_replaces_it() -> None:
    ours, theirs = socket.socketpair()
    seat = Seat("Oracle")
    listening = asyncio.create_task(seat.listen(ours))
    _, writer = await asyncio.open_connection(sock=theirs)
    given_up = asyncio.create_task(seat.wait())
    writer.write(line_of(News("hand_started", 1)))
    await asyncio.sleep(0.1)
    waiting = asyncio.create_task(seat.wait())
    replaced = await given_up
    assert (replaced.your_turn, replaced.news) == (False, ())
    writer.write(asked(1))
    situation = await waiting
    assert (situation.state, situation.news) == (1, (News("hand_started", 1),))
    writer.close()
    await writer.wait_closed()
    await listening


async def test_wait_whose_client_hangs_up_takes_no_news_with_it() -> None:
    ours, theirs = socket.socketpair()
    seat, app = Seat("Oracle"), guarded_app()
    listening = asyncio.create_task(seat.listen(ours))
    _, writer = await asyncio.open_connection(sock=theirs)
    async with add_agents(app, OneSeat(seat)), serving(app, "127.0.0.1", 0) as base, agent_at(base) as agent:
        agent.secret = WORD
        waiting = await sent_call(base, "wait_for_turn", secret=WORD)
        await agent.call("history", secret=WORD)  # By then the server has the call,
        waiting.transport.abort()
        await agent.call("history", secret=WORD)  # and here it knows that the call is cut off.
        writer.write(line_of(News("hand_started", 1)) + asked(1))
        while not (await agent.call("history", secret=WORD))["hands"]:
            pass
        situation = await agent.wait()
        assert (situation["state"], [each["what"] for each in situation["news"]]) == (1, ["hand_started"])
        assert "news" not in await agent.wait()
    writer.close()
    await writer.wait_closed()
    await listening


async def test_action_that_the_table_no_longer_takes_is_refused_and_the_next_one_counts() -> None:
    ours, theirs = socket.socketpair()
    seat = Seat("Oracle")
    listening = asyncio.create_task(seat.listen(ours))
    reader, writer = await asyncio.open_connection(sock=theirs)

    async def heard_by_table(act: Awaitable[None], answer: bytes) -> None:
        acting = asyncio.ensure_future(act)
        assert b'"action":"call"' in await reader.readline()
        writer.write(answer)
        await acting

    writer.write(asked(1))
    assert (await seat.wait()).state == 1
    with pytest.raises(NotNow, match="the table refused the action: it came too late"):
        await heard_by_table(seat.act(1, "call"), asked(2))
    assert (await seat.wait()).state == 2
    await heard_by_table(seat.act(2, "call"), line_of(Taken(1)) + line_of(Taken(2)))
    with pytest.raises(NotNow, match="request 2 is not open"):
        await seat.act(2, "call")
    writer.close()
    await writer.wait_closed()
    await listening
    assert (await seat.wait()).game_over


def test_no_answer_depends_on_cards_or_thoughts_that_the_agent_may_not_know() -> None:
    compared = differing_answers(random.Random(1), PAIRS)
    assert compared.differing == []
    assert compared.moments > PAIRS

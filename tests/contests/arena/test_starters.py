"""The Arena's starter bots as they are handed out: they answer the document's own message."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.app.evening.http_bots import Found, find_bots
from server.bots.dialects.http_calls import Request
from server.bots.transports.http import HttpConnection
from server.contests.arena.venue.config_file import read_arena
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "arena"
PROGRAMS = (
    [sys.executable, str(STARTERS / "python" / "ai_http_server.py")],
    [str(Path(sys.executable).parent / "node"), str(STARTERS / "javascript" / "ai_http_server.js")],
)
DOCUMENT = {
    "game_id": "holdem_a8168c",
    "phase": "preflop",
    "hand_number": 1,
    "pot": 50,
    "community_cards": [],
    "current_bet": 20,
    "min_raise": 20,
    "current_player": "your_ai_id",
    "players": {
        "player1_id": {
            "player_id": "player1_id", "name": "Alice", "chips": 980, "hole_cards": [], "state": "active",
            "current_bet": 20, "is_dealer": False, "is_small_blind": True, "is_big_blind": False,
        },
        "your_ai_id": {
            "player_id": "your_ai_id", "name": "MyGreatAI", "chips": 1000, "hole_cards": ["As", "Kh"],
            "state": "active", "current_bet": 0, "is_dealer": False, "is_small_blind": False, "is_big_blind": False,
        },
    },
    "action_history": [{"player_id": "player1_id", "action": "raise", "amount": 20, "phase": "preflop"}],
    "dealer_index": 0,
    "small_blind": 10,
    "big_blind": 20,
    "valid_actions": [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": 20},
        {"action": "raise", "amount": {"min": 40, "max": 1000}},
        {"action": "all_in", "amount": 1000},
    ],
}  # fmt: skip


@asynccontextmanager
async def starters() -> AsyncIterator[list[Found]]:
    """The starters, running, each where it says that it listens."""
    pipe = asyncio.subprocess.PIPE
    processes = [await asyncio.create_subprocess_exec(*program, "0", stdout=pipe) for program in PROGRAMS]
    try:
        async with asyncio.timeout(120):
            lines = [(await process.stdout.readline()).decode() for process in processes if process.stdout]
            yield await find_bots([line.split()[-1] for line in lines], (), 60.0)
    finally:
        for process in processes:
            process.kill()
        await asyncio.gather(*(process.communicate() for process in processes))


def test_starters_answer_the_documents_message() -> None:
    async def run() -> None:
        async with starters() as found:
            assert [json.loads(bot.health) for bot in found] == [{"status": "healthy"}] * 2
            for bot in found:
                assert bot.address
                wire = HttpConnection(bot.address)
                reply = await wire.call(Request("POST", "/action", json.dumps(DOCUMENT).encode(), "application/json"))
                assert (reply.status, json.loads(reply.body)) == (200, {"action": "call", "amount": 20})
                assert (await wire.call(Request("POST", "/other"))).status == 404
                await wire.close()

    asyncio.run(run())


def test_sample_configuration_is_read() -> None:
    plan = read_arena(STARTERS / "tournament_test.json")
    assert [entry.bot for entry in plan.entries] == ["Python Starter", "JavaScript Starter"]
    assert plan.most_hands == 720

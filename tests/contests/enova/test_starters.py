"""Enova's starter bots as they are handed out: they register over HTTP and answer the document's own calls."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from broadcast.web.serve import address_of, listen, serving_on
from server.contests.enova.venue.ready_check import ready_check
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from tests.contests.enova.test_dialect import ACTION, HAND_ENDED
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "enova"
PROGRAMS = {
    "Python Starter": [sys.executable, str(STARTERS / "python" / "enova_bot.py")],
    "JavaScript Starter": [str(Path(sys.executable).parent / "node"), str(STARTERS / "javascript" / "enova_bot.js")],
}


def test_starters_register_take_their_seats_and_answer_the_documents_calls(tmp_path: Path) -> None:
    async def story() -> None:
        registry = EnovaRegistry(tmp_path / "bots.json")
        listener = listen("127.0.0.1", 0)
        base = address_of(listener)
        async with serving_on(enova_app(registry), listener), _programs(base), asyncio.timeout(180):
            await registry.gathered(len(PROGRAMS))
            assert {bot.name for bot in registry.registered} == set(PROGRAMS)
            for bot in registry.registered:
                await _answers_the_document(bot.address.name)
            assert not (await ready_check(registry.registered, 60.0)).out

    asyncio.run(story())


@asynccontextmanager
async def _programs(tournament: str) -> AsyncIterator[None]:
    """The starters, each a process that registers for the tournament; they end with the block."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    processes = [
        await asyncio.create_subprocess_exec(*program, "0", name, tournament, stdin=pipe, stdout=nothing)
        for name, program in PROGRAMS.items()
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        await asyncio.gather(*(process.communicate() for process in processes))


async def _answers_the_document(host: str) -> None:
    """The blind is posted; a seat and a notification are acknowledged."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    async with httpx.AsyncClient(base_url=f"http://{host}", trust_env=False, timeout=60.0) as client:
        posted = await client.post("/player/action", content=ACTION, headers=kind)
        assert posted.json() == {"action": "blind", "amount": 2}
        for path, body in (("/player/seat", b"game_table_identifier=game_table_4"), ("/player/notify", HAND_ENDED)):
            assert (await client.post(path, content=body, headers=kind)).status_code == 200

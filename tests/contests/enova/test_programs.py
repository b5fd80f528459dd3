"""Enova bots as separate programs: the starters as they are handed out and the house bot register and play."""

import asyncio
import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
from msgspec.structs import replace

from broadcast.web.serve import address_of, listen, serving_on
from server.app.evening.http_bots import called_bots
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.contests import CONTESTS
from server.contests.enova.dialect import Enova
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.ready_check import ready_check
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from server.game.events import ActionTaken, BlindPosted, FaultNoted, GameStarted, SeatVacated
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bots.fakes import FakeClock
from tests.contests.enova.enova_servers import player, serving_bots
from tests.contests.enova.test_dialect import ACTION, HAND_ENDED
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "enova"
PYTHON = [sys.executable, str(STARTERS / "python" / "enova_bot.py")]
JAVASCRIPT = [str(Path(sys.executable).parent / "node"), str(STARTERS / "javascript" / "enova_bot.js")]
HOUSE = [sys.executable, "-m", "server.contests.enova.venue.house"]


def test_starters_and_house_bots_register_over_http_and_play_to_the_end(tmp_path: Path) -> None:
    entries = asyncio.run(_evening(tmp_path))
    proof = verify(entries)
    assert proof.finished
    events = [entry.event for entry in entries]
    assert not [event for event in events if isinstance(event, FaultNoted | SeatVacated)]
    assert len([event for event in events if isinstance(event, GameStarted)]) >= 2, "nine do not fit at one table"
    acts = {event.act for event in events if isinstance(event, ActionTaken)}
    assert acts >= {"fold", "check", "call"}
    assert [event for event in events if isinstance(event, BlindPosted)]


async def _evening(folder: Path) -> list[Entry]:
    registry = EnovaRegistry(folder / "bots.json")
    listener = listen("127.0.0.1", 0)
    base = address_of(listener)
    async with serving_on(enova_app(registry), listener), _programs(base), asyncio.timeout(180):
        await registry.gathered(9)
        for name in ("Python Starter", "JavaScript Starter"):
            await _answers_the_document(next(bot.address.name for bot in registry.registered if bot.name == name))
        registry.is_open = False
        seated = await ready_check(registry.registered, 60.0)
        assert not seated.out
        bus = Bus(None, lambda: 0.0)
        contest = replace(ENOVA_FORMAT, starting_stack=8)
        director = Director(contest, seated.entrants, seed=bytes(32), bus=bus, gate=_open)
        bots = [
            HttpBot(bot, Enova(), HttpConnection(address), director.hear, FakeClock())
            for bot, address in seated.addresses.items()
        ]
        assert [bot.id for bot in called_bots(CONTESTS["enova"], seated.entrants, seated.addresses, director.hear)] == [
            bot.id for bot in bots
        ]
        for bot in bots:
            director.welcome(bot)
        await director.run()
        for bot in bots:
            await bot.close()
    return bus.entries


@asynccontextmanager
async def _programs(tournament: str) -> AsyncIterator[None]:
    """Both starters and three house bots, each a process, and four bots of this process; they end with it."""
    styles = ["careful", "calling", "loose"]
    house = [
        [*HOUSE, "--name", f"House {number}", "--style", style, "--seed", str(number), "--register", tournament]
        for number, style in enumerate(styles)
    ]
    starters = [[*program, "0", name, tournament] for program, name in (
        (PYTHON, "Python Starter"), (JAVASCRIPT, "JavaScript Starter"),
    )]  # fmt: skip
    async with AsyncExitStack() as ending:
        for command in (*starters, *house):
            ending.push_async_callback(_end, await _start(command))
        here = [player(random.Random(number)) for number in range(4)]
        await ending.enter_async_context(serving_bots(here))
        async with httpx.AsyncClient(base_url=tournament, trust_env=False, timeout=60.0) as client:
            for number, bot in enumerate(here):
                form = {"hostname": bot.host, "name": f"Guest {number}"}
                assert (await client.post("/tournament/register", data=form)).text == "Welcome to the party!"
        yield


async def _start(command: Sequence[str]) -> asyncio.subprocess.Process:
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=nothing, cwd=ROOT)


async def _end(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.communicate()


async def _answers_the_document(host: str) -> None:
    """A starter's answers to the document's own calls: the blind is posted, the rest is taken note of."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    async with httpx.AsyncClient(base_url=f"http://{host}", trust_env=False, timeout=60.0) as client:
        posted = await client.post("/player/action", content=ACTION, headers=kind)
        assert posted.json() == {"action": "blind", "amount": 2}
        for path, body in (("/player/seat", b"game_table_identifier=game_table_4"), ("/player/notify", HAND_ENDED)):
            assert (await client.post(path, content=body, headers=kind)).status_code == 200


async def _open() -> None:
    """A gate that is always open."""

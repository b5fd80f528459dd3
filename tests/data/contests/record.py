"""Records a short contest of each kind with the real program: `.venv/bin/python -m tests.data.contests.record OUT`.

This made the recordings in this folder. They stay as they are, because every later version has to read them; a version
that writes other recordings adds its own. The cards come from one seed; when a bot answers and when a stage ends
differs each time.
"""

import asyncio
import contextlib
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.contests.quick_draw.venue.house import register
from tests.bots.http_servers import always, answer, host_playing
from tests.contests.enova.enova_servers import EnovaServer, player, serving_bots
from tests.end_to_end.evening import CONTROL, NAMES, EventFolder, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import HOST, choice
from tests.support.program import SECONDS

WILD = 0.05
"""How often a bot of Quick Draw goes all in."""
THINK_SECONDS = 0.05
"""How long each of them thinks: long enough to end the stage between two hands."""
TICK_SECONDS = 0.005
SMALL_TABLE = '[table]\nstarting_stack = 30\nblinds = ["1/2", "3/6", "8/16"]\nhands_per_level = 2\n'
BOT_OF_UPAC = """\
hands=0
while read word rest; do
  case $word in
    START) hands=$((hands + 1));;
    STACK) case $hands in [1-5]) echo F;; 6) echo $1;; *) echo R50;; esac;;
  esac
done
"""
"""Folds while its test game lasts, then writes its argument, then goes all in."""


# -- Quick Draw: bots that chat, raise and write nonsense; the operator ends both stages, the last after a side pot


async def quick_draw(folder: Path) -> EventFolder:
    secrets = secrets_of(NAMES)
    event_folder = write_evening(folder, secrets)
    async with asyncio.TaskGroup() as tasks:
        with tournament(event_folder) as program:
            bots = [tasks.create_task(_cowboy(event_folder.register, *each)) for each in secrets.items()]
            for happened in (b'"type":"street_dealt"', b'"type":"pot_awarded","pot":1'):
                await asyncio.to_thread(_until, event_folder.journal, happened)
                await asyncio.to_thread(_end_the_stage, event_folder)
            assert await asyncio.to_thread(program.ended) == 0, program.text
            for bot in bots:
                bot.cancel()
    return event_folder


async def _cowboy(port: int, name: str, secret: str) -> None:
    reader, writer = await _connected(port, name, secret)
    asked = 0
    with contextlib.closing(writer):
        while line := await reader.readline():
            message = json.loads(line)
            if message["command"] == "request_action":
                asked += 1
                await asyncio.sleep(THINK_SECONDS)
                if asked == 2:
                    writer.write(json.dumps({"command": "send_chat", "message": f"Howdy, {name} here"}).encode())
                if asked == 1 and name == NAMES[0]:
                    writer.write(b'{"command":"take_action","action":"bluff"}')
                writer.write(json.dumps({"command": "take_action", **_action(message)}).encode())


def _action(message: dict[str, Any]) -> dict[str, Any]:
    """Goes all in, folds or calls like the bots of other tests; with a high first card it raises where they call."""
    action = choice(message, WILD)
    if action["action"] == "call" and message["hand"][0]["value"] in "AKQ":
        return {"action": "raise", "raise_amount": message["highest_bid_value"] + 300}
    return action


async def _connected(port: int, name: str, secret: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Registers and connects the bot, as soon as registration is open."""
    async with asyncio.timeout(SECONDS):
        while True:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(HOST, await register(HOST, port, name, secret=secret))
            await asyncio.sleep(TICK_SECONDS)


def _end_the_stage(event_folder: EventFolder) -> None:
    with httpx.Client(base_url=event_folder.base, follow_redirects=True, timeout=SECONDS) as desk:
        desk.get("/control", params={"token": CONTROL}).raise_for_status()
        wish = {"control": "stage_end", "value": True, "operator": "Wyatt"}
        desk.post("/api/desk/set", json=wish, headers={"Origin": event_folder.base}).raise_for_status()


def _until(file: Path, text: bytes) -> None:
    ends = time.monotonic() + SECONDS
    while not file.exists() or text not in file.read_bytes():
        assert time.monotonic() < ends, f"{text!r} never came"
        time.sleep(TICK_SECONDS)


# -- Enova and the Arena: bots that are called; the last one answers nonsense


async def enova(folder: Path) -> EventFolder:
    dice = random.Random(7)
    bots = [*(player(dice) for _ in range(3)), EnovaServer(lambda path, _: (200, b"howdy" * path.endswith("/action")))]
    async with serving_bots(bots):
        event_folder = _called(folder, "enova", [bot.host for bot in bots])
        with tournament(event_folder) as program:
            await asyncio.to_thread(program.hears, "to close it")
            closing = f"http://{HOST}:{event_folder.register}/tournament/close?token={CONTROL}"
            assert (await asyncio.to_thread(httpx.post, closing, timeout=SECONDS)).status_code == 303
            assert await asyncio.to_thread(program.ended) == 0, program.text
    return event_folder


async def arena(folder: Path) -> EventFolder:
    async with (
        house_hosts("server.contests.arena.venue.house", CHARACTERS[:3], "7") as urls,
        host_playing(always(answer({"action": "bluff"}))) as bot,
    ):
        event_folder = _called(
            folder,
            "arena",
            [*(url.removeprefix("http://") for url in urls), bot.address.name],
            "rounds = 2\nmax_hands_per_round = 6\n",
        )
        with tournament(event_folder) as program:
            assert await asyncio.to_thread(program.ended) == 0, program.text
    return event_folder


def _called(folder: Path, contest: str, hosts: Sequence[str], of_the_table: str = "") -> EventFolder:
    event_folder = write_evening(folder, {}, lines=f'contest = "{contest}"\nstart = "bots"')
    entries = [
        f'[[entries]]\nplayer = "{name}"\nurl = "http://{host}"\n' for name, host in zip(NAMES, hosts, strict=False)
    ]
    event_folder.file.write_text("\n".join([event_folder.file.read_text(), *entries, SMALL_TABLE + of_the_table]))
    return event_folder


# -- UPAC: a season of programs in boxes


async def upac(folder: Path) -> EventFolder:
    folders = {name: folder / name for name in NAMES[:3]}
    for (name, each), says in zip(folders.items(), ("R50", "howdy", "R50"), strict=True):
        each.mkdir()
        (each / "bot.sh").write_text(BOT_OF_UPAC)
        (each / "bot.json").write_text(json.dumps({"name": f"{name}'s bot", "run": f"exec sh bot.sh {says}"}))
    event_folder = write_evening(folder, {}, folders, lines='contest = "upac"\nrunner = "light"\nstart = "bots"')
    event_folder.file.write_text(event_folder.file.read_text() + "\n[season]\ngames = 3\npause_seconds = 0\n")
    with tournament(event_folder) as program:
        assert await asyncio.to_thread(program.ended) == 0, program.text
    return event_folder


CONTESTS: dict[str, Callable[[Path], Coroutine[Any, Any, EventFolder]]] = {
    "quick-draw": quick_draw,
    "enova": enova,
    "upac": upac,
    "arena": arena,
}


def written(event_folder: EventFolder) -> Iterator[Path]:
    """The journals of an evening: one, or a season's ledger and its games."""
    folder = event_folder.journal.parent
    yield from sorted([*folder.glob("*.jsonl"), *folder.glob("*.ledger"), *folder.glob("*/games/*/*.jsonl")])


def main(out: Path, *contests: str) -> None:
    """Records these contests, or all of them."""
    for name in contests or CONTESTS:
        with tempfile.TemporaryDirectory() as folder:
            event_folder = asyncio.run(CONTESTS[name](Path(folder)))
            for file in written(event_folder):
                path = str(file.relative_to(event_folder.journal.parent))
                copy = out / path.replace(event_folder.journal.stem, name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

"""Hostile bots in each kind of box, beside honest ones: what do they get, and do the others answer more slowly?"""

import asyncio
import os
import re
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest

from server.bots.bot import Bot
from server.bots.choose_sandbox import RunnerKind
from server.bots.sandbox.bubblewrap.cgroups import find_counting
from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from server.bots.sandbox.runner import CannotRun, Limits, Runner, Running
from server.contests.quick_draw.dialect import QuickDraw
from tests.bots.sandbox.boxed_bots import log_of, opened, put_in, seated
from tests.bots.views import asked_view, resolved
from tests.support.boxes import OURS, daemon_address, ensure_base_image
from tests.support.planted import planted
from tests.support.submission import write_bot

Kind = RunnerKind | Literal["uncounted"]
BUILDS = {
    "broken": "RUN exit 9",
    "fetches": "ADD http://{port}/ /fetched",
    "asks": "RUN python -c \"from urllib.request import urlopen; urlopen('http://{port}/')\"",
    "swells": "RUN python -c \"f = open('/x', 'wb'); [f.write(bytes(2**20)) for _ in range(9000)]\"",
}
"""Builds that must be refused or fail. {port} is a port of this machine that no build may reach."""
HOSTILE = (
    "memory", "mapped", "memfds", "tables", "sockets", "disk", "unlinked", "empties", "forks", "processor", "affinity",
    "network", "environment", "flood", "stubborn", "never", "exits", *BUILDS,
)  # fmt: skip
"""The hostile behaviours of tests/support/sample_bot.py, and the hostile builds."""
MOST = {
    "holds": Limits().memory_bytes,
    "wrote": Limits().scratch_bytes,
    "made": Limits().scratch_files,
    "forked": Limits().processes,
    "reached": 0,
    "took": 130,  # the processor time used in one second, in hundredths of a second
}
"""The largest figure of each kind that a bot may report."""


async def count_escapes(kind: Kind, folder: Path, honest: int, questions: int) -> int:
    """Tries each hostile bot in a box of that kind and prints a line; returns how many got more than allowed."""
    escaped = 0
    async with opened(kind, folder) as runner:
        bots = [
            Bot(number, QuickDraw(), await seated(await put_in(runner, folder / f"honest-{number}")), lambda _: None)
            for number in range(honest)
        ]
        print(f"{kind}: {honest} honest bots alone answer within {await p99(bots, questions):.0f} ms (p99)", flush=True)
        for behaviour in HOSTILE:
            with planted() as secret:
                box = await attack(runner, folder, behaviour, secret.places)
                slowest = await p99(bots, questions)
                got = await find_excess(box, folder, behaviour) or secret.found(folder=folder / "logs")
            escaped += bool(got)
            words = f"ESCAPED: {got}" if got else "contained"
            print(f"  {behaviour:10} {words:10} p99 {slowest:4.0f} ms", flush=True)
    return escaped


async def attack(runner: Runner, folder: Path, behaviour: str, targets: Sequence[str]) -> Running | None:
    """Puts a hostile bot into a box; None if its build is refused. `targets` are places that it must not reach."""
    if behaviour not in BUILDS:
        reach = targets if behaviour == "environment" else [each for each in targets if ":" in each]
        return await put_in(runner, folder, behaviour, arguments=reach)
    port = next(each for each in targets if each.startswith("127.0.0.1:"))
    dockerfile = f"FROM python:3.11-slim\n{BUILDS[behaviour].replace('{port}', port)}\n"
    try:
        await runner.build(behaviour, write_bot(folder / behaviour, dockerfile=dockerfile), lambda _: None)
    except CannotRun:
        return None
    raise AssertionError("the build was not refused")


async def find_excess(box: Running | None, folder: Path, behaviour: str) -> str:
    """Lets a bot do its worst, then stops it; returns what its log says it got beyond its limits, "" for nothing."""
    if box is None:
        return ""
    if behaviour != "never":
        await wait_for_its_worst(box)
    await box.stop()
    log = log_of(folder, behaviour).read_text(errors="replace")
    got = re.findall(r"^(holds|wrote|made|forked|reached|took) (\d+)", log, re.MULTILINE)
    return next((f"{word} {number}" for word, number in got if int(number) > MOST[word]), "")


async def wait_for_its_worst(box: Running) -> None:
    """Waits until a bot ends or registers. Hostile bots register after all their attempts."""
    box.register.setblocking(False)
    coming = asyncio.ensure_future(asyncio.get_running_loop().sock_accept(box.register))
    ending = asyncio.ensure_future(box.ended())
    await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if coming.cancel():
        return
    (await coming)[0].close()


async def p99(bots: list[Bot], questions: int) -> float:
    """Asks each bot `questions` times; returns the 99th percentile of the answer times, in milliseconds."""

    async def ask(bot: Bot) -> list[float]:
        return [(await bot.ask(asked_view(), resolved)).think_ms for _ in range(questions)]

    answers = [ms for each in await asyncio.gather(*map(ask, bots)) for ms in each]
    return statistics.quantiles(answers, n=100)[98]


def kinds(folder: Path) -> Iterator[Kind]:
    """Yields the kinds of boxes that this machine has."""
    try:
        address = daemon_address(folder)
        ensure_base_image(address, ours=OURS in address)
    except pytest.skip.Exception as reason:
        print(f"docker: {reason}")
    else:
        os.environ["DOCKER_HOST"] = address
        yield "docker"
    if fault := bubblewrap_fault():
        print(f"light: {fault}")
        return
    counted = find_counting().counted
    print(f"bubblewrap boxes have {'control groups' if counted else 'no control groups'} here")
    yield from ("light", "uncounted") if counted else ("light",)

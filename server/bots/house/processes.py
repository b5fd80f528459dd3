"""Starts house bots that are HTTP servers, each in its own process."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from server.bots.house.characters import Character
from server.child_environment import PYTHON_VARIABLES, environment_for_child
from server.paths import ROOT
from server.system.processes import own_group_arguments

START_SECONDS = 60.0
"""How many seconds all house bots together may take to start, even on a busy machine. After that, the start fails."""


@asynccontextmanager
async def start_house_bots(
    program: str, characters: Sequence[Character], seed: str, think_seconds: float = 0.0, register_at: str = ""
) -> AsyncIterator[list[str]]:
    """Starts a house bot for each of `characters` (its name and style), and yields the bots' URLs,
    "http://127.0.0.1:port". Finally kills the bots.

    `program` is the module that runs a house bot of the contest. If `register_at` ("http://host:port") is given, each
    bot registers there. Raises OSError or TimeoutError if the bots cannot be started.
    """
    starting = (_start(program, character, seed, think_seconds, register_at) for character in characters)
    processes = await asyncio.gather(*starting)
    try:
        async with asyncio.timeout(START_SECONDS):
            ports = [await _read_port(process) for process in processes]
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
        await asyncio.gather(*(process.communicate() for process in processes))


async def _start(
    program: str, character: Character, seed: str, think_seconds: float, register_at: str
) -> asyncio.subprocess.Process:
    options = ["--name", character.name, "--style", character.style, "--seed", f"{seed} {character.name}"]
    options += ["--think", str(think_seconds), *(["--register", register_at] if register_at else [])]
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", program, *options),
        cwd=ROOT,
        env=environment_for_child(*PYTHON_VARIABLES),
        stdin=asyncio.subprocess.PIPE,  # The pipe closes when this process is killed. Then the bots end.
        stdout=asyncio.subprocess.PIPE,
        **own_group_arguments(),  # Ctrl-C in the terminal must not end the bots: this process ends them.
    )


async def _read_port(process: asyncio.subprocess.Process) -> int:
    assert process.stdout is not None, "standard output is a pipe"
    line = await process.stdout.readline()
    if not line:
        raise OSError("a house bot ended before it printed its port")
    return int(line)

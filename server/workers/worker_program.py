"""`highnoon worker ADDRESS`: plays games that a season gives it over a Dask scheduler, until Ctrl-C."""

import asyncio
import hashlib
import logging
import os
import platform
from pathlib import Path

import msgspec
from distributed import Worker

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import Limits, Surroundings
from server.console import say
from server.errors import Refusal
from server.season.bot_setup import BUILD_SECONDS
from server.workers.abilities import A_GAME_NEEDS, KEY, Abilities, abilities_here
from server.workers.cluster import Cluster, be_quiet
from server.workers.game_worker import GameWorker

AGAIN_SECONDS = 1.0


async def work(cluster: Cluster, folder: Path, kind: RunnerKind, cores: int) -> None:
    """Plays games with so many processors (0: all of this machine), in boxes of that kind, until it is cancelled.

    Bots are kept in `folder`, an absolute path. A scheduler that is not there, or goes, is waited for. Raises CannotRun
    where nothing here can run bots, Refusal with fewer than two processors, OSError where the folder cannot be used.
    """
    cores = cores or len(os.sched_getaffinity(0))
    if cores < A_GAME_NEEDS:
        raise Refusal(
            f"a game needs {A_GAME_NEEDS} processors, one for each bot; here is {cores} (--cores says otherwise)"
        )
    be_quiet()
    name = f"{platform.node()}-{hashlib.sha256(bytes(folder)).hexdigest()[:6]}"
    runner = await choose_runner(kind, Surroundings(name, limits=Limits(build_seconds=BUILD_SECONDS)))
    try:
        games = GameWorker(runner, folder)
        abilities = abilities_here(runner.kind, cores)
        _tell(name, abilities)
        while True:
            async with _worker(cluster, folder, name, abilities, games) as worker:
                say(f"at work for {cluster.address}")
                await worker.finished()
            say("the scheduler is gone; it is waited for")
            await asyncio.sleep(AGAIN_SECONDS)
    finally:
        await runner.close()


def _worker(cluster: Cluster, folder: Path, name: str, abilities: Abilities, games: GameWorker) -> Worker:
    told = msgspec.json.encode(abilities).decode()
    return Worker(
        cluster.address,
        name=name,
        nthreads=abilities.cores,
        resources=abilities.resources(),
        startup_information={KEY: lambda _worker: told},
        security=cluster.security(),
        local_directory=str(folder / "dask"),
        memory_limit=0,  # what takes memory are bots, in boxes with limits of their own
        plugins=(games,),
        silence_logs=logging.CRITICAL,
    )


def _tell(name: str, abilities: Abilities) -> None:
    languages = ", ".join(abilities.languages) or "those of its images"
    say(f"worker {name}: {abilities.games} games at a time, boxes: {abilities.sandbox}")
    say(f"  {abilities.cores} processors, {abilities.memory_bytes >> 30} GiB of memory, languages: {languages}")

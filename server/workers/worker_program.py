"""`highnoon worker ADDRESS`: does what it is given over a Dask scheduler, games above all, until Ctrl-C."""

import asyncio
import hashlib
import logging
import os
import platform
from collections.abc import Mapping
from pathlib import Path

import msgspec
from distributed import Worker
from msgspec import Struct

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import Surroundings
from server.console import say
from server.errors import Refusal
from server.workers.abilities import A_GAME_NEEDS, FILMS, KEY, Abilities, abilities_here
from server.workers.cluster import Cluster, be_quiet
from server.workers.jobs import Jobs
from server.workers.workplace import Job, Workplace

AGAIN_SECONDS = 1.0


class Equipment(Struct, frozen=True):
    """What a worker works with: a folder for bots, an absolute path; boxes of that kind; so many processors (0: all of
    this machine); and other programs, as `Abilities` has them.
    """

    folder: Path
    kind: RunnerKind
    cores: int
    programs: tuple[str, ...]


async def work(cluster: Cluster, equipment: Equipment, jobs: Mapping[str, Job]) -> None:
    """Does whatever of `jobs` it is given, until it is cancelled.

    A scheduler that is not there, or goes, is waited for. Raises CannotRun
    where nothing here can run bots, Refusal with fewer than two processors, OSError where the folder cannot be used.
    """
    folder, cores = equipment.folder, equipment.cores or len(os.sched_getaffinity(0))
    if cores < A_GAME_NEEDS:
        raise Refusal(
            f"a game needs {A_GAME_NEEDS} processors, one for each bot; here is {cores} (--cores says otherwise)"
        )
    be_quiet()
    name = f"{platform.node()}-{hashlib.sha256(bytes(folder)).hexdigest()[:6]}"
    runner = await choose_runner(equipment.kind, Surroundings(name))
    try:
        here = Jobs(Workplace(runner, folder), jobs)
        abilities = abilities_here(runner.kind, cores, equipment.programs)
        _tell(name, abilities)
        for note in runner.notes:
            say(f"  {note}")
        while True:
            async with _worker(cluster, folder, name, abilities, here) as worker:
                say(f"at work for {cluster.address}")
                await worker.finished()
            say("the scheduler is gone; it is waited for")
            await asyncio.sleep(AGAIN_SECONDS)
    finally:
        await runner.close()


def _worker(cluster: Cluster, folder: Path, name: str, abilities: Abilities, here: Jobs) -> Worker:
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
        plugins=(here,),
        silence_logs=logging.CRITICAL,
    )


def _tell(name: str, abilities: Abilities) -> None:
    languages = ", ".join(abilities.languages) or "those of its images"
    say(f"worker {name}: {abilities.games} games at a time, boxes: {abilities.sandbox}")
    say(f"  {abilities.cores} processors, {abilities.memory_bytes >> 30} GiB of memory, languages: {languages}")
    say(f"  films: {'yes' if FILMS in abilities.programs else f'no, they need {FILMS}'}")

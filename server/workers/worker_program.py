"""`highnoon worker ADDRESS`: carries out orders from a Dask scheduler until Ctrl-C. Most orders are games."""

import asyncio
import hashlib
import logging
import platform
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from distributed import Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from msgspec.structs import replace

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner
from server.console import say
from server.errors import Refusal
from server.system.processes import processor_count
from server.version import VERSION
from server.workers.abilities import ABILITIES_KEY, CORES_PER_GAME, FILM_PROGRAMS, Abilities, local_abilities
from server.workers.certificates import Cluster, silence_dask
from server.workers.worker_messages import Done, FilesMissing, NotDone, Order, WorkerAnswer, encode, read_order
from server.workers.workplace import BadFiles, Job, Workplace

RECONNECT_SECONDS = 1.0
PLUGIN_NAME = "high-noon jobs"


class JobsPlugin(WorkerPlugin):
    """The jobs that this process can do, and its workplace (the boxes and files for these jobs)."""

    name = PLUGIN_NAME

    def __init__(self, workplace: Workplace, jobs: Mapping[str, Job]) -> None:
        self.workplace = workplace
        self._jobs = jobs
        self._running_jobs: set[asyncio.Future[bytes]] = set()

    async def do(self, order: Order) -> WorkerAnswer:
        """Carries out an order. If that is not possible, returns the reason."""
        if order.version != VERSION:
            return NotDone(f"the worker has version {VERSION} and needs {order.version}")
        if missing := self.workplace.missing_digests(order.digests):
            return FilesMissing(missing)
        if order.job not in self._jobs:
            return NotDone(f"it has no job {order.job!r}")
        started_at = time.monotonic()
        task = asyncio.ensure_future(self._jobs[order.job](self.workplace, order.body))
        self._running_jobs.add(task)
        task.add_done_callback(self._running_jobs.discard)
        try:
            return Done(await task, time.monotonic() - started_at)
        except (CannotRun, OSError) as error:
            return NotDone(str(error))

    async def teardown(self, worker: Worker) -> None:
        """Stops all work when the scheduler is gone or the worker ends. Other workers do the work again."""
        running_jobs = list(self._running_jobs)
        for task in running_jobs:
            task.cancel()
        await asyncio.gather(*running_jobs, return_exceptions=True)


def _jobs_of(worker: Worker) -> JobsPlugin:
    plugin = worker.plugins[PLUGIN_NAME]
    assert isinstance(plugin, JobsPlugin), "no other plugin has this name"
    return plugin


async def do(order: bytes) -> bytes:
    """The only Dask task that workers run. Takes an encoded `Order`, and returns an encoded `WorkerAnswer`.

    Dask sends this function by its name, so a worker of another version must find it here under the same name.
    """
    return encode(await _jobs_of(get_worker()).do(read_order(order)))


async def keep_files(digest: str, archive: bytes, dask_worker: Worker) -> bytes:
    """Keeps files on this worker. Returns b"" if this succeeds, otherwise the reason for the failure in UTF-8."""
    try:
        await asyncio.to_thread(_jobs_of(dask_worker).workplace.store_files, digest, archive)
    except (BadFiles, OSError) as error:
        return str(error).encode()
    return b""


async def run_worker(
    cluster: Cluster, jobs: Mapping[str, Job], folder: Path, *, kind: RunnerKind, cores: int, programs: tuple[str, ...]
) -> None:
    """Carries out orders for `jobs` until cancelled. Waits while there is no scheduler.

    Keeps bots in `folder` (an absolute path), and runs them in sandboxes of this `kind`. Uses `cores` processors, or
    all if `cores` is 0. `programs` are further programs that orders may need. Raises CannotRun if this machine cannot
    run bots, Refusal if there are fewer than two processors, and OSError if the folder cannot be used.
    """
    cores = cores or processor_count()
    if cores < CORES_PER_GAME:
        raise Refusal(
            f"a game needs {CORES_PER_GAME} processors, one for each bot; this worker has {cores} (--cores "
            "changes that)"
        )
    silence_dask()
    name = f"{platform.node()}-{hashlib.sha256(bytes(folder)).hexdigest()[:6]}"
    runner = await choose_runner(kind, BoxEnvironment(name))

    async def open_runner(environment: BoxEnvironment) -> Runner:
        return await choose_runner(kind, replace(environment, label=f"{name}-{environment.label}"))

    workplace = Workplace(runner, folder, open_runner)
    try:
        plugin = JobsPlugin(workplace, jobs)
        abilities = local_abilities(runner.kind, cores, programs)
        _print_abilities(name, abilities)
        for remark in runner.remarks:
            say(f"  {remark}")
        while True:
            async with _make_worker(cluster, folder, name, abilities, plugin) as worker:
                say(f"at work for {cluster.address}")
                await worker.finished()
            say("the scheduler is gone; waiting for it")
            await asyncio.sleep(RECONNECT_SECONDS)
    finally:
        await workplace.close()
        await runner.close()


def _make_worker(cluster: Cluster, folder: Path, name: str, abilities: Abilities, plugin: JobsPlugin) -> Worker:
    abilities_json = msgspec.json.encode(abilities).decode()
    return Worker(
        cluster.address,
        name=name,
        nthreads=abilities.cores,
        resources=abilities.resources(),
        startup_information={ABILITIES_KEY: lambda _worker: abilities_json},
        security=cluster.security(),
        local_directory=str(folder / "dask"),
        memory_limit=0,  # most memory is used by bots, and their boxes limit it
        plugins=(plugin,),
        silence_logs=logging.CRITICAL,
    )


def _print_abilities(name: str, abilities: Abilities) -> None:
    languages = ", ".join(abilities.languages) or "those in its Docker images"
    say(f"worker {name}: {abilities.max_games} games at a time, boxes: {abilities.sandbox}")
    say(f"  {abilities.cores} processors, {abilities.memory_bytes >> 30} GiB of memory, languages: {languages}")
    say(f"  films: {'yes' if FILM_PROGRAMS in abilities.programs else f'no, they need {FILM_PROGRAMS}'}")

"""The worker's side of Dask: takes orders, has the job for each carry it out, and answers."""

import asyncio
import time
from collections.abc import Mapping

from distributed import Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from server.bots.sandbox.runner import CannotRun
from server.version import VERSION
from server.workers.orders import Answer, Done, FilesMissing, NotDone, Order, encode, read_order
from server.workers.workplace import BadFiles, Job, Workplace

PLUGIN = "high-noon jobs"


class Jobs(WorkerPlugin):
    """The jobs of this process, and where they are done."""

    name = PLUGIN

    def __init__(self, workplace: Workplace, jobs: Mapping[str, Job]) -> None:
        self.workplace = workplace
        self._jobs = jobs
        self._at_work: set[asyncio.Future[bytes]] = set()

    async def do(self, order: Order) -> Answer:
        """Carries out an order, or says why not."""
        if order.version != VERSION:
            return NotDone(f"it has version {VERSION}, and {order.version} is wanted")
        if missing := self.workplace.missing(order.digests):
            return FilesMissing(missing)
        if order.job not in self._jobs:
            return NotDone(f"it has no job {order.job!r}")
        begun = time.monotonic()
        work = asyncio.ensure_future(self._jobs[order.job](self.workplace, order.body))
        self._at_work.add(work)
        work.add_done_callback(self._at_work.discard)
        try:
            return Done(await work, time.monotonic() - begun)
        except (CannotRun, OSError) as error:
            return NotDone(str(error))

    async def teardown(self, worker: Worker) -> None:
        """Stops all that is done, when the scheduler is gone or the worker ends: it is done again elsewhere."""
        at_work = list(self._at_work)
        for work in at_work:
            work.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)


def _here(worker: Worker) -> Jobs:
    plugin = worker.plugins[PLUGIN]
    assert isinstance(plugin, Jobs), "no other plugin has this name"
    return plugin


async def do(order: bytes) -> bytes:
    """The task of everything that workers do: an `Order` comes in, an `Answer` goes out, both encoded."""
    return encode(await _here(get_worker()).do(read_order(order)))


async def keep_files(digest: str, archive: bytes, dask_worker: Worker) -> bytes:
    """Keeps files on this worker; returns what is wrong with them in UTF-8, b"" if nothing."""
    try:
        await asyncio.to_thread(_here(dask_worker).workplace.keep, digest, archive)
    except (BadFiles, OSError) as error:
        return str(error).encode()
    return b""

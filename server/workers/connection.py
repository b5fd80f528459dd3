"""The connection to a Dask scheduler, and the list of its workers (machines that play games). Reconnects when the
scheduler comes back.
"""

import asyncio
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from distributed import Client
from msgspec import Struct

from server.bots.sandbox.runner import Say
from server.console import say
from server.version import VERSION
from server.workers.abilities import Abilities
from server.workers.certificates import Cluster, silence_dask
from server.workers.plain_data import refuse_pickles

POLL_SECONDS = 0.5
"""How many seconds pass between two requests for the list of workers."""
CONNECT_SECONDS = 10


class KnownWorker(Struct, frozen=True):
    """A worker that can get games. Its name stays the same when it restarts."""

    address: str
    name: str
    abilities: Abilities
    game_count: int
    """How many games the worker has now, including queued games."""


class _Metrics(Struct):
    task_counts: dict[str, int] = {}


class _WorkerInfo(Struct):
    """What a worker has reported to the scheduler."""

    name: str
    high_noon: str
    """The worker's `Abilities` as JSON."""
    metrics: _Metrics


class Connection:
    """A connection to a scheduler. It is open while `run` is running and the scheduler answers."""

    def __init__(self, cluster: Cluster, say: Say = say) -> None:
        """Reports through `say` when the scheduler or a worker appears or disappears."""
        self.workers: dict[str, KnownWorker] = {}
        """The connected workers that may get games, keyed by address."""
        self.shut_out_reasons: dict[str, str] = {}
        """Why some workers no longer get games, keyed by worker name."""
        self.address = cluster.address
        self._cluster = cluster
        self._say = say
        self._client: Client | None = None
        self._changed = asyncio.Event()
        self._reported_topics: set[str] = set()

    @property
    def is_connected(self) -> bool:
        """Whether the scheduler answers."""
        return self._client is not None

    async def run(self) -> None:
        """Connects, and reconnects whenever the connection is lost. Ends only when cancelled."""
        silence_dask()
        refuse_pickles()
        while True:
            try:
                async with self._open() as client:
                    self._report("", f"the scheduler at {self.address} answers")
                    self._client = client
                    while client.status == "running":
                        self._update_workers(await client.scheduler.identity(n_workers=-1))
                        await asyncio.sleep(POLL_SECONDS)
            except (OSError, TimeoutError, RuntimeError):  # what Dask raises when the scheduler is gone
                pass
            self._client = None
            self._set_workers({})
            self._report("gone", f"the scheduler at {self.address} is not responding; trying again")
            await asyncio.sleep(POLL_SECONDS)

    async def client(self) -> Client:
        """Waits for the connection, and returns its Dask client."""
        while self._client is None or self._client.status != "running":
            await self.wait_for_change()
        return self._client

    async def wait_for_change(self) -> None:
        """Waits until the scheduler or a worker appears or disappears."""
        await self._changed.wait()

    async def shut_out_worker(self, worker: KnownWorker, reason: str) -> None:
        """Shuts a worker out: it gets no more games, even if it reconnects. Later calls for this worker do nothing."""
        if worker.name in self.shut_out_reasons:
            return
        self.shut_out_reasons[worker.name] = reason
        self._say(f"worker {worker.name} is shut out: {reason}")
        self._set_workers({address: other for address, other in self.workers.items() if other.name != worker.name})

    def find_able(self, needed_resources: dict[str, float], languages: Collection[str] = ()) -> Iterator[KnownWorker]:
        """Yields the workers that have all resources in `needed_resources` and all `languages`. Workers that run bots
        in Docker need no languages.
        """
        for worker in self.workers.values():
            resources = worker.abilities.resources()
            has_languages = worker.abilities.sandbox == "docker" or set(languages) <= set(worker.abilities.languages)
            if has_languages and all(resources.get(name, 0) >= count for name, count in needed_resources.items()):
                yield worker

    def _open(self) -> Any:  # a Client is an async context manager, although its types do not say so
        return Client(
            self.address,
            asynchronous=True,
            security=self._cluster.security(),
            set_as_default=False,
            timeout=CONNECT_SECONDS,
        )

    def _update_workers(self, identity: dict[str, Any]) -> None:
        workers = dict[str, KnownWorker]()
        for address, dask_info in identity["workers"].items():
            try:
                info = msgspec.convert(dask_info, _WorkerInfo)
                abilities = msgspec.json.decode(info.high_noon, type=Abilities)
            except msgspec.DecodeError:
                self._report(address, f"{address} is not a High Noon worker and gets no games")
                continue
            if abilities.version != VERSION:
                self._report(address, f"{info.name} has version {abilities.version} instead of {VERSION}: no games")
            elif info.name not in self.shut_out_reasons:
                game_count = sum(info.metrics.task_counts.values())
                workers[address] = KnownWorker(address, info.name, abilities, game_count)
        self._set_workers(workers)

    def _set_workers(self, workers: dict[str, KnownWorker]) -> None:
        joined, gone = workers.keys() - self.workers.keys(), self.workers.keys() - workers.keys()
        for address in joined:
            name, abilities = workers[address].name, workers[address].abilities
            self._say(f"worker {name} has joined: {abilities.max_games} games at a time, {abilities.sandbox}")
        for address in gone:
            if self.workers[address].name not in self.shut_out_reasons:
                self._say(f"worker {self.workers[address].name} is gone; its work will be redone elsewhere")
        self.workers = workers
        if joined or gone or self._client:
            self._changed.set()
            self._changed = asyncio.Event()

    def _report(self, topic: str, message: str) -> None:
        """Reports a message, but only the first message about `topic` since the scheduler came back."""
        if topic not in self._reported_topics:
            self._say(message)
        self._reported_topics = {topic} if topic in ("", "gone") else self._reported_topics | {topic}

"""The connection to a scheduler, and its workers. Reconnects when the scheduler comes back."""

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
from server.workers.cluster import Cluster, be_quiet
from server.workers.plain_data import refuse_pickles

LOOK_SECONDS = 0.5
"""The time between two requests for the list of workers."""
CONNECT_SECONDS = 10


class KnownWorker(Struct, frozen=True):
    """A worker that can be given games. It keeps its name across restarts."""

    address: str
    name: str
    abilities: Abilities
    playing: int
    """The number of games that it has now, including queued ones."""


class _Metrics(Struct):
    task_counts: dict[str, int] = {}


class _Listed(Struct):
    """What a worker has reported to the scheduler."""

    name: str
    high_noon: str
    """Its abilities."""
    metrics: _Metrics


class Connection:
    """A connection that is open while `run` is running and the scheduler answers."""

    def __init__(self, cluster: Cluster, say: Say = say) -> None:
        """`say` is called with a message when the scheduler or a worker comes or goes."""
        self.workers: dict[str, KnownWorker] = {}
        """The connected workers that may be given games, keyed by address."""
        self.shut_out: dict[str, str] = {}
        """Why workers no longer get games, keyed by their names."""
        self.address = cluster.address
        self._cluster = cluster
        self._say = say
        self._client: Client | None = None
        self._changed = asyncio.Event()
        self._reported: set[str] = set()

    @property
    def connected(self) -> bool:
        """Whether the scheduler answers."""
        return self._client is not None

    async def run(self) -> None:
        """Connects, and reconnects whenever the connection is lost, until it is cancelled."""
        be_quiet()
        refuse_pickles()
        while True:
            try:
                async with self._opened() as client:
                    self._report("", f"the scheduler at {self.address} answers")
                    self._client = client
                    while client.status == "running":
                        self._update(await client.scheduler.identity(n_workers=-1))
                        await asyncio.sleep(LOOK_SECONDS)
            except (OSError, TimeoutError, RuntimeError):  # what Dask raises when the scheduler is gone
                pass
            self._client = None
            self._set({})
            self._report("gone", f"the scheduler at {self.address} does not answer; trying again")
            await asyncio.sleep(LOOK_SECONDS)

    async def client(self) -> Client:
        """Waits for the connection and returns it."""
        while self._client is None or self._client.status != "running":
            await self.change()
        return self._client

    async def change(self) -> None:
        """Returns when the scheduler or a worker comes or goes."""
        await self._changed.wait()

    async def shut(self, worker: KnownWorker, reason: str) -> None:
        """Gives a worker no more games, even if it reconnects. Only the first reason is reported."""
        if worker.name in self.shut_out:
            return
        self.shut_out[worker.name] = reason
        self._say(f"worker {worker.name} is shut out: {reason}")
        self._set({address: each for address, each in self.workers.items() if each.name != worker.name})

    def able(self, needs: dict[str, float], languages: Collection[str] = ()) -> Iterator[KnownWorker]:
        """The workers that have what is needed, and the `languages` unless Docker supplies them."""
        for worker in self.workers.values():
            has = worker.abilities.resources()
            speaks = worker.abilities.sandbox == "docker" or set(languages) <= set(worker.abilities.languages)
            if speaks and all(has.get(name, 0) >= count for name, count in needs.items()):
                yield worker

    def _opened(self) -> Any:  # a Client, which is an async context manager, though its types do not say so
        return Client(
            self.address,
            asynchronous=True,
            security=self._cluster.security(),
            set_as_default=False,
            timeout=CONNECT_SECONDS,
        )

    def _update(self, identity: dict[str, Any]) -> None:
        found = dict[str, KnownWorker]()
        for address, sent in identity["workers"].items():
            try:
                listed = msgspec.convert(sent, _Listed)
                abilities = msgspec.json.decode(listed.high_noon, type=Abilities)
            except msgspec.DecodeError:
                self._report(address, f"{address} is not a High Noon worker and gets no games")
                continue
            if abilities.version != VERSION:
                self._report(address, f"{listed.name} has version {abilities.version} instead of {VERSION}: no games")
            elif listed.name not in self.shut_out:
                playing = sum(listed.metrics.task_counts.values())
                found[address] = KnownWorker(address, listed.name, abilities, playing)
        self._set(found)

    def _set(self, found: dict[str, KnownWorker]) -> None:
        came, went = found.keys() - self.workers.keys(), self.workers.keys() - found.keys()
        for address in came:
            worker = found[address]
            has = worker.abilities
            self._say(f"worker {worker.name} has joined: {has.games} games at a time, {has.sandbox}")
        for address in went:
            if self.workers[address].name not in self.shut_out:
                self._say(f"worker {self.workers[address].name} is gone; its work will be redone elsewhere")
        self.workers = found
        if came or went or self._client:
            self._changed.set()
            self._changed = asyncio.Event()

    def _report(self, about: str, message: str) -> None:
        """Reports a message at most once until the scheduler comes back."""
        if about not in self._reported:
            self._say(message)
        self._reported = {about} if about in ("", "gone") else self._reported | {about}

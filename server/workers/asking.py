"""Has workers do things. What is lost with a worker or the scheduler is ordered again, and counts once."""

import asyncio
import concurrent.futures
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from distributed import Client, Future
from msgspec import Struct

from server.bots.sandbox.runner import Say
from server.console import say
from server.version import VERSION
from server.workers.abilities import CORE
from server.workers.connection import Connection, KnownWorker
from server.workers.file_archive import packed
from server.workers.jobs import do, keep_files
from server.workers.orders import Answer, Done, FilesMissing, NotDone, NotProved, Order, encode, read_answer

MOST_TRIES = 30
"""So often a thing is begun before it is given up: one under which so many workers die may be what kills them."""
_LOST = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError)
"""How Dask says that a worker or the scheduler is gone."""

Value = TypeVar("Value")


class Work(Struct, frozen=True):
    """Something to be done. `name` is what people call it, "game 12"; `job` is what the worker's job is called."""

    name: str
    job: str
    body: bytes
    needs: dict[str, float]
    """What it takes of a worker, as Dask's resources."""
    folders: Mapping[str, Path] = {}
    """What it is about, by the digests of the files: a worker that has them not is sent them."""
    languages: frozenset[str] = frozenset()
    """What bots are run with; a worker must have it, if its boxes have what the machine has."""


class Asking:
    """Asks the workers of one scheduler."""

    def __init__(self, connection: Connection, tell: Say = say) -> None:
        """`tell` hears in words what goes otherwise than it should."""
        self.connection = connection
        self.lost = 0
        """How many things were begun again, because a worker or the scheduler was gone."""
        self._tell = tell
        self._taken = 0
        self._sending: dict[tuple[str, str], asyncio.Task[str]] = {}

    def places(self, cores: int) -> int:
        """How many things that need so many processors are worth being ordered at a time now: as many as all workers
        do at a time, and one more for each, so that none waits for the next.
        """
        return sum(worker.abilities.cores // cores + 1 for worker in self.connection.workers.values())

    @asynccontextmanager
    async def place(self, cores: int) -> AsyncIterator[None]:
        """One of `places`, as soon as there is one, for the length of the `async with`.

        So nothing is ordered long before it is begun, and workers that come later have their share.
        """
        while self._taken >= max(1, self.places(cores)):
            await self.connection.change()
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1

    async def done(
        self,
        work: Work,
        take: Callable[[Done, KnownWorker], Awaitable[Value]],
        begun: Callable[[int], object] = lambda _: None,
    ) -> Value:
        """What `take` makes of the result. Where it raises NotProved, the worker is shut out and another one asked.

        `begun` is called with the number of each try. Raises OSError where no worker can do it, Refusal where its files
        cannot be sent, and what `take` raises.
        """
        avoid: dict[str, str] = {}
        """By address, why a worker cannot do it."""
        sent = set[tuple[str, str]]()
        """By address, the digests of the files that a worker has asked for."""
        tries = 0
        while tries < MOST_TRIES:
            tries += 1
            begun(tries)
            asked = await self._asked(work, avoid)
            if asked is None:
                continue
            answer, worker = asked
            match answer:
                case FilesMissing(digests=digests):
                    tries -= 1  # nothing was begun
                    asks = {(worker.address, digest) for digest in digests}
                    if asks & sent or not set(digests) <= work.folders.keys():
                        await self.connection.shut(worker, f"it asks for files that {work.name} does not need")
                        continue
                    sent |= asks
                    for digest in digests:
                        await self._send(worker, digest, work)
                case NotDone(reason=reason):
                    self._tell(f"worker {worker.name} cannot do {work.name}: {reason}")
                    avoid[worker.address] = reason
                case Done():
                    try:
                        return await take(answer, worker)
                    except NotProved as error:
                        await self.connection.shut(worker, f"its {work.name} does not hold ({error})")
        raise OSError(f"it was begun {tries} times, and its worker was gone each time")

    async def _asked(self, work: Work, avoid: Mapping[str, str]) -> tuple[Answer, KnownWorker] | None:
        """What a worker that can do it has answered, and which it was; None if it is gone."""
        client = await self.connection.client()
        workers = await self._able(work, avoid)
        key = f"{work.name.replace(' ', '-')}-{uuid4().hex}"
        try:
            order = encode(Order(VERSION, work.job, tuple(work.folders), work.body))
            future = client.submit(do, order, key=key, pure=False, resources=work.needs, workers=list(workers))
            return await self._answered(client, future, workers)
        except _LOST:
            self.lost += 1
        except msgspec.DecodeError as error:
            self._tell(f"{work.name}: {error}; it is done again")
        return None

    async def _able(self, work: Work, avoid: Mapping[str, str]) -> dict[str, KnownWorker]:
        """The workers that can do it, by address, once there is one. Raises OSError where all are to be avoided.

        Says once what no worker has.
        """
        told = False
        while True:
            able = {worker.address: worker for worker in self.connection.able(work.needs, work.languages)}
            if rest := {address: worker for address, worker in able.items() if address not in avoid}:
                return rest
            if able:
                raise OSError("no worker can do it: " + "; ".join(sorted(set(avoid.values()))))
            if self.connection.workers and not told:
                what = [name for name in work.needs if name != CORE] + sorted(work.languages)
                cores = work.needs.get(CORE, 1)
                self._tell(f"{work.name} waits for a worker with {', '.join([*what, f'{cores:g} processors'])}")
                told = True
            await self.connection.change()

    async def _answered(
        self, client: Client, future: Future[Any], workers: dict[str, KnownWorker]
    ) -> tuple[Answer, KnownWorker]:
        """The answer, and who gave it. Raises one of _LOST once nobody is there any more who could give it."""
        try:
            await self._while_any_is_there(workers, _over(future))
            holders = await client.who_has([future])
            address = next(iter(next(iter(holders.values()), ())), "")
            if address not in workers:
                raise ConnectionError("the worker that had it is gone")
            gathering: asyncio.Future[object] = asyncio.ensure_future(client.gather(future))
            text = await self._while_any_is_there({address: workers[address]}, gathering)
            return read_answer(text), workers[address]
        finally:
            future.release()

    async def _while_any_is_there(self, workers: dict[str, KnownWorker], awaited: asyncio.Future[object]) -> object:
        """The result of `awaited`. Raises ConnectionError once none of `workers` is there: Dask may notice later."""
        try:
            while not awaited.done():
                change = asyncio.ensure_future(self.connection.change())
                await asyncio.wait((awaited, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                if not awaited.done() and not workers.keys() & self.connection.workers.keys():
                    raise ConnectionError("the workers that could answer are gone")
            return awaited.result()
        finally:
            awaited.cancel()

    async def _send(self, worker: KnownWorker, digest: str, work: Work) -> None:
        """Sends a worker files; they are sent once, however many ask for them. Raises Refusal where they are many."""
        key = (worker.address, digest)
        if key not in self._sending:
            self._sending[key] = asyncio.create_task(self._sent(worker, digest, work.folders[digest]))
        try:
            if fault := await asyncio.shield(self._sending[key]):
                await self.connection.shut(worker, fault)
        except _LOST:
            self.lost += 1
        finally:
            self._sending.pop(key, None)

    async def _sent(self, worker: KnownWorker, digest: str, folder: Path) -> str:
        archive = await asyncio.to_thread(packed, folder)
        client = await self.connection.client()
        told = await client.run(keep_files, digest, archive, workers=[worker.address])
        return str(told[worker.address])


def _over(future: Future[Any]) -> "asyncio.Future[object]":
    """Is done once the task is; raises what it raised."""

    async def wait() -> None:
        await future

    return asyncio.ensure_future(wait())

"""Gives work to workers. Work that is lost with a worker or the scheduler is ordered again, and counts once."""

import asyncio
import concurrent.futures
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from distributed import Client, Future
from distributed.protocol.pickle import dumps
from msgspec import Struct

from server.bots.sandbox.runner import Say
from server.console import say
from server.version import VERSION
from server.workers.abilities import CORE
from server.workers.connection import Connection, KnownWorker
from server.workers.orders import Answer, Done, FilesMissing, NotDone, NotProved, Order, encode, read_answer
from server.workers.plain_data import NotPlain, TooLarge
from server.workers.worker_program import do, keep_files
from server.workers.workplace import packed

MAX_TRIES = 30
"""How often work is started before it is given up; after that many dead workers, it may be what kills them."""
FETCH_SECONDS = 600.0
"""How long an answer may take to arrive."""
MAX_FAULT = 300
"""Characters of a worker's error message."""
_LOST = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError)
"""What Dask raises when a worker or the scheduler is gone."""

Value = TypeVar("Value")


class Work(Struct, frozen=True):
    """Something to do. `name` is shown to the organiser, such as "game 12"; `job` is the name of the worker's job."""

    name: str
    job: str
    body: bytes
    needs: dict[str, float]
    """What it needs of a worker, as Dask's resources."""
    folders: Mapping[str, Path] = {}
    """The folders it needs, keyed by the digests of their files; a worker is sent those it lacks."""
    languages: frozenset[str] = frozenset()
    """What its bots are run with. A worker must have them unless its boxes are Docker's."""


class Asking:
    """Gives work to the workers of one scheduler."""

    def __init__(self, connection: Connection, say: Say = say) -> None:
        """`say` is called with a message when something goes wrong."""
        self.connection = connection
        self.lost = 0
        """How often work was started again because a worker or the scheduler was gone."""
        self._say = say
        self._in_use = 0
        self._sending: dict[tuple[str, str], asyncio.Task[str]] = {}

    def slots(self, cores: int) -> int:
        """How many orders that need `cores` processors each may be open now.

        As many as all workers can do at once, and one more for each worker so that it is never idle.
        """
        return sum(worker.abilities.cores // cores + 1 for worker in self.connection.workers.values())

    @asynccontextmanager
    async def slot(self, cores: int) -> AsyncIterator[None]:
        """Takes one of the `slots` as soon as one is free, and keeps it during the `async with`.

        Nothing is ordered long before it starts, so that workers that join later get their share.
        """
        while self._in_use >= max(1, self.slots(cores)):
            await self.connection.change()
        self._in_use += 1
        try:
            yield
        finally:
            self._in_use -= 1

    async def done(
        self,
        work: Work,
        accept: Callable[[Done, KnownWorker], Awaitable[Value]],
        begun: Callable[[int], object] = lambda _: None,
    ) -> Value:
        """Has a worker do `work` and returns what `accept` makes of the result.

        If `accept` raises NotProved, the worker is shut out and another one is asked. `begun` is called with the number
        of each try. Raises OSError if no worker can do it, Refusal if its files cannot be sent, and as `accept` does.
        """
        avoid: dict[str, str] = {}
        """The reasons why workers cannot do it, keyed by their addresses."""
        sent = set[tuple[str, str]]()
        """The address and digest of all files that workers asked for."""
        tries, failed = 0, False
        while tries < MAX_TRIES:
            tries += 1
            begun(tries)
            try:
                asked = await self._asked(work, avoid, alone=failed)
            except NotPlain:
                failed = True
                continue
            if asked is None:
                continue
            answer, worker = asked
            match answer:
                case FilesMissing(digests=digests):
                    tries -= 1  # nothing was started
                    asks = {(worker.address, digest) for digest in digests}
                    if asks & sent or not set(digests) <= work.folders.keys():
                        await self.connection.shut(worker, f"it asks for files that {work.name} does not need")
                        continue
                    sent |= asks
                    for digest in digests:
                        await self._send(worker, digest, work)
                case NotDone(reason=reason):
                    self._say(f"worker {worker.name} cannot do {work.name}: {reason}")
                    avoid[worker.address] = reason
                case Done():
                    try:
                        return await accept(answer, worker)
                    except NotProved as error:
                        await self.connection.shut(worker, f"its {work.name} is not valid ({error})")
        raise OSError(f"it was started {tries} times, and its worker was gone each time")

    async def _asked(self, work: Work, avoid: Mapping[str, str], *, alone: bool) -> tuple[Answer, KnownWorker] | None:
        """The answer and the worker that gave it; None if that worker is gone or shut out.

        Raises NotPlain if one of several workers failed: only one that was asked `alone` is known to be at fault.
        """
        client = await self.connection.client()
        workers = await self._able(work, avoid)
        if alone:
            workers = dict(list(workers.items())[:1])
        key = f"{work.name.replace(' ', '-')}-{uuid4().hex}"
        try:
            order = encode(Order(VERSION, work.job, tuple(work.folders), work.body))
            future = client.submit(do, order, key=key, pure=False, resources=work.needs, workers=list(workers))
            return await self._answered(client, future, workers)
        except NotPlain:
            if len(workers) > 1:
                raise
            (worker,) = workers.values()
            await self.connection.shut(worker, f"it fails at {work.name} instead of answering")
        except _LOST:
            self.lost += 1
        return None

    async def _able(self, work: Work, avoid: Mapping[str, str]) -> dict[str, KnownWorker]:
        """Waits for workers that can do it; returns them keyed by address. Raises OSError if all are to be avoided.

        Reports once what no worker has.
        """
        reported = False
        while True:
            able = {worker.address: worker for worker in self.connection.able(work.needs, work.languages)}
            if rest := {address: worker for address, worker in able.items() if address not in avoid}:
                return rest
            if able:
                raise OSError("no worker can do it: " + "; ".join(sorted(set(avoid.values()))))
            if self.connection.workers and not reported:
                what = [name for name in work.needs if name != CORE] + sorted(work.languages)
                cores = work.needs.get(CORE, 1)
                self._say(f"{work.name} waits for a worker with {', '.join([*what, f'{cores:g} processors'])}")
                reported = True
            await self.connection.change()

    async def _answered(
        self, client: Client, future: Future[Any], workers: dict[str, KnownWorker]
    ) -> tuple[Answer, KnownWorker]:
        """The answer and its worker.

        Raises NotPlain for an error instead of an answer, and one of _LOST once all workers that could answer are gone.
        """
        try:
            await self._while_any_is_there(workers, _done(future))
            holders = await client.who_has([future])
            address = next(iter(next(iter(holders.values()), ())), "")
            if address not in workers:
                raise ConnectionError("the worker that had it is gone")
            return await self._fetched(client, future, workers[address])
        finally:
            future.release()

    async def _fetched(self, client: Client, future: Future[Any], worker: KnownWorker) -> tuple[Answer, KnownWorker]:
        """Gets the answer from the worker that has it; one that cannot be read shuts that worker out."""
        there = client.scheduler
        assert there, "it is connected"
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                answers = await self._while_any_is_there({worker.address: worker}, there.gather(keys=[future.key]))
            match answers:
                case {"status": "OK", "data": {future.key: text}}:
                    return read_answer(text), worker
            raise ConnectionError("the answer is gone")
        except (TooLarge, msgspec.DecodeError) as error:
            await self.connection.shut(worker, f"its answer cannot be read: {error}")
            raise ConnectionError("its answer cannot be read") from None

    async def _while_any_is_there(self, workers: dict[str, KnownWorker], awaited: Awaitable[object]) -> object:
        """The result of `awaited`. Raises ConnectionError once all `workers` are gone: Dask may notice later."""
        result = asyncio.ensure_future(awaited)
        try:
            while not result.done():
                change = asyncio.ensure_future(self.connection.change())
                await asyncio.wait((result, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                if not result.done() and not workers.keys() & self.connection.workers.keys():
                    raise ConnectionError("the workers that could answer are gone")
            return result.result()
        finally:
            result.cancel()

    async def _send(self, worker: KnownWorker, digest: str, work: Work) -> None:
        """Sends files to a worker once, however many orders need them. Raises Refusal if they are too large."""
        key = (worker.address, digest)
        if key not in self._sending:
            self._sending[key] = asyncio.create_task(self._sent(worker, digest, work.folders[digest]))
        try:
            if fault := await asyncio.shield(self._sending[key]):
                await self.connection.shut(worker, fault)
        except TooLarge as error:
            await self.connection.shut(worker, f"its answer cannot be read: {error}")
        except _LOST:
            self.lost += 1
        finally:
            self._sending.pop(key, None)

    async def _sent(self, worker: KnownWorker, digest: str, folder: Path) -> str:
        archive = await asyncio.to_thread(packed, folder)
        client = await self.connection.client()
        order = {"op": "run", "function": dumps(keep_files), "args": dumps((digest, archive)), "kwargs": dumps({})}
        there = client.scheduler
        assert there, "it is connected"
        answers = await there.broadcast(  # like client.run, which would unpickle the answer
            msg={**order, "wait": True}, workers=[worker.address], on_error="return"
        )
        match answers:
            case {worker.address: {"status": "OK", "result": bytes(fault)}}:
                return fault.decode(errors="replace")[:MAX_FAULT]
        return "it cannot keep files"


async def _done(future: Future[Any]) -> None:
    """Returns once the task is done. Raises NotPlain if it failed."""
    if error := await future.exception():
        raise error

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

MOST_TRIES = 30
"""So often a thing is begun before it is given up: one under which so many workers die may be what kills them."""
FETCH_SECONDS = 600.0
"""How long the bytes of an answer may take on their way."""
MAX_FAULT = 300
"""Characters of what a worker says is wrong."""
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
        tries, failed = 0, False
        while tries < MOST_TRIES:
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

    async def _asked(self, work: Work, avoid: Mapping[str, str], *, alone: bool) -> tuple[Answer, KnownWorker] | None:
        """What a worker that can do it has answered, and which it was; None if it is gone, or shut out.

        Raises NotPlain where one of several failed: only one that is asked `alone` is known to be it, and is shut out.
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
        """The answer, and who gave it. Raises NotPlain where there is an error instead, and one of _LOST once nobody is
        there any more who could give it.
        """
        try:
            await self._while_any_is_there(workers, _over(future))
            holders = await client.who_has([future])
            address = next(iter(next(iter(holders.values()), ())), "")
            if address not in workers:
                raise ConnectionError("the worker that had it is gone")
            return await self._fetched(client, future, workers[address])
        finally:
            future.release()

    async def _fetched(self, client: Client, future: Future[Any], worker: KnownWorker) -> tuple[Answer, KnownWorker]:
        """As `_answered`, from the worker that has the answer; it is shut out for one that cannot be read."""
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
        """The result of `awaited`. Raises ConnectionError once none of `workers` is there: Dask may notice later."""
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
        """Sends a worker files; they are sent once, however many ask for them. Raises Refusal where they are many."""
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
        answers = await there.broadcast(  # as client.run does, which unpickles what a worker says
            msg={**order, "wait": True}, workers=[worker.address], on_error="return"
        )
        match answers:
            case {worker.address: {"status": "OK", "result": bytes(fault)}}:
                return fault.decode(errors="replace")[:MAX_FAULT]
        return "it cannot keep files"


async def _over(future: Future[Any]) -> None:
    """Returns once the task is done. Raises NotPlain where it failed."""
    if error := await future.exception():
        raise error

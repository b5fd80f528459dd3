"""Gives work to workers: other machines that play games or make films. Each result counts once.

If work is lost because a worker or the scheduler dies, the work is given out again.
"""

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
from server.workers.abilities import CORES_RESOURCE
from server.workers.connection import Connection, KnownWorker
from server.workers.plain_data import MessageTooLarge, UndecodedReply
from server.workers.worker_messages import (
    Done,
    FilesMissing,
    NotDone,
    Order,
    ResultRejected,
    WorkerAnswer,
    encode,
    read_answer,
)
from server.workers.worker_program import do as carry_out_order
from server.workers.worker_program import keep_files
from server.workers.workplace import pack_folder

MAX_TRIES = 30
"""How often a piece of work may be tried. If it fails each time, the work itself may be the cause."""
FETCH_SECONDS = 600.0
"""How many seconds it may take to fetch an answer from a worker. If it takes longer, the work is done again."""
MAX_FAULT_CHARACTERS = 300
"""The maximum number of characters of a worker's error message. The rest is cut off."""
_CONNECTION_ERRORS = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError)
"""The errors that Dask raises when a worker or the scheduler is gone."""

Value = TypeVar("Value")


class Work(Struct, frozen=True):
    """A piece of work. `name` is for the organiser, such as "game 12". `job` says what the worker must do with `body`,
    such as "game".
    """

    name: str
    job: str
    body: bytes
    needed_resources: dict[str, float]
    """The abilities that a worker must have to do this work, as Dask resources."""
    folders: Mapping[str, Path] = {}
    """The folders that this work needs, keyed by the digests of their files. Workers get the folders that they lack."""
    languages: frozenset[str] = frozenset()
    """The languages of the bots in this work. A worker must have all of them, unless it runs bots in Docker."""


class WorkDispatcher:
    """Gives work to the workers of one scheduler."""

    def __init__(self, connection: Connection, say: Say = say) -> None:
        """Reports problems through `say`."""
        self.connection = connection
        self.lost_count = 0
        """How often work was restarted because its worker or the scheduler was gone."""
        self._say = say
        self._open_order_count = 0
        self._send_tasks: dict[tuple[str, str], asyncio.Task[str]] = {}

    def max_open_orders(self, cores: int) -> int:
        """Returns how many orders (pieces of work given out) may be open at once, if each needs `cores` processors.

        The number is how many orders all workers can carry out at once, plus one for each worker. So each worker has an
        order waiting.
        """
        return sum(worker.abilities.cores // cores + 1 for worker in self.connection.workers.values())

    @asynccontextmanager
    async def open_order(self, cores: int) -> AsyncIterator[None]:
        """Waits until one more order may be open, and counts it as open during the `async with`.

        Because open orders are limited, workers that join later get their share of the orders.
        """
        while self._open_order_count >= max(1, self.max_open_orders(cores)):
            await self.connection.wait_for_change()
        self._open_order_count += 1
        try:
            yield
        finally:
            self._open_order_count -= 1

    async def do_on_worker(
        self,
        work: Work,
        accept: Callable[[Done, KnownWorker], Awaitable[Value]],
        on_try: Callable[[int], object] = lambda _: None,
    ) -> Value:
        """Lets a worker do `work`. Passes the result to `accept`, and returns what `accept` returns.

        If `accept` raises ResultRejected, the worker is shut out (gets no more work), and another worker is asked.
        Before each attempt, calls `on_try` with the number of the attempt, from 1. Raises OSError if no worker can do
        the work, Refusal if the files cannot be sent, and any other error that `accept` raises.
        """
        excluded_workers: dict[str, str] = {}
        """The reasons why some workers cannot do the work, keyed by the workers' addresses."""
        file_requests = set[tuple[str, str]]()
        """The files that workers have asked for, as pairs of a worker's address and a digest."""
        tries, has_failed = 0, False
        while tries < MAX_TRIES:
            tries += 1
            on_try(tries)
            try:
                answer_and_worker = await self._ask(work, excluded_workers, only_first_worker=has_failed)
            except UndecodedReply:
                has_failed = True
                continue
            if answer_and_worker is None:
                continue
            answer, worker = answer_and_worker
            match answer:
                case FilesMissing(digests=digests):
                    tries -= 1  # the worker has not started the work
                    requests = {(worker.address, digest) for digest in digests}
                    if requests & file_requests or not set(digests) <= work.folders.keys():
                        await self.connection.shut_out_worker(
                            worker, f"it asks for files that {work.name} does not need"
                        )
                        continue
                    file_requests |= requests
                    for digest in digests:
                        await self._send_files(worker, digest, work)
                case NotDone(reason=reason):
                    self._say(f"worker {worker.name} cannot do {work.name}: {reason}")
                    excluded_workers[worker.address] = reason
                case Done():
                    try:
                        return await accept(answer, worker)
                    except ResultRejected as error:
                        await self.connection.shut_out_worker(worker, f"its {work.name} is not valid ({error})")
        raise OSError(f"it was given up after {tries} attempts")

    async def _ask(
        self, work: Work, excluded_workers: Mapping[str, str], *, only_first_worker: bool
    ) -> tuple[WorkerAnswer, KnownWorker] | None:
        """Gives out the work once. Returns the answer and the worker that gave it. Returns None if the chosen worker is
        gone or shut out. The caller must then give the work out again.

        Dask chooses one of the able workers. With `only_first_worker`, Dask can choose only the first worker. If the
        work fails, Dask does not say which worker failed. So a worker is shut out only if Dask had no choice. If Dask
        had a choice, raises UndecodedReply.
        """
        workers = await self._wait_for_able_workers(work, excluded_workers)
        client = await self.connection.client()  # not earlier, because the scheduler may die during the wait
        if only_first_worker:
            workers = dict(list(workers.items())[:1])
        key = f"{work.name.replace(' ', '-')}-{uuid4().hex}"
        try:
            order = encode(Order(VERSION, work.job, tuple(work.folders), work.body))
            future = client.submit(
                carry_out_order, order, key=key, pure=False, resources=work.needed_resources, workers=list(workers)
            )
            return await self._wait_for_answer(client, future, workers)
        except UndecodedReply:
            if len(workers) > 1:
                raise
            (worker,) = workers.values()
            await self.connection.shut_out_worker(worker, f"it fails at {work.name} instead of answering")
        except _CONNECTION_ERRORS:
            self.lost_count += 1
        return None

    async def _wait_for_able_workers(self, work: Work, excluded_workers: Mapping[str, str]) -> dict[str, KnownWorker]:
        """Waits for workers that can do the work. Returns them by address.

        If there are no such workers, reports once what the work needs. Raises OSError if every able worker is in
        `excluded_workers`.
        """
        has_reported = False
        while True:
            able_workers = {
                worker.address: worker for worker in self.connection.find_able(work.needed_resources, work.languages)
            }
            if remaining := {
                address: worker for address, worker in able_workers.items() if address not in excluded_workers
            }:
                return remaining
            if able_workers:
                raise OSError("no worker can do it: " + "; ".join(sorted(set(excluded_workers.values()))))
            if self.connection.workers and not has_reported:
                needed = [name for name in work.needed_resources if name != CORES_RESOURCE] + sorted(work.languages)
                cores = work.needed_resources.get(CORES_RESOURCE, 1)
                self._say(f"{work.name} waits for a worker with {', '.join([*needed, f'{cores:g} processors'])}")
                has_reported = True
            await self.connection.wait_for_change()

    async def _wait_for_answer(
        self, client: Client, future: Future[Any], workers: dict[str, KnownWorker]
    ) -> tuple[WorkerAnswer, KnownWorker]:
        """Waits for the answer. Returns the answer and the worker that gave it.

        Raises UndecodedReply if the worker failed, or one of _CONNECTION_ERRORS if all `workers` are gone.
        """
        try:
            await self._await_while_connected(workers, _wait_until_done(future))
            holders = await client.who_has([future])
            address = next(iter(next(iter(holders.values()), ())), "")
            if address not in workers:
                raise ConnectionError("the worker that had the answer is gone")
            return await self._fetch(client, future, workers[address])
        finally:
            future.release()

    async def _fetch(
        self, client: Client, future: Future[Any], worker: KnownWorker
    ) -> tuple[WorkerAnswer, KnownWorker]:
        """Gets the answer from the worker that has it. Shuts the worker out if the answer is unreadable."""
        scheduler = client.scheduler
        assert scheduler, "the client is connected"
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                gathering = scheduler.gather(keys=[future.key])
                answers = await self._await_while_connected({worker.address: worker}, gathering)
            match answers:
                case {"status": "OK", "data": {future.key: text}}:
                    return read_answer(text), worker
            raise ConnectionError("the answer is gone")
        except (MessageTooLarge, msgspec.DecodeError) as error:
            await self.connection.shut_out_worker(worker, f"its answer cannot be read: {error}")
            raise ConnectionError("its answer cannot be read") from None

    async def _await_while_connected(self, workers: dict[str, KnownWorker], awaitable: Awaitable[object]) -> object:
        """Returns the result of `awaitable`. Raises ConnectionError as soon as all `workers` are gone.

        Dask itself may take longer to notice this.
        """
        result = asyncio.ensure_future(awaitable)
        try:
            while not result.done():
                change = asyncio.ensure_future(self.connection.wait_for_change())
                await asyncio.wait((result, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                if not result.done() and not workers.keys() & self.connection.workers.keys():
                    raise ConnectionError("the workers that could answer are gone")
            return result.result()
        finally:
            result.cancel()

    async def _send_files(self, worker: KnownWorker, digest: str, work: Work) -> None:
        """Sends the files with this digest to a worker. If several orders need the same files, sends them only once.
        Raises Refusal if the files are too large.
        """
        key = (worker.address, digest)
        if key not in self._send_tasks:
            self._send_tasks[key] = asyncio.create_task(self._send_archive(worker, digest, work.folders[digest]))
        try:
            if fault := await asyncio.shield(self._send_tasks[key]):
                await self.connection.shut_out_worker(worker, fault)
        except MessageTooLarge as error:
            await self.connection.shut_out_worker(worker, f"its answer cannot be read: {error}")
        except _CONNECTION_ERRORS:
            self.lost_count += 1
        finally:
            self._send_tasks.pop(key, None)

    async def _send_archive(self, worker: KnownWorker, digest: str, folder: Path) -> str:
        """Sends a folder's files to a worker. Returns the worker's complaint, or "" if there is none."""
        archive = await asyncio.to_thread(pack_folder, folder)
        client = await self.connection.client()
        order = {"op": "run", "function": dumps(keep_files), "args": dumps((digest, archive)), "kwargs": dumps({})}
        scheduler = client.scheduler
        assert scheduler, "the client is connected"
        answers = await scheduler.broadcast(  # client.run would unpickle the answer
            msg={**order, "wait": True}, workers=[worker.address], on_error="return"
        )
        match answers:
            case {worker.address: {"status": "OK", "result": bytes(fault)}}:
                return fault.decode(errors="replace")[:MAX_FAULT_CHARACTERS]
        return "it cannot keep files"


async def _wait_until_done(future: Future[Any]) -> None:
    """Waits until the task of `future` is done. If it failed, raises UndecodedReply in place of the worker's error."""
    if error := await future.exception():
        raise error

"""Plays the games of a season on the workers of a Dask cluster; what comes back is proved before it counts.

A game whose worker dies, whose scheduler dies, or whose journal does not hold is played again, on the same cards: they
follow from its seed. The ledger alone knows which games count, so each counts once.
"""

import asyncio
import concurrent.futures
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import msgspec
from distributed import Client, Future
from msgspec import Struct

from server.console import say
from server.game.events import Entrant
from server.season.files import Store
from server.season.local_games import GamePlan
from server.season.open_games import GamesStatus, OpenGames, WorkerRow
from server.season.outcome import GameOutcome
from server.season.standings import Upload
from server.submissions.digest import digest_of
from server.submissions.upac import UpacSubmission, read_upac
from server.version import VERSION
from server.workers.abilities import needs_of
from server.workers.bot_archive import packed
from server.workers.connection import Connection, KnownWorker
from server.workers.game_worker import keep_bot, play
from server.workers.orders import Answer, BotOrder, BotsMissing, GameOrder, NotPlayed, PlayedGame, encode, read_answer
from server.workers.returned_game import NotProved, keep_game

MOST_TRIES = 30
"""So often a game is begun before it is given up: one under which so many workers die may be what kills them."""
_LOST = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError)
"""How Dask says that a worker or the scheduler is gone."""


class Bot(Struct, frozen=True):
    """An upload as workers know it."""

    submission: UpacSubmission
    digest: str


class WorkerGames:
    """Plays games on workers."""

    def __init__(self, connection: Connection, store: Store, sandbox: str) -> None:
        """Files of uploads and games are in `store`; `sandbox` is the kind of boxes that all games are played in."""
        self.connection = connection
        self._open = OpenGames()
        self._played_by: dict[str, list[float]] = {}
        """By a worker's name, the seconds that each of its games took there."""
        self._lost = 0
        self._store = store
        self._sandbox = sandbox
        self._bots: dict[int, Bot] = {}
        self._sending: dict[tuple[str, str], asyncio.Task[str]] = {}

    @property
    def places(self) -> int:
        """As many games as all workers play at a time, and one more for each, so that none waits for the next."""
        return sum(worker.abilities.games + 1 for worker in self.connection.workers.values())

    def status(self) -> GamesStatus:
        """What the operator is told."""
        rows = []
        for worker in sorted(self.connection.workers.values(), key=lambda worker: worker.name):
            has, took = worker.abilities, self._played_by.get(worker.name, [])
            mean = sum(took) / len(took) if took else 0.0
            what = (has.games, has.sandbox, has.languages, has.cores, has.memory_bytes)
            rows.append(WorkerRow(worker.name, *what, worker.playing, len(took), mean))
        there = self.connection
        return GamesStatus(
            self._open.oldest(),
            self._open.per_minute(),
            self.places,
            there.address,
            there.connected,
            tuple(rows),
            dict(there.shut_out),
            self._lost,
        )

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError where no worker can play it, or its files cannot be kept."""
        with self._open.playing(plan.number) as game:
            defender, challenger = [await asyncio.to_thread(self._bot, upload) for upload in plan.uploads]
            needs = needs_of(self._sandbox, (defender.submission, challenger.submission))
            avoid: dict[str, str] = {}
            """By address, why a worker cannot play it."""
            while game.tries < MOST_TRIES:
                game.tries += 1
                asked = await self._asked(plan, (defender, challenger), needs, avoid)
                if asked is None:
                    continue
                answer, worker = asked
                match answer:
                    case BotsMissing(digests=digests):
                        game.tries -= 1  # nothing was begun
                        await self._send(worker, plan.uploads, digests)
                    case NotPlayed(reason=reason):
                        say(f"worker {worker.name} cannot play game {plan.number}: {reason}")
                        avoid[worker.address] = reason
                    case PlayedGame():
                        if outcome := await self._kept(answer, worker, plan):
                            return outcome
            raise OSError(f"it was begun {game.tries} times, and its worker was gone each time")

    async def _asked(
        self, plan: GamePlan, bots: tuple[Bot, Bot], needs: dict[str, float], avoid: Mapping[str, str]
    ) -> tuple[Answer, KnownWorker] | None:
        """What a worker that can play a game has answered, and which it was; None if it is gone."""
        client = await self.connection.client()
        workers = await self._able(plan, needs, avoid)
        key = f"game-{plan.number}-{uuid4().hex}"
        try:
            order = encode(_order(plan, bots))
            future = client.submit(play, order, key=key, pure=False, resources=needs, workers=list(workers))
            return await self._answered(client, future, workers)
        except _LOST:
            self._lost += 1
        except msgspec.DecodeError as error:
            say(f"game {plan.number}: {error}; it is played again")
        return None

    async def _able(self, plan: GamePlan, needs: dict[str, float], avoid: Mapping[str, str]) -> dict[str, KnownWorker]:
        """The workers that can play a game, by address, once there is one. Raises OSError where all are to be avoided.

        Says once what no worker has.
        """
        told = False
        while True:
            able = {worker.address: worker for worker in self.connection.may_play(needs, set(avoid))}
            if able:
                return able
            if avoid and any(self.connection.may_play(needs, set())):
                raise OSError("no worker can play it: " + "; ".join(sorted(set(avoid.values()))))
            if self.connection.workers and not told:
                what = ", ".join(name for name in needs if name != "core")
                say(f"game {plan.number} waits for a worker with {what}, and two processors")
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

    async def _send(self, worker: KnownWorker, uploads: tuple[Upload, Upload], digests: Collection[str]) -> None:
        """Sends a worker the bots of these digests; each is sent once, however many games ask for it."""
        folders = {self._bot(upload).digest: self._store.upload(upload.number) / "bot" for upload in uploads}
        for digest in digests:
            key = (worker.address, digest)
            if key not in self._sending:
                self._sending[key] = asyncio.create_task(self._sent(worker, digest, folders[digest]))
            try:
                if fault := await asyncio.shield(self._sending[key]):
                    await self.connection.shut(worker, fault)
            except _LOST:
                self._lost += 1
            finally:
                self._sending.pop(key, None)

    async def _sent(self, worker: KnownWorker, digest: str, folder: Path) -> str:
        archive = await asyncio.to_thread(packed, folder)
        client = await self.connection.client()
        told = await client.run(keep_bot, digest, archive, workers=[worker.address])
        return str(told[worker.address])

    async def _kept(self, played: PlayedGame, worker: KnownWorker, plan: GamePlan) -> GameOutcome | None:
        """The outcome of a game that is proved and kept; None where it does not hold, and its worker is shut out."""
        try:
            files = self._store.game(plan.number)
            outcome = await asyncio.to_thread(keep_game, played, files, plan.entrants, plan.seed)
        except NotProved as error:
            await self.connection.shut(worker, f"its game {plan.number} does not hold ({error})")
            return None
        self._played_by.setdefault(worker.name, []).append(played.seconds)
        return outcome

    def _bot(self, upload: Upload) -> Bot:
        """An upload as workers know it. Raises OSError where its files cannot be read."""
        if upload.number not in self._bots:
            folder = self._store.upload(upload.number)
            with TemporaryDirectory() as work:
                submission = read_upac(folder, Path(work) / "bot")
            self._bots[upload.number] = Bot(submission, upload.digest or digest_of(folder / "bot"))
        return self._bots[upload.number]


def _order(plan: GamePlan, bots: tuple[Bot, Bot]) -> GameOrder:
    def side(entrant: Entrant, bot: Bot) -> BotOrder:
        return BotOrder(entrant, bot.digest)

    begun = datetime.now(UTC).isoformat(timespec="milliseconds")
    defender, challenger = map(side, plan.entrants, bots)
    return GameOrder(VERSION, plan.number, plan.seed, begun, defender, challenger)


def _over(future: Future[Any]) -> "asyncio.Future[object]":
    """Is done once the task is; raises what it raised."""

    async def wait() -> None:
        await future

    return asyncio.ensure_future(wait())

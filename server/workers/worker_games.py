"""Plays the games of a season on the workers of a Dask cluster; what comes back is proved before it counts.

A game whose worker dies, whose scheduler dies, or whose journal does not hold is played again, on the same cards: they
follow from its seed. The ledger alone knows which games count, so each counts once.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from server.game.events import Entrant
from server.season.files import Store
from server.season.local_games import GamePlan
from server.season.open_games import GamesStatus, OpenGames, WorkerRow
from server.season.outcome import GameOutcome
from server.season.standings import Upload
from server.submissions.commands import CommandSubmission, read_commands
from server.submissions.digest import digest_of
from server.workers.abilities import A_GAME_NEEDS, needs_of
from server.workers.asking import Asking, Work
from server.workers.connection import KnownWorker
from server.workers.game_job import GAME
from server.workers.orders import BotOrder, Done, GameOrder, encode
from server.workers.returned_game import keep_game


class Bot(Struct, frozen=True):
    """An upload as workers know it."""

    submission: CommandSubmission
    digest: str


class WorkerGames:
    """Plays games on workers."""

    def __init__(self, asking: Asking, store: Store, sandbox: str) -> None:
        """Files of uploads and games are in `store`; `sandbox` is the kind of boxes that all games are played in."""
        self._asking = asking
        self._open = OpenGames()
        self._played_by: dict[str, list[float]] = {}
        """By a worker's name, the seconds that each of its games took there."""
        self._store = store
        self._sandbox = sandbox
        self._bots: dict[int, Bot] = {}

    @property
    def places(self) -> int:
        """As many games as all workers play at a time, and one more for each, so that none waits for the next."""
        return self._asking.places(A_GAME_NEEDS)

    def status(self) -> GamesStatus:
        """What the operator is told."""
        rows, there = [], self._asking.connection
        for worker in sorted(there.workers.values(), key=lambda worker: worker.name):
            has, took = worker.abilities, self._played_by.get(worker.name, [])
            mean = sum(took) / len(took) if took else 0.0
            what = (has.games, has.sandbox, has.languages, has.cores, has.memory_bytes)
            rows.append(WorkerRow(worker.name, *what, worker.playing, len(took), mean))
        return GamesStatus(
            self._open.oldest(),
            self._open.per_minute(),
            self.places,
            there.address,
            there.connected,
            tuple(rows),
            dict(there.shut_out),
            self._asking.lost,
        )

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError where no worker can play it, or its files cannot be kept."""

        async def kept(done: Done, worker: KnownWorker) -> GameOutcome:
            files = self._store.game(plan.number)
            outcome = await asyncio.to_thread(keep_game, done.result, files, plan.entrants, plan.seed)
            self._played_by.setdefault(worker.name, []).append(done.seconds)
            return outcome

        with self._open.playing(plan.number) as game:

            def begun(tries: int) -> None:
                game.tries = tries

            bots = [await asyncio.to_thread(self._bot, upload) for upload in plan.uploads]
            uploads = zip(bots, plan.uploads, strict=True)
            work = Work(
                f"game {plan.number}",
                GAME,
                encode(_order(plan, bots[0], bots[1])),
                needs_of(self._sandbox, (bots[0].submission, bots[1].submission)),
                {bot.digest: self._store.upload(upload.number) / "bot" for bot, upload in uploads},
            )
            return await self._asking.done(work, kept, begun)

    def _bot(self, upload: Upload) -> Bot:
        """An upload as workers know it. Raises OSError where its files cannot be read."""
        if upload.number not in self._bots:
            folder = self._store.upload(upload.number)
            with TemporaryDirectory() as work:
                submission = read_commands(folder, Path(work) / "bot")
            self._bots[upload.number] = Bot(submission, upload.digest or digest_of(folder / "bot"))
        return self._bots[upload.number]


def _order(plan: GamePlan, defender: Bot, challenger: Bot) -> GameOrder:
    def side(entrant: Entrant, bot: Bot) -> BotOrder:
        return BotOrder(entrant, bot.digest)

    begun = datetime.now(UTC).isoformat(timespec="milliseconds")
    return GameOrder(
        plan.number, plan.seed, begun, side(plan.entrants[0], defender), side(plan.entrants[1], challenger)
    )

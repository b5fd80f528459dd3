"""Plays the games of a season on the workers of a Dask cluster, and verifies each result before it counts.

If a worker or the scheduler dies, or if a game's journal fails verification, the game is played again with the same
cards. Only games in the season's ledger count. The ledger has each game once, even if the game was played twice.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.game.events import Entrant, GameStarted, TournamentOpened
from server.journal.atomic_file import write_atomically
from server.journal.journal import Entry, JournalDamaged, read_journal
from server.season.bot_setup import build_submission, contender_of
from server.season.files import SeasonFiles
from server.season.local_games import GamePlan, GamesStatus, OpenGames, WorkerRow
from server.season.outcome import GameFiles, GameOutcome, outcome_of
from server.season.play_game import Contender, game_format, play_game
from server.season.season_state import Upload
from server.shuffle import commitment
from server.submissions.command_bots import read_command_bot
from server.submissions.folder_rules import digest_of
from server.verify.recording import verify
from server.verify.refutation import Refuted, expect_equal
from server.workers import worker_messages
from server.workers.abilities import CORES_PER_GAME, CORES_RESOURCE, languages_in, sandbox_resource
from server.workers.connection import KnownWorker
from server.workers.work_dispatcher import Work, WorkDispatcher
from server.workers.workplace import Workplace

GAME_JOB = "game"


class UploadedBot(Struct, frozen=True):
    """An uploaded bot that workers run: the files in `folder`, their digest, and the languages that the bot needs."""

    digest: str
    folder: Path
    languages: frozenset[str]


class WorkerGames:
    """Plays games on workers."""

    def __init__(self, dispatcher: WorkDispatcher, store: SeasonFiles, sandbox: str) -> None:
        """`store` has the files of uploads and games. All bots run in sandboxes of the kind `sandbox`."""
        self._dispatcher = dispatcher
        self._open_games = OpenGames()
        self._seconds_by_worker: dict[str, list[float]] = {}
        """How many seconds each game took, keyed by worker name."""
        self._store = store
        self._sandbox = sandbox
        self._bots: dict[int, UploadedBot] = {}

    @property
    def slot_count(self) -> int:
        """How many games all workers can play at once, plus one for each worker, so that no worker is ever idle."""
        return self._dispatcher.max_open_orders(CORES_PER_GAME)

    def status(self) -> GamesStatus:
        rows, connection = [], self._dispatcher.connection
        for worker in sorted(connection.workers.values(), key=lambda worker: worker.name):
            abilities, seconds = worker.abilities, self._seconds_by_worker.get(worker.name, [])
            mean = sum(seconds) / len(seconds) if seconds else 0.0
            sandbox, languages, memory_bytes = abilities.sandbox, abilities.languages, abilities.memory_bytes
            values = (abilities.max_games, sandbox, languages, abilities.cores, memory_bytes)
            rows.append(WorkerRow(worker.name, *values, worker.game_count, len(seconds), mean))
        return replace(
            self._open_games.status(self.slot_count),
            scheduler=connection.address,
            connected=connection.is_connected,
            workers=tuple(rows),
            shut_out=dict(connection.shut_out_reasons),
            lost=self._dispatcher.lost_count,
        )

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError if no worker can play the game or its files cannot be stored."""

        async def accept_game(done: worker_messages.Done, worker: KnownWorker) -> GameOutcome:
            files = self._store.game_files(plan.number)
            outcome = await asyncio.to_thread(_store_game, done.result, files, plan.entrants, plan.seed)
            self._seconds_by_worker.setdefault(worker.name, []).append(done.seconds)
            return outcome

        with self._open_games.track_game(plan.number) as game:

            def count_try(number: int) -> None:
                game.tries = number

            bots = [await asyncio.to_thread(self._read_bot, upload) for upload in plan.uploads]
            entrants = zip(plan.entrants, bots, strict=True)
            defender, challenger = (worker_messages.BotOrder(entrant, bot.digest) for entrant, bot in entrants)
            begun_at = datetime.now(UTC).isoformat(timespec="milliseconds")
            work = Work(
                f"game {plan.number}",
                GAME_JOB,
                worker_messages.encode(
                    worker_messages.GameOrder(plan.number, plan.seed, begun_at, defender, challenger)
                ),
                {CORES_RESOURCE: CORES_PER_GAME, sandbox_resource(self._sandbox): 1},
                {bot.digest: bot.folder for bot in bots},
                bots[0].languages | bots[1].languages,
            )
            return await self._dispatcher.do_on_worker(work, accept_game, count_try)

    def _read_bot(self, upload: Upload) -> UploadedBot:
        if upload.number not in self._bots:
            folder = self._store.upload_folder(upload.number)
            with TemporaryDirectory() as temporary_folder:
                submission = read_command_bot(folder, Path(temporary_folder) / "bot")
            languages = languages_in(f"{submission.build} {submission.run}")
            self._bots[upload.number] = UploadedBot(
                upload.digest or digest_of(folder / "bot"), folder / "bot", languages
            )
        return self._bots[upload.number]


def _store_game(result: bytes, files: GameFiles, entrants: tuple[Entrant, Entrant], seed: bytes) -> GameOutcome:
    """Stores an encoded `PlayedGame` at the paths in `files`. Returns the game's outcome.

    The game must pass the checks of `highnoon verify`. It must have these `entrants` (defender, challenger) and the
    cards that `seed` determines. If not, raises ResultRejected and stores nothing. Raises OSError.
    """
    try:
        game = worker_messages.read_played_game(worker_messages.decode_result(result, worker_messages.GAME_BYTES))
    except msgspec.DecodeError as error:
        raise worker_messages.ResultRejected(str(error)) from None
    unproved_path = files.journal.with_suffix(".unproved")
    write_atomically(unproved_path, game.journal)
    try:
        entries = read_journal(unproved_path).entries
        proof = verify(entries)
        expect_equal("whether it is complete", proof.finished, True)
        _check_opening(entries, entrants, seed)
    except (JournalDamaged, Refuted) as error:
        unproved_path.unlink()
        raise worker_messages.ResultRejected(str(error)) from None
    logs = (
        (files.public_log, game.public),
        (files.defender_log, game.defender),
        (files.challenger_log, game.challenger),
    )
    for path, text in logs:
        write_atomically(path, text)
    unproved_path.replace(files.journal)
    return outcome_of((entry.event for entry in entries), files)


def _check_opening(entries: list[Entry], entrants: tuple[Entrant, Entrant], seed: bytes) -> None:
    """Raises Refuted if `entries` belong to another game, or if the plan of the game has a wrong number of hands."""
    contest_format = game_format()
    opened = TournamentOpened(
        contest_format.contest,
        contest_format.title,
        contest_format.rules,
        contest_format.starting_stack,
        entrants,
        commitment(seed),
    )
    expect_equal("the game", entries[0].event, opened)
    hands = [entry.event.hands for entry in entries if isinstance(entry.event, GameStarted)]
    expect_equal("how many rounds it has", hands, [contest_format.stages[0].hands])


async def play_ordered_game(workplace: Workplace, body: bytes) -> bytes:
    """Does a worker's job: plays the game of an encoded `GameOrder` to its end. Returns an encoded `PlayedGame`.

    Raises CannotRun if a bot cannot be built on this machine, OSError if the disk fails.
    """
    order = worker_messages.read_game_order(body)
    with workplace.temporary_folder() as folder:
        contenders = [await _make_contender(workplace, bot, Path(folder)) for bot in (order.defender, order.challenger)]
        journal = Path(folder) / "game.jsonl"
        files = (
            await play_game(contenders[0], contenders[1], seed=order.seed, journal=journal, start_time=order.begun)
        ).files
        paths = (files.journal, files.public_log, files.defender_log, files.challenger_log)
        contents = [path.read_bytes() if path.exists() else b"" for path in paths]
    say(f"game {order.number}: {order.defender.entrant.name} and {order.challenger.entrant.name}")
    return worker_messages.encode(worker_messages.PlayedGame(*contents))


async def _make_contender(workplace: Workplace, bot: worker_messages.BotOrder, work_folder: Path) -> Contender:
    async def build_bot() -> str:
        say(f"building {bot.entrant.name}")
        submission = await asyncio.to_thread(
            read_command_bot, workplace.folder_of(bot.digest), work_folder / f"{bot.digest}.unpacked"
        )
        if submission.faults:
            raise CannotRun(" ".join(submission.faults))
        return await build_submission(submission, workplace.shared_runner.runner, lambda _line: None)

    return contender_of(
        bot.entrant, workplace.shared_runner.runner, await workplace.shared_runner.build_once(bot.digest, build_bot)
    )

"""The worker's side: keeps bots by the digest of their files, builds each once, plays games in boxes of its own."""

import asyncio
import shutil
import tempfile
import time
from pathlib import Path

from distributed import Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from server.bots.sandbox.runner import CannotRun, PipedRunner
from server.console import say
from server.season.bot_setup import build, contender_of
from server.season.game import play_game
from server.season.outcome import GameFiles
from server.submissions.upac import read_upac
from server.version import VERSION
from server.workers.bot_archive import BadBot, unpack
from server.workers.orders import Answer, BotOrder, BotsMissing, GameOrder, NotPlayed, PlayedGame, encode, read_order

PLUGIN = "high-noon games"


class GameWorker(WorkerPlugin):
    """What this process has for games: its boxes, and the bots that it was sent. There is one in a process."""

    name = PLUGIN

    def __init__(self, runner: PipedRunner, folder: Path) -> None:
        """Bots are kept in `folder`, also over restarts; games are played there and leave nothing."""
        self._runner = runner
        self._bots = folder / "bots"
        self._games = folder / "games"
        self._builds: dict[str, asyncio.Task[str]] = {}
        self._playing: set[asyncio.Task[GameFiles]] = set()
        shutil.rmtree(self._games, ignore_errors=True)  # of a process that was killed
        for left in self._bots.glob("*.half"):
            shutil.rmtree(left, ignore_errors=True)
        self._games.mkdir(parents=True)

    async def play(self, order: GameOrder) -> Answer:
        """Plays a game to its end, or says why not. Raises OSError where the disk fails."""
        if order.version != VERSION:
            return NotPlayed(f"it has version {VERSION}, and {order.version} is wanted")
        bots = order.defender, order.challenger
        missing = {bot.digest for bot in bots if not (self._bots / bot.digest).is_dir()}
        if missing:
            return BotsMissing(tuple(sorted(missing)))
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(dir=self._games) as work:
            game = asyncio.create_task(self._played(order, Path(work)))
            self._playing.add(game)
            game.add_done_callback(self._playing.discard)
            try:
                files = await game
            except CannotRun as error:
                return NotPlayed(str(error))
            texts = (files.journal, files.public, files.defender, files.challenger)
            journal, public, *private = (path.read_bytes() if path.exists() else b"" for path in texts)
        seconds = time.monotonic() - begun
        say(f"game {order.number}: {bots[0].entrant.name} and {bots[1].entrant.name}, {seconds:.1f} s")
        return PlayedGame(journal, public, private[0], private[1], seconds)

    def keep(self, digest: str, archive: bytes) -> None:
        """Keeps a bot. Raises BadBot, OSError."""
        there = self._bots / digest
        half = there.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        unpack(archive, half, digest)
        if not there.exists():
            half.rename(there)

    async def teardown(self, worker: Worker) -> None:
        """Stops all games, when the scheduler is gone or the worker ends: they are played again elsewhere."""
        games = list(self._playing)
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)

    async def _played(self, order: GameOrder, work: Path) -> GameFiles:
        one, other = order.defender, order.challenger
        defender = contender_of(one.entrant, self._runner, await self._built(one))
        challenger = contender_of(other.entrant, self._runner, await self._built(other))
        journal = work / "game.jsonl"
        return (await play_game(defender, challenger, seed=order.seed, journal=journal, begun=order.begun)).files

    async def _built(self, bot: BotOrder) -> str:
        """What the runner calls the built bot. Raises CannotRun with the end of the build's log."""
        if bot.digest not in self._builds:
            say(f"building {bot.entrant.name}")
            self._builds[bot.digest] = asyncio.create_task(self._build(bot.digest))
        return await asyncio.shield(self._builds[bot.digest])

    async def _build(self, digest: str) -> str:
        submission = await asyncio.to_thread(read_upac, self._bots / digest, self._games / f"{digest}.unpacked")
        if submission.faults:
            raise CannotRun(" ".join(submission.faults))
        return await build(submission, self._runner, lambda _line: None)


def _here(worker: Worker) -> GameWorker:
    plugin = worker.plugins[PLUGIN]
    assert isinstance(plugin, GameWorker), "no other plugin has this name"
    return plugin


async def play(order: bytes) -> bytes:
    """The task of a game: a `GameOrder` comes in, an `Answer` goes out, both encoded."""
    return encode(await _here(get_worker()).play(read_order(order)))


async def keep_bot(digest: str, archive: bytes, dask_worker: Worker) -> str:
    """Keeps a bot on this worker; returns what is wrong with it, "" if nothing. Raises OSError."""
    try:
        await asyncio.to_thread(_here(dask_worker).keep, digest, archive)
    except BadBot as error:
        return str(error)
    return ""

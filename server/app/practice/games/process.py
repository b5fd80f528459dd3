"""`python -m server.app.practice.games.process LINK SOCKETS FOLDER KEEP`: plays practice games for the server.

It may end at any moment: that costs the games that it plays, and nothing else. It ends with the server. Recordings are
synced to disk several at a time, in the background; only the latest are kept.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from broadcast.archive.indexing import ENDING
from broadcast.film.film import ENDING as FILM
from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import keep_transcript
from server.app.practice.games.child import run_child
from server.app.practice.games.plan import GameOver, GamesGrown, PlayGame, WentWrong
from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.transports.tcp import TcpConnection
from server.journal.journal import Journal, discard_journal, sync_folder
from server.journal.link import Link

GROWN_SECONDS = 0.1
"""What is recorded within this time is told together."""

GROUP_SECONDS = 0.5
"""What is written within this time is synced together."""
PRUNE_SECONDS = 10.0
"""The folder is looked through no more often: with a thousand recordings in it that takes time, which games lack."""


class PracticeRecordings:
    """The recordings of one folder.

    A tournament's events are on disk before anybody sees them, because prizes depend on them. Nothing depends on a
    practice game: a power cut may cost its last second, and in return no game waits for another while the disk is
    slow. Nothing is lost if only the program ends, even if it is killed.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        """`keep` is how many recordings are kept; the oldest are removed first, with the files that belong to them."""
        self._folder = folder
        self._keep = keep
        self._unsynced: dict[int, int] = {}
        self._work: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self._pruned_at: float | None = None

    def begin(self, path: Path) -> Journal:
        """A new journal at `path`. Call it inside the running loop. Raises OSError where it cannot be made."""
        return Journal(path, settle=self._later)

    async def settled(self) -> None:
        """Returns once everything written is synced and no more recordings are left than are to be kept; waits for no
        more to be written.
        """
        self._hurry.set()
        while self._work:
            await asyncio.wait({self._work})
        if self._pruned_at is not None:
            await self._prune()

    def _later(self, file: int) -> None:
        """Has an open file synced soon; a copy of its descriptor stays open until then, for its game may be over."""
        which = os.fstat(file).st_ino
        if which not in self._unsynced:
            self._unsynced[which] = os.dup(file)
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._settle())

    async def _settle(self) -> None:
        try:
            while self._unsynced:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), GROUP_SECONDS)
                files, self._unsynced = tuple(self._unsynced.values()), {}
                await asyncio.to_thread(_sync, self._folder, files)
                if self._pruned_at is None or asyncio.get_running_loop().time() > self._pruned_at + PRUNE_SECONDS:
                    await self._prune()
        except OSError as error:
            logging.getLogger(__name__).error("practice recordings are not synced: %s", error)
        finally:
            self._work = None

    async def _prune(self) -> None:
        self._pruned_at = asyncio.get_running_loop().time()
        try:
            await asyncio.to_thread(prune, self._folder, self._keep)
        except OSError as error:
            logging.getLogger(__name__).error("old practice recordings are not removed: %s", error)


def prune(folder: Path, keep: int) -> None:
    """Removes all but the latest `keep` recordings of a folder, and films whose recording is gone.

    A recording that is being written stays. Raises OSError where the folder cannot be read.
    """
    for path in sorted(folder.glob(f"*{ENDING}"), key=_changed, reverse=True)[keep:]:
        with suppress(OSError):  # it is being written or read: the next time
            discard_journal(path)
    kept = {path.stem for path in folder.glob(f"*{ENDING}")}
    for path in folder.iterdir():
        stem, dot, rest = path.name.removeprefix(".").partition(".")
        if stem not in kept and f"{dot}{rest}".startswith(FILM):
            path.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _sync(folder: Path, files: Collection[int]) -> None:
    try:
        for file in files:
            os.fdatasync(file)
        sync_folder(folder)
    finally:
        for file in files:
            os.close(file)


class Games:
    """The games of this process. Sockets of bots come over `sockets`, each before the order of its game."""

    def __init__(self, link: Link, sockets: socket.socket, recordings: PracticeRecordings) -> None:
        self._link = link
        self._sockets = sockets
        self._recordings = recordings
        self._grown: dict[int, int] = {}
        self._telling: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, order: PlayGame) -> None:
        """Plays a game in a task of its own."""
        if order.addresses:
            self._spawn(self._play(order, []))
            return
        _, files, _, _ = socket.recv_fds(self._sockets, 1, order.plan.authors)
        loop = asyncio.get_running_loop()
        self._spawn(self._play(order, [TcpConnection(socket.socket(fileno=file), loop) for file in files]))

    async def end(self) -> None:
        """Breaks off all games; returns once what was played is on disk."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._recordings.settled()

    async def _play(self, order: PlayGame, connections: Sequence[TcpConnection]) -> None:
        def wrong(bot: int, fault: OwnFault) -> None:
            self._link.send(WentWrong(order.number, bot, fault))

        why, bots = "", list[Bot]()
        try:
            table = PracticeTable(order.plan, wrong, self._recordings.begin)
            table.bus.listeners.append(self._counter(order.number, table))
            if order.addresses:
                await table.play_over_http(order.addresses)
            else:
                bots = await table.play_over_tcp(connections)
            self._spawn(self._keep(table))
        except OSError as error:
            why = f"which the server's disk did not take: {error}"
        except Exception as error:
            why = f"which broke off: {error!r}"
            raise
        finally:
            self._tell()
            self._link.send(GameOver(order.number, why))
            if not bots:
                for connection in connections:
                    connection.close()
        if bots:
            await asyncio.sleep(order.linger_seconds)
            for bot in bots:
                bot.hang_up()

    async def _keep(self, table: PracticeTable) -> None:
        """Writes the transcripts of a game that is over, while others are on."""
        recordings = Path(table.plan.journal).parent
        for record, path in zip(table.records.values(), table.plan.transcripts, strict=True):
            await asyncio.to_thread(keep_transcript, record.messages, Path(path), recordings)

    def _counter(self, number: int, table: PracticeTable) -> Callable[[object], None]:
        def count(_: object) -> None:
            self._grown[number] = len(table.bus.entries)
            if self._telling is None:
                self._telling = asyncio.get_running_loop().call_later(GROWN_SECONDS, self._tell)

        count(None)
        return count

    def _tell(self) -> None:
        if self._telling:
            self._telling.cancel()
            self._telling = None
        if self._grown:
            self._link.send(GamesGrown(self._grown))
            self._grown = {}

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def play_games(link: Link) -> None:
    """Plays what is ordered over the sockets of number `SOCKETS`; keeps so many recordings in a folder."""
    sockets, folder, keep = int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    games = Games(link, socket.socket(fileno=sockets), PracticeRecordings(folder, keep))
    async for order in link.messages(msgspec.json.Decoder(PlayGame)):
        games.start(order)
    await games.end()


if __name__ == "__main__":
    run_child(play_games)

"""`python -m server.app.practice.games.process LINK SOCKETS FOLDER KEEP`: plays practice games for the server.

If this process dies, only its own games are lost. The process ends when the server ends. Only the latest KEEP
recordings stay in FOLDER.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from broadcast.archive.indexing import RECORDING_SUFFIX
from broadcast.film.film import FILM_SUFFIX
from server.app.decisions.faults import FaultReport
from server.app.decisions.transcript import write_transcript
from server.app.practice.games.child import run_child
from server.app.practice.games.plan import FaultReported, GameOver, GamesGrown, PlayGame
from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.transports.connection import Connection
from server.bots.transports.socket_pair import PairConnection
from server.bots.transports.tcp import TcpConnection
from server.journal.journal import discard_journal
from server.journal.studio_link import Link
from server.system.files import sync_data, sync_folder
from server.system.sockets import open_passed_socket, receive_passed_sockets

LINGER_SECONDS = 5.0
"""A connection stays open for this many seconds after a game. Then it closes, which tells the bot that the game is
over.
"""
REPORT_PAUSE_SECONDS = 0.1
"""Between two reports of new entries, at least this many seconds pass."""
PRUNE_SECONDS = 10.0
"""Between two scans of the folder of recordings, at least this many seconds pass, because a scan of a thousand
recordings delays games.
"""


def prune_recordings(folder: Path, recordings_kept: int) -> None:
    """Removes all recordings from a folder except the latest `recordings_kept`. Also removes each film (the computed
    show of a recording) whose recording is gone.

    Never removes a recording that a game is still writing. Raises OSError if the folder cannot be read.
    """
    for path in sorted(folder.glob(f"*{RECORDING_SUFFIX}"), key=_modified_time, reverse=True)[recordings_kept:]:
        with suppress(OSError):  # it is still being written, so a later call removes it
            discard_journal(path)
    recording_stems = {path.stem for path in folder.glob(f"*{RECORDING_SUFFIX}")}
    for path in folder.iterdir():
        stem, dot, extension = path.name.removeprefix(".").partition(".")
        if stem not in recording_stems and f"{dot}{extension}".startswith(FILM_SUFFIX):
            path.unlink(missing_ok=True)


def _modified_time(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _sync(journal: Path) -> None:
    with suppress(FileNotFoundError), journal.open("rb+") as file:  # the recording may have been removed already
        sync_data(file.fileno())
    sync_folder(journal.parent)


async def _log_disk_errors(failure: str, work: Callable[..., None], *arguments: object) -> None:
    """Runs `work` in a thread. Logs `failure` if the disk fails."""
    try:
        await asyncio.to_thread(work, *arguments)
    except OSError as error:
        logging.getLogger(__name__).error("%s: %s", failure, error)


class Games:
    """The games of this process. The bots' sockets arrive over the socket `handover_socket`, before the order for their
    game.

    Unlike a tournament, a practice game cannot be resumed and has no prizes. So its recording is synced to disk only
    when the game is over, and no game waits for the disk.
    """

    def __init__(self, link: Link, handover_socket: socket.socket, folder: Path, recordings_kept: int) -> None:
        """`folder` contains the recordings of all game processes. Only the latest `recordings_kept` recordings stay
        there.
        """
        self._link = link
        self._handover_socket = handover_socket
        self._folder = folder
        self._recordings_kept = recordings_kept
        self._prune_at = 0.0
        """The earliest time of the next scan of the folder, or 0 until the first game is over."""
        self._new_counts: dict[int, int] = {}
        self._report_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, order: PlayGame) -> None:
        """Starts a game in a task."""
        connections: list[Connection] = []
        if not order.addresses:
            loop, connect = asyncio.get_running_loop(), PairConnection if order.plan.agents else TcpConnection
            sockets = receive_passed_sockets(order.plan.author_count, self._handover_socket)
            connections = [connect(bot_socket, loop) for bot_socket in sockets]
        self._spawn(self._play(order, connections))

    async def end(self) -> None:
        """Stops all games and removes surplus recordings."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._prune_at:
            await self._prune()

    async def _play(self, order: PlayGame, connections: Sequence[Connection]) -> None:
        def report_fault(bot: int, fault: FaultReport) -> None:
            self._link.send(FaultReported(order.number, bot, fault))

        why, bots = "", list[Bot]()
        try:
            table = PracticeTable(order.plan, report_fault)
            table.bus.listeners.append(self._make_counter(order.number, table))
            if order.addresses:
                await table.play_over_http(order.addresses)
            else:
                bots = await table.play_connected(connections)
            self._spawn(self._finish(table))
        except OSError as error:
            why = f"because the server's disk failed: {error}"
        except Exception as error:
            why = f"because it failed: {error!r}"
            raise
        finally:
            self._report()
            self._link.send(GameOver(order.number, why))
            if not bots:
                for connection in connections:
                    connection.close()
        if bots:
            # Agents (bots that play by MCP) need no pause: the server's process has already read all their messages.
            await asyncio.sleep(0 if order.plan.agents else LINGER_SECONDS)
            for bot in bots:
                bot.hang_up()

    async def _finish(self, table: PracticeTable) -> None:
        """Syncs the recording of a finished game and writes its transcripts while other games continue."""
        journal = Path(table.plan.journal)
        await _log_disk_errors("practice recordings could not be synced", _sync, journal)
        for record, path in zip(table.records.values(), table.plan.transcripts, strict=True):
            await asyncio.to_thread(write_transcript, record.messages, Path(path), journal.parent)
        if asyncio.get_running_loop().time() > self._prune_at:
            await self._prune()

    async def _prune(self) -> None:
        self._prune_at = asyncio.get_running_loop().time() + PRUNE_SECONDS
        await _log_disk_errors(
            "old practice recordings could not be removed", prune_recordings, self._folder, self._recordings_kept
        )

    def _make_counter(self, number: int, table: PracticeTable) -> Callable[[object], None]:
        def count(_: object) -> None:
            self._new_counts[number] = len(table.bus.entries)
            if self._report_timer is None:
                self._report_timer = asyncio.get_running_loop().call_later(REPORT_PAUSE_SECONDS, self._report)

        count(None)
        return count

    def _report(self) -> None:
        if self._report_timer:
            self._report_timer.cancel()
            self._report_timer = None
        if self._new_counts:
            self._link.send(GamesGrown(self._new_counts))
            self._new_counts = {}

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def play_games(link: Link) -> None:
    """Plays the games that the server orders over `link`, until the server closes `link`."""
    handover_socket, folder, recordings_kept = open_passed_socket(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    games = Games(link, handover_socket, folder, recordings_kept)
    async for order in link.messages(msgspec.json.Decoder(PlayGame)):
        games.start(order)
    await games.end()


if __name__ == "__main__":
    run_child(play_games)

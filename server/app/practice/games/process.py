"""`python -m server.app.practice.games.process LINK SOCKETS FOLDER KEEP`: plays practice games for the server.

It may end at any moment: that costs the games that it plays, and nothing else. It ends with the server.
"""

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec

from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import keep_transcript
from server.app.practice.games.child import run_child
from server.app.practice.games.plan import GameOver, GamesGrown, PlayGame, WentWrong
from server.app.practice.games.recordings import PracticeRecordings
from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.transports.tcp import TcpConnection
from server.journal.link import Link

GROWN_SECONDS = 0.1
"""What is recorded within this time is told together."""


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

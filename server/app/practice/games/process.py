"""`python -m server.app.practice.games.process LINK SOCKETS FOLDER KEEP`: plays practice games for the server.

It may end at any moment: that costs the games that it plays, and nothing else. It ends with the server.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import keep_transcript
from server.app.practice.games.http_game import play_over_http
from server.app.practice.games.life import say_alive
from server.app.practice.games.messages import GameOver, GamesGrown, PlayGame, WentWrong
from server.app.practice.games.recordings import PracticeRecordings
from server.app.practice.games.table import PracticeTable
from server.app.practice.games.tcp_game import play_over_tcp
from server.bots.transports.tcp import TcpConnection
from server.garbage import search_seldom
from server.journal.link import Link, open_link
from server.parent import end_with_parent

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
        if order.address is not None:
            self._spawn(self._play(order, None))
            return
        _, (file,), _, _ = socket.recv_fds(self._sockets, 1, 1)
        self._spawn(self._play(order, TcpConnection(socket.socket(fileno=file), asyncio.get_running_loop())))

    async def end(self) -> None:
        """Breaks off all games; returns once what was played is on disk."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._recordings.settled()

    async def _play(self, order: PlayGame, connection: TcpConnection | None) -> None:
        why, bot = "", None
        try:
            table = PracticeTable(order.plan, partial(self._went_wrong, order.number), self._recordings.begin)
            table.bus.listeners.append(self._counter(order.number, table))
            if connection is None:
                assert order.address is not None, "a bot without a connection is called"
                await play_over_http(table, order.address)
            else:
                bot = await play_over_tcp(table, connection)
            self._spawn(self._keep(table))
        except OSError as error:
            why = f"which the server's disk did not take: {error}"
        except Exception as error:
            why = f"which broke off: {error!r}"
            raise
        finally:
            self._tell()
            self._link.send(GameOver(order.number, why))
            if connection and not bot:
                connection.close()
        if bot:
            await asyncio.sleep(order.linger_seconds)
            bot.hang_up()

    async def _keep(self, table: PracticeTable) -> None:
        """Writes the transcript of a game that is over, while others are on."""
        path, recordings = Path(table.plan.transcript), Path(table.plan.journal).parent
        await asyncio.to_thread(keep_transcript, table.messages, path, recordings)

    def _went_wrong(self, number: int, fault: OwnFault) -> None:
        self._link.send(WentWrong(number, fault))

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


async def play_games(link_end: int, sockets: int, folder: Path, keep: int) -> None:
    """Plays what is ordered until the server closes its end of the link; keeps so many recordings in `folder`."""
    link = await open_link(socket.socket(fileno=link_end))
    alive = asyncio.create_task(say_alive(link))
    games = Games(link, socket.socket(fileno=sockets), PracticeRecordings(folder, keep))
    async for order in link.messages(msgspec.json.Decoder(PlayGame)):
        games.start(order)
    alive.cancel()
    await games.end()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the link.
    end_with_parent()
    search_seldom()
    asyncio.run(play_games(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))

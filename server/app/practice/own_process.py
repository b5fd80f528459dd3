"""`python -m server.app.practice.own_process LINK SOCKETS`: works out what authors are told of games that are over.

That takes a tenth of a second for each game, which running games and shows lack where it is done beside them.
"""

import asyncio
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from server.app.decisions.faults import OwnFault
from server.app.practice.games.child import Child
from server.app.practice.games.life import say_alive
from server.app.practice.games.messages import Alive
from server.app.practice.games.plan import GUEST
from server.app.practice.own_games import OwnGame, game_of
from server.journal.journal import JournalDamaged, read_journal
from server.journal.link import Message, open_link
from server.process import end_with_parent, search_seldom


class WorkOut(Message, frozen=True):
    """The order to work out a game: the name of its recording, where that is, and what the server knows of it.

    It is worked out for the bot of that number; the first so many numbers are bots of authors.
    """

    recording: str
    path: str
    ended: int
    faults: tuple[OwnFault, ...]
    more: int
    bot: int = GUEST
    authors: int = 1


class WorkedOut(Message, frozen=True):
    """The answer: the game, or None and why there is none."""

    game: OwnGame | None
    why: str = ""


class OwnGames:
    """Has games worked out, one after the other, by a process of its own."""

    def __init__(self) -> None:
        decoder = msgspec.json.Decoder[Alive | WorkedOut](Alive | WorkedOut)
        self.child = Child("server.app.practice.own_process", (), decoder, self._heard, self._ended)
        self._one = asyncio.Lock()
        self._answer: asyncio.Future[WorkedOut] | None = None

    async def work_out(self, order: WorkOut) -> WorkedOut:
        """The game of an order."""
        async with self._one:
            self._answer = asyncio.get_running_loop().create_future()
            self.child.send(order)
            return await self._answer

    def _heard(self, message: Alive | WorkedOut) -> None:
        if isinstance(message, WorkedOut) and self._answer and not self._answer.done():
            self._answer.set_result(message)

    def _ended(self, why: str) -> str:
        self._heard(WorkedOut(None, f"the process that worked it out {why}"))
        return "it is started again"


def worked_out(order: WorkOut) -> WorkedOut:
    """The game of an order, or why it cannot be worked out."""
    try:
        events = [entry.event for entry in read_journal(Path(order.path)).entries]
        return WorkedOut(
            game_of(order.recording, order.ended, events, order.faults, order.more, order.bot, order.authors)
        )
    except (OSError, JournalDamaged, LookupError, ValueError, StopIteration) as error:
        return WorkedOut(None, str(error))


async def work_out_games(link_end: int) -> None:
    """Works out what is ordered until the server closes its end of the link."""
    link = await open_link(socket.socket(fileno=link_end))
    alive = asyncio.create_task(say_alive(link))
    async for order in link.messages(msgspec.json.Decoder(WorkOut)):
        link.send(await asyncio.to_thread(worked_out, order))
    alive.cancel()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the link.
    end_with_parent()
    with suppress(OSError):
        os.nice(19)  # the games go first
    search_seldom()
    asyncio.run(work_out_games(int(sys.argv[1])))

"""Starts instances of bots that play one table after the other, and remembers what they do wrong."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from server.app.decisions.faults import describe_fault
from server.app.evening.boxed_bots import BotEntry
from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.bots.absent import AbsentBot
from server.bots.record import Record, Wrong
from server.bots.sandbox.boxes import Boxes
from server.bots.sandbox.runner import CannotRun
from server.child_environment import OUR_PYTHON
from server.errors import Refusal
from server.game.events import Entrant, Event, Fault
from server.tournament.deal import Deal, DealRoom, DealTable
from server.tournament.director import Arrived

STARTS_AT_ONCE = 2
"""How many bots are started at the same time: a start takes more of the machine than playing does."""


def side_of(entry: BotEntry) -> Side:
    """Returns how a bot of an evening of deals is started."""
    return Side("folder", str(entry.folder), entry.name) if entry.folder else Side("command", entry.command, entry.name)


class LatestFaults(Record):
    """Keeps a bot's latest fault of each kind."""

    def __init__(self) -> None:
        self._latest: dict[Fault, Wrong] = {}

    def wrong(self, wrong: Wrong) -> None:
        if not wrong.late:
            self._latest[wrong.fault] = wrong

    def describe(self, fault: Fault) -> str:
        """Describes a fault as `highnoon probe` does."""
        return describe_fault(fault, list(self._latest.values()))


class TableBots(AsyncExitStack):
    """Instances of bots of their own, at one table at a time. They stop when the context ends."""

    def __init__(self, contest: str, entrants: Sequence[Entrant], work: Path, boxes: Boxes | None) -> None:
        """`entrants` are all bots of the evening; files go into the folder `work`."""
        super().__init__()
        self.missing: dict[int, str] = {}
        """Why bots could not be started, by bot number. They fold at every table."""
        self.faults = {entrant.bot: LatestFaults() for entrant in entrants}
        self._room = DealRoom(1)
        self._table = 0
        self._bots: dict[int, Arrived] = {}
        self._seats = Seats(
            contest,
            entrants,
            self._hear,
            work,
            lambda _: None,
            boxes=boxes,
            record=self.faults.__getitem__,
            environment=OUR_PYTHON,
        )

    async def start(self, sides: Mapping[int, Side], starting: asyncio.Semaphore) -> None:
        """Starts the bots of `sides`, by bot number, as many at a time as `starting` allows."""
        await self.enter_async_context(self._seats)
        await asyncio.gather(*(self._start(bot, side, starting) for bot, side in sides.items()))

    async def _start(self, bot: int, side: Side, starting: asyncio.Semaphore) -> None:
        try:
            async with starting:
                self._bots[bot] = await self._seats.seat(bot, side, b"")
        except (Refusal, CannotRun, OSError) as error:
            self.missing[bot] = str(error)

    async def play(
        self, deal: Deal, number: int, entrants: tuple[Entrant, ...], recorded: Sequence[Event] = ()
    ) -> DealTable:
        """Plays table `number` (from 0) of a deal; `entrants` are its bots in seat order.

        The table goes on from what was `recorded` there. Raises Diverged if something else was recorded.
        """
        self._table = number
        bots = tuple(self._bots.get(entrant.bot, AbsentBot()) for entrant in entrants)
        (played,) = await self._room.play(deal, [(entrants, bots, recorded)], number)
        return played

    def _hear(self, event: Event) -> None:
        self._room.hear(self._table, event)

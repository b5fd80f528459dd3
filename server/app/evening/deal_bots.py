"""Starts the bots of an evening with the same cards for everybody: each bot once for each table, so that none of them
meets a deal twice.

A bot in a folder is built once and runs in boxes. A command is a program that the organiser trusts: it runs without a
box, and gets none of our environment's secrets.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from server.app.evening.boxed_bots import BotEntry
from server.app.evening.card_room import CardRoom
from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.bots.sandbox.boxes import Boxes
from server.bots.sandbox.runner import CannotRun, Limits, Runner
from server.child_environment import OUR_PYTHON
from server.console import plain, say
from server.errors import Refusal
from server.game.events import Entrant
from server.game.rules import Rules
from server.system.processes import free_memory
from server.text.grammar import counted

STARTS_AT_ONCE = 2
"""How many bots are started at the same time: a start takes more of the machine than playing does."""
DECISIONS = 3
"""About how many decisions a bot makes in a hand, for the estimate of how long a deal may take."""
MB = 1 << 20
TALKATIVE = (
    'runner = "light": instances of a bot can signal each other by locks on files that all light boxes share, and so '
    "tell the next table the cards. Docker's boxes keep them apart"
)
"""What the organiser is told who has chosen light boxes."""


class DealBots:
    """The bots of an evening of deals. `tables` is the number of tables of each deal."""

    def __init__(self, room: CardRoom, contest: str, entrants: Sequence[Entrant], tables: int, logs: Path) -> None:
        """What the bots print goes into the folder `logs`, by table."""
        self._room = room
        self._contest = contest
        self._entrants = entrants
        self._tables = tables
        self._logs = logs
        self._starting = asyncio.Semaphore(STARTS_AT_ONCE)

    async def fill(self, entries: Sequence[BotEntry], runner: Runner | None, closing: AsyncExitStack) -> None:
        """Starts all entries at every table and prints a line for each; they stop when `closing` ends.

        `runner` runs the boxes, if there are any. Raises Refusal if the boxes may need more memory than is free.
        """
        self._check_memory(sum(entry.folder is not None for entry in entries), len(entries))
        boxes = Boxes(runner) if runner else None
        if runner:
            closing.push_async_callback(runner.close)
        seats = []
        for table in range(self._tables):
            folder = self._logs / f"table-{table + 1}"
            folder.mkdir(parents=True, exist_ok=True)
            hear = partial(self._room.director.hear_at, table)
            at_table = Seats(
                self._contest, self._entrants, hear, folder, lambda _: None, boxes=boxes, environment=OUR_PYTHON
            )
            seats.append(await closing.enter_async_context(at_table))
        await asyncio.gather(*(self._start(entry, seats) for entry in entries))
        for note in runner.notes if runner else ():
            say(f"  {note}")

    def _check_memory(self, boxed: int, bots: int) -> None:
        boxes, each, free = boxed * self._tables, Limits().memory_bytes, free_memory()
        if not boxes:
            return
        programs = f"{counted(boxes, 'program')} in boxes of at most {each // MB} MB each"
        needed = f"{programs} may take {boxes * each // MB:,} MB"
        if boxes * each <= free:
            say(f"  {needed}; {free // MB:,} MB are free here")
            return
        fit = next((seats for seats in range(self._tables - 1, 1, -1) if bots * seats * each <= free), 0)
        cure = f"write seats = {fit} in [format], or free some" if fit else "free some, or enter fewer bots"
        raise Refusal(f"{needed}, but only {free // MB:,} MB are free here: {cure}")

    async def _start(self, entry: BotEntry, seats: Sequence[Seats]) -> None:
        """Starts one bot at every table. If it cannot start at one of them, it does not play at all."""
        room = self._room
        room.health.mark(entry.bot, state="starting")
        side = (
            Side("folder", str(entry.folder), entry.name)
            if entry.folder
            else Side("command", entry.command, entry.name)
        )
        started = []
        try:
            for at_table in seats:
                async with self._starting:
                    started.append(await at_table.seat(entry.bot, side, b""))
        except (Refusal, CannotRun, OSError) as error:
            room.health.mark(entry.bot, note=f"at table {len(started) + 1}: {error}", state="missing")
            say(f"  {plain(entry.name)}: at table {len(started) + 1}: {plain(str(error))}")
            return
        for table, bot in enumerate(started):
            room.director.welcome_at(table, bot)
        where = "in boxes" if entry.folder else "without boxes"
        room.health.mark(entry.bot, box=f"{counted(len(started), 'program')}, {where}")
        say(f"  {plain(entry.name)}: {counted(len(started), 'program')}, one for each table, {where}")


def describe_time(rules: Rules, deals: int, hands: int, tables: int, at_once: int) -> str:
    """Says how long an evening of `deals` deals of `hands` hands may take at the tables, if every bot is slow."""
    seconds = -(-tables // at_once) * tables * hands * DECISIONS * rules.think_ms / 1000
    slow, evening = f"if every bot used all its {rules.think_ms / 1000:g} s", counted(deals, "deal")
    return f"{slow}, a deal would take about {_duration(seconds)}, and {evening} {_duration(deals * seconds)}"


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 100
        else f"{seconds / 60:.0f} min"
        if seconds < 6000
        else f"{seconds / 3600:.1f} h"
    )

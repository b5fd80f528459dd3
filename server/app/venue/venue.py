"""The base class of venues. A contest's venue says how bots get to the table in tournaments, demos and practice."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from broadcast.app import Studio
from server.app.evening.check_in import CheckInDesk
from server.app.evening.entries import EnteredBots, read_entered_bots
from server.app.evening.http_bots import make_http_bots
from server.app.practice.practice_server import PracticeServer
from server.app.practice.registration_forms import PracticeSetup
from server.bots.house.characters import Character
from server.bots.transports.http import Address
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.contests.contest import Contest
from server.game.events import Entrant
from server.journal.begin_journal import BegunRecording
from server.tournament.director import Director

THINK_SECONDS = 2.0
"""The longest thinking time of a house bot, in seconds, if the show's speed is 1."""


class DemoBots(Struct, frozen=True):
    """The bots of a demo. `seat` seats the bots, and returns once all are connected."""

    entrants: tuple[Entrant, ...]
    seat: Callable[[Director], Awaitable[None]]


def think_seconds(settings: Settings) -> float:
    return THINK_SECONDS / settings.speed if settings.speed else 0.0


def random_for_bot(settings: Settings, character: Character) -> random.Random:
    """Returns the generator for a house bot's choices, seeded with the seed in `settings` and the bot's name."""
    return random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how a house bot plays, never cards)


@asynccontextmanager
async def demo_over_tcp(
    contest: Contest,
    entrants: Sequence[Entrant],
    settings: Settings,
    make_bots: Callable[[CheckInDesk], Awaitable[Iterable[Coroutine[Any, Any, None]]]],
) -> AsyncIterator[DemoBots]:
    """Yields a demo whose bots connect to this server. `make_bots` takes the check-in desk that lets bots in, and
    returns a coroutine for each bot. The coroutines play the bots until the context ends.
    """
    async with asyncio.TaskGroup() as tasks:
        bot_tasks: list[asyncio.Task[None]] = []

        async def seat(director: Director) -> None:
            desk = CheckInDesk(entrants, director, contest.make_dialect, settings.host)
            bot_tasks.extend(map(tasks.create_task, await make_bots(desk)))
            await desk.all_connected.wait()
            desk.close()

        yield DemoBots(tuple(entrants), seat)
        for task in bot_tasks:
            task.cancel()


def demo_over_http(contest: Contest, entrants: Sequence[Entrant], addresses: Mapping[int, Address]) -> DemoBots:
    """Returns a demo whose bots are web servers. `addresses` has their addresses, keyed by bot number."""

    async def seat(director: Director) -> None:
        for bot in make_http_bots(contest, entrants, addresses, director.record_bot_event):
            director.add_bot(bot)

    return DemoBots(tuple(entrants), seat)


class Venue:
    """How one contest is held. A contest overrides the methods for the features that it offers. The methods for other
    features are never called.
    """

    def practice_setup(self, server: PracticeServer, networks: Sequence[str]) -> PracticeSetup:
        """Returns how bots register for practice. HTTP bots may be on this machine or in `networks`."""
        raise NotImplementedError

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        """The house bots of a demo, which run until the context ends.

        `base` is this server's address, and `journal` is the recording's path. Raises OSError or TimeoutError if the
        bots cannot be started.
        """
        raise NotImplementedError

    async def entered_bots(
        self,
        plan: EveningPlan,
        begun_recording: BegunRecording,
        token: str,
        exit_stack: AsyncExitStack,
        work_folder: Path,
    ) -> EnteredBots:
        """Returns the entrants of a tournament. By default, these are the bots in the event file. Archives are unpacked
        to `work_folder`. `token` opens the organiser's pages, which are served until `exit_stack` ends. Raises Refusal,
        OSError.
        """
        return await read_entered_bots(plan, begun_recording, work_folder)

    def read_file(self, path: Path) -> EveningPlan:
        """Reads a plan from a file in the contest's own format. Raises OSError, or EventFaults with all faults in the
        file.
        """
        raise NotImplementedError

    async def run_season(self, plan: EveningPlan) -> int:
        """Runs a season. Returns the exit status: 0 if its recordings pass verification, otherwise 1."""
        raise NotImplementedError

    async def show_season(self, settings: Settings) -> int:
        """Runs the demo of a season. Returns the exit status: 0 if its recordings pass verification, otherwise 1."""
        raise NotImplementedError

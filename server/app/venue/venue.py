"""What a contest is held with: how its bots come to the table in tournaments, demos and practice."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

from broadcast.app import Studio
from server.app.demo.bots import DemoBots
from server.app.event.entries import Field, enter_all, entered_before
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.config.event_file import EventPlan
from server.config.settings import Settings
from server.console import say
from server.journal.resume import Begun


class Venue:
    """A contest overrides what it has; what it has not is never asked of it, as its description says."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        """How bots register for practice; those that are called may be on this machine and in `networks`."""
        raise NotImplementedError

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        """A context with the house bots for a demo; `base` is this server's address, and they end with the context.

        `journal` is where the contest is recorded. Raises OSError or TimeoutError where they cannot be started.
        """
        raise NotImplementedError

    async def field(self, plan: EventPlan, begun: Begun, token: str, closing: AsyncExitStack, work: Path) -> Field:
        """Who plays in a tournament: here the bots of the event file.

        `begun` is what the journal holds already, `token` opens the organiser's pages, which are served until `closing`
        ends; archives are unpacked to `work`. Raises Refusal, OSError.
        """
        say("reading what was handed in")
        return entered_before(plan, begun, await asyncio.to_thread(enter_all, plan, work))

    def read_file(self, path: Path) -> EventPlan:
        """The plan in the file of the contest's own kind. Raises OSError, or EventFaults with all that is wrong."""
        raise NotImplementedError

    async def hold_season(self, plan: EventPlan) -> int:
        """Holds a season to its end; the status is 0 if its recordings are verified, else 1."""
        raise NotImplementedError

    async def show_season(self, settings: Settings) -> int:
        """The demo of a season; the status is 0 if its recordings are verified, else 1."""
        raise NotImplementedError

"""The bot in the seat of an entrant that is not connected."""

import asyncio
from collections.abc import Callable

from server.bots.bot import Answer
from server.game.decisions import Action, Decision
from server.game.events import Event
from server.game.view import View


class AbsentBot:
    """Answers for an entrant without a connection, each time with the fault "disconnected"."""

    notified_events: tuple[type[Event], ...] = ()

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)  # without this pause, a table of absent bots would block the event loop
        return Answer(None, 0, "disconnected")

    def notify(self, event: Event, view: View) -> None:
        """Does nothing."""

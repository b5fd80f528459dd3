"""Takes the seat of a bot that is not connected, and folds whenever it is asked."""

import asyncio
from collections.abc import Callable

from server.bots.bot import Answer
from server.game.decisions import Action, Decision
from server.game.events import Event
from server.game.view import View


class AbsentBot:
    """Stands in for an entrant that is not connected: each of its answers is the fault "disconnected"."""

    news: tuple[type[Event], ...] = ()

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)  # A table of absent bots must not block the event loop.
        return Answer(None, 0, "disconnected")

    def notify(self, event: Event, view: View) -> None:
        """Does nothing."""

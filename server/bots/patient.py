"""A bot that begins with its game, and so has more time for its first action: its program may still be starting."""

from collections.abc import Callable

from msgspec.structs import replace

from server.bots.bot import Answer, Bot
from server.bots.view import View
from server.game.decisions import Decision

START_MS = 5_000
"""Real bots take up to a second to start on a machine at rest; nothing on the wire says when they are ready."""


class PatientBot(Bot):
    """The time of the rules for every action, and `start_ms` besides for the first."""

    start_ms = START_MS
    _started = False

    async def ask(self, view: View, check: Callable[[Decision], None]) -> Answer:
        """As a `Bot`'s."""
        turn = view.hand.turn
        if not self._started and turn:
            self._started = True
            longer = replace(turn, think_ms=turn.think_ms + self.start_ms)
            view = replace(view, hand=replace(view.hand, turn=longer))
        return await super().ask(view, check)

"""A bot that begins with its game, and so has more time for its first action: its program may still be starting."""

from collections.abc import Callable

from msgspec.structs import replace

from server.bots.bot import Answer, Bot
from server.bots.dialects.messages import Outcome
from server.game.decisions import Action, Decision
from server.game.events import Fault
from server.game.view import View

START_MS = 5_000
"""Real bots take up to a second to start on a machine at rest; nothing on the connection says when they are ready."""


class PatientBot(Bot):
    """The time of the rules for every action, and `start_ms` besides for the first."""

    start_ms = START_MS
    _asked = 0
    _early: Fault = ""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """As a `Bot`'s; nonsense that was said before the first request is the answer to it.

        Which of the two comes first is chance, and the fault of a program that says it and ends must not be.
        """
        self._asked += 1
        if self._early and self._asked == 1:
            return Answer(None, 0, self._early)
        turn = view.hand.turn
        if self._asked == 1 and turn:
            longer = replace(turn, think_ms=turn.think_ms + self.start_ms)
            view = replace(view, hand=replace(view.hand, turn=longer))
        return await super().ask(view, resolve)

    def _refuse(self, outcome: Outcome, fault: Fault, reason: str) -> None:
        super()._refuse(outcome, fault, reason)
        question = self._question
        if fault != "malformed" or self._asked > 1 or (question and question.handed):
            return
        self._early = fault
        if question:
            question.settle(Answer(None, 0, fault))

"""A bot whose program starts only when its game starts, so it gets more time for its first action."""

from collections.abc import Callable

from msgspec.structs import replace

from server.bots.bot import Answer, Bot, PendingRequest
from server.bots.dialects.messages import Outcome
from server.bots.message_records import BotFault
from server.game.decisions import Action, Decision
from server.game.events import Fault, FaultNoted
from server.game.view import View

QUOTED_CHARACTERS = 40
"""How many characters of unfinished output are quoted in a fault."""
START_MS = 5_000
"""How many milliseconds a program may take to start. Real bots need up to a second, and do not report when they are
ready.
"""


class LateStartingBot(Bot):
    """A bot with `start_ms` milliseconds more for its first action."""

    start_ms = START_MS
    _request_count = 0
    _early_fault: Fault = ""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks as `Bot.ask` does. But malformed output before the first request counts as the answer to that request.
        Chance decides whether such output comes before or after the request, so both must have the same result.
        """
        self._request_count += 1
        if self._early_fault and self._request_count == 1:
            return Answer(None, 0, self._early_fault)
        turn = view.hand.turn
        if self._request_count == 1 and turn:
            longer_turn = replace(turn, think_ms=turn.think_ms + self.start_ms)
            view = replace(view, hand=replace(view.hand, turn=longer_turn))
        return await super().ask(view, resolve)

    def _describe_silence(self, question: PendingRequest) -> BotFault:
        """Describes the silence as `Bot` does, and reports it as an event, because silence costs the bot the game."""
        bot_fault = super()._describe_silence(question)
        beginning = (
            f"; it began {bot_fault.sent[:QUOTED_CHARACTERS].decode(errors='replace')!a}" if bot_fault.sent else ""
        )
        self._notify(FaultNoted(self.id, bot_fault.fault, bot_fault.reason + beginning))
        return bot_fault

    def _time_given(self, question: PendingRequest) -> str:
        seconds = super()._time_given(question)
        return f"{seconds}, {self.start_ms / 1000:g} of them for its start" if self._request_count == 1 else seconds

    def _refuse(self, outcome: Outcome, fault: Fault, reason: str, sent: bytes) -> None:
        """Counts malformed output as the first answer, even if the first request has not been sent completely.

        A program may print such output at its start, and `Bot` would not count it.
        """
        super()._refuse(outcome, fault, reason, sent)
        question = self._question
        if fault != "malformed" or self._request_count > 1 or (question and question.is_sent):
            return
        self._early_fault = fault
        if question:
            question.settle(Answer(None, 0, fault))

"""The record of one bot, for its author: every message, and what was wrong."""

import time
from collections.abc import Callable

from server.app.decisions.faults import Faults, OwnFault
from server.app.decisions.transcript import Messages
from server.bots.record import Record, Way, Wrong
from server.game.events import Event


class BotRecord(Record):
    """Takes down what goes to and from one bot."""

    def __init__(self, contest: str, bot: int, tell: Callable[[OwnFault], object]) -> None:
        """`tell` is called with each fault of the bot, once it is known what came of it."""
        self._faults = Faults(contest, bot, tell)
        self.begin()

    def begin(self) -> None:
        """Forgets the messages so far: a new game begins."""
        self.messages = Messages(time.monotonic)

    def hear(self, event: Event) -> None:
        """Takes the next event of the contest."""
        self._faults.hear(event)

    def note(self, way: Way, message: bytes) -> None:
        """A message has gone to the bot, or come from it."""
        self.messages.note(self._faults.hand, way, message)

    def wrong(self, wrong: Wrong) -> None:
        """The bot has done something wrong."""
        self._faults.wrong(wrong)

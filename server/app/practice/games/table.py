"""One practice table: a game with its own director and journal. Its users seat the bots."""

import random
import time
from collections.abc import Callable
from pathlib import Path

from server.app.decisions.faults import Faults, OwnFault
from server.app.decisions.transcript import Messages
from server.app.practice.games.plan import GUEST, GamePlan
from server.bots.record import Way, Wrong
from server.game.events import TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.tournament.director import Director


class PracticeTable:
    """A game that plays as soon as all bots are seated, and waits for no show.

    It is the record of the bot that practises: every message, and what was wrong.
    """

    def __init__(
        self, plan: GamePlan, wrong: Callable[[OwnFault], object], begin: Callable[[Path], Journal] = Journal
    ) -> None:
        """`wrong` is called with what the bot does wrong; `begin` opens the journal.

        Raises OSError where it cannot be opened.
        """
        self.plan = plan
        self.bus = Bus(begin(Path(plan.journal)), time.monotonic)
        self.messages = Messages(time.monotonic)
        self._faults = Faults(plan.contest.contest, GUEST, wrong)
        self.bus.listeners.append(self._faults.hear)
        self.director = Director(plan.contest, plan.entrants, seed=plan.seed, bus=self.bus, gate=_open_gate)

    def dice(self, bot: int) -> random.Random:
        """The random choices of a house bot."""
        return random.Random(f"{self.plan.seed.hex()} {bot}")  # noqa: S311 (how a house bot plays, never cards)

    def note(self, way: Way, message: bytes) -> None:
        """A message has gone to the bot, or come from it."""
        self.messages.note(self._faults.hand, way, message)

    def wrong(self, wrong: Wrong) -> None:
        """The bot has done something wrong."""
        self._faults.wrong(wrong)

    async def play(self) -> TournamentEnded:
        """Plays the game to its end and returns the placings. Raises OSError where the disk does not take an event."""
        return await self.director.run()

    def close(self) -> None:
        """Closes the journal."""
        self.bus.close()


async def _open_gate() -> None:
    """The table waits for nobody."""

"""One practice table: a game with its own director and journal. Its users seat the bots."""

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from server.app.decisions.bot_record import BotRecord
from server.app.decisions.faults import OwnFault
from server.app.practice.games.plan import GamePlan
from server.game.events import TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.tournament.director import Director


class PracticeTable:
    """A game that plays as soon as all bots are seated, and waits for no show."""

    def __init__(
        self, plan: GamePlan, wrong: Callable[[int, OwnFault], object], begin: Callable[[Path], Journal] = Journal
    ) -> None:
        """`wrong` is called with the number of an author's bot and what it does wrong; `begin` opens the journal.

        Raises OSError where it cannot be opened.
        """
        self.plan = plan
        self.bus = Bus(begin(Path(plan.journal)), time.monotonic)
        contest = plan.contest.contest
        self.records = {bot: BotRecord(contest, bot, partial(wrong, bot)) for bot in range(1, plan.authors + 1)}
        """The record of each author's bot, by its number."""
        self.bus.listeners += [record.hear for record in self.records.values()]
        self.director = Director(plan.contest, plan.entrants, seed=plan.seed, bus=self.bus)

    def dice(self, bot: int) -> random.Random:
        """The random choices of a house bot."""
        return random.Random(f"{self.plan.seed.hex()} {bot}")  # noqa: S311 (how a house bot plays, never cards)

    async def play(self) -> TournamentEnded:
        """Plays the game to its end and returns the placings. Raises OSError where the disk does not take an event."""
        return await self.director.run()

    def close(self) -> None:
        """Closes the journal."""
        self.bus.close()

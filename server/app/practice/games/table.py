"""A practice table: one game of authors' bots against house bots. A director runs it, and a journal records it."""

import random
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from server.app.decisions.faults import BotRecord, FaultReport
from server.app.practice.games.plan import GamePlan
from server.bots.bot import Bot
from server.bots.dialects.agent import AgentDialect
from server.bots.house.in_process import InProcessBot, TalkingBot
from server.bots.house.ladder import style_of_rung
from server.bots.house.styles import Style
from server.bots.http_bot import HttpBot
from server.bots.transports.connection import Connection
from server.bots.transports.http import Address, HttpConnection
from server.contests import CONTESTS
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.tournament.director import ConnectedBot, Director

HouseBotFactory = Callable[[int, Style, random.Random, float], ConnectedBot]
"""Makes a house bot from its number, its style, its random generator, and its longest thinking time in seconds."""


class PracticeTable:
    """A game that starts once all bots are seated, and does not wait for its broadcast."""

    def __init__(self, plan: GamePlan, on_fault: Callable[[int, FaultReport], object]) -> None:
        """Calls `on_fault` with the number of an author's bot and a fault of that bot.

        Raises OSError if the journal cannot be created.
        """
        self.plan = plan
        journal = Journal(Path(plan.journal), defer_sync=lambda _: None)  # process.py syncs it later
        self.bus = Bus(journal, time.monotonic)
        self.records = {
            bot: BotRecord(plan.contest_format.contest, bot, partial(on_fault, bot))
            for bot in range(1, plan.author_count + 1)
        }
        """The record of each author's bot, keyed by bot number."""
        self.bus.listeners += [record.apply for record in self.records.values()]
        self._contest = CONTESTS[plan.contest_format.contest]
        self._director = Director(plan.contest_format, plan.entrants, seed=plan.seed, bus=self.bus)

    async def play_connected(self, connections: Sequence[Connection]) -> list[Bot]:
        """Plays the game to its end with the bots at `connections`. Returns the bots, which are still connected. Raises
        OSError.
        """
        agents, contest, on_event = self.plan.agents, self._contest, self._director.record_bot_event
        guests = [
            Bot(
                number,
                AgentDialect(contest.notified_events) if agents else contest.make_dialect(),
                connection,
                on_event,
                record=self.records[number],
                has_numbered_answers=agents,
            )
            for number, connection in enumerate(connections, 1)
        ]
        await self._play(guests, InProcessBot if contest.uses_http else partial(TalkingBot, notify=on_event))
        return guests

    async def play_over_http(self, addresses: Sequence[Address]) -> None:
        """Plays the game to its end with the bots at `addresses`. Raises OSError."""
        make_dialect, on_event = self._contest.make_http_dialect, self._director.record_bot_event
        async with AsyncExitStack() as exit_stack:
            guests = [
                HttpBot(
                    number,
                    make_dialect(self.plan.entrants),
                    HttpConnection(address),
                    on_event,
                    record=self.records[number],
                )
                for number, address in enumerate(addresses, 1)
            ]
            for guest in guests:
                exit_stack.push_async_callback(guest.close)
            await self._play(guests, InProcessBot)

    async def _play(self, guests: Sequence[ConnectedBot], make_house_bot: HouseBotFactory) -> None:
        plan = self.plan
        try:
            for guest in guests:
                self._director.add_bot(guest)
            for number, character in enumerate(plan.characters, plan.author_count + 1):
                style = style_of_rung(character.style, plan.strength)
                dice = random.Random(f"{plan.seed.hex()} {number}")  # noqa: S311 (how a house bot plays, never cards)
                self._director.add_bot(make_house_bot(number, style, dice, plan.think_seconds))
            await self._director.run()
        finally:
            self.bus.close()

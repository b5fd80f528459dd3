"""One practice game of Quick Draw: the bot that practises, and house bots that connect over TCP as it does."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from broadcast.on_air.log import AirLog
from server.app.event.check_in import WAIT_SECONDS
from server.app.practice.channels import Rivals
from server.app.practice.table import PracticeTable, title_of
from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.house.characters import Character
from server.bots.house.quickdraw import play
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.config.settings import Settings
from server.game.events import Entrant, TournamentEnded
from server.game.rules import QUICK_DRAW
from server.game.tournament import Contest, StagePlan
from server.journal.journal import Journal
from server.registration.register import Registration

LOCAL = "127.0.0.1"


class PracticeGame:
    """A game for one bot, which is number 1 and acts first. The game never waits for its show."""

    def __init__(
        self,
        settings: Settings,
        air: AirLog,
        registration: Registration,
        rivals: Rivals,
        begin: Callable[[Path], Journal] = Journal,
    ) -> None:
        """`rivals` are the house bots at the table; `begin` opens the journal. Raises OSError where it cannot."""
        self._rivals = [
            (character, msgspec.structs.replace(entrant, bot=bot)) for bot, (character, entrant) in enumerate(rivals, 2)
        ]
        entrants = [Entrant(1, registration.name), *(entrant for _, entrant in self._rivals)]
        self.table = PracticeTable(
            settings, air, _contest(registration), entrants, begin, think_ms=registration.house_think_ms
        )

    async def play(self, connection: TcpConnection) -> tuple[Bot, TournamentEnded]:
        """Plays the game to its end over `connection`; returns the bot, still connected, and the placings."""
        guest = Bot(1, QuickDraw(), connection, self.table.director.hear)
        try:
            async with AsyncExitStack() as seated:
                self.table.director.welcome(guest)
                for character, entrant in self._rivals:
                    seated.push_async_callback(await self._seat(character, entrant))
                ended = await self.table.play()
        finally:
            self.table.close()
        return guest, ended

    async def _seat(self, character: Character, entrant: Entrant) -> Callable[[], Awaitable[None]]:
        """Connects a house bot over TCP, playing in a task of its own; returns what disconnects it."""
        table = self.table
        listener = await listen_for_bot(LOCAL, LOCAL, WAIT_SECONDS)
        rng = random.Random(f"{table.seed.hex()} {entrant.bot}")  # noqa: S311 (how a house bot plays, never cards)
        coming = play(LOCAL, listener.port, character.name, character.style, rng, table.think_seconds)
        playing = asyncio.create_task(coming)
        bot = Bot(entrant.bot, QuickDraw(), await listener.accept(), table.director.hear)
        table.director.welcome(bot)

        async def send_home() -> None:
            bot.hang_up()
            await playing

        return send_home


def _contest(registration: Registration) -> Contest:
    plan = StagePlan("Practice", 1, registration.test_hand_count, seats=registration.test_game_size, draw=False)
    return Contest("quick-draw", title_of(registration.name), QUICK_DRAW, 5000, (plan,))

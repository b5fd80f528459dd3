"""One practice game: a guest, house bots that come in by the same kind of door, a log, a journal and a show."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import msgspec

from broadcast.airlog import AirLog
from broadcast.bookmaker import Bookmaker
from broadcast.showrunner import Showrunner
from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.house import play
from server.bots.transports.door import open_door
from server.bots.transports.tcp import TcpWire
from server.bus import Bus
from server.config import Settings
from server.director import Director
from server.front.cast import Character
from server.front.check_in import WAIT_SECONDS
from server.game.events import Entrant
from server.game.rules import QUICK_DRAW
from server.game.tournament import Contest, StagePlan
from server.journal import Journal
from server.lobby import Registration
from server.shuffle import key_of

THINK_SECONDS = 0.3
"""The longest a house bot ponders here: authors want their game, viewers have the show."""
LOCAL = "127.0.0.1"


class PracticeGame:
    """A game of its own. The guest is bot 1 and first to act; it is never held up by the show."""

    def __init__(
        self,
        settings: Settings,
        air: AirLog,
        registration: Registration,
        rivals: Sequence[tuple[Character, Entrant]],
    ) -> None:
        self._rivals = [
            (character, msgspec.structs.replace(entrant, bot=bot)) for bot, (character, entrant) in enumerate(rivals, 2)
        ]
        self._seed = key_of(settings.seed, air.channel)
        self._think_seconds = THINK_SECONDS if settings.speed else 0.0
        begun = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        journal = Journal(settings.recordings / "practice" / f"{begun}-{air.channel}-{air.epoch}.jsonl")
        self._bus = Bus(journal, time.monotonic)
        self._showrunner = Showrunner(air, clock=time.monotonic, bookmaker=Bookmaker())
        guest = Entrant(1, registration.name)
        self._director = Director(
            _contest(registration),
            [guest, *(entrant for _, entrant in self._rivals)],
            seed=self._seed,
            bus=self._bus,
            gate=_open_gate,
        )

    async def show(self) -> None:
        """Shows the game at its own pace, to the end."""
        await self._showrunner.run(self._bus.follow())

    async def play(self, wire: TcpWire) -> Bot:
        """Plays the game to its end; the guest, whose connection stays open."""
        guest = Bot(1, QuickDraw(), wire, self._director.hear)
        try:
            async with AsyncExitStack() as company:
                self._director.welcome(guest)
                for character, entrant in self._rivals:
                    company.push_async_callback(await self._seat(character, entrant))
                await self._director.run()
        finally:
            self._bus.close()
        return guest

    async def _seat(self, character: Character, entrant: Entrant) -> Callable[[], Awaitable[None]]:
        """Brings a house bot in over a real connection, playing in a task of its own; how to send it home."""
        door = await open_door(LOCAL, LOCAL, WAIT_SECONDS)
        rng = random.Random(f"{self._seed.hex()} {entrant.bot}")  # noqa: S311 (how a house bot plays, never cards)
        playing = asyncio.create_task(play(LOCAL, door.port, character.name, character.style, rng, self._think_seconds))
        bot = Bot(entrant.bot, QuickDraw(), await door.entered(), self._director.hear)
        self._director.welcome(bot)

        async def send_home() -> None:
            bot.hang_up()
            await playing

        return send_home


def _contest(registration: Registration) -> Contest:
    plan = StagePlan("Practice", 1, registration.test_hand_count, seats=registration.test_game_size, draw=False)
    return Contest("quick-draw", "Practice game", QUICK_DRAW, 5000, (plan,))


async def _open_gate() -> None:
    """The table waits for nobody."""

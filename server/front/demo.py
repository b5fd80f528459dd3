"""`highnoon demo`: a whole Quick Draw contest of house bots over real TCP, broadcast live."""

import asyncio
import random
import time
from datetime import UTC, datetime

from broadcast.app import Studio
from broadcast.showrunner import Showrunner
from server.bots.house import play, register
from server.bus import Bus
from server.config import Settings
from server.director import Director
from server.front.cast import CAST, Character, enter_cast
from server.front.check_in import CheckInDesk
from server.front.serving import serving
from server.front.verifying import verify_file
from server.front.words import ProgressLine, addresses, final_table, plain, say
from server.game.events import GameStarted, HandStarted, StageStarted, TournamentEnded
from server.game.tournament import QUICK_DRAW_CONTEST, prizes
from server.journal import Journal
from server.lobby import register_router

BUY_IN_CENTS = 500
THINK_SECONDS = 2.0
"""The longest a house bot ponders at the pace of a show."""


async def demo(settings: Settings) -> int:
    """Plays and shows the contest to its end, prints the final table, proves the recording; 0 if it holds."""
    path = settings.recordings / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}-quick-draw.jsonl"
    studio = Studio(settings.media, time.monotonic)
    show = Showrunner(studio.open_channel("main", settings.speed), clock=time.monotonic)
    entrants = enter_cast(settings)
    purse = prizes(BUY_IN_CENTS * len(entrants))
    async with serving(studio.app, settings.host, settings.port) as base, asyncio.TaskGroup() as tasks:
        bus = Bus(Journal(path), time.monotonic)
        director = Director(
            QUICK_DRAW_CONTEST, entrants, seed=settings.seed, bus=bus, gate=show.gate, prizes_cents=purse
        )
        desk = CheckInDesk(entrants, director, settings.host)
        studio.app.include_router(register_router(desk.check_in))
        say("High Noon: twelve house bots play the Quick Draw contest. Open one of these:")
        addresses(base)
        say(f"  recording       {path}")
        on_air = tasks.create_task(show.run(bus.follow()))
        progress = tasks.create_task(follow_progress(bus))
        port = int(base.rpartition(":")[2])
        house = [tasks.create_task(join(character, settings, port)) for character in CAST]
        await desk.everybody.wait()
        ended = await director.run()
        bus.close()
        await on_air
        await progress
        for bot in house:
            bot.cancel()
    say(final_table(ended.placings, {entrant.bot: entrant for entrant in entrants}))
    return verify_file(path)


async def join(character: Character, settings: Settings, port: int) -> None:
    """Registers and plays as any bot would, to the end."""
    door = await register(settings.host, port, character.name)
    think = THINK_SECONDS / settings.speed if settings.speed else 0.0
    rng = random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how a house bot plays, never cards)
    await play(settings.host, door, character.name, character.style, rng, think)


async def follow_progress(bus: Bus) -> None:
    """Keeps a line in the terminal up to date until the tournament is over."""
    line = ProgressLine()
    stage, game, hands = StageStarted(0, "", 0, 0, (), ()), 0, 0
    async for entry in bus.follow():
        match entry.event:
            case StageStarted():
                stage, game = entry.event, 0
            case GameStarted(hands=hands):
                game += 1
            case HandStarted(hand=hand):
                line.show(f"{plain(stage.title)}, game {game} of {stage.games}", f", hand {hand} of {hands}")
            case TournamentEnded():
                line.show("the last hand is played; the show goes on to its end")
            case _:
                pass
    line.end()

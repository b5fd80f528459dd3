"""`highnoon demo`: a whole Quick Draw contest of house bots over real TCP, broadcast live."""

import asyncio
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from broadcast.app import Studio
from broadcast.bookmaker import Bookmaker
from broadcast.desk import Desk
from broadcast.guard import fresh_tokens
from broadcast.obs_crew import ObsCrew
from broadcast.showrunner import Showrunner
from server.bots.house import play, register
from server.bus import Bus
from server.config import Settings
from server.front.at_obs import crew_at_obs
from server.front.card_room import CardRoom, begin_journal
from server.front.cast import CAST, Character, enter_cast
from server.front.check_in import CheckInDesk
from server.front.results import results
from server.front.serving import serving
from server.front.verifying import verify_file
from server.front.words import ProgressLine, addresses, final_table, plain, say
from server.game.contests import QUICK_DRAW_CONTEST
from server.game.events import ControlSet, CueGiven, Entrant, GameStarted, HandStarted, StageStarted, TournamentEnded
from server.game.prizes import prizes
from server.lobby import register_router

BUY_IN_CENTS = 500
THINK_SECONDS = 2.0
"""The longest a house bot ponders at the pace of a show."""


async def demo(settings: Settings) -> int:
    """Plays and shows the contest to its end, prints the final table, proves the recording; 0 if it holds."""
    path = settings.recordings / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}-quick-draw.jsonl"
    studio = Studio(settings.media, time.monotonic)
    entrants = enter_cast(settings)
    async with serving(studio.app, settings.host, settings.port) as base, asyncio.TaskGroup() as tasks:
        room = card_room(path, entrants, settings.seed)
        air = studio.open_channel("main", settings.speed)
        show = Showrunner(air, clock=time.monotonic, shown=room.gate.has_shown, bookmaker=Bookmaker())
        crowned = asyncio.Event()
        air.listeners.add(lambda _: crowned.set() if show.status.scene == "champion" else None)
        crew = crew_at_obs(settings.obs, air, studio)
        desk = open_desk(studio, room, show, entrants, crew)
        check_in = CheckInDesk(entrants, room.director, settings.host)
        studio.app.include_router(register_router(check_in.check_in))
        say("High Noon: twelve house bots play the Quick Draw contest. Open one of these:")
        addresses(base, token=desk.tokens.control)
        say(f"  recording       {path}")
        on_air = tasks.create_task(show.run(room.bus.follow()))
        progress = tasks.create_task(follow_progress(room.bus))
        beside = [tasks.create_task(room.pulse.beat()), *([tasks.create_task(crew.run())] if crew else [])]
        port = int(base.rpartition(":")[2])
        house = [tasks.create_task(join(character, settings, port)) for character in CAST]
        await check_in.everybody.wait()
        await room.director.run()
        await crowned.wait()  # until then the desk is of use
        room.bus.close()
        await on_air
        await progress
        for task in (*house, *beside):
            task.cancel()
    say(final_table(results(room.bus.entries)))
    return verify_file(path)


def card_room(path: Path, entrants: Sequence[Entrant], seed: bytes) -> CardRoom:
    """A tournament that begins by itself: the demo has no time to lose."""
    purse = prizes(BUY_IN_CENTS * len(entrants))
    room = CardRoom(begin_journal(path), entrants, contest=QUICK_DRAW_CONTEST, seed=seed, prizes_cents=purse)
    room.wish(ControlSet("started", value=True, was=False))
    return room


def open_desk(
    studio: Studio, room: CardRoom, show: Showrunner, entrants: Sequence[Entrant], crew: ObsCrew | None
) -> Desk:
    """The control desk of a tournament whose card room and studio are one process."""
    names = {entrant.bot: entrant.name for entrant in entrants}

    async def wish(event: ControlSet | CueGiven) -> str:
        return "the show is over" if show.status.scene == "champion" else room.wish(event)

    desk = Desk(
        fresh_tokens(),
        wish,
        controls=lambda: room.gate.controls,
        health=room.pulse.health,
        status=lambda: show.status,
        bots=lambda: names,
        recordings=room.pulse.journal.path.parent,
        obs=crew,
    )
    studio.add_desk(desk)
    room.bus.listeners.append(desk.heard)
    room.pulse.changed = lambda: show.trouble(room.pulse.trouble)
    return desk


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

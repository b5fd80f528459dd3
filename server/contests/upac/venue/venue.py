"""Runs the contest UPAC, a season of games between bots in boxes (sandboxes). In a demo, six house bots play a short
season.
"""

import asyncio
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.publish.destination_lease import event_name
from broadcast.web.access import fresh_tokens
from broadcast.web.serve import serving
from server.app.evening.entries import enter_characters
from server.app.evening.evening_files import EveningSecrets
from server.app.private_links import say_private
from server.app.season.run_season import run_season
from server.app.season.season import Season, open_ledger
from server.app.studio.show_outputs import check_destination
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS
from server.bots.sandbox.process import LocalProcess
from server.bots.sandbox.runner import CannotRun, Say
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.console import print_addresses, print_next_steps, say
from server.game.events import Entrant
from server.season.builds import StartBot
from server.season.events import BotActivated, BotBuilt, BotTested, BotUploaded, PlayerEntered
from server.season.files import LEDGER_SUFFIX
from server.season.season_state import Upload
from server.shuffle import commitment

BOTS, DEMO_GAMES = 6, 12
PAUSE_SECONDS = 2
"""The pause between two games, so that viewers can follow."""


async def run_season_demo(settings: Settings, games: int) -> int:
    """Plays a season of `games` games and prints the standings. Viewers see as many games as time allows. Verifies all
    games and the ledger (the season's journal).

    Then serves the season's pages until Ctrl-C. At speed 0, ends at once instead. Returns the exit status: 0 if
    everything passes verification, otherwise 1. Raises OSError if the data folder or the port cannot be used.
    """
    path = settings.recordings / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}-upac{LEDGER_SUFFIX}"
    studio = Studio(settings.media, time.monotonic)
    if settings.metrics:
        studio.add_metrics()
    characters = list(zip(CHARACTERS, enter_characters(settings), strict=True))[:BOTS]
    tokens = fresh_tokens()
    secrets = EveningSecrets(settings.seed.hex(), tokens.control, tokens.view)
    plan = EveningPlan(
        name="The house's season",
        date=datetime.now(UTC).date(),
        entries=(),
        data=settings.data,
        contest="upac",
        pace=settings.speed,
        start="bots",
        season_games=games,
        season_pause_seconds=PAUSE_SECONDS if settings.speed else 0,
        obs_address=settings.obs,
        publish_to=settings.publish_to,
    )
    if plan.publish_to:
        await check_destination(plan.publish_to, event_name(path.stem, commitment(settings.seed)))
    async with serving(studio.app, settings.host, settings.port) as base:

        def make_entrant(upload: Upload) -> Entrant:
            return replace(characters[upload.player - 1][1], bot=upload.player)

        async def make_start(upload: Upload, _: Say) -> StartBot:
            if upload.player > BOTS:
                raise CannotRun("only house bots play in this demo; other bots can play in a tournament")
            character = characters[upload.player - 1][0]

            async def start(log: Path) -> LocalProcess:
                return start_house_bot(character.style, f"{settings.seed.hex()} {character.name} {log.stem}", log)

            return start

        ledger = open_ledger(path, plan.name, settings.seed)
        season = Season(ledger, plan, secrets, studio, make_start, make_entrant=make_entrant)
        say(f"High Noon: {BOTS} house bots play a season of {games} UPAC games. Open one of these:")
        say(f"  leaderboard     {base}/season")
        print_addresses(base)
        say_private(path, [("control desk", f"{base}/control?token={tokens.control}")])
        say(f"  ledger          {path}")

        async def enter() -> None:
            for number, (character, _) in enumerate(characters, 1):  # House bots need no test game.
                season.ledger.append(
                    PlayerEntered(number, character.name),
                    BotUploaded(number, number, character.name),
                    BotBuilt(number),
                    BotTested(number),
                    BotActivated(number),
                )

        await season.run(enter)
        status = season.print_result()
        print_next_steps(path, settings.data, base if settings.speed else "")
        await season.publish()
        if settings.speed:
            await asyncio.Event().wait()
    ledger.close()
    return status


def start_house_bot(style: str, seed: str, log: Path) -> LocalProcess:
    """Starts a house bot of this style. The same `seed` makes it play the same way."""
    command = [sys.executable, "-m", "server.contests.upac.venue.house", "--style", style, "--seed", seed]
    return LocalProcess(command, log)


class UpacVenue(Venue):
    async def run_season(self, plan: EveningPlan) -> int:
        return await run_season(plan)

    async def show_season(self, settings: Settings) -> int:
        return await run_season_demo(settings, DEMO_GAMES)

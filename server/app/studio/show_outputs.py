"""Sets up the parts that accompany a show: the control of OBS, the voice, and live publishing."""

import asyncio
import os
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from broadcast.app import Studio
from broadcast.desk.health_lights import Light
from broadcast.obs.control import ObsControl
from broadcast.obs.websocket import PASSWORD_VARIABLE
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import DiaryLine, select_spoken
from broadcast.publish.destination import Destination, DestinationError
from broadcast.publish.destination_lease import DestinationTaken, check_lease
from broadcast.publish.live_publisher import LivePublisher, LiveSite
from broadcast.voice.bot_voices import command_with_bot_voice
from broadcast.voice.speaker import Speaker
from broadcast.voice.voice import ShowVoice
from server.child_environment import CLOUD_VARIABLES, PYTHON_VARIABLES, environment_for_child
from server.console import LOG_VARIABLE, error_in, say
from server.journal.studio_link import BotReport, Plan
from server.paths import ROOT
from server.system.shell_words import quoted
from server.text.characters import printable
from server.text.grammar import short_name

DESTINATION_TIMEOUT_SECONDS = 10.0
"""At the start, the publishing destination may take this many seconds to answer."""


def obs_control(address: str, air: AirLog, studio: Studio, *, password: str = "") -> ObsControl | None:
    """Returns a controller for the program OBS at `address` ("host:port") and the show on `air`, or None if `address`
    is "". The controller prints changes of OBS's state.
    """
    if not address:
        return None
    studio.pages.enabled = True  # without reports from the pages, every source would look blank
    obs_password = password or os.environ.get(PASSWORD_VARIABLE, "")
    return ObsControl(
        address,
        obs_password,
        air,
        studio.pages.reports,
        clock=time.monotonic,
        on_change=lambda text: say(f"  OBS             {text}"),
    )


def pronunciations(bots: Iterable[BotReport]) -> dict[str, str]:
    """Returns the bots' pronunciations, keyed by full name and by short name. Pronunciations are in lower case, because
    speech programs may spell out capitals.
    """
    by_full_name = {bot.bot: bot.say.lower() for bot in bots if bot.say}
    return {short_name(name): spoken for name, spoken in by_full_name.items()} | by_full_name


def show_voice(plan: Plan, air: AirLog, odds: OddsCalculator, diary_lines: Iterable[DiaryLine]) -> ShowVoice | None:
    """Returns the voice that speaks the captions of the show on `air`. `diary_lines` are the lines of the show's diary,
    the record of what has been on air.

    Returns None if the event file sets no voice, or if the show runs without pauses.
    """
    if not plan.voice or not air.speed:
        return None
    names = pronunciations(plan.bots)

    @cache
    def of_bot(bot: int) -> Speaker:
        return Speaker(command_with_bot_voice(plan.voice, bot), names, quiet=True)

    return ShowVoice(
        Speaker(plan.voice, names),
        Path(plan.media),
        odds,
        pace=lambda: air.pace,
        log=lambda why: say(
            f"  voice           {printable(plan.voice[0])}: {printable(why)}; captions are not spoken meanwhile"
        ),
        for_all=plan.voice_for_all,
        spoken=select_spoken(diary_lines),
        speaker_of_bot=of_bot if plan.voice_thoughts else None,
    )


def voice_light(voice: ShowVoice) -> Light:
    if voice.trouble:
        return Light("voice", "yellow", f"{voice.trouble}; captions are not spoken, but the show continues")
    return Light("voice", "green", f"{voice.lines_spoken:,} captions spoken")


def live_publisher(publish_to: str, event: str, studio: Studio, title: str, media: Path) -> LivePublisher | None:
    """Returns the publisher of a live show, or None if `publish_to` is "". The publisher keeps the channel `main` and
    the bots' `media` up to date at the destination `publish_to`. `event` identifies the show.
    """
    if not publish_to:
        return None
    air = studio.channels["main"]
    site = LiveSite(title, media, lambda: air.picture)
    air.recorders.add(site.record)
    return LivePublisher(publish_to, studio.live("main"), event, site=site)


async def publish_recordings(recordings: Path, publish_to: str) -> None:
    """Publishes a recording, or all recordings in a folder, at the destination `publish_to`, in a child process. If
    publishing fails, prints why, and the command with which to try again later.
    """
    try:
        why = await _publish(await asyncio.to_thread(recordings.resolve), publish_to)
    except OSError as error:
        why = str(error)
    if why:
        command = f"highnoon publish {quoted(str(recordings))} --to {quoted(printable(publish_to))}"
        say(f"  not published   {why}; later: {command}")


async def _publish(recordings: Path, publish_to: str) -> str:
    """Runs `highnoon publish`. Returns "", or why the command failed. Raises OSError if it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "publish", str(recordings), "--to", publish_to),
        cwd=ROOT,
        env=environment_for_child(*PYTHON_VARIABLES, *CLOUD_VARIABLES, LOG_VARIABLE),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, error_output = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    if not process.returncode:
        return ""
    lines = error_output.decode(errors="replace").strip().split("\n")
    return error_in(lines[-1]) or f"the program ended with status {process.returncode}"


async def check_destination(publish_to: str, event: str) -> None:
    """Prints where the show will be published. If the destination `publish_to` does not work yet, also prints why.
    During the show, the publisher tries again. `event` identifies the show.

    Raises DestinationTaken if another show publishes at `publish_to`, or DestinationError if the destination can never
    work.
    """
    destination = Destination(publish_to)
    say(f"  published       {printable(publish_to)}, as soon as it has been on air here")
    try:
        async with asyncio.timeout(DESTINATION_TIMEOUT_SECONDS):
            await check_lease(destination, event, time.time())
    except DestinationTaken:
        raise
    except DestinationError as error:
        say(f"  not yet: {printable(str(error))}; publishing is retried throughout the show")
    except TimeoutError:
        say(f"  not yet: {printable(publish_to)} is not responding; publishing is retried throughout the show")

"""Publishes the show that is on, for every command that takes a place for it."""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from broadcast.app import Studio
from broadcast.publish.live_publisher import LivePublisher, LiveSite
from broadcast.publish.place import Place, PlaceTrouble
from broadcast.publish.show_there import PlaceTaken, check_lease
from server.console import plain, say
from server.environment import CLOUDS, OUR_PYTHON, environment
from server.paths import ROOT

PATIENCE_SECONDS = 10.0
"""So long the start waits for a place that does not answer."""


def live_publisher(to: str, event: str, studio: Studio, title: str, media: Path) -> LivePublisher | None:
    """What publishes the studio's channel `main` to a place, to be run beside the show; None without a place.

    `title` is that of its page, `media` the folder of the bots' pictures and sounds.
    """
    if not to:
        return None
    air = studio.channels["main"]
    site = LiveSite(title, media, lambda: air.picture)
    air.recorders.add(site.note)
    return LivePublisher(to, studio.live("main"), event, site=site)


async def publish_recordings(recordings: Path, to: str) -> None:
    """Adds the recording of a show that is over, or those in a folder, to the site where it was on.

    A process of its own does it. Where that fails it says so, and how it can be done later.
    """
    try:
        why = await _published(_publishing(recordings, to))
    except OSError as error:
        why = str(error)
    if why:
        say(f"  not published   {why}; later: highnoon publish {quote(str(recordings))} --to {quote(plain(to))}")


async def _published(words: Sequence[str]) -> str:
    """Runs a program; why it failed, "" where it did not. Raises OSError where it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=ROOT,
        env=environment(*OUR_PYTHON, *CLOUDS),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, complaints = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    if not process.returncode:
        return ""
    lines = complaints.decode(errors="replace").strip().split("\n")
    return lines[-1].removeprefix("highnoon: ") or f"the program ended with status {process.returncode}"


def _publishing(recordings: Path, to: str) -> list[str]:
    return [sys.executable, "-m", "server", "publish", str(recordings.resolve()), "--to", to]


async def check_place(to: str, event: str) -> None:
    """Says in the terminal where the show is published, or why not yet: then it is tried again during the show.

    Raises PlaceTaken where another event is on, PlaceTrouble where there can be no such place.
    """
    place = Place(to)
    say(f"  published       {plain(to)}, as soon as it has been on air here")
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await check_lease(place, event, time.time())
    except PlaceTaken:
        raise
    except PlaceTrouble as trouble:
        say(f"  not yet: {plain(str(trouble))}; it is tried again all the time")
    except TimeoutError:
        say(f"  not yet: {plain(to)}: it does not answer; it is tried again all the time")

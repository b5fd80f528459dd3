"""Publishes the show that is on, for every command that takes a place for it."""

import asyncio
import sys
import time
from pathlib import Path

from broadcast.app import Studio
from broadcast.publish.lease import PlaceTaken, check_lease
from broadcast.publish.live_publisher import LivePublisher
from broadcast.publish.live_site import LiveSite
from broadcast.publish.place import Place
from broadcast.publish.trouble import PlaceTrouble
from server.console import plain, say
from server.paths import ROOT
from server.shuffle import commitment

PATIENCE_SECONDS = 10.0
"""So long the start waits for a place that does not answer."""


def event_name(slug: str, seed: bytes) -> str:
    """What an event is called at a place: the same when it is resumed, another one when it is held again."""
    return f"{slug}-{commitment(seed)[:12]}"


def live_publisher(to: str, event: str, studio: Studio, title: str, media: Path) -> LivePublisher | None:
    """What publishes the studio's channel `main` to a place, to be run beside the show; None without a place.

    `title` is that of its page, `media` the folder of the bots' pictures and sounds.
    """
    if not to:
        return None
    air = studio.channels["main"]
    return LivePublisher(to, studio.live("main"), event, site=LiveSite(title, media, lambda: air.picture))


async def publish_recording(recording: Path, to: str) -> None:
    """Adds the recording of a show that is over to the site where it was on, by a process of its own.

    Raises OSError where none can be started.
    """
    words = _publishing(recording, to)
    process = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL)
    try:
        if await process.wait():
            say(f"  the recording is not there yet: highnoon publish {recording} --to {plain(to)}")
    finally:
        if process.returncode is None:
            process.kill()


def _publishing(recording: Path, to: str) -> list[str]:
    return [sys.executable, "-m", "server", "publish", str(recording.resolve()), "--to", to]


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

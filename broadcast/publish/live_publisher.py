"""Publishes a live show, with the site around it. Only what has been on air leaves this machine.

So published files contain no secrets, and visitors need no password and no https. The public sees the show about ten
seconds later than the projector in the room shows it, as with video streams. The show never waits for its destination,
a folder or bucket. A slow destination gets the missing files later.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from broadcast.desk.health_lights import Light
from broadcast.live.channel import LiveChannel
from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.on_air.picture_state import State
from broadcast.publish.destination import CACHE_FOREVER, Destination, DestinationError
from broadcast.publish.destination_lease import acquire_lease, read_show
from broadcast.publish.files import UPLOADS_AT_ONCE, File, program_files
from broadcast.publish.live_files import DELAY_SECONDS, INDEX_SECONDS, LiveFiles
from broadcast.publish.site import Site, existing_media
from broadcast.web.brand import read_brand
from server.text.regular_file import read_regular

MAX_PAUSE_SECONDS = 60.0
"""The longest pause, in seconds, between attempts to publish while the destination fails. The first pause is
INDEX_SECONDS. Each further pause is twice the previous pause.
"""
PUBLISH_ERRORS = DestinationError, OSError
"""The errors that publishing may raise. OSError means that a file to publish, such as a bot's picture, cannot be
read.
"""
JSON = "application/json"


class LiveSite:
    """Publishes the site (all other pages) around a live show called `title`. `media` is the folder with the pictures
    and sounds of the show's bots.
    """

    def __init__(self, title: str, media: Path, picture: Callable[[], State]) -> None:
        """`picture` returns what is on air now. A bot's media are not published before the bot is on air."""
        self._title = title
        self._media = media
        self._picture = picture
        self._site: Site | None = None
        self._has_pages = False
        """Whether the program's files and the pages have been sent."""
        self._sent_media: set[str] = set()
        self._unsent_sounds: set[str] = set()
        """Sounds of lines that have been on air but are not published yet."""

    def record(self, entry: OnAirEntry, _before: State, _after: State) -> None:
        """Records an entry that has gone on air. After a spoken line, the line's sound may be published."""
        if isinstance(entry.event, LineSpoken):
            self._unsent_sounds.add(entry.event.sound)

    async def begin(self, destination: Destination) -> None:
        """Marks the destination as a site if it is empty. Raises DestinationError if it has files but is not a site,
        and OSError if the program's files cannot be read.
        """
        if self._site is None:
            await asyncio.to_thread(program_files)
            site = Site(destination, brand=read_brand(self._media))
            await site.begin()
            self._site = site

    async def send(self) -> None:
        """Sends what has not been sent yet. Raises DestinationError, OSError."""
        assert self._site, "`begin` comes first"
        if not self._has_pages:
            await self._site.send_program()
            await self._site.send_list(live_title=self._title)
            await self._site.send_watch(self._title)
            self._has_pages = True
        sounds = {*self._unsent_sounds}
        bots = self._picture().bots.values()
        named = {name for bot in bots for name in (bot.avatar, bot.particle, bot.sound)}
        if new_media := existing_media(named - self._sent_media | sounds, self._media):
            files = [
                File(f"media/{name}", read_regular(path), CACHE_FOREVER) for name, path in sorted(new_media.items())
            ]
            await self._site.sender.send(files)
            self._sent_media |= new_media.keys()
        self._unsent_sounds -= sounds


class LivePublisher:
    """Publishes what is on air on one channel to one destination.

    `show` is the show's name, which stays the same when the show is resumed. `site` is the site around the show.
    Without a site, only the show's own files are published. `clock` returns monotonic seconds. `utc_clock` returns
    seconds since 1970.
    """

    def __init__(
        self,
        address: str,
        live: LiveChannel,
        show: str,
        *,
        site: LiveSite | None = None,
        clock: Callable[[], float] = time.monotonic,
        utc_clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._address = address
        self._destination: Destination | None = None
        self._show = show
        self._clock = clock
        self._utc_clock = utc_clock
        self._sleep = sleep
        self._site = site
        self._files = LiveFiles(live, show)
        self._has_lease = False
        """Whether this show is known to hold the destination's lease, the permission to publish there."""
        self._has_begun = False
        self._is_over = False
        """Whether the whole show is published, up to its end."""
        self._failures = 0
        self._last_success = clock()
        self._reason = ""
        """Why the last attempt to publish failed, or "" if the attempt succeeded."""

    async def run(self) -> None:
        """Publishes until the show ends or this task is cancelled."""
        while True:
            started_at = self._clock()
            try:
                await self.publish()
                self._failures, self._reason, self._last_success = 0, "", self._clock()
            except PUBLISH_ERRORS as failure:
                self._failures, self._reason = self._failures + 1, str(failure)
                self._has_lease = False  # after a long attempt, another show may hold the lease
            if self._is_over:
                return
            await self._sleep(max(0.0, started_at + self._pause_seconds - self._clock()))

    async def publish(self) -> None:
        """Publishes everything that has been on air but is not published yet. The index (the list of hands) comes last.

        Raises DestinationError, OSError.
        """
        destination = self._destination = self._destination or Destination(self._address)
        show_at_destination = None if self._has_lease else await read_show(destination)
        if (
            show_at_destination and show_at_destination.name == self._show and show_at_destination.recording
        ):  # this process was restarted after the show
            self._has_begun = self._is_over = True
            return
        if self._site:
            await self._site.begin(destination)
        if not self._has_lease:
            await acquire_lease(destination, self._show, self._utc_clock())
            self._has_lease = True
        if self._site:
            await self._site.send()
        for files in self._files.missing_files(UPLOADS_AT_ONCE):
            await asyncio.gather(*(destination.put(file.path, file.content, JSON, file.cache) for file in files))
        self._has_begun, self._is_over = True, self._files.is_over
        self._has_lease = not self._is_over

    async def finish(self) -> None:
        """Publishes the end of the show, if possible. Call this once `run` has ended."""
        with contextlib.suppress(*PUBLISH_ERRORS):
            await self.publish()

    def health_light(self) -> Light:
        """Returns the health light that tells the operator whether publishing works."""
        ago = self._clock() - self._last_success
        if self._reason:
            why = f"{self._reason}; nothing has arrived for {ago:.0f} s; retried every {self._pause_seconds:.0f} s"
            return Light("publishing", "yellow", f"{why}. The show goes on, and the destination catches up by itself")
        if not self._has_begun:
            return Light("publishing", "yellow", f"{self._address}: nothing is published yet")
        if self._is_over:
            return Light("publishing", "green", f"{self._address}: the whole show is published")
        return Light("publishing", "green", f"{self._address}, {DELAY_SECONDS} s behind, last written {ago:.0f} s ago")

    @property
    def _pause_seconds(self) -> float:
        return min(INDEX_SECONDS * 2.0 ** max(0, self._failures - 1), MAX_PAUSE_SECONDS)

"""The site around a show that is on: its page, the program's files, its bots' pictures and sounds, spoken lines."""

from asyncio import to_thread
from collections.abc import Callable
from pathlib import Path

from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.on_air.picture_state import State
from broadcast.publish.place import FOR_EVER, Place
from broadcast.publish.program import program
from broadcast.publish.sending import File
from broadcast.publish.site import Site, media_of
from server.text.regular_file import read_regular


class LiveSite:
    """What lies beside the files of a show that is on, called `title`; `media` is the folder of its bots' media."""

    def __init__(self, title: str, media: Path, picture: Callable[[], State]) -> None:
        """`picture` gives what is on air now: nobody's media are published before that."""
        self._title = title
        self._media = media
        self._picture = picture
        self._site: Site | None = None
        self._is_there = False
        """Whether program and pages are there."""
        self._sent: set[str] = set()
        self._spoken: set[str] = set()
        """The sounds of lines that were on air and are not there yet."""

    def note(self, entry: OnAirEntry, _before: State, _after: State) -> None:
        """Notes what has gone on air: the sound of a line that was spoken is published from then on."""
        if isinstance(entry.event, LineSpoken):
            self._spoken.add(entry.event.sound)

    async def begin(self, place: Place) -> None:
        """Makes an empty place a site. Raises PlaceTrouble where it has other files."""
        if self._site is None:
            await to_thread(program)
            site = Site(place)
            await site.begin()
            self._site = site

    async def send(self) -> None:
        """Sends what is not there yet. Raises PlaceTrouble."""
        assert self._site, "it has begun"
        if not self._is_there:
            await self._site.send_program()
            await self._site.send_list(on=self._title)
            await self._site.send_watch(self._title)
            self._is_there = True
        spoken = {*self._spoken}
        bots = self._picture().bots.values()
        named = {name for bot in bots for name in (bot.avatar, bot.particle, bot.sound)}
        if fresh := media_of(named - self._sent | spoken, self._media):
            files = [File(f"media/{name}", read_regular(path), FOR_EVER) for name, path in sorted(fresh.items())]
            await self._site.sender.send(files)
            self._sent |= fresh.keys()
        self._spoken -= spoken

"""The site around a show that is on: its page, the program's files, and the pictures and sounds of its bots."""

from asyncio import to_thread
from collections.abc import Callable, Iterator
from pathlib import Path

from broadcast.on_air.picture_state import State
from broadcast.publish.place import FOR_EVER, Place
from broadcast.publish.program import program
from broadcast.publish.sending import File
from broadcast.publish.site import Site


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
        if fresh := set(self._names()) - self._sent:
            files = [File(f"media/{name}", (self._media / name).read_bytes(), FOR_EVER) for name in sorted(fresh)]
            await self._site.sender.send(files)
            self._sent |= fresh

    def _names(self) -> Iterator[str]:
        for bot in self._picture()["bots"].values():
            for name in (bot["avatar"], bot["particle"], bot["sound"]):
                if name and Path(name).name == name and (self._media / name).is_file():
                    yield name

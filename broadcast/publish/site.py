"""A published site: what is over, to be watched again from any static host. Files first, what names them last.

So whoever looks meanwhile sees the site as it was, and after an interruption the next attempt goes on from there. What
was published stays: pages that somebody still has in a cache find everything that they name.
"""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from broadcast.archive.archive import Archive
from broadcast.archive.hand_reader import opening
from broadcast.archive.queries import RecordingRow
from broadcast.film.file import FilmFile
from broadcast.publish.pages import SitePages
from broadcast.publish.place import FOR_EVER, Place
from broadcast.publish.program import program
from broadcast.publish.sending import File, Sender
from broadcast.publish.trouble import PlaceTrouble
from broadcast.recordings.facts import facts_of
from broadcast.recordings.link_image import LinkImages
from broadcast.recordings.link_text import of_archive, of_unwatched

MARK = "high-noon-site.json"
"""A place that has this file is a site of ours."""
FORMAT = "high-noon-site/1"
ABOUT = "about.json"


class Edition(Struct, frozen=True):
    """A recording that is ready to be published, read from its file `path` and film."""

    row: RecordingRow
    path: Path
    film: FilmFile
    facts: dict[str, Any]
    media: Path

    @property
    def pieces(self) -> int:
        """About how many files it comes to."""
        return self.film.segments + 8


async def edition_of(path: Path, archive: Archive, media: Path) -> Edition:
    """Reads a recording, one that `archive` has, and makes its film; `media` has its bots' pictures and sounds.

    Raises Unshowable, sqlite3.Error or OSError.
    """
    opened = await archive.open(path.stem)
    assert opened.row is not None, "this archive lists all that it has"
    film = await archive.film(path.stem)
    return Edition(opened.row, path, film, await facts_of(archive, opened.row), media)


class Site:
    """The site at one place."""

    def __init__(self, place: Place, address: str = "", step: Callable[[], None] = lambda: None) -> None:
        """`address` is where the site can be seen, "" if that is not known. `step` is called after each file."""
        self._place = place
        self._program = program()
        self._pages = SitePages(self._program.folder, address)
        self.sender = Sender(place, step)

    async def begin(self) -> None:
        """Makes an empty place a site. Raises PlaceTrouble where it has other files."""
        names = [path for path in await self._place.list() if not path.startswith(".")]
        mark = msgspec.json.encode({"site": FORMAT})
        if not names:
            await self.sender.send([File(MARK, mark)])
        elif await self._place.get(MARK) != mark:
            why = "has files that are not a site of this program: name such a site, or an empty or new folder"
            raise PlaceTrouble(f"{self._place.address} {why}")

    async def send_program(self) -> None:
        """Sends the files that all recordings share."""
        folder, files = self._program.folder, self._program.files
        await self.sender.send(File(f"{folder}/{path}", content, FOR_EVER) for path, content in files.items())

    async def add(self, edition: Edition) -> None:
        """Publishes a recording, but for the list. Raises PlaceTrouble, OSError.

        Raises PlaceTrouble where another recording has its name there.
        """
        row, film = edition.row, edition.film
        await self._refuse_another(row)
        recording = edition.path.read_bytes()
        images = LinkImages(edition.media)
        pieces = [
            File(f"films/{row.name}/{film.version}/{n}.seg", film.segment(n), FOR_EVER) for n in range(film.segments)
        ]
        await self.sender.send([
            *pieces,
            *(File(f"media/{name}", content, FOR_EVER) for name, content in _media(recording, edition.media).items()),
            File(f"recordings/{row.name}.jsonl", recording),
            File(f"previews/{row.name}.png", images.draw(of_unwatched(row))),
        ])  # fmt: skip
        await self.sender.send([File(f"films/{row.name}/index.json", gzip.decompress(film.index()))])
        pages = self._pages.recording(row, edition.facts, film.version)
        await self.sender.send(File(path, text.encode()) for path, text in pages.items())
        await self.sender.send([File(_about(row.name), msgspec.json.encode(row))])

    async def send_watch(self, title: str) -> None:
        """Publishes the page of a show that is on."""
        pages = self._pages.watch(title)
        await self.sender.send(File(path, text.encode()) for path, text in pages.items())

    async def send_list(self) -> int:
        """Publishes the list of all recordings that are at the place; returns how many there are."""
        paths = [path for path in await self._place.list("recordings") if path.endswith(f"/{ABOUT}")]
        texts = [await self._place.get(path) for path in paths]
        rows = [msgspec.json.decode(text, type=RecordingRow) for text in texts if text]
        rows.sort(key=lambda row: (row.begun, row.name), reverse=True)
        preview = LinkImages(Path()).draw(of_archive(len(rows)))
        await self.sender.send([File("previews.png", preview)])
        pages = {**self._pages.proof(), **self._pages.list(rows)}
        await self.sender.send(File(path, text.encode()) for path, text in pages.items())
        return len(rows)

    async def _refuse_another(self, row: RecordingRow) -> None:
        text = await self._place.get(_about(row.name))
        if text and (there := msgspec.json.decode(text, type=RecordingRow)).begun != row.begun:
            why = f"another recording named {row.name} is there, begun at {there.begun}: rename one of the two"
            raise PlaceTrouble(f"{self._place.address}: {why}")


def _about(name: str) -> str:
    return f"recordings/{name}/{ABOUT}"


def _media(recording: bytes, folder: Path) -> dict[str, bytes]:
    """The pictures and sounds of a recording's bots, by name. For a bot whose files are gone pages show the default."""
    opened = opening(recording)
    named = [name for bot in (opened.entrants if opened else ()) for name in (bot.avatar, bot.particle, bot.sound)]
    paths = {name: folder / name for name in named if name and Path(name).name == name}
    return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}

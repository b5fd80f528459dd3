"""Publishes finished shows as a site of static files, where people can watch them again.

Pages are sent last, after the files that they load. Until the pages are sent, visitors see the old site. After an
interruption, the next attempt continues where the last one stopped. No file is deleted, so cached pages still find all
files that they load.
"""

import asyncio
import gzip
import time
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from broadcast.archive.archive import Archive
from broadcast.archive.hand_reader import find_hand, find_opening
from broadcast.archive.queries import RecordingRow
from broadcast.film.film import FilmFile
from broadcast.on_air.diary import read_spoken_lines
from broadcast.publish.destination import CACHE_FOREVER, Destination, DestinationError
from broadcast.publish.destination_lease import CACHE_ONE_SECOND, INDEX_PATH, PublishedShow, has_commitment, read_show
from broadcast.publish.files import File, Sender, program_files
from broadcast.publish.outcome import Outcome, outcome_of
from broadcast.publish.pages import BOTS_FILE, PublishedRecording, SitePages, bots_of, encode_known_bots
from broadcast.recordings.link_image import (
    LinkImages,
    archive_link_text,
    hand_link_text,
    recording_link_text,
    result_link_text,
)
from broadcast.recordings.page_facts import facts_of
from broadcast.web.brand import Brand
from server.game.events import TournamentOpened
from server.text.regular_file import read_regular

SITE_FILE = "high-noon-site.json"
"""A destination with this file is a site of this program."""
SITE_FORMAT = "high-noon-site/1"
ABOUT_FILE = "about.json"
OTHER_FILE_COUNT = 11
"""The number of a recording's files, without its films and its bots' media."""
MAX_END_CHECKS = 30
"""If a show still seems live, the program checks at most this many times, once a second, whether the show has ended."""


class Publication(Struct, frozen=True):
    """A recording that is ready to be published, with its film (the show prepared for replay). `table_films` are the
    films of tables that were not on air. A contest has such tables if each deal is played at several tables, with the
    same cards. `facts` is what the recording's page shows.
    """

    row: RecordingRow
    path: Path
    film: FilmFile
    table_films: tuple[FilmFile, ...]
    facts: dict[str, Any]
    media: Path
    opened: TournamentOpened | None
    """The event that opens the tournament, or None if the recording has none."""

    @property
    def file_count(self) -> int:
        """The number of files to send, to show progress."""
        return sum(film.segment_count + 1 for film in self.films.values()) + len(self.media_files) + OTHER_FILE_COUNT

    @property
    def films(self) -> dict[str, FilmFile]:
        """All films of the recording, keyed by their folders on the site."""
        folder = f"films/{self.row.name}"
        return {folder: self.film} | {
            f"{folder}/tables/{number}": film for number, film in enumerate(self.table_films, 2)
        }

    @property
    def media_files(self) -> dict[str, Path]:
        """The bots' pictures and sounds, and the spoken lines, keyed by file name. Pages show defaults for missing
        files.
        """
        bots = self.opened.entrants if self.opened else ()
        named = [name for bot in bots for name in (bot.avatar, bot.particle, bot.sound)]
        return existing_media(
            [*named, *(said.line.sound for said in read_spoken_lines(self.path).values())], self.media
        )


async def read_publication(path: Path, archive: Archive, media: Path) -> Publication:
    """Returns the recording at `path`, which is in `archive`, with its films. `media` is the folder of its bots' media.
    Raises Unshowable, sqlite3.Error, OSError.
    """
    recording = await archive.open(path.stem)
    assert recording.row is not None, "this archive has no unlisted recordings"
    film = await archive.film(path.stem)
    row = recording.row
    facts = await archive.run_query(lambda index: facts_of(index, row))
    max_tables = max((hand.tables for _, hands in facts["games"] for hand in hands), default=0)
    tables = tuple([await archive.film(path.stem, table) for table in range(2, max_tables + 1)])
    opening_event = find_opening(await to_thread(path.read_bytes))
    return Publication(row, path, film, tables, facts, media, opening_event)


class Site:
    """The site at one destination."""

    def __init__(
        self,
        destination: Destination,
        address: str = "",
        step: Callable[[], None] = lambda: None,
        *,
        brand: Brand | None = None,
        utc_clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`address` is the site's address, "" if unknown. `step` is called after each file. Pages show the `brand`.

        `utc_clock` returns seconds since 1970.
        """
        self._destination = destination
        self._utc_clock = utc_clock
        self._sleep = sleep
        self._program = program_files()
        self._brand = brand
        self._pages = SitePages(self._program.folder, address, brand)
        self.sender = Sender(destination, step)

    async def begin(self) -> None:
        """Marks an empty destination as a site. Raises DestinationError if it is neither empty nor a site."""
        names = [path for path in await self._destination.list() if not path.startswith(".")]
        mark = msgspec.json.encode({"site": SITE_FORMAT})
        if not names:
            await self.sender.send([File(SITE_FILE, mark)])
        elif await self._destination.get(SITE_FILE) != mark:
            why = "has files, but is not a site that this program made: choose such a site, or a new or empty folder"
            raise DestinationError(f"{self._destination.address} {why}")

    async def send_program(self) -> None:
        """Sends the files that all recordings share, and the files of the branding."""
        folder, files = self._program.folder, self._program.files
        branded = self._brand.files if self._brand else {}
        await self.sender.send(File(f"brand/{name}", content, CACHE_FOREVER) for name, content in branded.items())
        await self.sender.send(File(f"{folder}/{path}", content, CACHE_FOREVER) for path, content in files.items())

    async def add(self, publication: Publication) -> None:
        """Publishes a recording. Does not add the recording to the list of recordings, which `send_list` publishes.

        Raises OSError if a file cannot be read. Raises DestinationError if publishing fails, or if another recording at
        the destination has the same name.
        """
        row, film = publication.row, publication.film
        text = await self._destination.get(_about_path(row.name))
        if text and (existing := msgspec.json.decode(text, type=RecordingRow)).begun != row.begun:
            why = f"another recording named {row.name} is there, started at {existing.begun}: rename one of them"
            raise DestinationError(f"{self._destination.address}: {why}")
        recording = read_regular(publication.path)
        images = LinkImages(publication.media)
        media = {name: read_regular(path) for name, path in publication.media_files.items()}
        segments = [
            File(f"{folder}/{each.version}/{n}.seg", each.gzipped_segment(n), CACHE_FOREVER)
            for folder, each in publication.films.items()
            for n in range(each.segment_count)
        ]
        await self.sender.send([
            *segments,
            *(File(f"media/{name}", content, CACHE_FOREVER) for name, content in media.items()),
            File(f"recordings/{row.name}.jsonl", recording),
            File(f"previews/{row.name}.png", images.draw(recording_link_text(row))),
        ])  # fmt: skip
        outcome = await to_thread(lambda: outcome_of(film.read_film()))
        if outcome:
            await self.sender.send(_previews(publication, recording, outcome, images))
        films = publication.films.items()
        await self.sender.send(
            [File(f"{folder}/index.json", gzip.decompress(each.gzipped_index())) for folder, each in films]
        )
        await self._send_pages(self._pages.recording_pages(row, publication.facts, film.version))
        bots = bots_of(publication.opened.entrants if publication.opened else (), publication.facts["entrants"])
        about = PublishedRecording(**asdict(row), entrants=bots, outcome=outcome)
        await self.sender.send([File(_about_path(row.name), msgspec.json.encode(about))])

    async def send_watch(self, title: str) -> None:
        """Publishes the pages of a live show called `title` and of its bots."""
        await self._send_pages({**self._pages.watch_page(title), **self._pages.bot_page(title)})

    async def end_show(self, publication: Publication) -> None:
        """Marks the live show of a published recording as over, and links it to the recording.

        Does nothing if the site has no such show. Waits up to half a minute for the show's end to be published. Raises
        DestinationError.
        """
        commitment = publication.opened.seed_commitment if publication.opened else ""
        if await self._wait_for_end(commitment) is None:
            return
        await self._send_pages({**self._pages.finished_watch_page(publication.row), **self._pages.bot_page()})
        index = msgspec.json.decode(await self._destination.get(INDEX_PATH) or b"{}")
        over = msgspec.json.encode({**index, "state": "over", "recording": publication.row.name})
        await self._destination.put(INDEX_PATH, gzip.compress(over, mtime=0), "application/json", CACHE_ONE_SECOND)

    async def send_list(self, live_title: str = "") -> int:
        """Publishes the list of all recordings at the destination. Returns the number of recordings.

        `live_title` is the title of a live show that is about to begin, or "". If a show is already live, its published
        index has the title.
        """
        paths = [path for path in await self._destination.list("recordings") if path.endswith(f"/{ABOUT_FILE}")]
        texts = [await self._destination.get(path) for path in paths]
        rows = [msgspec.json.decode(text, type=PublishedRecording) for text in texts if text]
        rows.sort(key=lambda row: (row.begun, row.name), reverse=True)
        preview = LinkImages(Path()).draw(archive_link_text(len(rows)))
        await self.sender.send([File("previews.png", preview), File(BOTS_FILE, encode_known_bots(rows))])
        published = await read_show(self._destination)
        shown_title = live_title or (published.title if published and published.is_live(self._utc_clock()) else "")
        front_pages = self._pages.front_page(rows, shown_title) if shown_title else self._pages.bot_page()
        await self._send_pages({**self._pages.proof_page(), **self._pages.list_pages(rows, shown_title), **front_pages})
        return len(rows)

    async def _send_pages(self, pages: dict[str, str]) -> None:
        await self.sender.send(File(path, text.encode()) for path, text in pages.items())

    async def _wait_for_end(self, commitment: str) -> PublishedShow | None:
        """Waits until the show whose seed has this `commitment` (a hash) is over, or has written nothing for too long.
        Waits at most `MAX_END_CHECKS` seconds.

        Returns the show, or None if the site has no such show.
        """
        for _ in range(MAX_END_CHECKS):
            published = await read_show(self._destination)
            if published is None or not has_commitment(published.name, commitment):
                return None
            if not published.is_live(self._utc_clock()):
                break
            await self._sleep(1)
        return published


def _previews(publication: Publication, recording: bytes, outcome: Outcome, images: LinkImages) -> Iterator[File]:
    """Yields a picture of the champion, for link previews of the front page, and a picture of each of the best hands.
    The front page shows a hand's picture until a visitor starts the replay of the hand.
    """
    row, entrants = publication.row, publication.opened.entrants if publication.opened else ()
    avatar = next((each.avatar for each in entrants if each.name == row.winner), "")
    winner = images.draw(result_link_text(row, publication.facts["entrants"], avatar))
    yield File(f"previews/{row.name}-won.png", winner)
    for each in outcome.hands:
        if hand := find_hand(recording, each.number):
            yield File(
                f"previews/{row.name}-hand-{each.number}.jpg", images.draw(hand_link_text(hand, row.begun), "JPEG")
            )


def _about_path(name: str) -> str:
    return f"recordings/{name}/{ABOUT_FILE}"


def existing_media(names: Iterable[str], folder: Path) -> dict[str, Path]:
    """Returns the files among `names` that exist in the media folder, keyed by name. Skips empty names."""
    paths = {name: folder / name for name in names if name and Path(name).name == name}
    return {name: path for name, path in paths.items() if path.is_file()}

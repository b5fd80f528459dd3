"""What other sites show of links to recordings: words and pictures, painted once, kept a while, never without end."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from broadcast import searching
from broadcast.archive import Archive, Unshowable
from broadcast.index import stamp_of
from broadcast.one_hand import one_hand, opening
from broadcast.placards import Placard, of_archive, of_hand, of_recording
from broadcast.previews import HEIGHT, WIDTH, Painter
from broadcast.searching import Listed

Key = TypeVar("Key")
Thing = TypeVar("Thing")
PICTURES, PLACARDS = 64, 1000
"""So many are kept."""
MOST_WAITING = 8
"""So many may wait for the painter, who paints one at a time."""
MOST_BYTES = 100_000_000
MOST_DIGITS = 8


class Link(Struct, frozen=True):
    """What a page tells those who show a link to it; addresses are whole ones."""

    title: str
    description: str
    alt: str
    address: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


class Busy(Exception):
    """Too many pictures are asked for."""


class Previews:
    """The links of one archive."""

    def __init__(self, archive: Archive, painter: Painter) -> None:
        self._archive = archive
        self._painter = painter
        self._painting = asyncio.Semaphore(1)
        self._waiting = 0
        self._pictures: Lately[Placard, bytes] = Lately(PICTURES)
        self._told: Lately[str, Placard] = Lately(PLACARDS)

    def routes(self) -> Sequence[BaseRoute]:
        """Their part of the web application."""
        return (Route("/previews.png", self.picture), Route("/previews/{recording:path}.png", self.picture))

    async def link(self, request: Request, name: str = "", hand: int = 0) -> Link | None:
        """The words for a page: of a hand, a recording, or all of them ("").

        None where there is nothing to tell. Raises Unshowable.
        """
        placard = await self._placard(name, hand) or (await self._placard(name, 0) if hand else None)
        if placard is None:
            return None
        of_it = f"?hand={hand}" if placard.winner.cards else ""
        base = str(request.base_url).rstrip("/")
        image = f"{base}/previews/{quote(name)}.png{of_it}" if name else f"{base}/previews.png"
        alt = f"{placard.title}. {placard.line}" if not placard.board else placard.title
        return Link(placard.title, placard.description, alt, f"{base}{request.url.path}{of_it}", image)

    async def picture(self, request: Request) -> Response:
        """The picture of a hand, a recording, or all of them, as a PNG."""
        asked = request.query_params.get("hand")
        try:
            hand = _number(asked) if asked is not None else 0
            placard = await self._placard(request.path_params.get("recording", ""), hand) if hand >= 0 else None
            if placard is None:
                return PlainTextResponse("There is no such hand.\n", 404)
            content = await self.painted(placard)
        except Unshowable as why:
            return PlainTextResponse(f"{why}\n", 404)
        except Busy:
            return PlainTextResponse("Many pictures are being painted.\n", 503, {"Retry-After": "5"})
        return Response(content, media_type="image/png", headers={"Cache-Control": "public, max-age=3600"})

    async def _placard(self, name: str, hand: int) -> Placard | None:
        if not name:
            return of_archive(await self._archive.ask(searching.count))
        path = await self._archive.path_of(name)
        listed = await self._archive.ask(lambda index: searching.recording(index, name))
        if listed and hand > listed.hands:
            return None
        key = f"{path} {await asyncio.to_thread(_stamp, path)} {hand}"
        placard = self._told.find(key) or await self._told_of(path, listed, hand)
        if placard:
            self._told.keep(key, placard)
        return placard

    async def _told_of(self, path: Path, listed: Listed | None, hand: int) -> Placard | None:
        content = await asyncio.to_thread(_content, path)
        if hand:
            found = one_hand(content, hand)
            told = await self._archive.ask(lambda index: searching.hand_of(index, listed, hand)) if listed else None
            return of_hand(found, listed.begun if listed else "", told) if found else None
        opened = opening(content)
        if listed is None or opened is None:
            return None
        entrants = await self._archive.ask(lambda index: searching.entrants(index, listed))
        avatars = {entrant.name: entrant.avatar for entrant in opened.entrants}
        return of_recording(listed, entrants, avatars.get(listed.winner, ""))

    async def painted(self, placard: Placard) -> bytes:
        """The picture as a PNG. Raises Busy where too many wait for the painter."""
        found = self._pictures.find(placard)
        if found is not None:
            return found
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._painting:
                picture = self._pictures.find(placard)
                if picture is None:
                    picture = await asyncio.to_thread(self._painter.paint, placard)
        finally:
            self._waiting -= 1
        self._pictures.keep(placard, picture)
        return picture


class Lately(Generic[Key, Thing]):
    """So many things by their keys; the one that was asked for longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Key, Thing] = OrderedDict()

    def find(self, key: Key) -> Thing | None:
        if key in self._things:
            self._things.move_to_end(key)
        return self._things.get(key)

    def keep(self, key: Key, thing: Thing) -> None:
        self._things[key] = thing
        self._things.move_to_end(key)
        while len(self._things) > self._most:
            self._things.popitem(last=False)


def _number(text: str) -> int:
    """A hand's number, from 1; -1 for what is none."""
    fits = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) or -1 if fits else -1


def _stamp(path: Path) -> str:
    """Changes with the file; "" where it is gone in this moment."""
    try:
        return stamp_of(path)
    except OSError:
        return ""


def _content(path: Path) -> bytes:
    """The recording; nothing of one that is gone in this moment."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""

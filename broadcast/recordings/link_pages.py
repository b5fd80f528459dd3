"""Link previews (Open Graph): the text and picture that other sites show for a link to a recording.

The latest pictures are cached, so that strangers cannot keep the server busy with drawing.
"""

from functools import partial
from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import Response

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.hand_reader import find_hand, find_opening
from broadcast.archive.showable_recording import OpenedRecording, Unshowable
from broadcast.recordings import link_image
from broadcast.recordings.link_image import Link, LinkImages, LinkText
from broadcast.recordings.results_switch import SHOWN, SWITCH_NAME, results_in_address
from broadcast.web.answers import Answer, AnswerCache, run_in_thread
from broadcast.web.routes import PlainError, Route, whole_number
from server.text.regular_file import open_regular

MAX_SEARCHED_BYTES = 100_000_000
OPENING_BYTES = 1 << 20
"""How many bytes of a recording are read to find the names of its bots' pictures. The names are at the beginning."""
MAX_HANDS = 10**7
CACHE_ONE_HOUR = {"Cache-Control": "public, max-age=3600"}


class LinkPages:
    """Makes the link previews of one archive and serves their pictures."""

    def __init__(self, archive: Archive, images: LinkImages) -> None:
        self._archive = archive
        self._images = images
        self._pictures = AnswerCache()

    def router(self) -> APIRouter:
        """Returns the routes of the pictures: /previews.png, and /previews/RECORDING.png with ?hand=N or
        ?results=shown.
        """
        router = APIRouter(route_class=Route)
        router.add_api_route("/previews.png", self.picture)
        router.add_api_route("/previews/{recording:path}.png", self.picture)
        return router

    async def link(self, request: Request, opened: OpenedRecording, hand: int = 0) -> Link | None:
        """Returns the preview of a recording's page. If `hand` is not 0, returns the preview of hand number `hand`,
        counted from 1.

        The preview says who won only if the address asks for results, because the recipient of the link may not have
        watched the show yet. If there is no such hand, returns the preview of the recording. An unlisted recording
        (a game of a season) has previews only of its hands. If there is no preview, returns None. Raises sqlite3.Error
        if the index of recordings cannot be read.
        """
        shows_result = results_in_address(request) == SHOWN
        text = await self._text(opened, hand, shows_result=shows_result)
        if text is None and hand:
            text, hand = await self._text(opened, 0, shows_result=shows_result), 0
        query = f"?hand={hand}" if hand else f"?{SWITCH_NAME}={SHOWN}" if shows_result else ""
        image = f"/previews/{quote(opened.name)}.png{query}"
        return _link(request, text, image, query) if text else None

    def link_to_all(self, request: Request, count: int) -> Link:
        """Returns the preview of the list of `count` recordings."""
        return _link(request, link_image.archive_link_text(count), "/previews.png")

    async def picture(self, request: Request, recording: str = "", hand: str | None = None) -> Response:
        """Returns the picture as a PNG, or status 404 if there is no such recording or hand."""
        if not recording:
            count = await self._archive.run_query(queries.count_recordings)
            of_all = partial(self._draw, link_image.archive_link_text(count))
            return (await self._pictures.get(count, None, of_all)).response_for(request)
        hand_number = None if hand is None else whole_number(hand, MAX_HANDS, 0)
        shows_result = results_in_address(request) == SHOWN
        try:
            opened = await self._archive.open(recording)
        except Unshowable as why:
            raise PlainError(404, f"{why}\n") from None
        texts: list[LinkText] = []

        async def read() -> None:
            text = await self._text(opened, hand_number or 0, shows_result=shows_result) if hand_number != 0 else None
            if text is None:
                raise PlainError(404, "There is no such hand.\n")
            texts.append(text)

        key = opened.path, opened.stamp, hand_number, shows_result
        return (await self._pictures.get(key, None, lambda: self._draw(texts[0]), read)).response_for(request)

    def _draw(self, text: LinkText) -> Answer:
        return Answer(self._images.draw(text), b"", "image/png", CACHE_ONE_HOUR)

    async def _text(self, opened: OpenedRecording, hand: int, *, shows_result: bool) -> LinkText | None:
        row = opened.row
        if hand:
            if row and hand > row.hands:
                return None
            found = await run_in_thread(lambda: find_hand(_read_start(opened.path, MAX_SEARCHED_BYTES), hand))
            return link_image.hand_link_text(found, row.begun if row else "") if found else None
        if row is None:
            return None
        if not (shows_result and row.winner):
            return link_image.recording_link_text(row)
        entrants = await self._archive.run_query(lambda index: queries.entrants(index, row))
        tournament = find_opening(await run_in_thread(partial(_read_start, opened.path, OPENING_BYTES)))
        if tournament is None:
            return None
        avatars = {entrant.name: entrant.avatar for entrant in tournament.entrants}
        return link_image.result_link_text(row, entrants, avatars.get(row.winner, ""))


def _link(request: Request, text: LinkText, image: str, query: str = "") -> Link:
    base = str(request.base_url).rstrip("/")
    # Only a result's preview has one poster and no cards. Its alternative text includes the subtitle.
    alt = text.title if text.cards or len(text.posters) > 1 else f"{text.title}. {text.subtitle}"
    return Link(text.title, text.description, alt, f"{request.url.replace(query=query[1:])}", f"{base}{image}")


def _read_start(path: Path, max_bytes: int) -> bytes:
    """Returns the first `max_bytes` bytes of a recording, or b"" if its file cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(max_bytes)
    except OSError:
        return b""

"""Serves the pages of recordings: the list with its search, and each recording with its replay and its verification."""

import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from msgspec.structs import asdict

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import HAND_KINDS, MARKS, Search
from broadcast.archive.showable_recording import FilmInProgress, NotYetShowable, OpenedRecording, Unshowable
from broadcast.film.film import FilmIndex
from broadcast.film.segments import Segment
from broadcast.recordings.link_pages import MAX_HANDS, LinkPages
from broadcast.recordings.page_facts import HANDS_PER_PAGE, facts_of
from broadcast.recordings.results_switch import (
    SWITCH_NAME,
    encode_query,
    query_with_results_switched,
    results_in_address,
    shows_results,
    store_results_switch,
)
from broadcast.web.answers import IMMUTABLE, AnswerCache, gzipped_json
from broadcast.web.routes import JsonError, Route, whole_number

MAX_PAGES = 100_000
MAX_CHIPS = 10**9
MAX_TABLES = 99
"""The highest number that a table may have. A contest with deals has several tables, which play the same cards."""
FILM_WAIT_SECONDS = 0.5
"""For how many seconds a page waits for a film that is still being made. Then the page gets the progress instead."""
RELOAD_SECONDS = 2
MAX_SEARCH_CHARACTERS = 60


class RecordingPages:
    """The pages of one archive's recordings. `links` makes the previews that other sites show for links to a page."""

    def __init__(self, archive: Archive, templates: Jinja2Templates, links: LinkPages) -> None:
        self._archive = archive
        self._links = links
        self._templates = templates
        self._cache = AnswerCache()

    def router(self) -> APIRouter:
        """Returns the routes of these pages, and of the films that the replay page loads."""
        router = APIRouter(route_class=Route)
        # These routes come first, because the routes of films without a table would also match their addresses.
        table_address = "/films/{recording:path}/tables/{table}"
        router.add_api_route(f"{table_address}/index.json", self.film_at_table, response_model=FilmIndex)
        router.add_api_route(
            f"{table_address}/{{version}}/{{number}}.seg", self.segment_at_table, response_model=Segment
        )
        router.add_api_route("/films/{recording:path}/index.json", self.film, response_model=FilmIndex)
        router.add_api_route("/films/{recording:path}/{version}/{number}.seg", self.segment, response_model=Segment)
        router.add_api_route("/recordings", self.recordings)
        # This route comes first, because the next route also matches its address. FileResponse leaves out the body for
        # HEAD.
        router.add_api_route("/recordings/{recording:path}.jsonl", self.raw, methods=["GET", "HEAD"])
        router.add_api_route("/recordings/{recording:path}", self.recording)
        router.add_api_route("/replay/{recording:path}", self.replay)
        router.add_api_route("/verify", self.verify)
        router.add_api_route("/verify/{recording:path}", self.verify)
        return router

    async def recordings(self, request: Request) -> Response:
        """Returns the list of finished recordings, or of the hands that match a search, page by page."""
        await self._archive.refresh_index()
        search, page = search_of(request), _number(request, "page", 1, MAX_PAGES) or 1
        names_being_read, search_fields = self._archive.names_being_read, asdict(search)
        page_query = {**search_fields, "page": page if page > 1 else 0}

        async def make_values() -> dict[str, Any]:
            found = await self._archive.run_query(lambda index: _search_results(index, search, page))
            return found | {
                "search": search,
                "page_number": page,
                "names_being_read": names_being_read,
                "marks": MARKS,
                "made": HAND_KINDS,
                "link": self._links.link_to_all(request, found["count"]),
                "query": encode_query({**search_fields, SWITCH_NAME: results_in_address(request)}),
                # A page with a list does not reload, because a visitor may be filling in the form above the list.
                "waits": bool(names_being_read and not found["rows"]),
                "again": RELOAD_SECONDS,
                **_result_switch(request, page_query),
            }

        return await self._page(
            request, "recordings/recordings.html", make_values, (names_being_read, self._archive.state), page_query
        )

    async def recording(self, request: Request, recording: str) -> Response:
        """Returns the page of a recording: who played, and every hand of every game."""
        if unlisted := self._archive.find_unlisted(recording):
            return RedirectResponse(unlisted.page)
        opened = await self._archive.open(recording)
        row = opened.row
        assert row is not None, "only unlisted recordings have no row in the archive's index"
        page = max(1, min(_number(request, "page", 1, MAX_PAGES), -(-row.hands // HANDS_PER_PAGE)))
        page_query = {"page": page if page > 1 else 0}

        async def make_values() -> dict[str, Any]:
            link = await self._links.link(request, opened)
            facts = await self._archive.run_query(lambda index: facts_of(index, row, page))
            return {"link": link, **facts, **_result_switch(request, page_query)}

        return await self._page(request, "recordings/recording.html", make_values, (opened.stamp, row), page_query)

    async def replay(self, request: Request, recording: str) -> Response:
        """Returns the page that replays a recording. The page's script loads the film."""
        opened = await self._archive.open(recording)
        row, unlisted = opened.row, opened.unlisted
        hand, table = _number(request, "hand", 0, MAX_HANDS), _number(request, "table", 0, MAX_TABLES)
        if (row and hand > row.hands) or table > 1:
            hand = 0  # only the page's script can check whether there is such a hand at this table
        version = opened.film.version if opened.film else ""

        async def make_values() -> dict[str, Any]:
            return {
                "name": recording,
                "recording": unlisted or row,
                "page": unlisted.page if unlisted else f"/recordings/{quote(recording)}",
                "hand": hand,
                "table": table,
                "version": version,
                "link": await self._links.link(request, opened, hand),
                "results": shows_results(request),
            }

        state = opened.stamp, row, unlisted, version
        return await self._page(request, "recordings/replay.html", make_values, state, {"hand": hand, "table": table})

    async def _page(
        self,
        request: Request,
        template: str,
        make_values: Callable[[], Awaitable[dict[str, Any]]],
        state: object,
        query: Mapping[str, object],
    ) -> Response:
        """Returns the page at the request's address with the query `query`. Renders it again whenever `state` changes.

        If the address says whether pages show results (the results switch), stores this choice in a cookie.
        """
        address = str(request.url.replace(query=""))
        key = address, encode_query(query), results_in_address(request), shows_results(request)
        return store_results_switch(
            request, await self._cache.page(request, self._templates, template, make_values, key=key, state=state)
        )

    async def film(self, request: Request, recording: str, soon: str | None = None) -> Response:
        """Returns the index of a film, and makes the film first if it is missing. With `?soon`, answers with status 202
        and the progress while the film is being made.
        """
        return await self.film_at_table(request, recording, "1", soon)

    async def film_at_table(self, request: Request, recording: str, table: str, soon: str | None = None) -> Response:
        """Returns the index of the film that shows table number `table` of each deal. Table 1 is the main table, which
        was on air.
        """
        patience_seconds = None if soon is None else FILM_WAIT_SECONDS

        async def index() -> bytes:
            number = whole_number(table, MAX_TABLES, 0)
            return (await self._archive.film(recording, number, wait_seconds=patience_seconds)).gzipped_index()

        return await self._film_response(request, index())

    async def segment(self, request: Request, recording: str, version: str, number: str) -> Response:
        """Returns a segment of a film, by the number of its hand. Segment 0 is everything before the first hand."""
        return await self.segment_at_table(request, recording, "1", version, number)

    async def segment_at_table(
        self, request: Request, recording: str, table: str, version: str, number: str
    ) -> Response:
        """Returns a segment of the film that shows table number `table` of each deal."""
        hand, table_number = whole_number(number, MAX_HANDS, MAX_HANDS), whole_number(table, MAX_TABLES, 0)
        return await self._film_response(
            request, self._archive.segment(recording, version, hand, table_number), IMMUTABLE
        )

    async def _film_response(
        self, request: Request, part: Awaitable[bytes], headers: Mapping[str, str] | None = None
    ) -> Response:
        try:
            content = await part
        except FilmInProgress as progress:
            raise JsonError(202, str(progress)) from None
        except Unshowable as why:
            raise JsonError(503 if isinstance(why, NotYetShowable) else 404, str(why)) from None
        except OSError as error:
            raise JsonError(404, f"The film cannot be read: {error.strerror}.") from None
        if not content:
            raise JsonError(404, "There is no such segment: the film's index lists the segments.")
        return gzipped_json(content, request, headers)

    async def verify(self, request: Request, recording: str = "") -> Response:
        """Returns the page that verifies a recording of the archive, or a file of the visitor. The file is not
        uploaded.
        """
        values = {"recording": (await self._open_listed(recording)).row if recording else None, "name": recording}
        return await self._cache.page(request, self._templates, "recordings/verify.html", values, key=recording)

    async def raw(self, recording: str) -> Response:
        """Returns a recording's file, unchanged."""
        try:
            path = (await self._open_listed(recording)).path
        except Unshowable as why:
            return PlainTextResponse(f"{why}\n", 503 if isinstance(why, NotYetShowable) else 404)
        return FileResponse(path, media_type="application/x-ndjson", filename=path.name)

    async def _open_listed(self, name: str) -> OpenedRecording:
        """Returns the recording `name`. Raises Unshowable if it is unlisted.

        Recordings of a season's games are unlisted, because they reveal which fault cost a bot the game. Only the bot's
        owner may know that fault.
        """
        if self._archive.find_unlisted(name):
            raise Unshowable("There is no recording of that name here.")
        return await self._archive.open(name)


def no_recording_page(templates: Jinja2Templates, request: Request, why: Exception) -> Response:
    """Returns the page to show when a route has raised Unshowable. The page says why, and reloads itself if waiting
    helps.
    """
    soon = isinstance(why, NotYetShowable)
    values = {"why": str(why), "soon": soon, "again": RELOAD_SECONDS}
    status, headers = (503, {"Retry-After": str(RELOAD_SECONDS)}) if soon else (404, {})
    return templates.TemplateResponse(request, "recordings/no_recording.html", values, status, headers)


def search_of(request: Request) -> Search:
    """Returns the search in the request's address. Ignores invalid values.

    `mark` is the mark of a dramatic hand, such as "Bluff". `made` is the kind of the winning hand, such as "flush".
    """
    asked = request.query_params
    mark, made = asked.get("mark", ""), asked.get("made", "")
    return Search(
        bot=asked.get("bot", "").strip()[:MAX_SEARCH_CHARACTERS],
        mark=mark if mark in MARKS else "",
        made=made if made in HAND_KINDS else "",
        pot=_number(request, "pot", 0, MAX_CHIPS),
    )


def _result_switch(request: Request, query: Mapping[str, object]) -> dict[str, object]:
    return {"results": shows_results(request), "switched": f"?{query_with_results_switched(request, query)}"}


def _search_results(index: sqlite3.Connection, search: Search, page: int) -> dict[str, Any]:
    rows, more = (queries.hands if search.hands else queries.recordings)(index, search, page)
    return {
        "rows": rows,
        "more": more,
        "count": queries.count_recordings(index),
        "unshowable_files": queries.unshowable_files(index),
    }


def _number(request: Request, key: str, default: int, most: int) -> int:
    return whole_number(request.query_params.get(key, ""), most, default)

"""Serves `/api/v1` for recordings: a list of recordings, a search for hands in all recordings, and the bots and hands
of each recording.
"""

from collections.abc import Hashable
from sqlite3 import Connection
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from broadcast.api.answer_types import HandsFound, OneRecording, RecordingList
from broadcast.api.answers import ApiAnswers, number_in_query
from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import HAND_KINDS, MARKS, Search
from broadcast.archive.showable_recording import NotYetShowable, Unshowable
from broadcast.web.routes import JsonError, Route

MAX_PAGES = 100_000
MAX_CHIPS = 10**9
HANDS_PER_PAGE = 200
MAX_SEARCH_CHARACTERS = 60
Page = Annotated[str, Query(description="The page, counted from 1")]
BotName = Annotated[str, Query(description="A part of a bot's name")]


class RecordingsApi:
    """The routes that read an archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._answers = ApiAnswers()

    def router(self) -> APIRouter:
        """Returns the routes."""
        router = APIRouter(route_class=Route, tags=["Recordings"])
        router.add_api_route("/api/v1/recordings", self.recordings, response_model=RecordingList)
        router.add_api_route("/api/v1/recorded-hands", self.hands, response_model=HandsFound)
        router.add_api_route("/api/v1/recordings/{recording:path}", self.recording, response_model=OneRecording)
        return router

    async def recordings(self, request: Request, bot: BotName = "", page: Page = "") -> Response:
        """Returns a page of up to 50 finished recordings, the newest first."""
        await self._archive.refresh_index()
        page_number, reading = _read_page_number(page), self._archive.names_being_read
        search = Search(bot=bot.strip()[:MAX_SEARCH_CHARACTERS])

        async def make() -> RecordingList:
            rows, more = await self._archive.run_query(lambda index: queries.recordings(index, search, page_number))
            return RecordingList(page_number, more, rows, reading)

        return await self._answers.respond(request, ("recordings", search, page_number), self._state, make)

    async def hands(
        self,
        request: Request,
        *,
        bot: BotName = "",
        mark: Annotated[
            str, Query(description="Why the hand is worth remembering", json_schema_extra={"enum": ["", *MARKS]})
        ] = "",
        made: Annotated[
            str, Query(description="The kind of the winning hand", json_schema_extra={"enum": ["", *HAND_KINDS]})
        ] = "",
        pot: Annotated[str, Query(description="The smallest pot, in chips")] = "",
        page: Page = "",
    ) -> Response:
        """Returns a page of up to 50 hands, from all recordings, that match every given condition."""
        await self._archive.refresh_index()
        page_number, chips = _read_page_number(page), number_in_query(pot, "pot", 0, MAX_CHIPS)
        for name, given, known in (("mark", mark, MARKS), ("made", made, HAND_KINDS)):
            if given and given not in known:
                raise JsonError(400, f"{name} must be one of {', '.join(known)}, not {given[:40]!r}")
        search = Search(bot=bot.strip()[:MAX_SEARCH_CHARACTERS], mark=mark, made=made, pot=chips)

        async def make() -> HandsFound:
            rows, more = await self._archive.run_query(lambda index: queries.hands(index, search, page_number))
            return HandsFound(page_number, more, rows)

        return await self._answers.respond(request, ("hands", search, page_number), self._state, make)

    async def recording(self, request: Request, recording: str, page: Page = "") -> Response:
        """Returns one recording by its name, with its bots and a page of up to 200 hands."""
        page_number = _read_page_number(page)
        try:
            if self._archive.find_unlisted(recording):
                raise Unshowable("There is no recording of that name here.")
            opened = await self._archive.open(recording)
        except Unshowable as why:
            raise JsonError(503 if isinstance(why, NotYetShowable) else 404, str(why)) from None
        row = opened.row
        assert row is not None, "only unlisted recordings have no row"

        def read(index: Connection) -> OneRecording:
            hands = queries.hands_of(index, row, skip=(page_number - 1) * HANDS_PER_PAGE, limit=HANDS_PER_PAGE)
            pages = max(1, -(-row.hands // HANDS_PER_PAGE))
            return OneRecording(row, queries.entrants(index, row), page_number, pages, hands)

        async def make() -> OneRecording:
            return await self._archive.run_query(read)

        return await self._answers.respond(request, (recording, page_number), (opened.stamp, row), make)

    @property
    def _state(self) -> Hashable:
        return self._archive.names_being_read, self._archive.state


def _read_page_number(text: str) -> int:
    return number_in_query(text, "page", 1, MAX_PAGES) or 1

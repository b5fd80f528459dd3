"""The commentators' booth: its requests, and its part of the web application.

Whoever may look at the desk may use it: it puts nothing on air but what the show itself has to tell.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct

from broadcast.booth.notebook import Notebook
from broadcast.booth.state import BoothState, line_of
from broadcast.desk.operators import DeskSeats, fit_name
from broadcast.desk.request_bodies import UNKNOWN, Said
from broadcast.desk.socket import DeskSocket
from broadcast.on_air.log import AirLog
from broadcast.show.showrunner import Showrunner
from broadcast.web.access import FROM_OWN_PAGE
from broadcast.web.routes import Json, JsonBody, JsonError, Route
from server.journal.link import BotNotes, ShowItem
from server.token_bucket import TokenBucket


class _TellRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/tell: puts the storyline of that `key` on air; "" takes away what is there."""

    key: str
    pinned: bool = False


class _NoteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/note: writes a note."""

    text: str
    by: str = ""


class _EraseRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/erase: takes the note of that number out."""

    number: int


class _TickRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/tick: marks a line of the run of the show, counted from 0, as done or not done."""

    item: int
    done: bool


_TellBody = Annotated[_TellRequest, Depends(JsonBody(_TellRequest, UNKNOWN))]
_NoteBody = Annotated[_NoteRequest, Depends(JsonBody(_NoteRequest, UNKNOWN))]
_EraseBody = Annotated[_EraseRequest, Depends(JsonBody(_EraseRequest, UNKNOWN))]
_TickBody = Annotated[_TickRequest, Depends(JsonBody(_TickRequest, UNKNOWN))]


NOBODY = "commentator"
"""Who writes without a name."""
MOST_A_MINUTE = 120
"""Changes by all pages together: people need fewer, and each is written to the disk."""


class Booth:
    """The booth of what is on `air`."""

    def __init__(
        self,
        air: AirLog,
        show: Callable[[], Showrunner | None],
        *,
        notebook: Path | None = None,
        bots: Sequence[BotNotes] = (),
        run_of_show: Sequence[ShowItem] = (),
    ) -> None:
        """`show` gives the show that is on, None for none. The `notebook` is kept in that file, if one is given.

        `bots` and `run_of_show` are what the organiser wrote.
        """
        self._show = show
        self._run_of_show = run_of_show
        self._notebook = Notebook(notebook)
        self._changes = TokenBucket(MOST_A_MINUTE, MOST_A_MINUTE / 60, time.time)
        self._count = 0
        self._seats = DeskSeats()
        self._state = BoothState(air, show, self._notebook, bots, run_of_show)

    def router(self, templates: Jinja2Templates) -> APIRouter:
        """The routes of the booth."""
        router = APIRouter(route_class=Route)
        router.add_api_websocket_route("/ws/booth", DeskSocket(self._seats, self._state.text))
        changes = APIRouter(route_class=Route, dependencies=FROM_OWN_PAGE)
        changes.add_api_route("/api/booth/tell", self.tell, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/note", self.note, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/erase", self.erase, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/tick", self.tick, methods=["POST"], response_model=Said)
        router.include_router(changes)

        @router.get("/booth")
        async def booth(request: Request) -> Response:
            return templates.TemplateResponse(request, "desk/booth.html")

        return router

    async def tell(self, request: _TellBody) -> Json:
        """Puts a storyline on the lower third, or takes away what is there."""
        self._spend()
        show = self._show()
        if show is None:
            raise JsonError(409, "no show is on")
        if not request.key:
            show.storyline.end()
            return self._said("the caption is back")
        found = line_of(show.talk, request.key)
        if found is None:
            raise JsonError(409, "this is true no longer")
        show.tell(found.line, pinned=request.pinned)
        return self._said("it is on air")

    async def note(self, request: _NoteBody) -> Json:
        """Writes a note."""
        self._spend()
        try:
            self._notebook.write(request.text, fit_name(request.by) or NOBODY, int(time.time()))
        except ValueError as error:
            raise JsonError(400, str(error)) from None
        return self._said("the note is there")

    async def erase(self, request: _EraseBody) -> Json:
        """Takes a note out."""
        self._spend()
        try:
            self._notebook.erase(request.number)
        except ValueError as error:
            raise JsonError(409, str(error)) from None
        return self._said("the note is gone")

    async def tick(self, request: _TickBody) -> Json:
        """Marks a line of the run of the show."""
        self._spend()
        if not 0 <= request.item < len(self._run_of_show):
            raise JsonError(400, f"the run of the show has {len(self._run_of_show)} lines; there is no {request.item}")
        self._notebook.tick(request.item, done=request.done)
        return self._said("done" if request.done else "not done")

    def _spend(self) -> None:
        """Counts a change. Raises JsonError if there were too many of late."""
        if not self._changes.spend(1):
            raise JsonError(429, f"the booth takes {MOST_A_MINUTE} changes a minute; wait a little")
        self._count += 1

    def _said(self, words: str) -> Json:
        return Json(Said(words, self._count))

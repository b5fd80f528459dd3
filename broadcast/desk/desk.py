"""The operator's desk: its requests, the state that it sends to its pages, and its routes in the web application.

A request does not change the desk directly. It becomes an entry of the journal (the contest's recording), and the desk
follows the journal.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct
from msgspec.structs import replace

from broadcast.desk.health_lights import Light, LightBoard
from broadcast.desk.log_and_undo import DeskLog, DeskLogLine, describe_change, line_for_page, undo_event
from broadcast.desk.operators import DeskSocket, DeskUser, fit_name
from broadcast.desk.setup_page import SetupPage
from broadcast.obs.control import ObsControl
from broadcast.show.status import ShowStatus
from broadcast.web.access import REQUIRES_CONTROL, Tokens
from broadcast.web.page_reports import PageOrder, PageReport, PageReports
from broadcast.web.routes import Json, JsonBody, JsonError, Route
from server.game.events import ControlSet, Cue, CueGiven, Event
from server.journal.studio_link import Health
from server.tournament.control_values import Controls, Value, set_control

LOG_LINES = 12
"""Each message to a page contains at most this many lines of the log."""
INVALID_REQUEST = "invalid request"
STOP_CONTROLS = ("paused", "held", "stage_end", "unseen")
"""The controls that stop something, or let the table play on unseen. None can be switched on after the tournament."""


class SetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/desk/set: sets `control` to `value`."""

    control: str
    value: Value
    bot: int = 0
    operator: str = ""
    stage: int = 0
    """The number of the stage that the operator saw on air, or 0 for the current stage."""


class CueRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/desk/cue."""

    cue: Cue
    operator: str = ""


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/desk/undo: the `number` of a change in the log, or 0 for the last change that can be undone."""

    number: int = 0
    operator: str = ""


class PageRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/desk/page: an order for a page of the show."""

    page: str
    order: PageOrder


SetBody = Annotated[SetRequest, Depends(JsonBody(SetRequest, INVALID_REQUEST))]
CueBody = Annotated[CueRequest, Depends(JsonBody(CueRequest, INVALID_REQUEST))]
UndoBody = Annotated[UndoRequest, Depends(JsonBody(UndoRequest, INVALID_REQUEST))]
PageBody = Annotated[PageRequest, Depends(JsonBody(PageRequest, INVALID_REQUEST))]


class Said(Struct, frozen=True):
    """The answer to a request. `said` tells the operator what was done. `done` is the number of changes and cues so
    far.

    The state sent to a page has this number, too. The page shows `said` once the number in its state has reached
    `done`.
    """

    said: str
    done: int


class DeskState(Struct, frozen=True):
    """The state of the desk. `undo` is the change that the next undo reverts. `change_count` includes cues."""

    controls: Controls
    status: ShowStatus
    health: Health | None
    bots: Mapping[int, str]
    pages: Sequence[PageReport]
    lights: Sequence[Light]
    undo: DeskLogLine | None
    change_count: int

    @property
    def trouble(self) -> str:
        """Why the show has to wait, or "" if it does not have to wait."""
        return self.health.trouble if self.health else ""

    @property
    def notice(self) -> str:
        """What the operator should check before the start, or "" for nothing."""
        return self.health.notice if self.health else ""

    @property
    def undo_words(self) -> str:
        """What the next undo reverts, in words, or "" if nothing can be undone."""
        return describe_change(self.undo.event, self.bots, self.status.planned) if self.undo else ""


class Desk:
    """The desk of one show.

    `request` records an event in the journal. It returns "", or the reason why the event was refused. Its second
    argument is the number of the stage that the operator saw on air, or 0 for none.
    """

    def __init__(
        self,
        tokens: Tokens,
        request: Callable[[ControlSet | CueGiven, int], Awaitable[str]],
        *,
        controls: Callable[[], Controls],
        health: Callable[[], Health | None],
        status: Callable[[], ShowStatus],
        bots: Callable[[], Mapping[int, str]],
        recordings: Path,
        obs: ObsControl | None = None,
        publishing: Callable[[], Light] | None = None,
        voice: Callable[[], Light] | None = None,
    ) -> None:
        """`recordings` is the folder of the contest's recording. `obs` is None if OBS is not controlled.

        `publishing` returns the health light of publishing, and is None if the show is not published. `voice` returns
        the health light of the voice, and is None if the show has no voice.
        """
        self.tokens = tokens
        self._request = request
        self._request_lock = asyncio.Lock()
        """Makes requests run one by one, because each request needs the settings that the previous request left."""
        self._controls = controls
        self._health = health
        self._status = status
        self._bots = bots
        self._obs = obs
        self._extra_lights = [light for light in (publishing, voice) if light]
        self._pages = PageReports(time.monotonic)
        self._log = DeskLog(time.time)
        self._socket = DeskSocket(self._state_json)
        self._board = LightBoard(time.monotonic)
        self._setup = SetupPage(health, obs, recordings, tokens.view)

    def apply(self, event: Event, utc_seconds: float | None = None) -> None:
        """Follows the next event of the journal. `utc_seconds` is the time of the event in seconds since 1970, by
        default now.
        """
        self._log.apply(event, utc_seconds)

    def router(self, templates: Jinja2Templates, pages: PageReports) -> APIRouter:
        """Returns the routes of the desk. `pages` has the reports of the show's pages."""
        self._pages = pages
        router = APIRouter(route_class=Route)
        router.include_router(self._setup.router(templates, pages))
        router.add_api_websocket_route("/ws/desk", self._socket)
        changes = APIRouter(route_class=Route, dependencies=REQUIRES_CONTROL)
        changes.add_api_route("/api/desk/set", self.set, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/desk/cue", self.cue, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/desk/undo", self.undo, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/desk/page", self.page, methods=["POST"], response_model=Said)
        router.include_router(changes)

        @router.get("/control")
        async def control(request: Request) -> Response:
            return templates.TemplateResponse(request, "desk/control.html")

        return router

    async def set(self, request: SetBody) -> Json:
        """Sets a control."""
        async with self._request_lock:
            event = self._make_event(request)
            if event.value == event.was:
                return self._reply("already set")
            on_air = self._status().stage
            return await self._perform(event, request.stage or (on_air.number if on_air else 0))

    def _make_event(self, request: SetRequest) -> ControlSet:
        """Returns the event for a request under the current controls. Raises JsonError."""
        operator = fit_name(request.operator)
        try:
            event = set_control(
                self._controls(), request.control, request.value, bot=request.bot, bots=self._bots(), operator=operator
            )
        except ValueError as error:
            raise JsonError(400, str(error)) from None
        if event.control == "started" and event.was and not event.value:
            raise JsonError(409, "the tournament has begun, and a start cannot be undone; pause the show instead")
        return event

    async def cue(self, request: CueBody) -> Json:
        """Gives a cue."""
        async with self._request_lock:
            return await self._perform(CueGiven(request.cue, fit_name(request.operator)))

    async def undo(self, request: UndoBody) -> Json:
        """Undoes the requested change, or the last change that still has an effect."""
        async with self._request_lock:
            controls = self._controls()
            line = self._log.find_undoable(controls, request.number)
            if line is None:
                raise JsonError(409, self._log.why_not_undoable(request.number))
            return await self._perform(undo_event(line, controls, fit_name(request.operator)))

    async def page(self, request: PageBody) -> Json:
        """Asks a page of the show to reload or to play a sound."""
        if not self._pages.send_order(request.page, request.order):
            raise JsonError(409, "this page is no longer open")
        return self._reply("the page reloads" if request.order == "reload" else "the page plays a sound")

    async def _perform(self, event: ControlSet | CueGiven, stage: int = 0) -> Json:
        if isinstance(event, ControlSet) and event.control in STOP_CONTROLS and event.value and self._status().is_over:
            raise JsonError(409, "the tournament is over: there is nothing to stop")
        if error := await self._request(event, stage):
            raise JsonError(409, error)
        return self._reply(describe_change(event, self._bots(), self._status().planned))

    def _reply(self, words: str) -> Json:
        return Json(Said(words, self._log.count))

    def current_state(self) -> DeskState:
        """Returns the state of the desk."""
        controls, bots, reports = self._controls(), self._bots(), self._pages.reports()
        health, status = self._health(), self._status()
        obs, extra_lights = self._obs.state if self._obs else None, [light() for light in self._extra_lights]
        return DeskState(
            controls=controls,
            status=status,
            health=health,
            bots=bots,
            pages=reports,
            lights=self._board.lights(health, controls, reports, bots, obs, extra_lights=extra_lights, out=status.out),
            undo=self._log.find_undoable(controls),
            change_count=self._log.count,
        )

    def _state_json(self, user: DeskUser) -> bytes:
        """Returns the state for the page of `user` as a JSON object. Returns the same bytes until the state changes.
        Only users with the right "control" get the logs of bots.
        """
        now = self.current_state()
        controls, status, bots, undo = now.controls, now.status, now.bots, now.undo
        state: dict[str, Any] = {
            "you": user,
            "controls": controls,
            "status": replace(status, eta_s=round(status.eta_s), stage=None),
            "stage": self._log.stage_for_page(status.stage),
            "trouble": now.trouble,
            "notice": now.notice,
            "bots": [{"bot": bot, "name": name} for bot, name in bots.items()],
            "lights": [light if user.right == "control" else replace(light, log="") for light in now.lights],
            "pages": [_page_row(each) for each in now.pages],
            "desks": self._socket.users,
            "undo": {"number": undo.number if undo else 0, "words": now.undo_words},
            "done": now.change_count,
            "log": [line_for_page(line, controls, bots, status.planned) for line in self._log.latest(LOG_LINES)],
        }
        return msgspec.json.encode(state)


def _page_row(page: PageReport) -> dict[str, object]:
    """Returns a row of the desk's list of pages. Requests name a page by the `id` of its row."""
    report = page.report
    return {
        "id": report.id,
        "page": report.page,
        "channel": report.channel,
        "address": page.address,
        "ours": page.is_ours,
        "obs": report.obs.version if report.obs else "",
        "frames": report.frames,
        "sound": report.sound,
        "heard": report.level > 0,
    }

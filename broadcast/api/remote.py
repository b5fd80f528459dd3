"""Serves `/api/v1/desk`, through which programs such as Bitfocus Companion control the show. Every button of the
control desk is one request without a body.

Each request needs a token of the desk in the header `Authorization: Bearer TOKEN`. Cookies are ignored.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, get_args

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from msgspec import Struct
from msgspec.structs import replace

from broadcast.api.answers import number_in_query
from broadcast.desk.buttons import BUTTONS, Button, GiveCue, SetControl, lit_buttons, request_for_press, time_after
from broadcast.desk.desk import CueRequest, Desk, PageRequest, Said, SetRequest, UndoRequest
from broadcast.desk.health_lights import Light
from broadcast.on_air.scenes import SceneName
from broadcast.web.access import RightFromRequest
from broadcast.web.answers import JSON, compressed_answer
from broadcast.web.page_reports import PageOrder
from broadcast.web.routes import Json, JsonError, Route
from broadcast.web.static_files import etag_header
from server.tournament.control_values import Controls, Value

MAX_BREAK_MINUTES = 600
MAX_NUMBER = 10**7
NEEDS_TOKEN = "This needs a token of the desk, in the header Authorization: Bearer TOKEN."  # noqa: S105 (no token)
_SPEED_PATTERN = re.compile(r"\d{1,3}(\.\d{1,6})?")
_UNKNOWN_BUTTON = f"no such button: choose one of {', '.join(BUTTONS)}"
_ORDER_NAMES: tuple[PageOrder, ...] = get_args(PageOrder)


Operator = Annotated[str, Query(description="Who does it, for the desk's log")]
Minutes = Annotated[str, Query(description="How long a break lasts, 1 to 600")]
BotNumber = Annotated[str, Query(description="A bot's number")]


async def _require_token(right: RightFromRequest) -> None:
    if not right:
        raise JsonError(401, NEEDS_TOKEN, {"WWW-Authenticate": "Bearer"})


async def _require_control_token(right: RightFromRequest) -> None:
    if right != "control":
        raise JsonError(403, "This token is view-only: use the control token.")


REQUIRES_TOKEN = [Depends(_require_token)]
"""Guards a request that reads the desk's state. Raises JsonError (401) without a valid token."""
REQUIRES_CONTROL_TOKEN = [*REQUIRES_TOKEN, Depends(_require_control_token)]
"""Guards a request that changes the show. Also raises JsonError (403) for a view-only token."""


class RemoteBot(Struct, frozen=True):
    """A bot's number and name."""

    bot: int
    name: str


class RemotePage(Struct, frozen=True):
    """An open page of the show, which can be ordered to reload or to play a sound. Requests refer to the page by its
    `id`.
    """

    id: str
    page: str


class RemoteState(Struct, frozen=True):
    """The state of the desk: enough to label and light every button.

    `doing` says what is on air, and `lit` lists the lit buttons. `pace` is the speed that viewers see, and
    `controls.speed` is the speed set at the desk. `hands_ahead` is the number of hands that are over at the table but
    have not begun on air. `eta_s` is the number of seconds until the stage is over, or 0 if unknown. `waiting` says why
    the show stands still, or is "" while the show runs. `trouble` says why the game has to wait, and `notice` says what
    the operator should check before the start. `undo` says what the next undo reverts, or is "" if there is nothing to
    undo. `done` is the number of changes and cues.
    """

    on_air: bool
    """Whether the show has started, is not paused, and is not covered by a card."""
    scene: SceneName
    doing: str
    stage: str
    lit: Sequence[Button]
    controls: Controls
    pace: float
    hands_shown: int
    hands_ahead: int
    eta_s: int
    waiting: str
    trouble: str
    notice: str
    undo: str
    done: int
    bots: Sequence[RemoteBot]
    pages: Sequence[RemotePage]
    lights: Sequence[Light]


class RemoteDesk:
    """Lets programs use a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = asyncio.Lock()
        """Makes requests run one by one, because the effect of a request depends on the state after the previous
        request.
        """

    def router(self) -> APIRouter:
        """Returns the routes."""
        router = APIRouter(route_class=Route, tags=["Desk"], dependencies=REQUIRES_TOKEN)
        router.add_api_route("/api/v1/desk", self.look, response_model=RemoteState)
        changes = APIRouter(route_class=Route, dependencies=REQUIRES_CONTROL_TOKEN)
        changes.add_api_route("/api/v1/desk/press/{button}", self.press, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/v1/desk/set/{control}/{value}", self.set, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/v1/desk/undo/{number}", self.undo, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/v1/desk/pages/{page}/{order}", self.order, methods=["POST"], response_model=Said)
        router.include_router(changes)
        return router

    async def look(self, request: Request) -> Response:
        """Returns the state of the desk. The view-only token is enough."""
        text = msgspec.json.encode(self._state())
        return compressed_answer(text, JSON, {**etag_header(text), "Cache-Control": "private, no-cache"}).response_for(
            request
        )

    async def press(self, button: str, operator: Operator = "remote", minutes: Minutes = "") -> Json:
        """Presses a big button of the desk. A switch, such as `pause`, is toggled.

        `minutes` is the length of a break, shown on its card.
        """
        known_button = next((each for each in BUTTONS if each == button), None)
        if known_button is None:
            raise JsonError(404, _UNKNOWN_BUTTON)
        length = number_in_query(minutes, "minutes", 0, MAX_BREAK_MINUTES)
        async with self._lock:
            wanted = request_for_press(
                known_button, self._desk.current_state().controls, lambda: time_after(length) if length else ""
            )
            match wanted:
                case SetControl(control=control, value=value):
                    return await self._desk.set(SetRequest(control, value, operator=operator))
                case GiveCue(cue=cue):
                    return await self._desk.cue(CueRequest(cue, operator))
                case _:
                    return await self._desk.undo(UndoRequest(operator=operator))

    async def set(self, control: str, value: str, bot: BotNumber = "", operator: Operator = "remote") -> Json:
        """Sets a control to a value, such as `paused` to `on`, `speed` to `1.5`, or `card` to `none`.

        The controls `chat` and `media` need the number of a bot.
        """
        wanted, number = _read_value(control, value), number_in_query(bot, "bot", 0, MAX_NUMBER)
        async with self._lock:
            return await self._desk.set(SetRequest(control, wanted, number, operator))

    async def undo(self, number: str, operator: Operator = "remote") -> Json:
        """Undoes the change with this number in the log. 0 means the last change that still has an effect."""
        async with self._lock:
            return await self._desk.undo(
                UndoRequest(number_in_query(number, "the number of a change", 0, MAX_NUMBER), operator)
            )

    async def order(self, page: str, order: str) -> Json:
        """Orders a page of the show to `reload`, or to play a test `sound`."""
        known_order = next((each for each in _ORDER_NAMES if each == order), None)
        if known_order is None:
            raise JsonError(404, f"no such order: choose {' or '.join(_ORDER_NAMES)}")
        return await self._desk.page(PageRequest(page, known_order))

    def _state(self) -> RemoteState:
        now = self._desk.current_state()
        controls, status = now.controls, now.status
        return RemoteState(
            on_air=controls.started and not controls.paused and not controls.card and not status.is_over,
            scene=status.scene,
            doing=status.doing,
            stage=status.stage.title if status.stage else "",
            lit=lit_buttons(controls),
            controls=controls,
            pace=status.pace,
            hands_shown=status.hands_shown,
            hands_ahead=status.hands_ahead,
            eta_s=round(status.eta_s),
            waiting=status.waiting,
            trouble=now.trouble,
            notice=now.notice,
            undo=now.undo_words,
            done=now.change_count,
            bots=[RemoteBot(bot, name) for bot, name in now.bots.items()],
            pages=[RemotePage(each.report.id, each.report.page) for each in now.pages],
            lights=[replace(light, log="") for light in now.lights],
        )


def _read_value(control: str, text: str) -> Value:
    """Reads the value of a control in a request's path. Raises JsonError (400)."""
    if control in ("card", "view"):
        return "" if text == "none" else text
    if control == "speed":
        if not _SPEED_PATTERN.fullmatch(text):
            raise JsonError(400, f"speed must be a number such as 1.5, not {text[:40]!r}")
        return float(text)
    if text not in ("on", "off"):
        raise JsonError(400, f"{control[:40]} must be on or off, not {text[:40]!r}")
    return text == "on"

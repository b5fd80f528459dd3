"""`/setup`, the page for the operator before the show: addresses to copy, scenes for OBS, and a checklist.

It changes nothing of the show; all it can do is build scenes in OBS.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct

from broadcast.desk.checklist import Step, sounding, steps
from broadcast.obs.add_missing_scenes import Built
from broadcast.obs.control import ObsControl
from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.websocket import NoObs, Refused
from broadcast.web.access import CHANGES, VisitorsRight
from broadcast.web.page_reports import PageReports
from broadcast.web.routes import Json, JsonError, Route
from server.journal.link import Health

_HERE = ("localhost", "127.0.0.1", "::1")
_NO_OBS = "Nobody here talks with OBS: start with --obs, or with [obs] in the event file."


class SetupState(Struct, frozen=True):
    """What the page shows: `sounding` are the pages that may be asked to play a sound; `builds` says whether there is
    an OBS to build scenes in."""

    steps: list[Step]
    sounding: list[str]
    builds: bool


class SetupPage:
    """The page and its requests. `recordings` is the folder of the contest's recording."""

    def __init__(
        self, health: Callable[[], Health | None], obs: ObsControl | None, recordings: Path, token: str
    ) -> None:
        """`obs` is None if OBS is not controlled. With `token` in its address a page elsewhere counts as ours."""
        self._health = health
        self._obs = obs
        self._recordings = recordings
        self._token = token

    def router(self, templates: Jinja2Templates, pages: PageReports) -> APIRouter:
        """The routes of the page; `pages` has the reports of the show's pages."""
        router = APIRouter(route_class=Route)

        @router.get("/setup")
        async def page(request: Request) -> Response:
            about = {"origin": _origin(request), "overlay": self._overlay(request)}
            return templates.TemplateResponse(request, "desk/setup.html", about)

        @router.get("/setup/obs.json", response_model=dict[str, Any])
        async def scenes(request: Request) -> Json:
            """The scene collection for OBS."""
            kept = {"Content-Disposition": 'attachment; filename="high-noon.json"'}
            return Json(scene_collection(self._overlay(request)), headers=kept)

        @router.get("/api/setup", response_model=SetupState)
        async def state(right: VisitorsRight) -> Json:
            """The checklist, and what can be done from the page."""
            changes = right == "control"
            names = sounding(pages.reports()) if changes else []
            return Json(SetupState(await self._steps(pages), names, self._builds and changes))

        @router.post("/api/setup/scenes", response_model=Built, dependencies=CHANGES)
        async def build(request: Request) -> Json:
            """Builds the scenes in OBS that are missing there."""
            return Json(await self._build(self._overlay(request)))

        return router

    @property
    def _builds(self) -> bool:
        """Whether there is an OBS to build scenes in."""
        return self._obs is not None and self._obs.state.connected

    def _overlay(self, request: Request) -> str:
        """The address of the overlay with its sound; elsewhere than on this machine with the token."""
        here = request.base_url.hostname in _HERE
        return f"{_origin(request)}/overlay?audio=1{'' if here else f'&token={self._token}'}"

    async def _build(self, overlay: str) -> Built:
        if self._obs is None:
            raise JsonError(409, _NO_OBS)
        try:
            return await self._obs.build(overlay)
        except (NoObs, Refused) as why:
            raise JsonError(409, str(why)) from None

    async def _steps(self, pages: PageReports) -> list[Step]:
        why_not = await asyncio.to_thread(_unwritable, self._recordings)
        return steps(pages.reports(), self._health(), why_not, self._obs.state if self._obs else None)


def _origin(request: Request) -> str:
    """This server as the visitor called it: "http://127.0.0.1:8000". AccessMiddleware has checked the name."""
    return str(request.base_url).rstrip("/")


def _unwritable(folder: Path) -> str:
    """Why `folder` cannot be written to, "" if it can. Tries it with a temporary file."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
    except OSError as error:
        return f"{folder} cannot be written to: {os.strerror(error.errno or 0)}."
    return ""

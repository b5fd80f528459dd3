"""`/setup`: what the operator does before the evening. Addresses to copy, scenes for OBS, and a checklist.

Nothing of the show is changed here, only scenes built in OBS; a test sound is asked for at the desk.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.desk.checklist import Step, sounding, steps
from broadcast.obs.control import ObsControl
from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.websocket import NoObs, Refused
from broadcast.web.access import RIGHT
from broadcast.web.page_reports import Pages
from server.journal.link import Health

_NO_CREW = "Nobody here talks with OBS: start with --obs, or with [obs] in the event file."


class Setup:
    """The page and what it asks for. `recordings` is the folder where this evening is recorded."""

    def __init__(self, health: Callable[[], Health | None], obs: ObsControl | None, recordings: Path | None) -> None:
        """`obs` is None where nobody talks with OBS."""
        self._health = health
        self._obs = obs
        self._recordings = recordings

    def routes(self, templates: Jinja2Templates, pages: Pages) -> Sequence[BaseRoute]:
        """Its part of the web application; `pages` is where the show's pages report."""

        async def page(request: Request) -> Response:
            return templates.TemplateResponse(request, "desk/setup.html", {"origin": _origin(request)})

        async def scenes(request: Request) -> Response:
            kept = {"Content-Disposition": 'attachment; filename="high-noon.json"'}
            return JSONResponse(scene_collection(_origin(request)), headers=kept)

        async def state(request: Request) -> Response:
            found = await self._steps(pages)
            told = {
                "steps": [
                    {"of": each.of, "done": each.done, "words": each.words, "needed": each.needed} for each in found
                ],
                "sounding": sounding(pages.reports()) if request.scope[RIGHT] == "control" else [],
                "builds": self._builds and request.scope[RIGHT] == "control",
            }
            return JSONResponse(told)

        async def build(request: Request) -> Response:
            return await self._build(_origin(request))

        return (
            Route("/setup", page),
            Route("/setup/obs.json", scenes),
            Route("/api/setup", state),
            Route("/api/setup/scenes", build, methods=["POST"]),
        )

    @property
    def _builds(self) -> bool:
        """Whether there is an OBS to build scenes in."""
        return self._obs is not None and self._obs.state.connected

    async def _build(self, origin: str) -> Response:
        if self._obs is None:
            return JSONResponse({"error": _NO_CREW}, 409)
        try:
            built = await self._obs.build(origin)
        except (NoObs, Refused) as why:
            return JSONResponse({"error": str(why)}, 409)
        return JSONResponse({"made": built.made, "left": built.left})

    async def _steps(self, pages: Pages) -> list[Step]:
        why_not = None if self._recordings is None else await asyncio.to_thread(_unwritable, self._recordings)
        return steps(pages.reports(), self._health(), why_not, self._obs.state if self._obs else None)


def _origin(request: Request) -> str:
    """This server as the visitor called it: "http://127.0.0.1:8000". The guard has seen to it that it is ours."""
    return str(request.base_url).rstrip("/")


def _unwritable(folder: Path) -> str:
    """Why nothing can be written to `folder`, "" if it can: it is tried."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
    except OSError as error:
        return f"{folder} cannot be written to: {os.strerror(error.errno or 0)}."
    return ""

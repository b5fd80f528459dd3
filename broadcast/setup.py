"""`/setup`: what the operator does before the evening. Addresses to copy, scenes for OBS, and a checklist.

It changes nothing; a test sound is asked for at the desk.
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

from broadcast.checklist import Step, sounding, steps
from broadcast.guard import RIGHT
from broadcast.obs import scene_collection
from broadcast.obs_state import ObsState
from broadcast.seen import Pages
from server.link import Health


class Setup:
    """The page and what it asks for. `recordings` is the folder where this evening is recorded."""

    def __init__(
        self, health: Callable[[], Health | None], obs: Callable[[], ObsState | None], recordings: Path | None
    ) -> None:
        self._health = health
        self._obs = obs
        self._recordings = recordings

    def routes(self, templates: Jinja2Templates, pages: Pages) -> Sequence[BaseRoute]:
        """Its part of the web application; `pages` is where the show's pages report."""

        async def page(request: Request) -> Response:
            return templates.TemplateResponse(request, "setup.html", {"origin": _origin(request)})

        async def scenes(request: Request) -> Response:
            kept = {"Content-Disposition": 'attachment; filename="high-noon.json"'}
            return JSONResponse(scene_collection(_origin(request)), headers=kept)

        async def state(request: Request) -> Response:
            found = await self._steps(pages)
            told = {
                "steps": [
                    {"of": each.of, "done": each.done, "words": each.words, "needed": each.needed} for each in found
                ],
                "sounding": sounding(pages.seen()) if request.scope[RIGHT] == "control" else [],
            }
            return JSONResponse(told)

        return (Route("/setup", page), Route("/setup/obs.json", scenes), Route("/api/setup", state))

    async def _steps(self, pages: Pages) -> list[Step]:
        why_not = None if self._recordings is None else await asyncio.to_thread(_unwritable, self._recordings)
        return steps(pages.seen(), self._health(), why_not, self._obs())


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

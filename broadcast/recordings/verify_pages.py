"""The pages on which spectators prove a recording themselves, and the recording for them: finished ones only.

What proves it is a script in their browser, which shares nothing with the server; nothing is uploaded.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.archive.archive import Archive
from broadcast.archive.showable_recording import NotYet, Opened, Unshowable
from broadcast.recordings.no_recording import no_recording


class VerifyPages:
    """The pages of one archive that prove its recordings."""

    def __init__(self, archive: Archive, templates: Jinja2Templates) -> None:
        self._archive = archive
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """Their part of the web application; before the archive's own, whose names would hold these."""
        return (
            Route("/verify", self.any_file),
            Route("/verify/{recording:path}", self.recording),
            Route("/recordings/{recording:path}.jsonl", self.raw),
        )

    async def any_file(self, request: Request) -> Response:
        """The page that proves a file of the visitor's own."""
        return self._templates.TemplateResponse(request, "recordings/verify.html", {"recording": None, "name": ""})

    async def recording(self, request: Request) -> Response:
        """The page that proves a recording of the archive."""
        name = request.path_params["recording"]
        try:
            opened = await self._open(name)
        except Unshowable as why:
            return no_recording(self._templates, request, why)
        return self._templates.TemplateResponse(
            request, "recordings/verify.html", {"recording": opened.row, "name": name}
        )

    async def raw(self, request: Request) -> Response:
        """A recording as it lies on disk."""
        try:
            path = (await self._open(request.path_params["recording"])).path
        except Unshowable as why:
            return PlainTextResponse(f"{why}\n", 503 if isinstance(why, NotYet) else 404)
        return FileResponse(path, media_type="application/x-ndjson", filename=path.name)

    async def _open(self, name: str) -> Opened:
        """A listed recording. Raises Unshowable, also for those on no list.

        In the recording of a season's game stands why a bot lost it by a fault, which is for its owner alone.
        """
        if self._archive.find_unlisted(name):
            raise Unshowable("There is no finished recording of that name here.")
        return await self._archive.open(name)

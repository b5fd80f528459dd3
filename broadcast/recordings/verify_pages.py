"""The pages on which visitors verify a finished recording in their browser, and the file for that.

The verifier is a script in the browser that shares no code with the server. Nothing is uploaded.
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
    """The verification pages of one archive."""

    def __init__(self, archive: Archive, templates: Jinja2Templates) -> None:
        self._archive = archive
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of these pages. They must come before those of RecordingPages, which match them, too."""
        return (
            Route("/verify", self.any_file),
            Route("/verify/{recording:path}", self.recording),
            Route("/recordings/{recording:path}.jsonl", self.raw),
        )

    async def any_file(self, request: Request) -> Response:
        """The page that verifies a file of the visitor's own."""
        return self._templates.TemplateResponse(request, "recordings/verify.html", {"recording": None, "name": ""})

    async def recording(self, request: Request) -> Response:
        """The page that verifies a recording of the archive."""
        name = request.path_params["recording"]
        try:
            opened = await self._open(name)
        except Unshowable as why:
            return no_recording(self._templates, request, why)
        return self._templates.TemplateResponse(
            request, "recordings/verify.html", {"recording": opened.row, "name": name}
        )

    async def raw(self, request: Request) -> Response:
        """A recording's file, unchanged."""
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
            raise Unshowable("There is no recording of that name here.")
        return await self._archive.open(name)

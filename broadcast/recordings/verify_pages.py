"""The pages on which visitors verify a finished recording in their browser, and the file for that.

The verifier is a script in the browser that shares no code with the server. Nothing is uploaded.
"""

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from fastapi.templating import Jinja2Templates

from broadcast.archive.archive import Archive
from broadcast.archive.showable_recording import NotYet, Opened, Unshowable
from broadcast.web.answers import KeptAnswers
from broadcast.web.routes import Route


class VerifyPages:
    """The verification pages of one archive."""

    def __init__(self, archive: Archive, templates: Jinja2Templates) -> None:
        self._archive = archive
        self._templates = templates
        self._kept = KeptAnswers()

    def router(self) -> APIRouter:
        """The routes of these pages. They must come before those of RecordingPages, which match them, too."""
        router = APIRouter(route_class=Route)
        router.add_api_route("/verify", self.any_file)
        router.add_api_route("/verify/{recording:path}", self.recording)
        router.add_api_route("/recordings/{recording:path}.jsonl", self.raw, methods=["GET", "HEAD"])
        return router

    async def any_file(self, request: Request) -> Response:
        """The page that verifies a file of the visitor's own."""
        return await self._page(request, {"recording": None, "name": ""})

    async def recording(self, request: Request, recording: str) -> Response:
        """The page that verifies a recording of the archive."""
        return await self._page(request, {"recording": (await self._open(recording)).row, "name": recording})

    async def _page(self, request: Request, about: dict[str, object]) -> Response:
        return await self._kept.page(request, self._templates, "recordings/verify.html", about, key=about["name"])

    async def raw(self, recording: str) -> Response:
        """A recording's file, unchanged."""
        try:
            path = (await self._open(recording)).path
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

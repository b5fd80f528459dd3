"""The page that a browser films a clip from, and the film that the page shows."""

import gzip
from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.film.film import Film
from broadcast.web.squeezed import squeezed_json


class ClipPage:
    """`/clip`, and its film at `/films/clip`."""

    def __init__(self, film: Film, templates: Jinja2Templates) -> None:
        self._outline = gzip.compress(msgspec.json.encode(film.outline))
        self._segments = film.segments
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the page and its film."""
        return (Route("/clip", self.page), Route("/films/clip", self.film))

    async def page(self, request: Request) -> Response:
        """The page with the overlay; its clock is set by the program that takes the frames."""
        return self._templates.TemplateResponse(request, "recordings/clip.html")

    async def film(self, request: Request) -> Response:
        """The outline as JSON, with `?segment=N` a segment."""
        number = request.query_params.get("segment", "")
        return squeezed_json(self._segments[int(number)] if number else self._outline, request)

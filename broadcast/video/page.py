"""The page that a browser films a clip from, and the film that the page shows."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.film.film import Film, index_of
from broadcast.web.squeezed import squeezed_json


class ClipPage:
    """`/clip`, and its film below `/films/clip`."""

    def __init__(self, film: Film, templates: Jinja2Templates) -> None:
        _, self._index = index_of(film)
        self._segments = film.segments
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the page and its film."""
        return (
            Route("/clip", self.page),
            Route("/films/clip/index.json", self.index),
            Route("/films/clip/{version}/{number:int}.seg", self.segment),
        )

    async def page(self, request: Request) -> Response:
        """The page with the overlay; its clock is set by the program that takes the frames."""
        return self._templates.TemplateResponse(request, "recordings/clip.html")

    async def index(self, request: Request) -> Response:
        """The index of the film as JSON."""
        return squeezed_json(self._index, request)

    async def segment(self, request: Request) -> Response:
        """A segment as JSON."""
        number: int = request.path_params["number"]
        if number >= len(self._segments):
            return Response(status_code=404)
        return squeezed_json(self._segments[number], request)

"""The page that a browser films a clip from, and the film that the page shows."""

from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.film.film import Film


class ClipPage:
    """`/clip`, and its film at `/films/clip`."""

    def __init__(self, film: Film, templates: Jinja2Templates) -> None:
        self._outline = msgspec.json.encode(film.outline)
        self._pieces = film.pieces
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the page and its film."""
        return (Route("/clip", self.page), Route("/films/clip", self.film))

    async def page(self, request: Request) -> Response:
        """The page with the overlay; its clock is set by the program that takes the frames."""
        return self._templates.TemplateResponse(request, "recordings/clip.html")

    async def film(self, request: Request) -> Response:
        """The outline as JSON, with `?piece=N` a piece; with `?hand=N` the first piece: hand 0 is all it asks for."""
        piece = request.query_params.get("piece", "0" if "hand" in request.query_params else "")
        content = self._pieces[int(piece)] if piece else self._outline
        return Response(content, media_type="application/json")

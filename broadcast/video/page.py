"""The page a clip is filmed from, and the film behind it, for the one who films."""

from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from broadcast.film.film import Film


class ClipPages:
    """`/clip`, and its film at `/films/clip`."""

    def __init__(self, film: Film, templates: Jinja2Templates) -> None:
        self._outline = msgspec.json.encode(film.outline)
        self._pieces = film.pieces
        self._templates = templates

    def routes(self) -> Sequence[BaseRoute]:
        """Their part of the web application."""
        return (Route("/clip", self.page), Route("/films/clip", self.film))

    async def page(self, request: Request) -> Response:
        """The stage, and time that stands still."""
        return self._templates.TemplateResponse(request, "recordings/clip.html")

    async def film(self, request: Request) -> Response:
        """The outline, or with `?piece=N` a piece; the piece that holds a hand is asked for with the first one's."""
        piece = request.query_params.get("piece", "0" if "hand" in request.query_params else "")
        content = self._pieces[int(piece)] if piece else self._outline
        return Response(content, media_type="application/json")

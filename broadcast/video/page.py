"""The page that a browser films a clip from, and the film that the page shows."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates

from broadcast.film.film import Film, FilmIndex, index_of
from broadcast.film.segments import Segment
from broadcast.web.answers import squeezed_json
from broadcast.web.routes import Route


def clip_router(film: Film, templates: Jinja2Templates) -> APIRouter:
    """`/clip`, and its film below `/films/clip`."""
    router = APIRouter(route_class=Route)
    _, film_index = index_of(film)

    @router.get("/clip")
    async def page(request: Request) -> Response:
        """The page with the overlay; its clock is set by the program that takes the frames."""
        return templates.TemplateResponse(request, "recordings/clip.html")

    @router.get("/films/clip/index.json", response_model=FilmIndex)
    async def index(request: Request) -> Response:
        """The index of the film."""
        return squeezed_json(film_index, request)

    @router.get("/films/clip/{version}/{number:int}.seg", response_model=Segment)
    async def segment(request: Request, version: str, number: int) -> Response:
        """A segment of the film, whatever its `version`."""
        if number >= len(film.segments):
            raise HTTPException(404)
        return squeezed_json(film.segments[number], request)

    return router

"""The guide below `/guide/`, on every application that has pages."""

from pathlib import PurePath

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from broadcast.guide.pages import FIRST, Guide
from broadcast.web.answers import Answer, KeptAnswers, squeezed
from broadcast.web.routes import Route
from broadcast.web.static_files import KINDS, tag_of

_OWN = {".html": "text/html; charset=utf-8", ".toml": "text/plain; charset=utf-8", ".json": "application/schema+json"}


def guide_router() -> APIRouter:
    """The routes of the guide's files; its first page links back to what is on now."""
    router = APIRouter(route_class=Route)
    guide, kept = Guide(home="../"), KeptAnswers()

    def file(name: str) -> Answer:
        content = guide.file(name)
        if content is None:
            raise HTTPException(404)
        return squeezed(content, (KINDS | _OWN)[PurePath(name).suffix], tag_of(content))

    @router.get("/guide")
    async def enter() -> Response:
        return RedirectResponse("/guide/")

    @router.get("/guide/{name:path}")
    async def answer(request: Request, name: str) -> Response:
        name = name or FIRST
        return (await kept.of(name, None, lambda: file(name))).to(request)

    return router

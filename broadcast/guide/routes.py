"""The guide below `/guide/`, on every application that has pages."""

from functools import partial
from pathlib import PurePath

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from broadcast.guide.pages import FIRST, Guide
from broadcast.web.connections.processor_time import off_loop
from broadcast.web.routes import Route
from broadcast.web.static_files import KINDS

_OWN = {".html": "text/html; charset=utf-8", ".toml": "text/plain; charset=utf-8", ".json": "application/schema+json"}


def guide_router() -> APIRouter:
    """The routes of the guide's files; its first page links back to what is on now."""
    router = APIRouter(route_class=Route)
    guide = Guide(home="../")

    @router.get("/guide")
    async def enter() -> Response:
        return RedirectResponse("/guide/")

    @router.get("/guide/{name:path}")
    async def answer(request: Request, name: str) -> Response:
        """Made in a thread: the first reader of a page waits for it to be made, and nobody else."""
        name = name or FIRST
        content = await off_loop(partial(guide.file, name))
        if content is None:
            raise HTTPException(404)
        tag = guide.tag(name)
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers={"ETag": tag})
        return Response(content, headers={"ETag": tag}, media_type=(KINDS | _OWN)[PurePath(name).suffix])

    return router

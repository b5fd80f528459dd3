"""Serves the files of the organiser's branding."""

from functools import partial
from pathlib import PurePath

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from broadcast.web.answers import IMMUTABLE, MEDIA_TYPES, Answer, compressed_answer
from broadcast.web.brand import Brand
from broadcast.web.routes import Route


def brand_router(brand: Brand) -> APIRouter:
    """Returns the route of the branding's files."""
    router = APIRouter(route_class=Route)
    answers = {name: _answer(name, content) for name, content in brand.files.items()}

    @router.get("/brand/{name}")
    async def file(request: Request, name: str) -> Response:
        if name not in answers:
            raise HTTPException(404)
        return answers[name].response_for(request)

    return router


def _answer(name: str, content: bytes) -> Answer:
    make = compressed_answer if name.endswith(".css") else partial(Answer, gzip=b"")
    headers = {**IMMUTABLE, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return make(content, media_type=MEDIA_TYPES[PurePath(name).suffix], headers=headers)

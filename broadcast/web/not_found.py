"""The answer where there is no page, or none now: an HTML page for people, JSON for programs."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.templating import Jinja2Templates

OF_PROGRAMS = "/api/"
MOST_LETTERS = 80
"""Of an address that is repeated."""


def no_page(templates: Jinja2Templates) -> Callable[[Request, Exception], Response]:
    """Answers for an application whose routes end in an HTTPException."""

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException), "it is asked for nothing else"
        path = request.url.path.removeprefix(request.base_url.path[:-1])
        why = _why(error, path if len(path) <= MOST_LETTERS else f"{path[:MOST_LETTERS]}…")
        if request.method not in ("GET", "HEAD") or path.startswith(OF_PROGRAMS):
            return JSONResponse({"error": why}, error.status_code, error.headers)
        late = error.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        about = {"why": why, "heading": "Not now" if late else "No such page"}
        return templates.TemplateResponse(request, "shared/no_page.html", about, error.status_code, error.headers)

    return answer


def cannot_be_read(templates: Jinja2Templates) -> Callable[[Request, Exception], Response]:
    """Answers where a disk or the index of recordings fails; the reason goes to the terminal as well."""

    def answer(request: Request, error: Exception) -> Response:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        logging.getLogger("uvicorn.error").warning("Pages cannot be made: %s", why)
        words = f"What this page is made of cannot be read or kept: {why}"
        return no_page(templates)(request, HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, words, {"Retry-After": "5"}))

    return answer


def _why(error: HTTPException, path: str) -> str:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return f"There is nothing at {path}."
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "another method")
        return f"{path} is there for programs, and takes {allowed} only."
    return f"{error.detail}."

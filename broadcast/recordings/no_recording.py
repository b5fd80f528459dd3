"""The page in place of a recording that cannot be shown. If it only cannot be shown yet, the page reloads itself."""

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates

from broadcast.archive.showable_recording import NotYet

AGAIN_SECONDS = 2
"""Seconds after which a page reloads that waits for a recording."""


def no_recording(templates: Jinja2Templates) -> Callable[[Request, Exception], Response]:
    """Answers with the page that says why, where the route of a page raises Unshowable."""

    def answer(request: Request, why: Exception) -> Response:
        soon = isinstance(why, NotYet)
        about = {"why": str(why), "soon": soon, "again": AGAIN_SECONDS}
        status, headers = (503, {"Retry-After": str(AGAIN_SECONDS)}) if soon else (404, {})
        return templates.TemplateResponse(request, "recordings/no_recording.html", about, status, headers)

    return answer

"""The page in place of a recording that cannot be shown. If it only cannot be shown yet, the page reloads itself."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.templating import Jinja2Templates

from broadcast.archive.showable_recording import NotYet, Unshowable

AGAIN_SECONDS = 2
"""Seconds after which a page reloads that waits for a recording."""


def no_recording(templates: Jinja2Templates, request: Request, why: Unshowable) -> Response:
    """The page that says why."""
    soon = isinstance(why, NotYet)
    about = {"why": str(why), "soon": soon, "again": AGAIN_SECONDS}
    status, headers = (503, {"Retry-After": str(AGAIN_SECONDS)}) if soon else (404, {})
    return templates.TemplateResponse(
        request, "recordings/no_recording.html", about, status_code=status, headers=headers
    )

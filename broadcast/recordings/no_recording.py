"""The page in place of a recording that cannot be shown. If it only cannot be shown yet, the page reloads itself."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.templating import Jinja2Templates

from broadcast.archive.showable_recording import NotYet, Unshowable

AGAIN = {"Refresh": "2", "Retry-After": "2"}
"""What a page says that is worth another look in so many seconds."""


def no_recording(templates: Jinja2Templates, request: Request, why: Unshowable) -> Response:
    """The page that says why."""
    soon = isinstance(why, NotYet)
    about, again = {"why": str(why), "soon": soon}, AGAIN if soon else {}
    status = 503 if soon else 404
    return templates.TemplateResponse(request, "recordings/no_recording.html", about, status_code=status, headers=again)

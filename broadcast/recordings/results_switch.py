"""The switch of the pages of recordings: results are hidden unless a visitor wants to see them.

It stands in the address, `?results=shown` or `hidden`, and is kept in a cookie for the pages that follow.
"""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

NAME = "results"
SHOWN, HIDDEN = "shown", "hidden"
KEPT_SECONDS = 365 * 24 * 3600


def shows_results(request: Request) -> bool:
    """Whether this visitor wants to see who won. What the address says counts before the cookie."""
    return (_asked(request) or request.cookies.get(NAME, "")) == SHOWN


def switched(request: Request) -> str:
    """The query that leads to the same page with the switch the other way."""
    others = [(key, value) for key, value in request.query_params.multi_items() if key != NAME]
    return urlencode([*others, (NAME, HIDDEN if shows_results(request) else SHOWN)])


def remember(request: Request, response: Response) -> Response:
    """Keeps what the address says for the pages that follow; returns `response`."""
    if asked := _asked(request):
        path = request.base_url.path
        response.set_cookie(NAME, asked, max_age=KEPT_SECONDS, path=path, httponly=True, samesite="lax")
    return response


def _asked(request: Request) -> str:
    asked = request.query_params.get(NAME, "")
    return asked if asked in {SHOWN, HIDDEN} else ""

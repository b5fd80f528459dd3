"""The results switch on the pages of recordings: results are hidden unless a visitor wants to see them.

The switch is in the address, as `?results=shown` or `?results=hidden`, and in a cookie for later pages.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

SWITCH_NAME = "results"
SHOWN, HIDDEN = "shown", "hidden"
COOKIE_SECONDS = 365 * 24 * 3600


def shows_results(request: Request) -> bool:
    """Whether this visitor wants to see who won. The address overrides the cookie."""
    return (results_in_address(request) or request.cookies.get(SWITCH_NAME, "")) == SHOWN


def results_in_address(request: Request) -> str:
    """Returns the value of the switch in the address, or "" if the address has no switch."""
    value = request.query_params.get(SWITCH_NAME, "")
    return value if value in {SHOWN, HIDDEN} else ""


def query_with_results_switched(request: Request, query: Mapping[str, object]) -> str:
    """Returns `query` with the other value of the switch, for a link to the same page."""
    return encode_query({**query, SWITCH_NAME: HIDDEN if shows_results(request) else SHOWN})


def encode_query(query: Mapping[str, object]) -> str:
    """Returns `query` as text, without its empty values."""
    return urlencode({key: value for key, value in query.items() if value})


def store_results_switch(request: Request, response: Response) -> Response:
    """Stores the address's switch in a cookie of `response`, for later pages. Returns `response`."""
    if asked := results_in_address(request):
        path = request.base_url.path
        response.set_cookie(SWITCH_NAME, asked, max_age=COOKIE_SECONDS, path=path, httponly=True, samesite="lax")
    return response

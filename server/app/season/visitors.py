"""Who looks at a season's pages: a player by its cookie, the operator by the desk's. Decides nothing else."""

import ipaddress
import secrets
from urllib.parse import parse_qs

from fastapi import Request
from starlette.responses import Response

from broadcast.web.access import RIGHT
from server.season.player_secrets import opens
from server.season.standings import Book, Player

COOKIE_SECONDS = 180 * 24 * 3600
MOST_FIELDS = 300
FORM_SECONDS = 24 * 3600
PAGE_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
"""A form sent from a page that gives no referrer has no origin either, and would be refused as a stranger's.

What is for one player only must not stay in a browser that others use.
"""


def badge_in(request: Request) -> str:
    """The badge that a browser shows, or ""."""
    return request.cookies.get(_cookie_name(request), "")


def visitor(request: Request, book: Book) -> Player | None:
    """The player who looks."""
    badge = badge_in(request)
    return next((each for each in book.members() if badge and opens(badge, each.seal)), None)


def is_operator(request: Request) -> bool:
    """Whether it is somebody who may change things at the desk; who may only look there may not read all logs."""
    return request.scope.get(RIGHT) == "control"


def remember(request: Request, answer: Response, badge: str) -> None:
    """Has the browser show the badge from now on."""
    _set(request, answer, _cookie_name(request), badge, COOKIE_SECONDS)


def address_of(request: Request) -> str:
    """Where a request comes from, as limits count it: of IPv6 the network, for everybody has one for himself."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else host


async def short_form(request: Request) -> dict[str, list[str]]:
    """All of each field of a form without a file; the guard has limited it."""
    try:
        return parse_qs((await request.body()).decode(errors="replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}


def fresh_form() -> str:
    """What is put into a form, so that another one with the same words is not taken for it."""
    return secrets.token_urlsafe(12)


def form_in(request: Request, once: str) -> str:
    """What only the browser knows to which that form was given; "" for one that was given none."""
    mark = request.cookies.get(_cookie_name(request, "form"), "")
    return f"{mark} {once}" if mark and once else ""


def mark(request: Request, answer: Response) -> None:
    """Has a browser that is given a form show from now on that it is the same."""
    name = _cookie_name(request, "form")
    if name not in request.cookies:
        _set(request, answer, name, secrets.token_urlsafe(18), FORM_SECONDS)


def _set(request: Request, answer: Response, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="strict", secure=secure)


def _cookie_name(request: Request, kind: str = "season") -> str:
    """Cookies know no ports: two seasons on one machine would take each other's."""
    server = request.scope.get("server")
    return f"{kind}_{server[1] if server else 0}"

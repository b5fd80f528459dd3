"""Identifies visitors to a season's pages: players by the season's cookie, and the operator by the control desk's
cookie.
"""

import secrets
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request
from starlette.responses import Response

from broadcast.web.access import RIGHT_KEY
from server.ip_addresses import client_subnet
from server.season.player_secrets import badge_matches
from server.season.season_state import Player, Standings

PLAYER_COOKIE_SECONDS = 180 * 24 * 3600
MAX_FIELDS = 300
FORM_COOKIE_SECONDS = 24 * 3600
PAGE_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
"""Headers of the pages. With a stricter referrer policy, browsers would send forms without an origin, and the server
would refuse them. Browsers must not cache the pages, because somebody else may use the browser next.
"""


def badge_in(request: Request) -> str:
    """Returns the badge in the browser's cookie, or "". A badge identifies a player."""
    return request.cookies.get(_cookie_name(request), "")


def find_player(request: Request, standings: Standings) -> Player | None:
    """Returns the player who sent the request, or None if the sender is not a player."""
    badge = badge_in(request)
    return next((player for player in standings.members() if badge and badge_matches(badge, player.seal)), None)


def is_operator(request: Request) -> bool:
    """Whether the visitor may use the control desk's buttons. Some visitors may only look at the desk."""
    return request.scope.get(RIGHT_KEY) == "control"


def set_player_cookie(request: Request, answer: Response, badge: str) -> None:
    """Sets the cookie that identifies the player."""
    _set_cookie(request, answer, _cookie_name(request), badge, PLAYER_COOKIE_SECONDS)


def address_of(request: Request) -> str:
    """Returns the sender's address, to limit the requests of each address. For IPv6, this is the /64 network, because
    one machine may use all addresses of its network.
    """
    return client_subnet(request.client.host if request.client else "")


async def short_form(request: Request) -> dict[str, list[str]]:
    """Returns all values of each field in the urlencoded form of a request, or {} if the form is malformed or has too
    many fields.
    """
    try:
        return parse_qs((await request.body()).decode(errors="replace"), max_num_fields=MAX_FIELDS)
    except ValueError:
        return {}


ShortForm = Annotated[dict[str, list[str]], Depends(short_form)]


def parse_number(text: str) -> int:
    """Reads the number of a player, upload, game or page. Returns 0, which is never valid, for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def fresh_form_mark() -> str:
    """Returns a random mark for a new form. It distinguishes the form from other forms with the same content."""
    return secrets.token_urlsafe(12)


def form_id(request: Request, once: str) -> str:
    """Identifies a form by the browser's mark and the form's mark `once`. Returns "" if a mark is missing."""
    mark = request.cookies.get(_cookie_name(request, "form"), "")
    return f"{mark} {once}" if mark and once else ""


def set_browser_cookie(request: Request, answer: Response) -> None:
    """Sets the cookie that marks the browser, if the browser has none yet."""
    name = _cookie_name(request, "form")
    if name not in request.cookies:
        _set_cookie(request, answer, name, secrets.token_urlsafe(18), FORM_COOKIE_SECONDS)


def _set_cookie(request: Request, answer: Response, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    path = request.base_url.path
    answer.set_cookie(name, value, max_age=seconds, path=path, httponly=True, samesite="strict", secure=secure)


def _cookie_name(request: Request, prefix: str = "season") -> str:
    """Returns the name of a cookie. The name includes the server's port, because browsers send a cookie to all ports of
    a machine.
    """
    server = request.scope.get("server")
    return f"{prefix}_{server[1] if server else 0}"

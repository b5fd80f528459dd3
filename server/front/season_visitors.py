"""Who looks at a season's pages: a player by its cookie, the operator by the desk's. Decides nothing else."""

from fastapi import Request
from starlette.responses import Response

from broadcast.guard import RIGHT
from server.front.season_book import Book, Player
from server.front.season_keys import opens

COOKIE_SECONDS = 180 * 24 * 3600
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
    return next((each for each in book.players.values() if badge and opens(badge, each.seal)), None)


def is_operator(request: Request) -> bool:
    """Whether it is somebody who may change things at the desk; who may only look there may not read all logs."""
    return request.scope.get(RIGHT) == "control"


def remember(request: Request, answer: Response, badge: str) -> None:
    """Has the browser show the badge from now on."""
    answer.set_cookie(
        _cookie_name(request),
        badge,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def _cookie_name(request: Request) -> str:
    """Cookies know no ports: two seasons on one machine would take each other's."""
    server = request.scope.get("server")
    return f"season_{server[1] if server else 0}"

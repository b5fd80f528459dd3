"""The operator's pages of a season: its players, who are let in and removed, and the games that are being played."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from broadcast.web.access import VisitorsRight
from broadcast.web.routes import Json, PlainError, Route
from broadcast.web.templates import page_templates
from server.app.season.upload_page import declined
from server.app.season.views import bot_name
from server.app.season.visitors import PAGE_HEADERS, ShortForm, number_in, visitor
from server.season.ledger import Ledger
from server.season.local_games import GamesStatus
from server.season.uploads.handed import Declined
from server.season.uploads.uploads import Uploads

_MOST_GAMES = 20
"""Open games that are listed, the oldest."""
_AGAIN_SECONDS = 2
NOT_YOURS = "This page is the operator's. Open the control desk first, with the address printed at the start.\n"


async def operators_only(right: VisitorsRight) -> None:
    """Guards the operator's pages. Raises PlainError (403)."""
    if right != "control":
        raise PlainError(403, NOT_YOURS)


def players_router(uploads: Uploads) -> APIRouter:
    """The routes of the page `/season/players`, which lets newcomers in, turns them away and removes players."""
    page = _PlayersPage(uploads)
    router = APIRouter(route_class=Route, dependencies=[Depends(operators_only)])
    router.add_api_route("/season/players", page.players)
    router.add_api_route("/season/players", page.decide, methods=["POST"])
    return router


class _PlayersPage:
    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._templates = page_templates()
        self._each: dict[str, Callable[[int], Awaitable[None]]] = {
            "let in": uploads.let_in,
            "turn away": uploads.turn_away,
            "remove": uploads.remove,
        }

    async def players(self, request: Request) -> Response:
        """The newcomers who wait, and the players."""
        return self._page(request)

    async def decide(self, request: Request, fields: ShortForm) -> Response:
        """Does what was asked with each of the chosen players; the page then says what could not be done."""
        if "origin" not in request.headers:
            raise PlainError(403, NOT_YOURS)
        what = fields.get("do", [""])[0]
        if what in ("invite", "ask"):
            self._uploads.senders.by_invitation = what == "invite"
        elif what not in self._each:
            return PlainTextResponse("The form does not say what to do.\n", 400)
        faults: list[str] = []
        for number in fields.get("who", []) if what in self._each else ():
            try:
                await self._each[what](number_in(number))
            except (Declined, OSError) as error:
                faults += declined(error).faults
        return self._page(request, faults) if faults else RedirectResponse("/season/players", 303)

    def _page(self, request: Request, faults: list[str] | None = None) -> Response:
        standings = self._uploads.ledger.standings
        about = {
            "season": standings,
            "you": visitor(request, standings),
            "operator": True,
            "faults": faults or [],
            "waiting": self._uploads.newcomers.waiting(),
            "players": [
                (player, bot_name(standings, player), self._uploads.senders.came_from.get(player.number, ""))
                for player in standings.members()
            ],
            "has_invitations": self._uploads.senders.has_invitations,
            "by_invitation": self._uploads.senders.by_invitation,
        }
        status = 409 if faults else 200
        return self._templates.TemplateResponse(
            request, "season/season_players.html", about, status, headers=PAGE_HEADERS
        )


def workers_router(ledger: Ledger, status: Callable[[], GamesStatus]) -> APIRouter:
    """The page `/season/workers`, where games are played, what waits and what is slow; the same as JSON beside it."""
    templates = page_templates()
    router = APIRouter(route_class=Route, dependencies=[Depends(operators_only)])

    @router.get("/season/workers")
    async def page(request: Request) -> Response:
        about = {
            "season": ledger.standings,
            "you": visitor(request, ledger.standings),
            "operator": True,
            "status": status(),
            "most_games": _MOST_GAMES,
            "again": _AGAIN_SECONDS,
        }
        return templates.TemplateResponse(request, "season/season_workers.html", about, headers=PAGE_HEADERS)

    @router.get("/season/workers.json", response_model=GamesStatus)
    async def as_json() -> Json:
        """What is being played, where."""
        return Json(status(), headers=PAGE_HEADERS)

    return router

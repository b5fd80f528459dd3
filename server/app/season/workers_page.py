"""The operator's page of the games that are being played: where, by which workers, what waits, what is slow."""

from collections.abc import Callable

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from broadcast.web.routes import Json, Route
from broadcast.web.templates import page_templates
from server.app.season.players_page import operators_only
from server.app.season.visitors import PAGE_HEADERS, visitor
from server.season.ledger import Ledger
from server.season.open_games import GamesStatus

MOST_GAMES = 20
"""Open games that are listed, the oldest."""
AGAIN_SECONDS = 2


def workers_router(ledger: Ledger, status: Callable[[], GamesStatus]) -> APIRouter:
    """The routes of this page, `/season/workers`, and of the same as JSON, `/season/workers.json`."""
    templates = page_templates()
    router = APIRouter(route_class=Route, dependencies=[Depends(operators_only)])

    @router.get("/season/workers")
    async def page(request: Request) -> Response:
        about = {
            "season": ledger.standings,
            "you": visitor(request, ledger.standings),
            "operator": True,
            "status": status(),
            "most_games": MOST_GAMES,
            "again": AGAIN_SECONDS,
        }
        return templates.TemplateResponse(request, "season/season_workers.html", about, headers=PAGE_HEADERS)

    @router.get("/season/workers.json", response_model=GamesStatus)
    async def as_json() -> Json:
        """What is being played, where."""
        return Json(status(), headers=PAGE_HEADERS)

    return router

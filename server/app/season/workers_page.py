"""The operator's page of the games that are being played: where, by which workers, what waits, what is slow."""

from collections.abc import Callable

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from broadcast.web.templates import page_templates
from server.app.season.players_page import NOT_YOURS
from server.app.season.visitors import PAGE_HEADERS, is_operator, visitor
from server.season.ledger import Ledger
from server.season.open_games import GamesStatus

MOST_GAMES = 20
"""Open games that are listed, the oldest."""
AGAIN_SECONDS = 2


def workers_router(ledger: Ledger, status: Callable[[], GamesStatus]) -> APIRouter:
    """The routes of this page, `/season/workers`, and of the same as JSON, `/season/workers.json`."""
    templates = page_templates()
    router = APIRouter()

    async def page(request: Request) -> Response:
        if not is_operator(request):
            return PlainTextResponse(NOT_YOURS, 403)
        about = {
            "season": ledger.standings,
            "you": visitor(request, ledger.standings),
            "operator": True,
            "status": status(),
            "most_games": MOST_GAMES,
            "again": AGAIN_SECONDS,
        }
        return templates.TemplateResponse(request, "season/season_workers.html", about, headers=PAGE_HEADERS)

    async def as_json(request: Request) -> Response:
        if not is_operator(request):
            return PlainTextResponse(NOT_YOURS, 403)
        return Response(msgspec.json.encode(status()), media_type="application/json", headers=PAGE_HEADERS)

    router.add_api_route("/season/workers", page, response_class=HTMLResponse)
    router.add_api_route("/season/workers.json", as_json)
    return router

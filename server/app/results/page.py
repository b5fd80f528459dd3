"""The results as a page and as JSON."""

from collections.abc import Callable

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from broadcast.bot_pages import bot_address
from broadcast.web.templates import page_templates
from server.app.results.results import Results
from server.console import dollars

AGAIN_SECONDS = 15
"""Seconds after which the page of a running contest reloads."""


def results_router(results: Callable[[], Results], again_seconds: int = AGAIN_SECONDS) -> APIRouter:
    """The routes `GET /results`, a page that reloads until the contest is over, and `GET /results.json`.

    `results` returns what may be shown now; a page reloads after `again_seconds`.
    """
    router = APIRouter()
    templates = page_templates()

    @router.get("/results", response_class=HTMLResponse)
    def page(request: Request) -> Response:
        """The final table, or the standing so far."""
        found = results()
        again = {} if found.finished else {"Refresh": str(again_seconds)}
        about = {"results": found, "dollars": dollars, "bot_address": bot_address}
        return templates.TemplateResponse(request, "shared/results.html", about, headers=again)

    @router.get("/results.json")
    def as_json() -> Response:
        """The same for programs. Prizes are in cents."""
        return Response(msgspec.json.encode(results()), media_type="application/json")

    return router

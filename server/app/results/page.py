"""The results as a page and as JSON."""

from collections.abc import Callable

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response

from broadcast.show_pages import bot_address
from broadcast.web.answers import JSON, Answer, KeptAnswers, squeezed
from broadcast.web.routes import Route
from broadcast.web.templates import page_templates
from server.app.results.results import Results
from server.console import dollars

AGAIN_SECONDS = 15
"""Seconds after which the page of a running contest reloads."""


def results_router(results: Callable[[], Results], again_seconds: int = AGAIN_SECONDS) -> APIRouter:
    """The routes `GET /results`, a page that reloads until the contest is over, and `GET /results.json`.

    `results` returns what may be shown now, the same object until that changes; a page reloads after `again_seconds`.
    """
    router = APIRouter(route_class=Route)
    template = page_templates().get_template("shared/results.html")
    kept = KeptAnswers()

    def page(found: Results) -> Answer:
        text = template.render(results=found, dollars=dollars, bot_address=bot_address, again=again_seconds)
        return squeezed(text.encode())

    @router.get("/results")
    async def as_page(request: Request) -> Response:
        """The final table, or the standing so far."""
        found = results()
        return (await kept.of("page", found, lambda: page(found))).to(request)

    @router.get("/results.json", response_model=Results)
    async def as_json(request: Request) -> Response:
        """The same for programs. Prizes are in cents."""
        found = results()
        made = await kept.of("json", found, lambda: squeezed(msgspec.json.encode(found), JSON))
        return made.to(request)

    return router

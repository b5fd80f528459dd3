"""The page that asks the operator what to do while the studio is gone: served by the card room itself.

It has the desk's address and access rules; all other pages ask visitors to wait. A studio that comes replaces it.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Request
from fastapi.responses import Response
from msgspec import Struct
from msgspec.structs import replace

from broadcast.desk.operators import fit_name
from broadcast.web.access import CHANGES, Keyring, Right, Tokens, VisitorsRight
from broadcast.web.guarded_app import guarded_app
from broadcast.web.routes import Json, JsonBody, JsonError
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import page_templates
from server.journal.link import Plan
from server.paths import ASSETS, STATIC

Answer = Literal["unseen", "wait", "restart"]
"""Play on though nobody sees it; wait; start a studio now."""
AGAIN_SECONDS = 3
"""Seconds after which a waiting page reloads."""


class Gone(Struct, frozen=True):
    """What the page shows while the studio is gone."""

    why: str
    """How the last one ended: "ended with status -9"."""
    seconds: int
    """How long it has been gone."""
    started: bool
    unseen: bool
    """Whether the table plays on unseen."""
    waiting: int
    """How many hands have been dealt and not yet shown."""
    right: Right = ""
    """That of whoever looks."""


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a POST to /api/desk/studio."""

    answer: Answer
    operator: str = ""


AnswerBody = Annotated[AnswerRequest, Depends(JsonBody(AnswerRequest, "this is no answer that is known here"))]


class Done(Struct, frozen=True):
    """The answer was taken."""

    said: str = "done"


def gone_app(plan: Plan, gone: Callable[[], Gone], answered: Callable[[Answer, str], str]) -> FastAPI:
    """The web application of these pages, with the access tokens of `plan`.

    `gone` returns the state to show. `answered` is called with the operator's answer and name; it returns "", or in
    words why it was not done.
    """
    keys = Keyring()
    keys.tokens = Tokens(plan.control_token, plan.view_token)
    app = guarded_app(plan.hosts, keys)
    templates = page_templates()

    for kind in ("art", "css", "js"):
        app.mount(f"/static/{kind}", StaticFolder(STATIC / kind))
    app.mount("/assets/fonts", StaticFolder(ASSETS / "fonts"))

    @app.get("/control")
    @app.get("/setup")
    async def page(request: Request) -> Response:
        return templates.TemplateResponse(request, "desk/studio_gone.html", status_code=HTTPStatus.SERVICE_UNAVAILABLE)

    @app.get("/api/desk/studio", response_model=Gone)
    async def state(right: VisitorsRight) -> Json:
        """How the studio is gone."""
        return Json(replace(gone(), right=right))

    @app.post("/api/desk/studio", response_model=Done, dependencies=CHANGES)
    async def answer(asked: AnswerBody) -> Json:
        """What to do about it."""
        if why := answered(asked.answer, fit_name(asked.operator)):
            raise JsonError(409, why)
        return Json(Done())

    @app.get("/{path:path}")
    async def elsewhere(request: Request) -> Response:
        headers = {"Retry-After": str(AGAIN_SECONDS), "Cache-Control": "no-store"}
        about = {"again": AGAIN_SECONDS}
        return templates.TemplateResponse(request, "shared/wait.html", about, headers=headers, status_code=503)

    return app

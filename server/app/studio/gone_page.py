"""The page that asks the operator what to do while the studio is gone: served by the card room itself.

It has the desk's address and access rules; all other pages ask visitors to wait. A studio that comes replaces it.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Literal

import msgspec
from fastapi import FastAPI
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from broadcast.desk.operators import fit_name
from broadcast.web.access import RIGHT, Keyring, Tokens
from broadcast.web.guarded_app import guarded_app
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


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a POST to /api/desk/studio."""

    answer: Answer
    operator: str = ""


def gone_app(plan: Plan, gone: Callable[[], Gone], answered: Callable[[Answer, str], str]) -> FastAPI:
    """The web application of these pages, with the access tokens of `plan`.

    `gone` returns the state to show. `answered` is called with the operator's answer and name; it returns "", or in
    words why it was not done.
    """
    keys = Keyring()
    keys.tokens = Tokens(plan.control_token, plan.view_token)
    app = guarded_app(plan.hosts, keys)
    templates = page_templates()

    async def page(request: Request) -> Response:
        return templates.TemplateResponse(request, "desk/studio_gone.html", status_code=HTTPStatus.SERVICE_UNAVAILABLE)

    async def state(request: Request) -> Response:
        return Response(msgspec.json.encode({"right": request.scope[RIGHT], **_fields(gone())}), 200, _JSON)

    async def answer(request: Request) -> Response:
        try:
            asked = msgspec.json.decode(await request.body(), type=AnswerRequest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return JSONResponse({"error": f"this is no answer that is known here: {error}"}, 400)
        if why := answered(asked.answer, fit_name(asked.operator)):
            return JSONResponse({"error": why}, 409)
        return JSONResponse({"said": "done"})

    async def elsewhere(request: Request) -> Response:
        headers = {"Retry-After": str(AGAIN_SECONDS), "Cache-Control": "no-store"}
        about = {"again": AGAIN_SECONDS}
        return templates.TemplateResponse(request, "shared/wait.html", about, headers=headers, status_code=503)

    app.router.routes[:] = [
        *(Route(path, page) for path in ("/control", "/setup")),
        Route("/api/desk/studio", state),
        Route("/api/desk/studio", answer, methods=["POST"]),
        *(Mount(f"/static/{kind}", StaticFolder(STATIC / kind)) for kind in ("art", "css", "js")),
        Mount("/assets/fonts", StaticFolder(ASSETS / "fonts")),
        Route("/{path:path}", elsewhere),
    ]
    return app


_JSON = {"Content-Type": "application/json"}


def _fields(gone: Gone) -> dict[str, object]:
    return msgspec.structs.asdict(gone)

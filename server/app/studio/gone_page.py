"""The page on which the operator decides what happens while the studio is missed: served by the card room itself.

Behind the same guard as the desk and at the same address; everybody else is asked to wait. It goes when a studio comes.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Literal

import msgspec
from fastapi import FastAPI
from fastapi.templating import Jinja2Templates
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from broadcast.desk.operators import fit_name
from broadcast.web.access import RIGHT, Keyring, Tokens
from broadcast.web.guarded_app import guarded_app
from broadcast.web.static_files import StaticFolder
from server.journal.link import Plan
from server.paths import ASSETS, STATIC, TEMPLATES

Answer = Literal["unseen", "wait", "restart"]
"""The table plays on though nobody sees it; it waits; a studio is started now."""
AGAIN_SECONDS = 3
"""When a page that has to wait asks again."""


class Gone(Struct, frozen=True):
    """How things are while the studio is missed."""

    why: str
    """How the last one ended: "ended with status -9"."""
    seconds: int
    """For how long it has been gone."""
    started: bool
    unseen: bool
    """Whether the table plays on unseen."""
    waiting: int
    """Hands that are played, or begun, and have not been shown."""


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a POST to /api/desk/studio."""

    answer: Answer
    operator: str = ""


def gone_app(plan: Plan, gone: Callable[[], Gone], answered: Callable[[Answer, str], str]) -> FastAPI:
    """The application. `answered` does what an operator decided: "" or in words why not."""
    keys = Keyring()
    keys.tokens = Tokens(plan.control_token, plan.view_token)
    app = guarded_app(plan.hosts, keys)
    templates = Jinja2Templates(TEMPLATES)

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
        headers = {"Refresh": str(AGAIN_SECONDS), "Retry-After": str(AGAIN_SECONDS), "Cache-Control": "no-store"}
        return templates.TemplateResponse(request, "shared/wait.html", headers=headers, status_code=503)

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

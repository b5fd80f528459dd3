"""Detects that the studio is gone, and asks the operator on a page what to do. The studio is the process that serves
the show.

The operator's page is at the desk's usual address and has the same access rules. Visitors of all other pages are asked
to wait. A studio has failed if it ends before it shows anything new. After each failure, the pause before the next
start is longer.
"""

import asyncio
import contextlib
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, Request
from fastapi.responses import Response
from msgspec import Struct
from msgspec.structs import replace

from broadcast.api.studio_gone import Done, Gone, OperatorAnswer, studio_router
from broadcast.desk.operators import fit_name
from broadcast.on_air.diary import last_aired_seq
from broadcast.web.access import REQUIRES_CONTROL, Keyring, RightFromRequest, Tokens
from broadcast.web.guarded_app import guarded_app
from broadcast.web.request_checks import is_api_path
from broadcast.web.routes import Json, JsonBody, JsonError
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import page_templates
from server.journal.studio_link import Plan
from server.paths import ASSETS, STATIC

GONE_AFTER_SECONDS = 10.0
"""A studio that has not run for this many seconds counts as gone."""
FIRST_START_FACTOR = 3
"""The first start may take GONE_AFTER_SECONDS times this factor. The first start is slow, because the bots start at the
same time. A longer wait does no harm, because no show is on air yet.
"""
MAX_FAILURES = 4
"""The studio also counts as gone after this many failures in a row."""
HEALTHY_AFTER_SECONDS = 10.0
"""After a studio has run for this many seconds, earlier failures are forgotten, even if it has shown nothing new."""
RESTART_PAUSE_SECONDS = 0.1
MAX_RESTART_PAUSE_SECONDS = 5.0
"""The longest pause between the end of a studio and the next start."""


class StudioWatch:
    """Watches the studio's runs. `diary` is the path of the show's diary, the file of what has been on air.

    If no studio has run for `gone_after_seconds` seconds, the studio counts as gone. The first start may take
    FIRST_START_FACTOR times as long.
    """

    def __init__(self, diary: Path, clock: Callable[[], float], gone_after_seconds: float = GONE_AFTER_SECONDS) -> None:
        self.end_reason = "has not started yet"
        """How the last run ended, as the end of a sentence that begins with "the studio", such as "hangs"."""
        self._diary = diary
        self._clock = clock
        self._gone_after_seconds, self._usual_gone_after_seconds = (
            FIRST_START_FACTOR * gone_after_seconds,
            gone_after_seconds,
        )
        self._last_entry_on_air = last_aired_seq(diary)
        self._failures = 0
        self._started_at = 0.0
        self._ended_at: float | None = clock()
        self._changed = asyncio.Event()

    @property
    def is_running(self) -> bool:
        """Whether a studio is running and has sent a message."""
        return self._ended_at is None

    @property
    def is_gone(self) -> bool:
        """Whether the studio counts as gone, so that the operator is asked what to do."""
        return self._failures >= MAX_FAILURES or self.gone_seconds >= self._gone_after_seconds

    @property
    def gone_seconds(self) -> float:
        return 0.0 if self._ended_at is None else self._clock() - self._ended_at

    @property
    def restart_pause_seconds(self) -> float:
        return min(RESTART_PAUSE_SECONDS * 2.0**self._failures, MAX_RESTART_PAUSE_SECONDS)

    def record_message(self) -> None:
        if self._ended_at is not None:
            self._started_at, self._ended_at, self._gone_after_seconds = (
                self._clock(),
                None,
                self._usual_gone_after_seconds,
            )
            self._wake()
        if self._failures and self._clock() - self._started_at >= HEALTHY_AFTER_SECONDS:
            self.forget_failures()

    def record_end(self, why: str) -> None:
        """Records that the studio ended. `why` is the end of a sentence that begins with "the studio"."""
        last_entry = last_aired_seq(self._diary)
        self._failures = 0 if last_entry > self._last_entry_on_air else self._failures + 1
        self._last_entry_on_air = max(last_entry, self._last_entry_on_air)
        self.end_reason = why
        if self._ended_at is None:
            self._ended_at = self._clock()
        self._wake()

    def forget_failures(self) -> None:
        """Forgets earlier failures, so that the next pause is short and the studio does not count as gone."""
        self._failures = 0
        self._wake()

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Waits until `condition` returns True. Calls `condition` after every change."""
        while not condition():
            seconds_left = self._gone_after_seconds - self.gone_seconds
            with contextlib.suppress(TimeoutError):
                timeout = None if self.is_running or seconds_left <= 0 else seconds_left
                await asyncio.wait_for(self._changed.wait(), timeout)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


RELOAD_SECONDS = 3
STUDIO_GONE = "The studio is gone and being started again: ask again in a few seconds."


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a POST to /api/desk/studio."""

    answer: OperatorAnswer
    operator: str = ""


AnswerBody = Annotated[AnswerRequest, Depends(JsonBody(AnswerRequest, "this is not a known answer"))]


def gone_app(plan: Plan, gone_state: Callable[[], Gone], carry_out: Callable[[OperatorAnswer, str], str]) -> FastAPI:
    """Returns the web application that serves the operator's page, and asks all other visitors to wait. `gone_state`
    returns the state that the page shows. The tokens of `plan` give access to the page.

    `carry_out` is called with the operator's answer and name. It returns "", or why the answer cannot be carried out.
    """
    keys = Keyring()
    keys.tokens = Tokens(plan.control_token, plan.view_token)
    app = guarded_app(plan.hosts, keys, Path(plan.media))
    templates = page_templates()

    for kind in ("art", "css", "js"):
        app.mount(f"/static/{kind}", StaticFolder(STATIC / kind))
    app.mount("/assets/fonts", StaticFolder(ASSETS / "fonts"))

    @app.get("/control")
    @app.get("/setup")
    async def page(request: Request) -> Response:
        return templates.TemplateResponse(request, "desk/studio_gone.html", status_code=HTTPStatus.SERVICE_UNAVAILABLE)

    @app.get("/api/desk/studio", response_model=Gone)
    async def state(right: RightFromRequest) -> Json:
        """Returns the state while the studio is gone. `right` says whether the visitor may view or control the show."""
        return Json(replace(gone_state(), right=right))

    @app.post("/api/desk/studio", response_model=Done, dependencies=REQUIRES_CONTROL)
    async def answer(asked: AnswerBody) -> Json:
        """Carries out the operator's answer."""
        if why := carry_out(asked.answer, fit_name(asked.operator)):
            raise JsonError(409, why)
        return Json(Done())

    app.include_router(studio_router(gone_state, carry_out))

    @app.post("/api/v1/desk/{path:path}", response_model=Done)
    async def no_desk(path: str) -> Json:
        """Refuses the requests of all other buttons until the studio is back."""
        raise JsonError(503, STUDIO_GONE, {"Retry-After": str(RELOAD_SECONDS)})

    @app.get("/{path:path}")
    async def elsewhere(request: Request, path: str) -> Response:
        if is_api_path(f"/{path}"):
            raise JsonError(503, STUDIO_GONE, {"Retry-After": str(RELOAD_SECONDS)})
        headers = {"Retry-After": str(RELOAD_SECONDS), "Cache-Control": "no-store"}
        values = {"again": RELOAD_SECONDS}
        return templates.TemplateResponse(request, "shared/wait.html", values, headers=headers, status_code=503)

    return app

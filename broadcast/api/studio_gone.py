"""Serves `/api/v1/desk/studio`. If the studio (the process that makes the show) is gone, the operator has to decide
what to do. Programs can read here what there is to decide, and send the decision.

A running studio serves these addresses, too, so that the API's description lists them. It replies that there is nothing
to decide.
"""

from collections.abc import Callable
from typing import Literal, get_args

from fastapi import APIRouter
from msgspec import Struct
from msgspec.structs import replace

from broadcast.api.remote import REQUIRES_CONTROL_TOKEN, REQUIRES_TOKEN, Operator
from broadcast.desk.operators import fit_name
from broadcast.web.access import Right, RightFromRequest
from broadcast.web.routes import Json, JsonError, Route

OperatorAnswer = Literal["unseen", "wait", "restart"]
"""The operator's possible answers: let the table play on unseen, let the table wait, or start a studio."""
OPERATOR_ANSWERS: tuple[OperatorAnswer, ...] = get_args(OperatorAnswer)
STUDIO_IS_HERE = "The studio is here, so there is nothing to answer."


class Gone(Struct, frozen=True):
    """The state while the studio is gone.

    `why` says how the studio's last run ended, such as "ended with status -9". `seconds` is how long the studio has
    been gone. `unseen` says whether the table plays on unseen. `waiting` is the number of dealt hands that viewers have
    not seen.
    """

    why: str
    seconds: int
    started: bool
    """Whether the operator has let the first stage start."""
    unseen: bool
    waiting: int
    right: Right = ""
    """What the caller may do at the desk: look at it ("view"), or change things ("control")."""


class Done(Struct, frozen=True):
    """The reply to an answer that was carried out."""

    said: str = "done"


def studio_router(gone: Callable[[], Gone | None], carry_out: Callable[[OperatorAnswer, str], str]) -> APIRouter:
    """Returns the routes. `gone` returns the state while the studio is gone, and None while the studio is running.

    `carry_out` gets the operator's answer and name. It returns "", or why the answer is impossible.
    """
    router = APIRouter(route_class=Route, tags=["Desk"], dependencies=REQUIRES_TOKEN)

    @router.get("/api/v1/desk/studio", response_model=Gone)
    async def look_for_studio(right: RightFromRequest) -> Json:
        """Returns what the operator is asked while the studio is gone. Answers with status 404 while the studio is
        running.
        """
        if (state := gone()) is None:
            raise JsonError(404, STUDIO_IS_HERE)
        return Json(replace(state, right=right))

    @router.post("/api/v1/desk/studio/{given}", response_model=Done, dependencies=REQUIRES_CONTROL_TOKEN)
    async def answer_for_studio(given: str, operator: Operator = "remote") -> Json:
        """Carries out the operator's answer: `unseen`, `wait` or `restart`. Responds with status 409 if this is
        impossible, for example while the studio is running.
        """
        known_answer = next((each for each in OPERATOR_ANSWERS if each == given), None)
        if known_answer is None:
            raise JsonError(404, f"no such answer: choose one of {', '.join(OPERATOR_ANSWERS)}")
        if why := carry_out(known_answer, fit_name(operator)):
            raise JsonError(409, why)
        return Json(Done())

    return router

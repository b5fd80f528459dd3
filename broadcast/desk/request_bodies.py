"""The JSON bodies of requests to the desk, and the error of one that is refused. Untrusted input: read strictly."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from broadcast.web.page_reports import Order
from server.game.events import Cue
from server.tournament.control_values import Value


class SetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/desk/set: sets `control` to `value`."""

    control: str
    value: Value
    bot: int = 0
    operator: str = ""
    stage: int = 0
    """The stage that the operator saw on air; 0: the present one."""


class CueRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/desk/cue."""

    cue: Cue
    operator: str = ""


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/desk/undo: the `number` of a line of the log, 0 for the last that can be taken back."""

    number: int = 0
    operator: str = ""


class PageRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/desk/page: what a page of the show is to do."""

    page: str
    order: Order


class NotDone(Exception):
    """Nothing was changed: an HTTP status and why, in words for the operator."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


DeskRequest = TypeVar("DeskRequest", bound=Struct)


def answering(
    act: Callable[[DeskRequest], Awaitable[str]], kind: type[DeskRequest], done: Callable[[], int]
) -> Callable[[Request], Awaitable[Response]]:
    """A route that does `act` and answers `{"said": words}`, or `{"error": words}` where nothing was done.

    `done` gives the number of changes and cues so far. The page shows the words once its state has the same number.
    """

    async def answer(request: Request) -> Response:
        try:
            words = await act(msgspec.json.decode(await request.body(), type=kind))
            return JSONResponse({"said": words, "done": done()})
        except NotDone as refusal:
            return JSONResponse({"error": str(refusal)}, refusal.status)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return JSONResponse({"error": f"this is no request the desk knows: {error}"}, 400)

    return answer

"""The JSON of requests to the desk and of their answers. Bodies are untrusted input: read strictly."""

from typing import Annotated

from fastapi import Depends
from msgspec import Struct

from broadcast.web.page_reports import Order
from broadcast.web.routes import JsonBody
from server.game.events import Cue
from server.tournament.control_values import Value

UNKNOWN = "this is no request the desk knows"


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


SetBody = Annotated[SetRequest, Depends(JsonBody(SetRequest, UNKNOWN))]
CueBody = Annotated[CueRequest, Depends(JsonBody(CueRequest, UNKNOWN))]
UndoBody = Annotated[UndoRequest, Depends(JsonBody(UndoRequest, UNKNOWN))]
PageBody = Annotated[PageRequest, Depends(JsonBody(PageRequest, UNKNOWN))]


class Said(Struct, frozen=True):
    """What was done, in words, and how many changes and cues there have been.

    The page shows the words once its state has the same number.
    """

    said: str
    done: int

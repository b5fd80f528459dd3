"""The JSON bodies of requests to the booth. Untrusted input: read strictly."""

from typing import Annotated

from fastapi import Depends
from msgspec import Struct

from broadcast.desk.request_bodies import UNKNOWN
from broadcast.web.routes import JsonBody


class TellRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/tell: puts the storyline of that `key` on air; "" takes away what is there."""

    key: str
    pinned: bool = False


class NoteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/note: writes a note."""

    text: str
    by: str = ""


class EraseRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/erase: takes the note of that number out."""

    number: int


class TickRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of /api/booth/tick: marks a line of the run of the show, counted from 0, as done or not done."""

    item: int
    done: bool


TellBody = Annotated[TellRequest, Depends(JsonBody(TellRequest, UNKNOWN))]
NoteBody = Annotated[NoteRequest, Depends(JsonBody(NoteRequest, UNKNOWN))]
EraseBody = Annotated[EraseRequest, Depends(JsonBody(EraseRequest, UNKNOWN))]
TickBody = Annotated[TickRequest, Depends(JsonBody(TickRequest, UNKNOWN))]

"""Makes the JSON Schema of the data that a show sends: the messages of its WebSocket, its segments (one hand each), and
its index.

The schema is made from the structs that the show encodes. No I/O.
"""

from fractions import Fraction
from inspect import cleandoc
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from broadcast.film.segments import Segment
from broadcast.live.channel import LiveIndex
from broadcast.on_air import events as added  # the events that the show adds to the recorded events
from broadcast.on_air.picture_state import State
from server.game.events import Event, JournalEvent

_REFERENCE_TEMPLATE = "#/$defs/{name}"


class Welcome(Struct, frozen=True, tag="welcome"):
    """The first message of a connection: the number of the show's last entry, the time, and the show's epoch and speed.

    `epoch` changes with each restart of the studio, the process that makes the show. `speed` is 0 if the show runs as
    fast as possible.
    """

    seq: int
    at_ms: int
    epoch: str
    channel: str
    speed: float


class Heartbeat(Struct, frozen=True, tag="heartbeat"):
    """The message that is sent after about two seconds without any other message. A page that receives nothing for much
    longer has lost its connection.
    """

    seq: int
    at_ms: int


class Snapshot(Struct, frozen=True, tag="snapshot"):
    """The whole picture after entry `seq`, for a page that lacks too many entries to get them one by one."""

    seq: int
    at_ms: int
    state: State


class EntryHead(Struct, frozen=True):
    """An entry on air: its number, its time in milliseconds since the show began, and how long it stays on screen."""

    seq: int
    at_ms: int
    hold_ms: int


class SegmentEntryHead(Struct, frozen=True):
    """An entry in a segment: like `EntryHead`, but with its time in milliseconds since the segment began."""

    seq: int
    offset_ms: int
    hold_ms: int


Message = Literal["Welcome", "Heartbeat", "Snapshot", "Entry"]


def messages_schema() -> dict[str, Any]:
    """Returns the schema. Its root describes a message of the WebSocket."""
    event_types = [*get_args(JournalEvent), *(kind for kind in vars(added).values() if _is_event(kind))]
    kinds = [Welcome, Heartbeat, Snapshot, EntryHead, SegmentEntryHead, Segment, LiveIndex, *dict.fromkeys(event_types)]
    _, found = msgspec.json.schema_components(kinds, schema_hook=_fraction_schema, ref_template=_REFERENCE_TEMPLATE)
    schemas: dict[str, Any] = without_indentation(msgspec.json.decode(msgspec.json.encode(found)))
    names = [kind.__name__ for kind in dict.fromkeys(event_types)]
    schemas["ShowEvent"] = {
        "description": "The event of an entry; `type` is its kind. The guide's page on events describes each kind.",
        "oneOf": [_reference(name) for name in names],
    }
    schemas["Entry"] = {"allOf": [_reference("EntryHead"), _reference("ShowEvent")]}
    schemas["SegmentEntry"] = {"allOf": [_reference("SegmentEntryHead"), _reference("ShowEvent")]}
    schemas["Segment"]["description"] = (
        "One hand, event by event, and the picture before it. Times are in milliseconds."
    )
    schemas["Segment"]["properties"]["entries"]["items"] = _reference("SegmentEntry")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "High Noon, version 1 of the show's messages",
        "description": "The messages of /api/v1/show, one object per message. Ignore messages, events and fields "
        "that you do not know: more may be added, but the existing ones never change their meaning.",
        "oneOf": [_reference(name) for name in get_args(Message)],
        "$defs": dict(sorted(schemas.items())),
    }


def without_indentation(description: Any) -> Any:
    """Returns the schema `description` without the indentation of its texts, which were docstrings."""
    if isinstance(description, dict):
        return {
            key: cleandoc(part) if key == "description" and isinstance(part, str) else without_indentation(part)
            for key, part in description.items()
        }
    return [without_indentation(part) for part in description] if isinstance(description, list) else description


def _is_event(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Event) and kind is not Event


def _reference(name: str) -> dict[str, str]:
    return {"$ref": _REFERENCE_TEMPLATE.format(name=name)}


def _fraction_schema(kind: type) -> dict[str, Any]:
    if kind is not Fraction:
        raise NotImplementedError
    return {"type": "number"}

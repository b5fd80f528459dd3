"""Makes the committed descriptions of `/api/v1`: its requests as OpenAPI, and the show's messages as JSON Schema.

Version 1 never changes its meaning. So a new description is not written if a part of the committed description is
missing from it.
"""

import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from broadcast.api.description import api_description
from broadcast.api.messages import messages_schema
from broadcast.app import Studio
from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.desk.desk import Desk
from broadcast.show.status import ShowStatus
from broadcast.web.access import fresh_tokens
from server.app.results.results import Results
from server.app.results.results_output import results_router
from server.game.events import ControlSet, CueGiven
from server.tournament.control_values import Controls

REQUESTS = "assets/schemas/api-v1.json"
MESSAGES = "assets/schemas/messages-v1.json"
_TEXTS = ("description", "title", "summary")
"""The keys whose texts may change, because they do not affect what version 1 means."""


def made_files() -> dict[str, str]:
    """Returns the descriptions, keyed by their paths in the clone."""
    return {REQUESTS: _text(_requests()), MESSAGES: _text(messages_schema())}


def check_promise(clone: Path, made: Mapping[str, str]) -> None:
    """Ends the program with status 1 if a new description lacks a part that the committed description promises."""
    for file in (REQUESTS, MESSAGES):
        if (clone / file).exists():
            old = msgspec.json.decode((clone / file).read_bytes())
            if missing := [*broken(old, msgspec.json.decode(made[file]))]:
                raise SystemExit(
                    f"{file}: version 1 never changes its meaning, but these parts of it have: {', '.join(missing)}"
                )


def broken(old: Any, new: Any, at: str = "") -> Iterator[str]:
    """Yields the places of the description `old` that are missing or different in `new`. Allows additions."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, part in old.items():
            if not (key in _TEXTS and isinstance(part, str)):
                yield from broken(part, new[key], f"{at}/{key}") if key in new else [f"{at}/{key}"]
    elif isinstance(old, list) and isinstance(new, list):
        for part in old:
            if all([*broken(part, other, at)] for other in new):
                yield f"{at}/{part}"
    elif old != new:
        yield at


@cache
def _requests() -> dict[str, Any]:
    """Returns the description of a tournament's studio, because it serves all requests."""

    async def request(_: ControlSet | CueGiven, __: int) -> str:
        raise AssertionError("nobody presses anything")

    status = ShowStatus("starting", "", 0, 0, 0, 1, 1, "")
    with TemporaryDirectory() as work:
        folder = Path(work)
        studio = Studio(folder, time.monotonic)
        studio.add_desk(
            Desk(
                fresh_tokens(),
                request,
                controls=Controls,
                health=lambda: None,
                status=lambda: status,
                bots=dict,
                recordings=folder,
            )
        )
        studio.add_archive(Archive(folder, folder / INDEX_FILE))
        studio.app.include_router(results_router(Results))
        return api_description(studio.app)


def _text(description: Mapping[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(description), indent=1).decode() + "\n"

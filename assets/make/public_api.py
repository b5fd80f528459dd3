"""Makes the committed descriptions of `/api/v1`: its requests as OpenAPI, and the show's messages as JSON Schema.

Version 1 never changes its meaning. So this program refuses a new description in which a part of the committed
description is missing or different.
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

REQUESTS_FILE = "assets/schemas/api-v1.json"
MESSAGES_FILE = "assets/schemas/messages-v1.json"
_TEXT_KEYS = ("description", "title", "summary")
"""The keys whose texts may change, because they do not affect what version 1 means."""


def made_files() -> dict[str, str]:
    """Returns the descriptions, keyed by their paths in the clone."""
    return {REQUESTS_FILE: _encode(_requests()), MESSAGES_FILE: _encode(messages_schema())}


def check_promise(clone: Path, made: Mapping[str, str]) -> None:
    """Ends the program with status 1 if a new description lacks or changes a part of the committed description."""
    for file in (REQUESTS_FILE, MESSAGES_FILE):
        if (clone / file).exists():
            old = msgspec.json.decode((clone / file).read_bytes())
            if missing := [*broken_parts(old, msgspec.json.decode(made[file]))]:
                raise SystemExit(
                    f"{file}: version 1 never changes its meaning, but these parts of it have: {', '.join(missing)}"
                )


def broken_parts(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yields the places of the description `old` that are missing or different in `new`. Allows additions."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, part in old.items():
            if not (key in _TEXT_KEYS and isinstance(part, str)):
                yield from broken_parts(part, new[key], f"{path}/{key}") if key in new else [f"{path}/{key}"]
    elif isinstance(old, list) and isinstance(new, list):
        for part in old:
            if all([*broken_parts(part, other, path)] for other in new):
                yield f"{path}/{part}"
    elif old != new:
        yield path


@cache
def _requests() -> dict[str, Any]:
    """Returns the OpenAPI description of a tournament's studio (a show's web server). It has all routes of the API."""

    async def request(_: ControlSet | CueGiven, __: int) -> str:
        raise AssertionError("only the description is wanted, so nobody may send a request")

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


def _encode(description: Mapping[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(description), indent=1).decode() + "\n"

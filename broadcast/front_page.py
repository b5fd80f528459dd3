"""`/`, the spectators' front page: what is on air now, how all stand, and what can be watched again."""

import sqlite3
from collections.abc import Callable

from fastapi import Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import RecordingRow, Search
from broadcast.on_air.log import AirLog
from broadcast.on_air.plain_standings import plain_standings
from broadcast.web.answers import KeptAnswers

ALSO = 12
"""How many channels are listed besides the one that is shown."""

OnNow = Callable[[], dict[str, list[AirLog]]]
"""The `channels` that are on, the newest first, and those that are `over`."""
Serves = Callable[[str, str], bool]
"""Whether this server has a page for a method and path."""


class FrontPage:
    """The page; it shows the newest channel. `remarks` are sentences for everybody who comes."""

    def __init__(self, templates: Jinja2Templates, on_now: OnNow, serves: Serves) -> None:
        self._templates = templates
        self._on_now = on_now
        self._serves = serves
        self._kept = KeptAnswers()
        self.archive: Archive | None = None
        """The recordings to list; None: there are none here."""
        self.remarks: list[str] = []

    async def page(self, request: Request) -> Response:
        """The page as it is now."""
        on = self._on_now()
        shown = on["channels"][0] if on["channels"] else None
        about = {
            "shown": shown,
            "standings": plain_standings(shown.picture) if shown else (),
            "also": on["channels"][1 : ALSO + 1],
            "more": max(0, len(on["channels"]) - 1 - ALSO),
            "over": on["over"][:ALSO],
            "recordings": await self._recordings(),
            "serves": self._serves,
            "remarks": tuple(self.remarks),
        }
        return await self._kept.page(request, self._templates, "front/front.html", about)

    async def _recordings(self) -> list[RecordingRow]:
        if self.archive is None:
            return []
        try:
            await self.archive.look()
            rows, _ = await self.archive.ask(lambda index: queries.recordings(index, Search(), 1))
        except (OSError, sqlite3.Error):
            return []  # what is on air can be watched all the same
        return rows

"""Serves the organiser's page with the state of a practice server: its games, faults, load and disk."""

import asyncio
import os
import shutil
import time
from collections import Counter, deque

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import Response
from msgspec import Struct

from broadcast.web.access import PRIVATE_HEADERS, is_same_link
from broadcast.web.routes import Json, Route, WantsJson
from broadcast.web.templates import page_templates
from server.app.practice.guests import Guest
from server.app.practice.practice_server import PracticeServer
from server.system.processes import load_average, memory_of

TICK_SECONDS = 1.0
LISTED_MINUTES = 60
"""At most this many minutes are listed, the latest ones."""
MAX_LISTED_BOTS = 10
"""At most this many bots with faults are listed."""


class Minute(Struct):
    """The counts of one minute: games that began, games that ended and faults of bots. `lag_ms` is the greatest lag of
    the server's event loop or of a game process. The minute starts at `begins`, in seconds since 1970.
    """

    begins: int
    begun: int = 0
    over: int = 0
    faults: int = 0
    lag_ms: float = 0.0


class Report(Struct, frozen=True):
    """The state of the server. `load` is the load average over one minute, divided by the number of processors."""

    up_s: int
    tables: int
    most_tables: int
    begun: int
    over: int
    faults: int
    load: float
    lag_ms: float
    memory_bytes: int
    disk_free_bytes: int
    recordings: int
    recordings_bytes: int
    worst: tuple[tuple[str, int], ...]
    """The bots with the most faults, each with the number of its faults."""
    minutes: tuple[Minute, ...]
    """The latest minutes, in order."""


class Status:
    """Counts the games and faults on a practice server."""

    def __init__(self, server: PracticeServer) -> None:
        self.server = server
        self._recordings = server.settings.recordings / "practice"
        self._started_at = time.time()
        self._minutes: deque[Minute] = deque(maxlen=LISTED_MINUTES)
        self._begun_games = self._ended_games = self._faults = 0
        self._faults_by_bot: Counter[str] = Counter()
        server.guests.listeners.append(self._count_change)

    def _count_change(self, guest: Guest, text: str) -> None:
        minute = self._current_minute()
        if text != guest.status:  # the text is not the game's status, so it is a fault
            self._faults += 1
            minute.faults += 1
            self._faults_by_bot[guest.name] += 1
            if len(self._faults_by_bot) > 100 * MAX_LISTED_BOTS:
                self._faults_by_bot = Counter(dict(self._faults_by_bot.most_common(10 * MAX_LISTED_BOTS)))
        elif guest.over:
            self._ended_games += 1
            minute.over += 1
        elif guest.recording and text == "plays":
            self._begun_games += 1
            minute.begun += 1

    def _current_minute(self) -> Minute:
        begins = int(time.time()) // 60 * 60
        if not self._minutes or self._minutes[-1].begins != begins:
            self._minutes.append(Minute(begins))
        return self._minutes[-1]

    async def measure_lag(self) -> None:
        """Measures every second how late the server's event loop is. Records each minute's greatest lag of this loop or
        of a game process. Never returns.
        """
        while True:
            expected_at = time.monotonic() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            minute = self._current_minute()
            minute.lag_ms = max(minute.lag_ms, (time.monotonic() - expected_at) * 1000, self.server.health()[0])

    def report(self) -> Report:
        """Returns the current state. Raises OSError if the folder with the recordings cannot be read."""
        sizes = [path.stat().st_size for path in self._recordings.glob("*.jsonl")] if self._recordings.is_dir() else []
        folder = next(path for path in (self._recordings, *self._recordings.parents) if path.is_dir())
        minutes = tuple(self._minutes)
        return Report(
            int(time.time() - self._started_at),
            self.server.slots.address_slots.taken,
            self.server.slots.limits.tables,
            self._begun_games,
            self._ended_games,
            self._faults,
            load_average() / (os.cpu_count() or 1),
            minutes[-1].lag_ms if minutes else 0.0,
            sum(map(memory_of, (os.getpid(), *self.server.health()[1]))),
            shutil.disk_usage(folder).free,
            len(sizes),
            sum(sizes),
            tuple(self._faults_by_bot.most_common(MAX_LISTED_BOTS)),
            minutes,
        )


def status_router(status: Status) -> APIRouter:
    """The route `/practice/status/TOKEN`. With `?json`, it answers in JSON."""

    async def organisers_only(given: str) -> None:
        if not is_same_link(given, status.server.practice_pages.organiser_token):
            raise HTTPException(404)

    router = APIRouter(route_class=Route, dependencies=[Depends(organisers_only)])
    templates = page_templates()

    @router.get("/practice/status/{given}", response_model=Report)
    async def look(request: Request, as_json: WantsJson) -> Response:
        """The state of the server."""
        report = await asyncio.to_thread(status.report)
        if as_json:
            return Json(report, headers=PRIVATE_HEADERS)
        max_begun = max((minute.begun for minute in report.minutes), default=0)
        values = {"report": report, "most": max(1, max_begun)}
        return templates.TemplateResponse(request, "contests/status.html", values, headers=dict(PRIVATE_HEADERS))

    return router

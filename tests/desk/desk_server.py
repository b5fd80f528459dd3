"""Runs a studio (a show's server) with the operators' desk. Sends requests to it, as browsers and websites do."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import get_args

import httpx
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.booth.booth import Booth
from broadcast.desk.desk import Desk
from broadcast.obs.control import ObsControl
from broadcast.show.showrunner import Showrunner
from broadcast.web.access import Right, Tokens
from broadcast.web.connections.limits import MAX_CONNECTIONS
from broadcast.web.serve import serving
from server.app.results.results import compute_results
from server.app.results.results_output import results_router
from server.game.events import ControlSet, CueGiven, Event, JournalEvent
from server.journal.bus import Bus
from server.journal.studio_link import BotHealth, BotReport, Health, ShowItem
from server.registration.register import CheckedIn, Registration, register_router
from server.tournament.control_values import Controls, evolve
from tests.obs.obs_stand_in import ObsStandIn
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.background import BackgroundService, background_task
from tests.support.described import check_description

BOT_REPORTS = (BotReport("Annie Oddsley", "ANN-ee ODS-lee", "Won the cup in May."),)
SHOW_ITEMS = (ShowItem("Opening", "19:00"), ShowItem("The Trials", "19:10"), ShowItem("Prizes"))
TOKENS = Tokens(control="control-in-tests", view="looking-in-tests")


@cache
def contest_events(hands: int = 6) -> Sequence[Event]:
    """Returns a contest's events, up to the end of hand number `hands` of its first game."""
    script = Script(NAMES, media=False).connect().stage().game((1, 2, 3, 4, 5, 6))
    for turn in range(hands):
        script.play_by_pattern(turn)
    return tuple(entry.event for entry in script.entries if isinstance(entry.event, get_args(JournalEvent)))


class DeskServer(BackgroundService):
    """A studio with a desk, in a thread of its own. `obs`, if given, is a stand-in for OBS in the same thread."""

    def __init__(
        self,
        media: Path,
        events: Sequence[Event],
        *,
        speed: float = 1.0,
        max_connections: int = MAX_CONNECTIONS,
        obs: ObsStandIn | None = None,
        api_for_all: bool = False,
    ) -> None:
        self.address = self.trouble = ""  # `trouble`: why the game waits, or ""
        self.refusal = ""
        """Why all changes from the desk are refused, or "" while changes are granted."""
        self.printed = ""
        """The text that this server gives as the last output of every bot. Operators can read it at the desk."""
        self.ahead = 0.0
        """How many seconds the studio's clock is ahead of the machine's."""
        self.web = httpx.Client(timeout=60.0)
        self._obs, self._api_for_all = obs, api_for_all
        self._max_connections = max_connections
        self._media, self._events, self._speed = media, list(events), speed
        self._names = {entrant.bot: entrant.name for entrant in events[0].entrants}  # type: ignore[attr-defined]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    @property
    def done(self) -> list[ControlSet | CueGiven]:
        """Returns all changes and cues (such as "next") from the desk, in order."""
        return [entry.event for entry in self.bus.entries if isinstance(entry.event, ControlSet | CueGiven)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serves the pages at `address`, runs the show and controls OBS."""
        async with AsyncExitStack() as closing:
            closing.callback(self.web.close)
            if self._obs:
                await closing.enter_async_context(self._obs)
            obs_control = self._make_studio()
            server = serving(self.studio.app, "127.0.0.1", 0, max_connections=self._max_connections)
            self.address = await closing.enter_async_context(server)
            await closing.enter_async_context(background_task(self._show.run(self.bus.follow())))
            if obs_control:
                await closing.enter_async_context(background_task(obs_control.run()))
            yield

    def _make_studio(self) -> ObsControl | None:
        self.studio = Studio(self._media, self._clock, hosts=("saloon.example",), api_for_all=self._api_for_all)
        self.studio.add_metrics()
        self.bus = Bus(None, time.monotonic)
        self.controls = Controls()
        self.air = self.studio.open_channel("main", self._speed)  # `air`: the channel that viewers see
        self._show = Showrunner(self.air, clock=self._clock)
        pages = self.studio.pages.reports
        obs_control = ObsControl(self._obs.address, "", self.air, pages, clock=time.monotonic) if self._obs else None
        self.desk = Desk(
            TOKENS,
            self._request,
            controls=lambda: self.controls,
            health=self._health,
            status=lambda: self._show.status,
            bots=lambda: self._names,
            recordings=self._media,
            obs=obs_control,
        )
        self.studio.add_desk(self.desk)
        notebook = self._media / "show.booth"
        booth = Booth(self.air, lambda: self._show, notebook=notebook, bots=BOT_REPORTS, run_of_show=SHOW_ITEMS)
        self.studio.add_booth(booth)
        self.studio.app.include_router(register_router(accept_registration))
        self.studio.add_archive(Archive(self._media, self._media / INDEX_FILE))
        self.studio.app.include_router(results_router(lambda: compute_results(self.bus.entries)))
        self.bus.listeners += [self.desk.apply, self._follow]
        self.bus.publish(*self._events)
        return obs_control

    def _clock(self) -> float:
        return time.monotonic() + self.ahead

    async def _request(self, event: ControlSet | CueGiven, _stage: int) -> str:
        """Grants or refuses a request after a moment, as the card room (the process that plays the contest) does."""
        for _ in range(10):
            await asyncio.sleep(0)
        if not self.refusal:
            self.bus.publish(event)
        return self.refusal

    def _follow(self, event: Event) -> None:
        self.controls = evolve(self.controls, event)

    def _health(self) -> Health:
        health = BotHealth(1, "here", turns=3, memory_bytes=7 << 20, memory_limit_bytes=64 << 20, log=self.printed)
        bots = tuple(replace(health, bot=bot) for bot in self._names)
        return Health("in a test", self.trouble, entries=len(self.bus.entries), write_ms=250, bots=bots)


async def accept_registration(registration: Registration, address: str) -> CheckedIn:
    return CheckedIn(5001, 1)


def cookie(server: DeskServer, right: Right) -> str:
    """Returns the Cookie header of a browser with the token of `right`, or "" if `right` is ""."""
    return f"desk_{server.port}={TOKENS.cookie_value(right)}" if right else ""


def make_headers(server: DeskServer, right: Right = "", **changed: str) -> dict[str, str]:
    """Returns the headers that a page of this server sends. `changed` replaces values. The value "" omits a header."""
    values = {"host": f"127.0.0.1:{server.port}", "origin": server.address, "cookie": cookie(server, right)} | changed
    return {name.replace("_", "-"): value for name, value in values.items() if value}


def ask(server: DeskServer, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> httpx.Response:
    """Requests `path` without following redirects. Checks the answer against the description of the API."""
    response = server.web.request(method, server.address + path, headers=headers, content=body or None)
    server.web.cookies.clear()
    return check_description(server.studio.app, response)


def handshake_status(server: DeskServer, path: str, headers: dict[str, str]) -> int:
    """Returns the HTTP status of a WebSocket handshake: 101 if the socket opens."""
    key = {"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "sec-websocket-version": "13"}
    upgrade = {"connection": "Upgrade", "upgrade": "websocket", **key}
    with server.web.stream("GET", server.address + path, headers=headers | upgrade) as response:
        server.web.cookies.clear()
        return response.status_code

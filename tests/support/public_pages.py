"""The addresses of all public pages of a studio (the process that shows contests), and a show that fills the pages."""

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import httpx

from broadcast.app import Studio
from broadcast.archive.archive import Archive
from broadcast.on_air.events import OnAirEntry
from broadcast.show.status import ShowStatus
from server.app.decisions.author_reports import author_link
from server.app.recordings.archive import add_archive
from server.app.results.results_output import results_router
from server.app.studio.author_pages import AuthorPages
from server.app.studio.process import AiredResults
from server.game.events import HandEnded, TournamentOpened
from server.journal.journal import Entry
from tests.support.games.recordings import write

AUTHORS = "ab" * 32
"""The secret from which the private links of the bots' authors are made."""
RECORDING = "friday"
ROUTES_WITHOUT_PARAMETERS = (
    "/", "/projector", "/healthz", "/favicon.ico", "/guide", "/results", "/results.json", "/previews.png", "/verify",
    "/api/v1/", "/api/v1/openapi.json", "/api/v1/messages.json", "/api/v1/channels", "/api/v1/on-air",
    "/api/v1/standings", "/api/v1/schedule", "/api/v1/bots", "/api/v1/statistics", "/api/v1/luck", "/api/v1/results",
)  # fmt: skip
PUBLIC_ADDRESSES: dict[str, tuple[str, ...]] = {
    **{route: (route,) for route in ROUTES_WITHOUT_PARAMETERS},
    "/overlay": ("/overlay", "/overlay?shape=tall"),
    "/watch": ("/watch", "/watch?results=shown"),
    "/bots/{name:path}": ("/bots/", "/bots/{bot}"),
    "/guide/{name:path}": ("/guide/",),
    "/recordings": ("/recordings", "/recordings?bot={bot}", "/recordings?pot=5", "/recordings?results=shown"),
    "/recordings/{recording:path}": ("/recordings/{recording}", "/recordings/{recording}?results=shown"),
    "/recordings/{recording:path}.jsonl": ("/recordings/{recording}.jsonl",),
    "/previews/{recording:path}.png": ("/previews/{recording}.png", "/previews/{recording}.png?hand=1"),
    "/verify/{recording:path}": ("/verify/{recording}",),
    "/replay/{recording:path}": ("/replay/{recording}", "/replay/{recording}?hand=1"),
    "/films/{recording:path}/index.json": ("/films/{recording}/index.json",),
    "/films/{recording:path}/{version}/{number}.seg": ("/films/{recording}/{version}/1.seg",),
    "/films/{recording:path}/tables/{table}/index.json": ("/films/{recording}/tables/1/index.json",),
    "/films/{recording:path}/tables/{table}/{version}/{number}.seg": ("/films/{recording}/tables/1/{version}/1.seg",),
    "/live/{channel}/index.json": ("/live/main/index.json", "/live/main/index.json?since={hand}"),
    "/live/{channel}/{epoch}/open.json": ("/live/main/{epoch}/open.json",),
    "/live/{channel}/{epoch}/{number}.seg": ("/live/main/{epoch}/{hand}.seg",),
    "/live/{channel}/{epoch}/{number}.hands": ("/live/main/{epoch}/0.hands",),
    "/api/v1/bots/{bot}": ("/api/v1/bots/1",),
    "/api/v1/hands": ("/api/v1/hands", "/api/v1/hands?since={hand}"),
    "/api/v1/hands/{number}": ("/api/v1/hands/{hand}",),
    "/api/v1/recordings": ("/api/v1/recordings", "/api/v1/recordings?bot={bot}"),
    "/api/v1/recorded-hands": ("/api/v1/recorded-hands", "/api/v1/recorded-hands?pot=5"),
    "/api/v1/recordings/{recording:path}": ("/api/v1/recordings/{recording}",),
    "/own/{link}": ("/own/{link}", "/own/{link}?json"),
    "/own/{link}/{number:int}": ("/own/{link}/1", "/own/{link}/1?json"),
}
"""Addresses for each route (a pattern of paths). `parameters_of()` returns the values that replace the braces."""
STATIC_FILES = ("/static/js/overlay/main.js", "/static/css/overlay/overlay.css")
MISSING_PAGES = ("/nothing", "/bots/Nobody", "/overlay?channel=nowhere", "/recordings/nothing", "/media/nothing.webp")


def addresses(parameters: Mapping[str, object]) -> dict[str, str]:
    """Returns the route of each public address, keyed by the address. Files and missing pages have the route ""."""
    route_by_address = {path.format(**parameters): route for route, paths in PUBLIC_ADDRESSES.items() for path in paths}
    return route_by_address | dict.fromkeys((*STATIC_FILES, *MISSING_PAGES), "")


async def parameters_of(web: httpx.AsyncClient, recording: str, bot: str, link: str, hand: int) -> dict[str, object]:
    """Returns the values that replace the braces in a studio's addresses. `web` is a client of the studio."""
    film = (await web.get(f"/films/{recording}/index.json")).raise_for_status().json()
    live = (await web.get("/live/main/index.json")).raise_for_status().json()
    parameters = {"recording": recording, "bot": quote(bot), "hand": hand, "link": link}
    return {**parameters, "version": film["version"], "epoch": live["epoch"]}


class Evening:
    """An evening's show, in which a contest goes on air hand by hand. The archive lists a recording of the contest."""

    def __init__(self, folder: Path, entries: Sequence[Entry], coming_entries: Iterable[OnAirEntry]) -> None:
        """`entries` is the contest's journal. `coming_entries` has the entries that `play` puts on air."""
        self.studio = Studio(folder / "media", time.monotonic)
        self.hands = 0
        opened = entries[0].event
        assert isinstance(opened, TournamentOpened)
        self._names = {each.bot: each.name for each in opened.entrants}
        self._air = self.studio.open_channel("main", 1.0)
        self._coming_entries = iter(coming_entries)
        self._aired_results = AiredResults(entries, lambda: ShowStatus("table", "", self.hands, 0, 0.0, 1.0, 1.0, ""))
        pages = AuthorPages(AUTHORS, lambda: self._names, folder, self._aired_results.games)
        self.studio.app.include_router(results_router(self._aired_results.results))
        self.studio.app.include_router(pages.router())
        write(folder / f"{RECORDING}.jsonl", entries)
        self.archive: Archive = add_archive(self.studio, folder)

    def play(self, hands: int) -> None:
        self.hands += hands
        for entry in self._coming_entries:
            self._air.put(entry.event, entry.at_ms, entry.hold_ms)
            hands -= isinstance(entry.event, HandEnded)
            if not hands:
                break
        self._aired_results.apply_aired_entries()

    async def addresses(self, web: httpx.AsyncClient) -> dict[str, str]:
        """Waits until the recording is listed. Returns the route of each public address of the show."""
        await self.archive.refresh_index(wait_for_all=True)
        bot = self._names[1]
        return addresses(await parameters_of(web, RECORDING, bot, author_link(AUTHORS, 1, bot), self.hands - 1))

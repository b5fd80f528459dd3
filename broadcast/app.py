"""The studio: the web application of a live show, with its pages, its WebSocket, static files and media."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from functools import partial
from pathlib import Path

from fastapi import Request
from fastapi.responses import FileResponse, Response
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.routing import Match, WebSocketRoute

from broadcast.api.description import description_router
from broadcast.api.metrics import Metrics, MetricValue, desk_metrics
from broadcast.api.recordings_api import RecordingsApi
from broadcast.api.remote import RemoteDesk
from broadcast.api.show_api import ShowApi
from broadcast.api.studio_gone import STUDIO_IS_HERE, studio_router
from broadcast.archive.archive import Archive
from broadcast.archive.showable_recording import Unshowable
from broadcast.booth.booth import Booth
from broadcast.desk.desk import Desk
from broadcast.film.film import Film
from broadcast.guide.pages import guide_router
from broadcast.live.channel import KEPT_BYTES, LiveChannel, LivePages
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.plain_standings import plain_standings
from broadcast.on_air.viewers import Fanout, ShowSocket
from broadcast.recordings.link_image import LinkImages
from broadcast.recordings.link_pages import LinkPages
from broadcast.recordings.pages import RecordingPages, no_recording_page
from broadcast.recordings.results_switch import shows_results, store_results_switch
from broadcast.show_pages import ShowPages
from broadcast.video.frames import clip_router
from broadcast.web.access import Keyring
from broadcast.web.answers import AnswerCache
from broadcast.web.connections.batch_send import BatchSender, batch_sender
from broadcast.web.guarded_app import error_page, guarded_app, unavailable_page
from broadcast.web.page_reports import PageReports
from broadcast.web.routes import Json
from broadcast.web.static_files import MediaFiles, StaticFolder
from broadcast.web.templates import page_templates
from server.paths import ASSETS, STATIC

WhyAbsent = Callable[[str], str]
"""A function that takes a channel's name. It returns why this channel will never be opened, or "" if it may be."""

MAX_PAGE_LAG_SECONDS = 60
"""A page may lag behind the show by at most this many seconds. So the front page waits this long before it says that a
show is over.
"""


class ChannelHealth(Struct, frozen=True):
    """The state of a channel. `seq` is the number of its last entry on air. `viewers` is the number of pages that
    follow the channel.
    """

    seq: int
    viewers: int


class StudioHealth(Struct, frozen=True):
    """The answer of `/healthz`. `sending` names the technique with which the show is sent to viewers."""

    status: str
    sending: str
    channels: dict[str, ChannelHealth]


class Studio:
    """The channels on air, one for each show, and the web application `app` that shows them."""

    def __init__(
        self,
        media: Path,
        clock: Callable[[], float],
        hosts: Iterable[str] = (),
        sender: BatchSender | None = None,
        *,
        api_for_all: bool = False,
        utc_clock: Callable[[], float] = time.time,
    ) -> None:
        """`media` is the folder of the bots' media, created if it is missing. `clock` returns monotonic seconds, and
        `utc_clock` returns seconds since 1970.

        `hosts` are names of this machine, besides its addresses. `sender` sends the show to viewers. If it is None, the
        best sender for this system is used. With `api_for_all`, pages of every site may read the API. Raises OSError if
        the folder cannot be created.
        """
        self._clock = clock
        self._utc_clock = utc_clock
        self._sender = sender or batch_sender()
        self.media = media
        self._keys = Keyring()
        self.pages = PageReports(
            clock, lambda channel: self.channels[channel].last_seq if channel in self.channels else None
        )
        self.channels: MutableMapping[str, AirLog] = {}
        self.why_absent: WhyAbsent = lambda channel: (
            "" if channel == "main" else f"There is no channel {channel[:40]} here: the show is on main."
        )
        self.metrics: Metrics | None = None
        """None until `add_metrics` is called."""
        self._fanouts: dict[str, Fanout] = {}
        self._live: dict[str, LiveChannel] = {}
        self.app = guarded_app(hosts, self._keys, media, api_for_all=api_for_all)
        self._add_files(media)
        self._templates = page_templates()
        self._cache = AnswerCache()
        self.app.add_exception_handler(HTTPException, partial(error_page, self._templates))
        for fault in (sqlite3.Error, OSError):
            self.app.add_exception_handler(fault, partial(unavailable_page, self._templates))
        self._add_pages()
        on_now = partial(self._channels_now, MAX_PAGE_LAG_SECONDS)
        self.show_pages = ShowPages(self._templates, self.channels, on_now, self._has_route)
        for path in ("/ws/show", "/api/v1/show"):  # pages of other sites use the second address
            self.app.router.routes.append(WebSocketRoute(path, ShowSocket(self._fanouts, self._why_absent)))
        self.app.include_router(LivePages(self._live, self._why_absent).router())
        self.app.include_router(ShowApi(self.channels, self._live, self._why_absent).router())
        self.app.include_router(description_router(self.app, self._templates))
        self.app.include_router(self.pages.router())
        self.app.add_api_route("/", self.show_pages.front)
        self.app.add_api_route("/bots/{name:path}", self.show_pages.bot)  # a name may have a slash in it
        self.app.include_router(guide_router(self.app.state.brand))

    def add_metrics(self) -> Metrics:
        """Serves `/metrics` and returns the metrics, so that the caller can add sources.

        Call this at most once, before `open_channel`.
        """
        self.metrics = Metrics()
        self.metrics.sources.append(self._read_viewers)
        self.app.include_router(self.metrics.router())
        return self.metrics

    def _read_viewers(self) -> Iterator[MetricValue]:
        for name, fanout in self._fanouts.items():
            yield MetricValue("highnoon_viewers", "Pages that follow the show", fanout.viewer_count, {"channel": name})

    def add_desk(self, desk: Desk) -> None:
        """Serves the operator's control desk to holders of the desk's tokens. Call this at most once."""
        self._keys.tokens = desk.tokens
        self.pages.enabled = True
        self.app.include_router(desk.router(self._templates, self.pages))
        self.app.include_router(RemoteDesk(desk).router())
        # Programs ask here whether the studio is gone. This studio answers that it is running.
        self.app.include_router(studio_router(lambda: None, lambda _answer, _operator: STUDIO_IS_HERE))
        if self.metrics:
            self.metrics.sources.append(partial(desk_metrics, desk))

    def add_booth(self, booth: Booth) -> None:
        """Serves the commentators' booth to holders of the desk's tokens. Call this at most once, after `add_desk`."""
        self.app.include_router(booth.router(self._templates))

    def add_archive(self, archive: Archive) -> None:
        """Serves the recordings of an archive, with their replays. Call this at most once."""
        self.show_pages.archive = archive
        self.app.add_exception_handler(Unshowable, partial(no_recording_page, self._templates))
        links = LinkPages(archive, LinkImages(self.media))
        for pages in (links, RecordingPages(archive, self._templates, links), RecordingsApi(archive)):
            self.app.include_router(pages.router())

    def add_clip(self, film: Film) -> None:
        """Serves the page from which a clip is recorded.

        Call this at most once, and call no other method `add_…`.
        """
        self.app.include_router(clip_router(film, self._templates))

    def open_channel(self, name: str, speed: float, title: str = "", kept_bytes: int = KEPT_BYTES) -> AirLog:
        """Opens a channel, and returns the log of what goes on air. An older channel of this name is replaced.

        For viewers who look back, the channel keeps at most `kept_bytes` of gzipped hands.
        """
        air = AirLog(name, speed, title)
        if self.metrics:
            self.metrics.follow(air)
        self.channels[name] = air
        self._live[name] = LiveChannel(air, self._clock, kept_bytes, self._utc_clock)
        self._fanouts[name] = Fanout(air, self._clock, self._sender)
        return air

    def live(self, name: str) -> LiveChannel:
        """Returns what has been on air on a channel. Raises KeyError if there is no such channel."""
        return self._live[name]

    async def drain(self, name: str) -> None:
        """Waits until everything on air has been sent to a channel's viewers that keep up. Raises KeyError."""
        await self._fanouts[name].drain()

    def close_channel(self, name: str) -> None:
        """Closes a channel. Its pages keep their last picture. Raises KeyError if there is no such channel."""
        del self.channels[name], self._fanouts[name], self._live[name]

    def _why_absent(self, channel: str) -> str:
        return self.why_absent(channel)  # looked up at each call, because `why_absent` may be set later

    def _add_files(self, media: Path) -> None:
        media.mkdir(parents=True, exist_ok=True)
        for kind in ("art", "css", "js"):  # the folder also has development tools, which are not served
            self.app.mount(f"/static/{kind}", StaticFolder(STATIC / kind))
        for kind in ("avatars", "fonts", "particles", "sounds"):
            self.app.mount(f"/assets/{kind}", StaticFolder(ASSETS / kind))
        self.app.mount("/media", MediaFiles(directory=media))

        @self.app.get("/favicon.ico")
        def favicon() -> FileResponse:
            return FileResponse(ASSETS / "favicon.ico")

    def _has_route(self, method: str, path: str) -> bool:
        """Whether this application now has a route for `method` and `path`. Methods such as `add_desk` add routes."""
        scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
        return any(route.matches(scope)[0] is Match.FULL for route in self.app.routes)

    def _channels_now(self, held_seconds: float = 0) -> dict[str, list[AirLog]]:
        """Returns two lists of channels, both with the newest first. "channels" has the channels whose shows are on, or
        ended less than `held_seconds` ago. "over" has the channels whose shows ended earlier.
        """
        latest = list(reversed([*self.channels.values()]))
        over = [air for air in latest if air.title and self._live[air.channel].is_over(held_seconds)]
        return {"channels": [air for air in latest if air not in over], "over": over}

    async def _channel_page(self, request: Request, template: str) -> Response:
        """Returns the page of a channel.

        If there will never be such a channel, returns a page that says so and lists other channels.
        """
        channel = request.query_params.get("channel", "main")
        air = self.channels.get(channel)
        why = "" if air else self.why_absent(channel)
        if not why:
            title = air.title or air.picture.tournament.title if air else ""
            values: dict[str, object] = {"channel": channel, "epoch": air.epoch if air else "", "title": title}
            values["standings"] = plain_standings(air.picture) if air else ()
            values["results"] = shows_results(request)
            return await self._cache.page(request, self._templates, template, values, key=tuple(values.items()))
        must_choose = "channel" not in request.query_params
        if must_choose:
            why = f"Several games are on here. Add the channel to the address: {request.url.path}?channel=…"
        others = {**self._channels_now(), "why": why, "which": must_choose}
        return self._templates.TemplateResponse(request, "shared/no_channel.html", others, 404)

    def _add_pages(self) -> None:
        @self.app.get("/overlay")
        async def overlay(request: Request) -> Response:
            """Returns the picture for OBS: transparent, 1920x1080."""
            return await self._channel_page(request, "overlay/overlay.html")

        @self.app.get("/projector")
        async def projector(request: Request) -> Response:
            """Returns the picture for a projector: opaque, and of any size."""
            return await self._channel_page(request, "overlay/projector.html")

        @self.app.get("/watch")
        async def watch(request: Request) -> Response:
            """Returns the page on which everybody can watch the show live, or from any earlier moment."""
            return store_results_switch(request, await self._channel_page(request, "recordings/replay.html"))

        @self.app.get("/healthz", response_model=StudioHealth)
        async def healthz() -> Json:
            """Says that the studio is running, how it sends to viewers, and what is on each channel."""
            on_air = {
                name: ChannelHealth(air.last_seq, self._fanouts[name].viewer_count)
                for name, air in self.channels.items()
            }
            return Json(StudioHealth("ok", self._sender.name, on_air))

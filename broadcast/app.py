"""The studio's web application: pages, the show's socket, static files and media. Decides nothing."""

from collections.abc import Callable, MutableMapping
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.datastructures import MutableHeaders
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.airlog import AirLog
from broadcast.fanout import Fanout, ShowSocket

HOUSE = Path(__file__).resolve().parent.parent
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'self'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Studio:
    """The channels on air and the pages that show them."""

    def __init__(self, media: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.channels: MutableMapping[str, AirLog] = {}
        self._fanouts: dict[str, Fanout] = {}
        self.app = FastAPI(
            title="High Noon", openapi_url=None, docs_url=None, redoc_url=None
        )  # their pages load from elsewhere
        self._add_files(media)
        self._add_pages(Jinja2Templates(HOUSE / "broadcast" / "templates"))
        self.app.router.routes.append(WebSocketRoute("/ws/show", ShowSocket(self._fanouts)))
        self.app.add_middleware(Guarded)

    def open_channel(self, name: str, speed: float) -> AirLog:
        """A new on-air log under `name`, in place of an older one."""
        air = AirLog(name, speed)
        self.channels[name] = air
        self._fanouts[name] = Fanout(air, self._clock)
        return air

    def close_channel(self, name: str) -> None:
        """Takes a channel off the list; pages that still watch it keep their last picture."""
        del self.channels[name], self._fanouts[name]

    def _add_files(self, media: Path) -> None:
        media.mkdir(parents=True, exist_ok=True)
        for kind in ("art", "css", "js"):  # and nothing of the tools that lie beside them
            self.app.mount(f"/static/{kind}", StaticFiles(directory=HOUSE / "static" / kind))
        for kind in ("avatars", "fonts", "particles", "sounds"):
            self.app.mount(f"/assets/{kind}", StaticFiles(directory=HOUSE / "assets" / kind))
        self.app.mount("/media", StaticFiles(directory=media))

        @self.app.get("/favicon.ico", include_in_schema=False)
        def favicon() -> FileResponse:
            return FileResponse(HOUSE / "assets" / "favicon.ico")

    def _add_pages(self, templates: Jinja2Templates) -> None:
        @self.app.get("/overlay", response_class=HTMLResponse)
        def overlay(request: Request) -> Response:
            """The picture for OBS: transparent, 1920x1080."""
            return templates.TemplateResponse(request, "overlay.html")

        @self.app.get("/projector", response_class=HTMLResponse)
        def projector(request: Request) -> Response:
            """The same picture for the room: opaque, any size."""
            return templates.TemplateResponse(request, "projector.html")

        @self.app.get("/", response_class=HTMLResponse)
        def index(request: Request) -> Response:
            """What is on now."""
            return templates.TemplateResponse(request, "index.html", {"channels": list(self.channels.values())})

        @self.app.get("/healthz")
        def healthz() -> dict[str, object]:
            """Whether the studio is up, and what is on air where."""
            on_air = {
                name: {"seq": air.last, "viewers": self._fanouts[name].viewers} for name, air in self.channels.items()
            }
            return {"status": "ok", "channels": on_air}


class Guarded:
    """Says with every answer what a browser may do with it. Plain ASGI: a page is some fifty small files."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                kept = scope["path"].startswith("/media/") and message["status"] == 200
                headers.setdefault("Cache-Control", "public, max-age=31536000, immutable" if kept else "no-cache")
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)

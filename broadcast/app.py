"""The studio's web application: pages, the show's socket, static files and media. Decides nothing."""

from collections.abc import Callable, Iterable, MutableMapping
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.routing import Match, WebSocketRoute

from broadcast.admission import Admission
from broadcast.airlog import AirLog
from broadcast.archive import Archive
from broadcast.archive_pages import ArchivePages
from broadcast.clip_pages import ClipPages
from broadcast.desk import Desk
from broadcast.fanout import Fanout, ShowSocket
from broadcast.film import Film
from broadcast.guard import Guard, Keyring
from broadcast.preview_pages import Previews
from broadcast.previews import Painter
from broadcast.proof_pages import ProofPages
from broadcast.seen import Pages
from broadcast.shelf import Shelf

HOUSE = Path(__file__).resolve().parent.parent


class Studio:
    """The channels on air and the pages that show them."""

    def __init__(self, media: Path, clock: Callable[[], float], hosts: Iterable[str] = ()) -> None:
        """`hosts` are names by which this machine may be called, besides its own and its addresses."""
        self._clock = clock
        self._media = media
        self._keys = Keyring()
        self.pages = Pages(clock)
        self.channels: MutableMapping[str, AirLog] = {}
        self._fanouts: dict[str, Fanout] = {}
        self.app = FastAPI(
            title="High Noon", openapi_url=None, docs_url=None, redoc_url=None
        )  # their pages load from elsewhere
        self._add_files(media)
        self._templates = Jinja2Templates(HOUSE / "broadcast" / "templates")
        self._add_pages(self._templates)
        self.app.router.routes += [WebSocketRoute("/ws/show", ShowSocket(self._fanouts)), self.pages.route]
        self.app.add_middleware(Guard, admission=Admission(hosts), keys=self._keys)

    def add_desk(self, desk: Desk) -> None:
        """Opens `/control` to those who have one of its tokens. Once."""
        self._keys.tokens = desk.tokens
        self.pages.wanted = True
        self.app.router.routes += desk.routes(self._templates, self.pages)

    def add_archive(self, archive: Archive) -> None:
        """Opens `/recordings` and `/replay`. Once."""
        previews = Previews(archive, Painter(self._media))
        for pages in (previews, ProofPages(archive, self._templates), ArchivePages(archive, self._templates, previews)):
            self.app.router.routes += pages.routes()

    def add_clip(self, film: Film) -> None:
        """Opens `/clip` to who films it. Once, and not where strangers look on."""
        self.app.router.routes += ClipPages(film, self._templates).routes()

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
            self.app.mount(f"/static/{kind}", Shelf(HOUSE / "static" / kind))
        for kind in ("avatars", "fonts", "particles", "sounds"):
            self.app.mount(f"/assets/{kind}", Shelf(HOUSE / "assets" / kind))
        self.app.mount("/media", StaticFiles(directory=media))

        @self.app.get("/favicon.ico", include_in_schema=False)
        def favicon() -> FileResponse:
            return FileResponse(HOUSE / "assets" / "favicon.ico")

    def _serves(self, method: str, path: str) -> bool:
        """Whether there is an answer; what is served differs from command to command."""
        scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
        return any(route.matches(scope)[0] is Match.FULL for route in self.app.routes)

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
            about = {"channels": list(self.channels.values()), "serves": self._serves}
            return templates.TemplateResponse(request, "index.html", about)

        @self.app.get("/healthz")
        def healthz() -> dict[str, object]:
            """Whether the studio is up, and what is on air where."""
            on_air = {
                name: {"seq": air.last, "viewers": self._fanouts[name].viewers} for name, air in self.channels.items()
            }
            return {"status": "ok", "channels": on_air}

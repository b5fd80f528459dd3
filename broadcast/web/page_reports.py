"""What the show's pages report of themselves: whether they paint, whether they are heard, whether they run in OBS.

Anybody may open a page, so reports are believed as far as a light on the desk, and few are kept.
"""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MOST = 50
MOST_OF_ONE = 10
"""Pages of one address; so nobody on the network crowds out the others. This machine itself is not limited."""
LATE_SECONDS = 5.0
"""Pages report every two seconds; one that has not for so long is late."""
FORGOTTEN_SECONDS = 10.0
HEARD = 0.001
"""Level (root mean square, 1 is full scale) from which something is heard: -60 dB."""
Order = Literal["reload", "sound"]
"""What the desk may ask of a page: to begin anew, or to play a sound."""


class Obs(Struct, frozen=True):
    """What OBS tells the page in its browser source."""

    version: str = ""
    visible: bool = True
    """Whether it is shown anywhere in OBS, a preview included."""
    active: bool = True
    """Whether it is in the program."""
    streaming: bool = False
    recording: bool = False


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """How a page is, as the page itself says. `frames` are painted in a second, `level` is the loudest of late."""

    page: Literal["overlay", "projector"]
    id: str
    channel: str = "main"
    seq: int = 0
    frames: int = 0
    sound: Literal["off", "blocked", "on"] = "off"
    level: float = 0.0
    hidden: bool = False
    obs: Obs | None = None


class PageReport(Struct, frozen=True):
    """A report, who sent it, its age, and for how long the page has played no sound (-1: it never did)."""

    report: Report
    address: str
    age_seconds: float
    silent_seconds: float


class _Page(Struct):
    report: Report
    address: str
    came: float
    heard: float | None = None
    order: Order | Literal[""] = ""


class Pages:
    """The pages that reported of late. `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.wanted = False
        self._clock = clock
        self._pages: dict[str, _Page] = {}
        self.route = Route("/api/page-report", self._take, methods=["POST"])

    def take(self, report: Report, address: str) -> Order | Literal["", "quiet"]:
        """Keeps a report; what the page is to do: an order, "" for nothing, "quiet" where no reports are wanted."""
        self._forget()
        page = self._pages.get(report.id)
        if page is None:
            if not self.wanted or not self._has_room(address):
                return "quiet"
            page = self._pages[report.id] = _Page(report, address, 0.0)
        page.report, page.came = report, self._clock()
        if report.level >= HEARD:
            page.heard = page.came
        order, page.order = page.order, ""
        return order

    def reports(self) -> list[PageReport]:
        """The last report of every page that reported in the last `FORGOTTEN_SECONDS`, the longest known first."""
        self._forget()
        now = self._clock()
        return [
            PageReport(page.report, page.address, now - page.came, -1.0 if page.heard is None else now - page.heard)
            for page in self._pages.values()
        ]

    def ask(self, page_id: str, order: Order) -> bool:
        """Gives the page `order` as the answer to its next report; False if there is no such page."""
        page = self._pages.get(page_id)
        if page is not None:
            page.order = order
        return page is not None

    def _forget(self) -> None:
        late = self._clock() - FORGOTTEN_SECONDS
        self._pages = {name: page for name, page in self._pages.items() if page.came >= late}

    def _has_room(self, address: str) -> bool:
        if is_here(address):
            return True
        others = [page.address for page in self._pages.values() if not is_here(page.address)]
        return len(others) < MOST and others.count(address) < MOST_OF_ONE

    async def _take(self, request: Request) -> Response:
        try:
            report = msgspec.json.decode(await request.body(), type=Report)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return JSONResponse({"error": f"no report of a page: {error}"}, 400)
        if len(report.id) > 40 or len(report.channel) > 80 or (report.obs and len(report.obs.version) > 40):
            return JSONResponse({"error": "a report of a page is shorter"}, 400)
        return JSONResponse({"order": self.take(report, request.client.host if request.client else "")})


def is_here(address: str) -> bool:
    """Whether an address is this machine's own."""
    return address.startswith(("127.", "::1", "::ffff:127."))

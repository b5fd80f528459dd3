"""The reports that the show's pages send of themselves: frame rate, sound, and whether they run in OBS.

Anybody can open a page and send reports. So they only colour health lights on the desk, and few are kept.
"""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MOST_PAGES = 50
"""Pages of other machines that are kept."""
MOST_PAGES_OF_ONE_ADDRESS = 10
"""So that nobody on the network can fill all of them. This machine itself is not limited."""
LATE_SECONDS = 5.0
"""Pages report every 2 s. One whose report is older than this is late."""
FORGOTTEN_SECONDS = 10.0
"""A page whose report is older than this is dropped."""
AUDIBLE_LEVEL = 0.001
"""The lowest level that counts as sound: root mean square, of a full scale of 1 (-60 dB)."""
Order = Literal["reload", "sound"]
"""What the desk can ask of a page: to reload, or to play a test sound."""


class Obs(Struct, frozen=True):
    """What a page learns from OBS as a browser source. `version` is that of the browser plugin."""

    version: str = ""
    visible: bool = True
    """Whether it is shown anywhere in OBS, previews included."""
    active: bool = True
    """Whether it is in the scene on program."""
    streaming: bool = False
    recording: bool = False


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a report, as the page sends it.

    `frames` is its frame rate, `level` is the loudest since the last report (root mean square, of
    a full scale of 1), `hidden` says that the browser does not show the page.
    """

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
    """The last report of a page: the sender's IP address, its age, and since when the page is silent (-1: always)."""

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


class PageReports:
    """The pages that reported lately. `clock` gives monotonic seconds. Reports are refused until `enabled` is set."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.enabled = False
        self._clock = clock
        self._pages: dict[str, _Page] = {}
        self.route = Route("/api/page-report", self._take, methods=["POST"])

    def take(self, report: Report, address: str) -> Order | Literal["", "quiet"]:
        """Keeps a report and returns the answer: an order, "" for none, or "quiet": the page sends no more reports."""
        self._forget()
        page = self._pages.get(report.id)
        if page is None:
            if not self.enabled or not self._has_room(address):
                return "quiet"
            page = self._pages[report.id] = _Page(report, address, 0.0)
        page.report, page.came = report, self._clock()
        if report.level >= AUDIBLE_LEVEL:
            page.heard = page.came
        order, page.order = page.order, ""
        return order

    def reports(self) -> list[PageReport]:
        """The last report of every page that reported in the last `FORGOTTEN_SECONDS`, in the order of their first."""
        self._forget()
        now = self._clock()
        return [
            PageReport(page.report, page.address, now - page.came, -1.0 if page.heard is None else now - page.heard)
            for page in self._pages.values()
        ]

    def ask(self, page_id: str, order: Order) -> bool:
        """Sends `order` to a page as the answer to its next report. False if there is no such page."""
        page = self._pages.get(page_id)
        if page is not None:
            page.order = order
        return page is not None

    def _forget(self) -> None:
        late = self._clock() - FORGOTTEN_SECONDS
        self._pages = {name: page for name, page in self._pages.items() if page.came >= late}

    def _has_room(self, address: str) -> bool:
        if is_this_machine(address):
            return True
        others = [page.address for page in self._pages.values() if not is_this_machine(page.address)]
        return len(others) < MOST_PAGES and others.count(address) < MOST_PAGES_OF_ONE_ADDRESS

    async def _take(self, request: Request) -> Response:
        try:
            report = msgspec.json.decode(await request.body(), type=Report)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return JSONResponse({"error": f"no report of a page: {error}"}, 400)
        if len(report.id) > 40 or len(report.channel) > 80 or (report.obs and len(report.obs.version) > 40):
            return JSONResponse({"error": "a report of a page is shorter"}, 400)
        return JSONResponse({"order": self.take(report, request.client.host if request.client else "")})


def is_this_machine(address: str) -> bool:
    """Whether an IP address is a loopback address of this machine."""
    return address.startswith(("127.", "::1", "::ffff:127."))

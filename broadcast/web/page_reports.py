"""Receives the reports of the show's pages: frame rate, sound, and whether the page runs in OBS.

Anybody can open a page and send reports. The desk's health lights tell the operator what works. Only reports from this
machine, or with a token of the desk, affect these lights. All other reports come from viewers, and only a few of those
reports are kept.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from msgspec import Meta, Struct

from broadcast.web.access import RightFromRequest
from broadcast.web.connections.limits import is_this_machine, visitor_of
from broadcast.web.routes import Json, JsonBody, Route

MAX_OPERATOR_PAGES = 50
MAX_VIEWER_PAGES = 10
LATE_SECONDS = 5.0
"""A page is late if its last report is older than this many seconds. Pages report every 2 s."""
FORGOTTEN_SECONDS = 10.0
"""A page is forgotten if its last report is older than this many seconds."""
FROZEN_SECONDS = 5.0
"""If a page has lagged behind for this many seconds, it counts as frozen, because its connection seems dead."""
AUDIBLE_LEVEL = 0.001
"""The lowest level that counts as sound: -60 dB, as root mean square with full scale 1."""
Name = Annotated[str, Meta(max_length=40)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
PageOrder = Literal["reload", "sound"]
"""What the desk can order a page to do: reload, or play a test sound."""


class Obs(Struct, frozen=True):
    """What OBS tells a browser source. `version` is the version of the browser plugin."""

    version: Name = ""
    visible: bool = True
    """Whether the source is shown anywhere in OBS, previews included."""
    active: bool = True
    """Whether the source is in the program scene."""
    streaming: bool = False
    recording: bool = False


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a report.

    `seq` is the number of the last entry that the page has shown. `frames` is the frame rate, and `level` is the
    highest sound level since the last report (root mean square, full scale 1). `hidden` means that the browser does not
    show the page.
    """

    page: Literal["overlay", "projector"]
    id: Name
    channel: Annotated[str, Meta(max_length=80)] = "main"
    seq: Count = 0
    frames: Annotated[int, Meta(ge=0, le=1000)] = 0
    sound: Literal["off", "blocked", "on"] = "off"
    level: Annotated[float, Meta(ge=0, le=100)] = 0.0
    hidden: bool = False
    obs: Obs | None = None


ReportBody = Annotated[Report, Depends(JsonBody(Report, "not a page's report"))]


class ReportReply(Struct, frozen=True):
    """The answer to a report: an order for the page, or "" for no order. "quiet" means that the page should send no
    more reports.
    """

    order: PageOrder | Literal["", "quiet"]


class PageReport(Struct, frozen=True):
    """The last report of a page, with the sender's IP address and the report's age.

    `silent_seconds` says how long the page has been without sound, or -1 if the page never had sound. `is_ours` says
    whether the report came from this machine or with a desk token. `frozen_seconds` says how long the page has lagged
    behind.
    """

    report: Report
    address: str
    age_seconds: float
    silent_seconds: float
    is_ours: bool = True
    frozen_seconds: float = 0.0


class _Page(Struct):
    report: Report
    address: str
    is_ours: bool
    received_at: float
    sound_heard_at: float | None = None
    target_seq: int = 0
    """When the page last kept up, the last entry on air had this number. A page keeps up if it reports this entry or a
    later one.
    """
    kept_up_at: float = 0.0
    """When the page last kept up, in seconds of the clock."""
    order: PageOrder | Literal[""] = ""

    def report_at(self, now: float) -> PageReport:
        silent = -1.0 if self.sound_heard_at is None else now - self.sound_heard_at
        return PageReport(
            self.report, self.address, now - self.received_at, silent, self.is_ours, self.received_at - self.kept_up_at
        )


class PageReports:
    """The pages that have reported recently. Reports are refused until `enabled` is set."""

    def __init__(self, clock: Callable[[], float], last_entry: Callable[[str], int | None] = lambda _: None) -> None:
        """`clock` returns monotonic seconds.

        `last_entry` returns the number of a channel's last entry, or None if there is no such channel.
        """
        self.enabled = False
        self._clock = clock
        self._last_entry = last_entry
        self._pages: dict[str, _Page] = {}

    def accept(self, report: Report, address: str, *, is_ours: bool) -> PageOrder | Literal["", "quiet"]:
        """Keeps a report and returns the answer, as in `ReportReply`.

        `is_ours` says whether the report came from this machine or with a desk token.
        """
        self._drop_old_pages()
        page, now = self._pages.get(report.id), self._clock()
        if page is None:
            similar = sum(each.is_ours is is_ours for each in self._pages.values())
            if not self.enabled or similar >= (MAX_OPERATOR_PAGES if is_ours else MAX_VIEWER_PAGES):
                return "quiet"
            page = self._pages[report.id] = _Page(report, address, is_ours, now, kept_up_at=now)
        elif page.is_ours != is_ours:
            return "quiet"
        page.report, page.address, page.received_at = report, address, now
        if report.level >= AUDIBLE_LEVEL:
            page.sound_heard_at = now
        last = self._last_entry(report.channel)
        if last is None or page.target_seq <= report.seq <= last:
            page.target_seq, page.kept_up_at = last or 0, now
        order, page.order = page.order, ""
        return order

    def reports(self) -> list[PageReport]:
        """Returns the last report of every page that reported in the last FORGOTTEN_SECONDS. Reports with `is_ours`
        come first.
        """
        self._drop_old_pages()
        now = self._clock()
        return [page.report_at(now) for page in sorted(self._pages.values(), key=lambda page: not page.is_ours)]

    def send_order(self, page_id: str, order: PageOrder) -> bool:
        """Sends `order` to a page in the answer to its next report. Returns False if there is no such page."""
        page = self._pages.get(page_id)
        if page is not None:
            page.order = order
        return page is not None

    def _drop_old_pages(self) -> None:
        late = self._clock() - FORGOTTEN_SECONDS
        self._pages = {name: page for name, page in self._pages.items() if page.received_at >= late}

    def router(self) -> APIRouter:
        """Returns the route to which pages send reports."""
        router = APIRouter(route_class=Route)

        @router.post("/api/page-report", response_model=ReportReply)
        async def accept(request: Request, report: ReportBody, right: RightFromRequest) -> Json:
            """Keeps the report of a page."""
            address = visitor_of(request.scope)
            return Json(ReportReply(self.accept(report, address, is_ours=is_this_machine(address) or bool(right))))

        return router

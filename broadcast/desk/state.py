"""The state that an operator's page is sent: controls, lights, log, pages, seats. Changes nothing."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.desk.health_lights import Light, LightBoard
from broadcast.desk.log import DeskLog, LogLine, can_undo, in_words
from broadcast.desk.operators import DeskSeat, DeskSeats
from broadcast.obs.state import ObsState
from broadcast.show.stage import EndedStages
from broadcast.show.status import ShowStatus
from broadcast.web.page_reports import PageReport, PageReports
from server.game.events import ControlSet
from server.journal.link import Health
from server.tournament.control_values import Controls

LINES = 12
"""So many lines of the log are sent."""


class Sources(Struct, frozen=True):
    """The functions that give the state's parts."""

    controls: Callable[[], Controls]
    health: Callable[[], Health | None]
    status: Callable[[], ShowStatus]
    bots: Callable[[], Mapping[int, str]]
    obs: Callable[[], ObsState | None]
    publishing: Callable[[], Light | None]
    voice: Callable[[], Light | None]


class DeskState:
    """Makes the messages to operators' pages."""

    def __init__(
        self, sources: Sources, log: DeskLog, stages: EndedStages, seats: DeskSeats, clock: Callable[[], float]
    ) -> None:
        self._sources = sources
        self._log = log
        self._stages = stages
        self._seats = seats
        self._board = LightBoard(clock)

    def text(self, seat: DeskSeat, pages: PageReports) -> bytes:
        """The message for the desk at `seat`: one JSON object, which changes only when something has."""
        controls, bots, reports = self._sources.controls(), self._sources.bots(), pages.reports()
        health, status = self._sources.health(), self._sources.status()
        undo = self._log.to_undo(controls)
        lights = self._board.lights(
            health,
            controls,
            reports,
            bots,
            self._sources.obs(),
            publishing=self._sources.publishing(),
            voice=self._sources.voice(),
            out=status.out,
        )
        state: dict[str, Any] = {
            "you": seat,
            "controls": controls,
            "status": replace(status, eta_s=round(status.eta_s), stage=None),
            "stage": self._stages.for_desk(status.stage),
            "trouble": health.trouble if health else "",
            "notice": health.notice if health else "",
            "bots": [{"bot": bot, "name": name} for bot, name in bots.items()],
            "lights": [light if seat.right == "control" else replace(light, log="") for light in lights],
            "pages": [_of_page(each) for each in reports],
            "desks": self._seats.taken,
            "undo": {
                "number": undo.number if undo else 0,
                "words": in_words(undo.event, bots, status.planned) if undo else "",
            },
            "done": self._log.count,
            "log": [_of_line(line, controls, bots, status.planned) for line in self._log.latest(LINES)],
        }
        return msgspec.json.encode(state)


def _of_page(page: PageReport) -> dict[str, object]:
    """A page of the show as the desk lists it; `id` is its name in requests."""
    report = page.report
    return {
        "id": report.id,
        "page": report.page,
        "channel": report.channel,
        "address": page.address,
        "ours": page.ours,
        "obs": report.obs.version if report.obs else "",
        "frames": report.frames,
        "sound": report.sound,
        "heard": report.level > 0,
    }


def _of_line(line: LogLine, controls: Controls, bots: Mapping[int, str], planned: float) -> dict[str, object]:
    event = line.event
    return {
        "number": line.number,
        "at": int(line.at),
        "operator": event.operator,
        "words": in_words(event, bots, planned),
        "undone": line.undone,
        "undoing": isinstance(event, ControlSet) and event.undoes > 0,
        "can_undo": can_undo(line, controls),
    }

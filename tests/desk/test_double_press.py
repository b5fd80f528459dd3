"""Requests of the desk name the wanted state, never "the opposite", so a button that is pressed twice acts once."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from broadcast.desk.desk import Desk, SetRequest
from broadcast.show.status import ShowStatus
from broadcast.web.access import fresh_tokens
from server.game.events import ControlSet, CueGiven
from server.tournament.control_values import Controls, evolve
from tests.desk.desk_server import DeskServer
from tests.support.event_loop import in_event_loop

STATUS = ShowStatus("table", "", 0, 0, 0, 1, 1, "")


class SlowRoom:
    """A desk whose card room is slow to grant requests."""

    def __init__(self) -> None:
        self.controls = Controls()
        self.done: list[ControlSet | CueGiven] = []
        self.desk = Desk(
            fresh_tokens(),
            self._request,
            controls=lambda: self.controls,
            health=lambda: None,
            status=lambda: STATUS,
            bots=lambda: {1: "Ada"},
            recordings=Path(),
        )

    async def _request(self, event: ControlSet | CueGiven, _stage: int) -> str:
        for _ in range(10):
            await asyncio.sleep(0)
        self.done.append(event)
        self.controls = evolve(self.controls, event)
        self.desk.hear(event)
        return ""


@pytest.mark.parametrize(("control", "value"), [("card", "break"), ("paused", True), ("sound", False), ("speed", 2.0)])
@in_event_loop
async def test_same_setting_requested_at_once_is_applied_once(control: str, value: bool | float | str) -> None:
    room = SlowRoom()
    answers = await asyncio.gather(*(room.desk.set(SetRequest(control, value)) for _ in range(3)))
    assert len(room.done) == 1
    assert [json.loads(bytes(answer.body))["said"] for answer in answers[1:]] == ["already set"] * 2


def test_double_click_is_one_press_of_every_switch(show: DeskServer, open_desk: Callable[..., Page]) -> None:
    """The first click has taken effect before the second comes. The page's clock is stopped: machines may be slow."""
    desk = open_desk(show)
    switches = ("pause", "hold", "governor", "graphics", "mute", "break")
    for button in switches:
        desk.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
        desk.click(f"#{button}")
        desk.wait_for_selector(f"#{button}[aria-pressed='true']")
        desk.mouse.down(click_count=2)
        desk.mouse.up(click_count=2)
        desk.evaluate("() => { delete performance.now; }")
    desk.wait_for_selector("#break[aria-disabled='false']")
    wanted = [(event.control, event.value) for event in show.done if isinstance(event, ControlSet)]
    assert wanted == [
        ("paused", True), ("held", True), ("governed", False), ("graphics", False), ("sound", False), ("card", "break")
    ]  # fmt: skip

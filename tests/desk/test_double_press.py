"""Requests of the desk name the wanted state and never "the opposite", so that a button pressed twice acts once."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from broadcast.desk.desk import Desk, SetRequest, UndoRequest
from broadcast.show.status import ShowStatus
from broadcast.web.access import fresh_tokens
from broadcast.web.routes import Json, JsonError
from server.game.events import ControlSet, CueGiven
from server.tournament.control_values import Controls, evolve
from tests.desk.control_page import sees_answer
from tests.desk.desk_server import DeskServer

STATUS = ShowStatus("table", "", 0, 0, 0, 1, 1, "")


class SlowRoom:
    """A desk whose card room takes a while to grant a request."""

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
        self.desk.heard(event)
        return ""


def at_once(act: Callable[[Desk], Awaitable[Json]], times: int, room: SlowRoom) -> list[str]:
    """The answers to simultaneous requests: what was done, or why nothing was."""

    async def story() -> list[Json | BaseException]:
        return await asyncio.gather(*(act(room.desk) for _ in range(times)), return_exceptions=True)

    return [_words(answer) for answer in asyncio.run(story())]


def _words(answer: Json | BaseException) -> str:
    if isinstance(answer, JsonError):
        return f"not done: {answer.detail}"
    assert isinstance(answer, Json)
    return str(json.loads(bytes(answer.body))["said"])


@pytest.mark.parametrize(("control", "value"), [("card", "break"), ("paused", True), ("sound", False), ("speed", 2.0)])
def test_same_setting_requested_at_once_is_applied_once(control: str, value: bool | float | str) -> None:
    room = SlowRoom()
    answers = at_once(lambda desk: desk.set(SetRequest(control, value)), 3, room)
    assert len(room.done) == 1
    assert answers[1:] == ["already set"] * 2


def test_same_undo_requested_at_once_is_applied_once() -> None:
    room = SlowRoom()
    at_once(lambda desk: desk.set(SetRequest("speed", 2.0)), 1, room)
    at_once(lambda desk: desk.set(SetRequest("paused", True)), 1, room)
    answers = at_once(lambda desk: desk.undo(UndoRequest(2)), 2, room)
    assert answers[0] == "let the show go on"
    assert answers[1] == "not done: that is already undone"
    assert (room.controls.speed, room.controls.paused) == (2.0, False)


@pytest.fixture
def desk(show: DeskServer, open_desk: Callable[..., Page]) -> Page:
    return open_desk(show)


def test_double_click_is_one_press_of_every_switch(show: DeskServer, desk: Page) -> None:
    """Even if the first takes effect before the second. The clock is stopped, as a busy machine may click late."""
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


def test_buttons_are_up_to_date_once_the_desk_confirms(show: DeskServer, desk: Page) -> None:
    """An operator who reads the confirmation may press again, to switch back."""
    for _ in range(3):
        desk.click("#break")
        sees_answer(desk, "put up the break card")
        assert desk.get_attribute("#break", "aria-pressed") == "true"
        desk.click("#break")
        sees_answer(desk, "took the card away")
        assert desk.get_attribute("#break", "aria-pressed") == "false"
    assert len(show.done) == 6


def test_undo_reverts_what_it_named_when_it_was_pressed(show: DeskServer, desk: Page) -> None:
    desk.click("#mute")
    desk.wait_for_selector("#undo:has-text('muted everything')")
    desk.dblclick("#undo")
    desk.wait_for_selector("#mute[aria-pressed='false']")
    desk.click("#hold")
    sees_answer(desk, "held the show")
    assert [event.control for event in show.done if isinstance(event, ControlSet)] == ["sound", "sound", "held"]

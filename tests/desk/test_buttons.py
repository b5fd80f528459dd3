"""Each of the desk's buttons takes effect on air, and a button that is pressed twice at once acts once."""

import asyncio
import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from broadcast.desk.desk import SetRequest
from server.game.events import ControlSet
from tests.desk.desk_server import DeskServer
from tests.support.browsers import allow_sound

OpenDesk = Callable[..., Page]
POLLING_MS = 50
"""The pause between two checks of the overlay. With Playwright's default, it would paint 60 times a second."""
SHOWS = "() => window.highnoon?.state().seq > 0"
"""Whether the overlay has loaded and displays the show."""


@pytest.fixture(scope="module")
def overlay(server: DeskServer, browser: Browser) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 480, "height": 270}).new_page()
    page.goto(f"{server.address}/overlay?audio=1&motion=off&debug")
    allow_sound(page)
    page.wait_for_function(SHOWS, polling=POLLING_MS)
    yield page
    page.context.close()


def wait_for_settings(overlay: Page, condition: str) -> None:
    script = f"() => {{ const desk = window.highnoon?.state().desk; return !!desk && ({condition}); }}"
    overlay.wait_for_function(script, polling=POLLING_MS)


EFFECTS = {
    "graphics": ("!desk.graphics", "desk.graphics"),
    "mute": ("!desk.sound", "desk.sound"),
    "break": ("desk.card === 'break'", "desk.card === ''"),
    "technical": ("desk.card === 'technical'", "desk.card === ''"),
    "whole": ("desk.view === 'table'", "desk.view === ''"),
    "keep": ("desk.view === 'held'", "desk.view === ''"),
    "faster": ("desk.speed > 1", "desk.speed === 1"),
    "slower": ("desk.speed < 1", "desk.speed === 1"),
}
"""For each button, what is true of the overlay's state after a press, and what after the press is undone."""


def test_each_button_takes_effect_on_air_and_undo_reverts_it(
    server: DeskServer, open_desk: OpenDesk, overlay: Page
) -> None:
    desk = open_desk(server, "Ann")
    for button, (pressed, undone) in EFFECTS.items():
        before = len(server.done)
        desk.click(f"#{button}")
        wait_for_settings(overlay, pressed)
        desk.wait_for_selector("#log .line:first-child:has(.who:text-is('Ann')):not(:has-text('undo:'))")
        desk.click("#undo")
        wait_for_settings(overlay, undone)
        desk.wait_for_selector("#log .line:first-child:has-text('undo:')")
        assert [event.operator for event in server.done[before:]] == ["Ann", "Ann"], button


@pytest.mark.parametrize(("control", "value"), [("card", "break"), ("paused", True), ("sound", False), ("speed", 2.0)])
def test_same_setting_requested_at_once_is_applied_once(show: DeskServer, control: str, value: object) -> None:
    async def ask() -> list[str]:
        answers = await asyncio.gather(*(show.desk.set(SetRequest(control, value)) for _ in range(3)))  # type: ignore[arg-type]
        return [json.loads(bytes(answer.body))["said"] for answer in answers]

    assert show.do(ask())[1:] == ["already set"] * 2
    assert len(show.done) == 1


def test_double_click_is_one_press_of_every_switch(show: DeskServer, open_desk: Callable[..., Page]) -> None:
    """The second click comes after the first takes effect. The page's clock stands still, as machines may be slow."""
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

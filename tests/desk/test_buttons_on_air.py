"""The desk's buttons take effect on air: an overlay of the same show follows each of them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.desk.desk_server import DeskServer
from tests.support.browsers import allow_sound

OpenDesk = Callable[..., Page]
POLLING_MS = 50
"""The pause between two looks at the overlay's state. Playwright's default would make it paint 60 times a second."""
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
"""For each button: the overlay's desk settings after it was pressed, and after that was undone."""


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

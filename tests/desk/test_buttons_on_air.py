"""What the desk's buttons do on air: an overlay of the same show follows each of them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.desk.desk_server import DeskServer
from tests.support.browsers import allow_sound

OpenDesk = Callable[..., Page]
POLLING_MS = 50
"""How often the overlay's state is polled; by default that would make it paint sixty times a second."""
SHOWS = "() => window.highnoon?.state().seq > 0"
"""Whether the overlay has loaded and shows the show."""


@pytest.fixture(scope="module")
def overlay(server: DeskServer, browser: Browser) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 480, "height": 270}).new_page()
    page.goto(f"{server.address}/overlay?audio=1&motion=off&debug")
    allow_sound(page)
    page.wait_for_function(SHOWS, polling=POLLING_MS)
    yield page
    page.context.close()


def desk_of(overlay: Page, condition: str) -> None:
    """Waits until what the overlay knows of the desk fulfils `condition`."""
    known = f"() => {{ const desk = window.highnoon?.state().desk; return !!desk && ({condition}); }}"
    overlay.wait_for_function(known, polling=POLLING_MS)


EFFECTS = {
    "graphics": ("!desk.graphics", "desk.graphics"),
    "mute": ("!desk.sound", "desk.sound"),
    "break": ("desk.card === 'break'", "desk.card === ''"),
    "technical": ("desk.card === 'technical'", "desk.card === ''"),
    "faster": ("desk.speed > 1", "desk.speed === 1"),
    "slower": ("desk.speed < 1", "desk.speed === 1"),
}
"""What the overlay knows of the desk once a button is pressed, and once that is undone."""


def test_each_button_takes_effect_on_air_and_undo_reverts_it(
    server: DeskServer, open_desk: OpenDesk, overlay: Page
) -> None:
    desk = open_desk(server, "Ann")
    for button, (pressed, undone) in EFFECTS.items():
        before = len(server.done)
        desk.click(f"#{button}")
        desk_of(overlay, pressed)
        desk.wait_for_selector("#log .line:first-child:has(.who:text-is('Ann')):not(:has-text('undo:'))")
        desk.click("#undo")
        desk_of(overlay, undone)
        desk.wait_for_selector("#log .line:first-child:has-text('undo:')")
        assert [event.operator for event in server.done[before:]] == ["Ann", "Ann"], button

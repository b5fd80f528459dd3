"""What the desk's buttons do on air: an overlay of the same show follows each of them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.desk.desk_server import DeskServer
from tests.support.browsers import allow_sound

OpenDesk = Callable[..., Page]
POLLING_MS = 50
"""How often the overlay's state is polled; by default that would make it paint sixty times a second."""
# Drops the next regular report after the order to play a sound.
_NO_REGULAR_REPORT = """() => {
  const [plain, read] = [window.setTimeout, Response.prototype.json];
  let ordered = false;
  Response.prototype.json = async function json() {
    const answer = await read.call(this);
    ordered ||= answer.order === "sound";
    return answer;
  };
  window.setTimeout = (what, ms) => {
    if (!ordered || ms !== 2000) return plain(what, ms);
    [window.setTimeout, Response.prototype.json] = [plain, read];
    return 0;
  };
}"""
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


def is_report(answer: Response) -> bool:
    return answer.url.endswith("/api/page-report")


def is_order_to_sound(answer: Response) -> bool:
    return is_report(answer) and answer.json()["order"] == "sound"


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


def test_bot_is_muted_and_its_pictures_hidden(server: DeskServer, open_desk: OpenDesk, overlay: Page) -> None:
    desk = open_desk(server)
    row = desk.locator("#bots .light", has_text="Doc Holobyte")
    row.get_by_role("button", name="Chat").click()
    desk_of(overlay, "desk.chat_off.join() === '2'")
    row.get_by_role("button", name="Media").click()
    desk_of(overlay, "desk.media_off.join() === '2'")
    row.get_by_role("button", name="Muted").click()
    desk_of(overlay, "!desk.chat_off.length")


def test_test_sound_is_reported_as_soon_as_it_plays(server: DeskServer, open_desk: OpenDesk, overlay: Page) -> None:
    desk = open_desk(server)
    overlay.evaluate(_NO_REGULAR_REPORT)
    with overlay.expect_response(is_order_to_sound):
        desk.get_by_role("button", name="Test sound").click()
    with overlay.expect_request("**/api/page-report") as report:
        pass
    assert (report.value.post_data_json or {})["level"] > 0


def test_lights_show_pages_that_paint_and_sound(server: DeskServer, open_desk: OpenDesk, overlay: Page) -> None:
    desk = open_desk(server)
    desk.wait_for_selector("#lights .light:has-text('overlay'):has-text('frames a second')")
    desk.wait_for_selector("#pages .page:has-text('overlay')")
    with overlay.expect_response(is_order_to_sound):
        desk.get_by_role("button", name="Test sound").click()
    desk.wait_for_selector("#lights .light[data-colour='green']:has-text('sound'):has-text('last heard')")
    overlay.evaluate("window.stayed = true")
    desk.get_by_role("button", name="Reload").click()
    overlay.wait_for_function("() => window.stayed === undefined", polling=POLLING_MS)
    overlay.wait_for_function(SHOWS, polling=POLLING_MS)


def test_preview_does_not_report_itself_as_a_page_of_the_show(
    server: DeskServer, open_desk: OpenDesk, overlay: Page
) -> None:
    desk = open_desk(server, preview=True)
    expect(desk.frame_locator("#glass iframe").locator("html")).to_have_attribute("data-wire", "up")
    for _ in range(2):  # Between two reports of the overlay the preview has the time to send its first.
        with overlay.expect_response(is_report):
            pass
    desk.wait_for_selector("#pages .page:has-text('overlay')")
    assert {each.report.page for each in server.there(server.studio.pages.reports)} == {"overlay"}


def test_preview_shows_what_is_on_air_and_stays_off_once_switched_off(server: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(server, preview=True)
    on_air = desk.frame_locator("#glass iframe")
    expect(on_air.locator("html")).to_have_attribute("data-wire", "up")
    expect(on_air.locator("body")).to_contain_text("Doc Holobyte")
    desk.click("#preview:has-text('Switch preview off')")
    expect(desk.locator("#glass")).to_have_text("The preview is off")
    desk.reload()
    expect(desk.locator("#preview")).to_have_text("Switch preview on")
    expect(desk.locator("#glass iframe")).to_have_count(0)

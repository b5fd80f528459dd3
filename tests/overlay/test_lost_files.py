"""Files that fail to load, for example while the machine's network changes, are loaded again later."""

from playwright.sync_api import Route, expect

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.test_effects import HEARD, click_for_sound, put_award
from tests.support.browsers import PATIENCE_MS

_FACE = "media/billy-the-kid-avatar.webp"


def fail_first_requests(screen: Screen, files: str) -> list[str]:
    """Fails the page's first request for each matching file. Returns a list to which all requests are added."""
    requested: list[str] = []

    def answer(route: Route) -> None:
        requested.append(route.request.url)
        if requested.count(route.request.url) == 1:
            route.abort("connectionreset")
        else:
            route.continue_()

    screen.page.route(files, answer)
    return requested


def assert_only_lost(screen: Screen, file: str) -> None:
    """Asserts that the browser reported only the loss of this file."""
    assert screen.complaints
    assert all("ERR_CONNECTION_RESET" in each and file in each for each in screen.complaints)
    screen.complaints.clear()


def test_face_that_failed_to_load_is_loaded_again(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off", fresh=True)
    requested = fail_first_requests(screen, f"**/{_FACE}")
    screen.page.on("request", lambda request: requested.append(request.url) if "default.webp" in request.url else None)
    screen.put(SCENES["betting"]().entries)
    face = screen.page.locator(".seat").first.locator(".poster__photo img")
    expect(face).to_have_attribute("src", f"/{_FACE}", timeout=PATIENCE_MS)
    screen.settle()
    assert face.evaluate("(image) => image.naturalWidth") > 1
    assert_only_lost(screen, _FACE)
    assert f"{screen.shows.address}/assets/avatars/default.webp" in requested, "the default is shown meanwhile"


def test_sound_that_failed_to_load_is_heard_at_the_next_win(open_screen: OpenScreen, won: Script) -> None:
    screen = open_screen("audio=1", fresh=True)
    requested = fail_first_requests(screen, "**/two-pair-tess-sound.ogg")
    with screen.page.expect_event("requestfailed"):
        screen.recall(won.entries[:2])
    click_for_sound(screen)
    assert len(requested) == 1
    put_award(screen, won, 2)
    screen.wait(HEARD)
    assert len(requested) == 2
    assert_only_lost(screen, "two-pair-tess-sound.ogg")

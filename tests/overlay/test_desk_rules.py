"""Every page shows at once what the operator sets at the desk, and what the operator takes back."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from broadcast.on_air.events import OnAirEntry, PaceChanged, StorylineShown, TroubleShown
from server.game.events import Control, ControlSet, Event
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES, TROUBLE, tess_wins
from tests.overlay.support.screen import Screen
from tests.overlay.test_sounds_and_particles import put_award, with_sound

_SPEED = "() => window.highnoon.speed()"
_MARKUP = "<img src=x onerror=alert(1)>"


def put_changes(screen: Screen, *events: Event) -> None:
    screen.put(OnAirEntry(0, screen.air.at_ms, 0, event) for event in events)
    screen.settle()


def control(name: Control, value: bool | str, bot: int = 0) -> ControlSet:
    return ControlSet(name, value, "", bot)


@pytest.fixture
def betting(still: Screen) -> Screen:
    """The shared page without motion, in the middle of a hand."""
    still.show(SCENES["betting"]())
    return still


def test_break_card_says_when_the_show_is_back(betting: Screen) -> None:
    put_changes(betting, control("card", "break until 21:15 CET"))
    expect(betting.page.locator(".cover__break .cover__line")).to_have_text("Back at 21:15 CET")
    put_changes(betting, control("card", "break"))
    expect(betting.page.locator(".cover__break .cover__line")).to_have_text("")
    put_changes(betting, control("card", ""))
    expect(betting.page.locator(".cover")).to_be_hidden()


def test_hidden_graphics_leave_the_overlay_fully_transparent(betting: Screen) -> None:
    put_changes(betting, control("graphics", value=False), control("card", "break"))
    assert opacity(betting) == 0
    put_changes(betting, control("graphics", value=True), control("card", ""))
    assert opacity(betting) == 255


def opacity(screen: Screen) -> int:
    """The opacity of the most opaque pixel of the page, 0 to 255."""
    screen.page.set_viewport_size({"width": 640, "height": 360})
    screen.settle()
    picture = Image.open(io.BytesIO(screen.page.screenshot(omit_background=True)))
    return max(picture.convert("RGBA").getchannel("A").tobytes())


def test_bots_without_their_media_have_the_default_face(betting: Screen) -> None:
    face = betting.page.locator(".seat").first.locator(".poster__photo img")
    put_changes(betting, control("media", value=False, bot=1))
    expect(face).to_have_attribute("src", "/assets/avatars/default.webp")
    put_changes(betting, control("media", value=True, bot=1))
    expect(face).to_have_attribute("src", "/media/billy-the-kid-avatar.webp")


def test_winner_without_its_media_gets_default_particles_and_sound(open_screen: OpenScreen) -> None:
    screen, won = with_sound(open_screen), tess_wins(speed=1)
    fetched: list[str] = []
    screen.page.on("request", lambda request: fetched.append(request.url))
    screen.put(won.entries[:2])
    put_changes(screen, control("media", value=False, bot=6))
    put_award(screen, won, 2)
    screen.page.wait_for_load_state("networkidle")
    assert any(url.endswith("/assets/particles/default.webp") for url in fetched)
    assert not any("two-pair-tess-particle" in url for url in fetched)


def test_speech_of_a_muted_bot_vanishes(still: Screen) -> None:
    still.show(SCENES["chatting"]())
    expect(still.page.get_by_text("I have math on")).to_be_visible()
    put_changes(still, control("chat", value=False, bot=1))
    expect(still.page.get_by_text("I have math on")).to_be_hidden()


def test_trouble_is_plain_text_on_the_technical_card_and_in_the_lower_third(betting: Screen) -> None:
    put_changes(betting, TroubleShown(_MARKUP), control("card", "technical"))
    assert betting.page.locator(".cover__text img").count() == 0
    expect(betting.page.locator(".cover__text")).to_have_text(_MARKUP)
    put_changes(betting, TroubleShown(""))
    expect(betting.page.locator(".cover__note")).to_be_hidden()
    put_changes(betting, control("card", ""))
    band = betting.page.locator(".third__caption")
    caption, story = band.inner_text().split(), "Doc Holobyte hasn't won a pot in 12 hands."
    put_changes(betting, StorylineShown(story))
    assert band.inner_text().split() == story.split()
    put_changes(betting, TroubleShown(TROUBLE))
    assert band.inner_text().split() == TROUBLE.split()
    put_changes(betting, TroubleShown(""), StorylineShown(""))
    assert band.inner_text().split() == caption


def test_motion_follows_the_pace_of_the_show_even_on_a_reloaded_page(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.show(SCENES["betting"]())
    put_changes(screen, PaceChanged(0.5))
    assert screen.page.evaluate(_SPEED) == 0.5
    screen.page.reload()
    screen.catch_up()
    assert screen.page.evaluate(_SPEED) == 0.5

"""The projector page on screens from 4:3 to 21:9: the picture is centred, fills the screen, and is never cut off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer

SHAPES = [(512, 384), (640, 512), (960, 600), (1280, 540), (1720, 720)]
"""Half the size of real screens: only their shape matters here."""
_SCREEN = """() => {
  const { left, top, width, height } = document.querySelector(".stage").getBoundingClientRect();
  return [left, top, width, height];
}"""
_WHOLE = """() => {
  const boxes = [...document.querySelectorAll(".seat, .card, .third, .pot, .duel__title, .poster, .stamp")]
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((node) => node.getBoundingClientRect());
  return boxes.every((box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight);
}"""


@pytest.fixture(scope="module")
def loaded(shows: ShowServer, browser: Browser) -> Screen:
    return Screen(shows, browser, "projector", "motion=off&still", page="projector", width=640, height=360)


@pytest.fixture
def projector(loaded: Screen) -> Iterator[Screen]:
    """The one page of this file, which shows its scenes in turn."""
    yield loaded
    loaded.tidy()
    assert not loaded.complaints


@pytest.mark.parametrize("scene", ["captured", "standings"])
def test_whole_picture_is_centred_on_any_screen(scene: str, projector: Screen) -> None:
    projector.show(SCENES[scene]())
    for width, height in SHAPES:
        projector.page.set_viewport_size({"width": width, "height": height})
        projector.settle()
        left, top, wide, high = projector.page.evaluate(_SCREEN)
        assert max(wide / width, high / height) == pytest.approx(1)
        assert (left, top) == pytest.approx(((width - wide) / 2, (height - high) / 2), abs=1)
        assert projector.page.evaluate(_WHOLE)


def test_every_corner_of_any_screen_is_painted(projector: Screen) -> None:
    projector.show(SCENES["winner"]())
    for width, height in (SHAPES[0], SHAPES[2], SHAPES[-1]):
        projector.page.set_viewport_size({"width": width, "height": height})
        projector.settle()
        picture = image_of(projector.page.screenshot(omit_background=True))
        corners = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
        assert all(picture.getpixel(corner) not in {(0, 0, 0), (255, 255, 255)} for corner in corners)

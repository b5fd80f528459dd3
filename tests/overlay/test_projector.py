"""The projector page on screens from 4:3 to 21:9: the picture is centred, fills the screen, and is never cut off."""

import pytest

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.scenes import SCENES

SHAPES = [(512, 384), (640, 512), (960, 600), (1280, 540), (1720, 720)]
"""Half as large as such screens are: it is their shape that is asked about."""
_STAGE = """() => {
  const { left, top, width, height } = document.querySelector(".stage").getBoundingClientRect();
  return [left, top, width, height];
}"""
_WHOLE = """() => {
  const boxes = [...document.querySelectorAll(".seat, .card, .third, .pot, .duel__title, .poster, .stamp")]
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((node) => node.getBoundingClientRect());
  return boxes.every((box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight);
}"""


@pytest.mark.parametrize("scene", ["winner", "captured", "standings", "champion", "resting"])
def test_the_picture_stands_whole_in_the_middle_of_any_screen(scene: str, open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still", page="projector")
    screen.show(SCENES[scene]())
    for width, height in SHAPES:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        left, top, wide, high = screen.page.evaluate(_STAGE)
        assert max(wide / width, high / height) == pytest.approx(1)
        assert (left, top) == pytest.approx(((width - wide) / 2, (height - high) / 2), abs=1)
        assert screen.page.evaluate(_WHOLE)


def test_every_corner_of_any_screen_is_painted(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still", page="projector")
    screen.show(SCENES["winner"]())
    for width, height in SHAPES:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        picture = image_of(screen.page.screenshot(omit_background=True))
        corners = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
        assert all(picture.getpixel(corner) not in {(0, 0, 0), (255, 255, 255)} for corner in corners)

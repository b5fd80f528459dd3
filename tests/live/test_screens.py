"""The page of a show on phones and tablets, upright and across, by touch: everything in reach, nothing cut off."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, expect

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, THUMB, Visit
from tests.overlay.support.show_server import ShowServer

SIZES = [(390, 844), (844, 390), (768, 1024), (1024, 768)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_picture_timeline_and_main_keys_are_on_every_screen_at_once_and_a_thumb_hits_them(
    width: int, height: int, studio: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    studio.channel(f"screen-{width}", on_air[:420])
    size = {"width": width, "height": height}
    page = look(f"watch?channel=screen-{width}", **{**PHONE, "viewport": size})
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    picture = page.locator("#screen, .stage .third, .stage .seat").all()
    keys = [page.locator("#at"), *page.locator(".tab:visible, .keys button:visible").all()]
    at_once = [*picture, page.locator("#at"), *page.locator(".keys__main button:visible").all()]
    for each in [*at_once, *keys]:
        x, y, wide, high = box_of(each)
        assert each in picture or min(wide, high) >= THUMB - 0.01, each
        assert x >= 0
        assert x + wide <= width + 0.01
        if each in at_once:
            assert y >= 0
            assert y + high <= height + 0.01, each
    page.locator("#hand-back").tap()
    expect(page.locator("#behind")).to_contain_text("behind")
    page.get_by_role("tab", name="Hands").tap()
    page.locator(".handline button").first.tap()
    page.wait_for_function("() => window.highnoon.head.place.hand === 1")
    expect(page.locator("#screen")).to_be_in_viewport(ratio=0.95)


def box_of(part: Locator) -> tuple[float, float, float, float]:
    """Where it is on the screen, in CSS pixels."""
    box = part.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]

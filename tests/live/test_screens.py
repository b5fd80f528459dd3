"""The page of a show on phones and tablets, upright and across, by touch: everything in reach, nothing cut off."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, THUMB, Visit
from tests.overlay.support.show_server import ShowServer

_BOXES = """(parts) => parts.map((part) => part.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height])"""
SIZES = [(390, 844), (844, 390), (768, 1024), (1024, 768)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_picture_timeline_and_main_keys_fit_every_screen_and_every_thumb(
    width: int, height: int, shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shows.channel(f"screen-{width}", on_air[:420])
    size = {"width": width, "height": height}
    page = look(f"watch?channel=screen-{width}", **{**PHONE, "viewport": size})
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    picture = boxes(page, "#screen, .stage .third, .stage .seat")
    keys = boxes(page, "#at, .tab:visible, .keys button:visible")
    main_keys = boxes(page, "#at, .keys__main button:visible")
    assert all(picture)
    assert len(keys) > len(main_keys) > 1
    for x, y, _, high in [*picture, *main_keys]:
        assert y >= 0, (x, y)
        assert y + high <= height + 0.01, (x, y)
    for x, y, wide, high in keys:
        assert min(wide, high) >= THUMB - 0.01, (x, y)
    for x, y, wide, _ in [*picture, *keys]:
        assert x >= 0, (x, y)
        assert x + wide <= width + 0.01, (x, y)
    [(_, _, wide, high)] = boxes(page, ".stage")
    assert (high > wide) is (width == 390)
    page.locator("#hand-back").tap()
    expect(page.locator("#behind")).to_contain_text("behind")
    page.get_by_role("tab", name="Hands").tap()
    page.locator(".handline button").first.tap()
    page.wait_for_function("() => window.highnoon.head.place.hand === 1")
    expect(page.locator("#screen")).to_be_in_viewport(ratio=0.95)
    page.locator("#live").tap()
    page.wait_for_function("() => window.highnoon.head.following")


@pytest.mark.parametrize("size", SIZES[:1])
def test_notice_covers_neither_the_table_nor_the_player_controls(
    size: tuple[int, int], shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shows.channel("notice", on_air[:420])
    width, height = size
    page = look("watch?channel=notice&hand=9999", **{**PHONE, "viewport": {"width": width, "height": height}})
    expect(page.locator(".player__notice")).to_contain_text("There is no hand 9999")
    [(left, top, wide, high)] = boxes(page, ".player__notice")
    assert left >= 0
    assert top >= 0
    assert left + wide <= width
    parts = "#at, .timeline, .keys button:visible, .stage .seat, .stage .board, .stage .third"
    for x, y, _, tall in boxes(page, parts):
        assert y >= top + high or y + tall <= top, (x, y)


def boxes(page: Page, parts: str) -> list[tuple[float, float, float, float]]:
    """Their boxes on the screen, in CSS pixels."""
    found = [tuple(box) for box in page.locator(parts).evaluate_all(_BOXES)]
    assert found
    assert all(wide and high for _, _, wide, high in found)
    return found

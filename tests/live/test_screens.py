"""On phones and tablets, everything on a show's page can be tapped, and nothing is cut off, covered or too small."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from broadcast.on_air.events import EquitiesChanged
from tests.live.conftest import PHONE, THUMB, OnAir, Visit
from tests.overlay.support.show_server import ShowServer
from tests.support.source_files import ROOT

SMALLEST = 14
"""The smallest text, in CSS pixels."""
SHARES = (0.05, 0.4, 0.55, 0.7, 1)
"""The fractions of the show that are on air when texts are measured."""
TABS = ("Now", "Standings", "Hands", "Schedule")
"""The tabs of the page. The first is always measured, because its picture changes; the others only at the end."""
# Returns every visible text with its size on the screen, where the picture is scaled.
_TEXTS = """() => {
  const scale = Number(getComputedStyle(document.querySelector("#screen")).getPropertyValue("--scale"));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    const shown = holder.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!node.data.trim() || !shown || width < 2 || height < 2 || holder.closest(".spoken, script, style")) continue;
    const size = Number.parseFloat(getComputedStyle(holder).fontSize) * (holder.closest(".stage") ? scale : 1);
    found.push([node.data.trim().slice(0, 40), size, holder.className]);
  }
  return found;
}"""
_BOXES = """(parts) => parts.map((part) => part.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height])"""
SIZES = [(390, 844), (844, 390), (768, 1024), (1024, 768)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_page_fits_every_screen_and_every_thumb(
    width: int, height: int, shows: ShowServer, on_air: OnAir, look: Visit
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


def boxes(page: Page, parts: str) -> list[tuple[float, float, float, float]]:
    """Returns the boxes of `parts` on the screen: x, y, width and height, in CSS pixels."""
    rectangles = [tuple(box) for box in page.locator(parts).evaluate_all(_BOXES)]
    assert rectangles
    assert all(wide and high for _, _, wide, high in rectangles)
    return rectangles


def test_no_text_is_smaller_than_14_pixels_on_a_phone(shows: ShowServer, on_air: OnAir, look: Visit) -> None:
    shown = [int(len(on_air) * share) for share in SHARES]
    air = shows.channel("text-size", on_air[: shown[0]])
    page = look("watch?channel=text-size", **PHONE)
    for before, now in pairwise([shown[0], *shown]):
        shows.put(air, on_air[before:now])
        page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=now)
        texts: list[Any] = []
        for tab in TABS if now >= len(on_air) else TABS[:1]:
            page.get_by_role("tab", name=tab).tap()
            texts += page.evaluate(_TEXTS)
        assert len(texts) > 15
        assert not {tuple(each) for each in texts if each[1] < SMALLEST - 0.001}


_READY = "() => document.body?.dataset.ready === 'yes' && document.querySelector('.badge--button')"
_KEPT = ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third"
# Measures how much the explanation covers of the parts that must stay visible, in square pixels.
_COVERED = f"""() => {{
  const card = document.getElementById("explained").getBoundingClientRect();
  const over = (box) => Math.max(0, Math.min(card.right, box.right) - Math.max(card.left, box.left))
    * Math.max(0, Math.min(card.bottom, box.bottom) - Math.max(card.top, box.top));
  return [...document.querySelectorAll(".screen :is({_KEPT})")]
    .reduce((sum, part) => sum + over(part.getBoundingClientRect()), 0);
}}"""


def tap(page: Page, part: Locator) -> None:
    box = part.bounding_box()
    assert box
    (page.touchscreen.tap if page.evaluate("() => navigator.maxTouchPoints > 0") else page.mouse.click)(
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844), (844, 390)])
def test_explanation_does_not_cover_the_table(
    width: int, height: int, shows: ShowServer, on_air: OnAir, visit: Visit
) -> None:
    chances = next(
        entry.seq for entry in on_air if isinstance(entry.event, EquitiesChanged) and len(entry.event.chances) > 1
    )
    shows.channel(f"words-{width}", on_air[:chances])
    device = {} if width > 1000 else PHONE
    page = visit(f"watch?channel=words-{width}", **{**device, "viewport": {"width": width, "height": height}})
    page.wait_for_function(_READY)
    page.locator(".badge--blind[tabindex]").first.wait_for(state="attached")
    for part, title in (
        (".badge--button:visible", "The dealer's star"),
        (".chance:visible", "%"),
        (".third__where", ""),
        (".pot", ""),
    ):
        tap(page, page.locator(part).first)
        expect(page.locator("#explained-title")).to_contain_text(title)
        expect(page.locator("#explained")).to_be_visible()
        assert page.evaluate(_COVERED) == 0, part


def test_every_word_that_the_page_explains_is_in_the_glossary() -> None:
    script = (ROOT / "static/js/replay/words/explanations.js").read_text(encoding="utf-8")
    glossary = (ROOT / "broadcast/guide/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r'term: "([^"]+)"', script))
    assert len(terms) >= 7
    assert not [term for term in terms if f"| {term} |" not in glossary]

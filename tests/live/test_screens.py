"""Pages of a show fit phones and tablets: nothing is cut off, covered, or too small to be read or tapped."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.live.conftest import PHONE, Entries, Opener
from tests.overlay.support.show_server import ShowServer
from tests.support.source_files import ROOT

# Returns each visible text, its font's size on the screen in CSS pixels, and its element's classes.
_TEXTS = """() => {
  const scale = Number(getComputedStyle(document.querySelector("#screen")).getPropertyValue("--scale"));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    const isSeen = holder.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!node.data.trim() || !isSeen || width < 2 || height < 2 || holder.closest(".spoken, script, style")) continue;
    const size = Number.parseFloat(getComputedStyle(holder).fontSize) * (holder.closest(".stage") ? scale : 1);
    texts.push([node.data.trim().slice(0, 40), size, holder.className]);
  }
  return texts;
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (768, 1024), (1024, 768)])
def test_page_fits_every_screen_and_every_thumb(
    width: int, height: int, server: ShowServer, entries: Entries, load_page: Opener
) -> None:
    server.channel(f"screen-{width}", entries[:420])
    page = load_page(f"watch?channel=screen-{width}", **{**PHONE, "viewport": {"width": width, "height": height}})
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    picture_boxes = read_boxes(page, "#screen, .stage .third, .stage .seat")
    button_boxes = read_boxes(page, "#at, .tab:visible, .keys button:visible")
    main_button_boxes = read_boxes(page, "#at, .keys__main button:visible")
    assert all(picture_boxes)
    assert len(button_boxes) > len(main_button_boxes) > 1
    for x, y, _, box_height in [*picture_boxes, *main_button_boxes]:
        assert y >= 0, (x, y)
        assert y + box_height <= height + 0.01, (x, y)
    for x, y, box_width, box_height in button_boxes:
        assert min(box_width, box_height) >= 44 - 0.01, f"too small for a thumb, at {x}, {y}"
    for x, y, box_width, _ in [*picture_boxes, *button_boxes]:
        assert x >= 0, (x, y)
        assert x + box_width <= width + 0.01, (x, y)
    [(_, _, box_width, box_height)] = read_boxes(page, ".stage")
    assert (box_height > box_width) is (width == 390)
    page.locator("#hand-back").tap()
    expect(page.locator("#behind")).to_contain_text("behind")
    page.get_by_role("tab", name="Hands").tap()
    page.locator(".handline button").first.tap()
    page.wait_for_function("() => window.highnoon.head.place.hand === 1")
    expect(page.locator("#screen")).to_be_in_viewport(ratio=0.95)
    page.locator("#live").tap()
    page.wait_for_function("() => window.highnoon.head.following")


def read_boxes(page: Page, parts: str) -> list[tuple[float, float, float, float]]:
    """Returns the boxes of `parts` on the screen: x, y, width and height, in CSS pixels."""
    boxes = [part.bounding_box() for part in page.locator(parts).all()]
    assert boxes
    assert all(box and box["width"] and box["height"] for box in boxes)
    return [(box["x"], box["y"], box["width"], box["height"]) for box in boxes if box]


def test_no_text_is_smaller_than_14_pixels_on_a_phone(server: ShowServer, entries: Entries, load_page: Opener) -> None:
    counts = [int(len(entries) * fraction) for fraction in (0.05, 0.4, 0.55, 0.7, 1)]
    channel = server.channel("text-size", entries[: counts[0]])
    page = load_page("watch?channel=text-size", **PHONE)
    for last_count, count in pairwise([counts[0], *counts]):
        server.put(channel, entries[last_count:count])
        page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=count)
        texts: list[Any] = []
        for tab in ("Now", "Standings", "Hands", "Schedule") if count == len(entries) else ("Now",):
            page.get_by_role("tab", name=tab).tap()
            texts += page.evaluate(_TEXTS)
        assert len(texts) > 15
        assert not {tuple(text) for text in texts if text[1] < 14 - 0.001}


_MUST_SHOW = ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third"
# Returns how many square pixels of the parts in _MUST_SHOW are covered by the box that explains a word.
_MEASURE_COVERED = f"""() => {{
  const card = document.getElementById("explained").getBoundingClientRect();
  const over = (box) => Math.max(0, Math.min(card.right, box.right) - Math.max(card.left, box.left))
    * Math.max(0, Math.min(card.bottom, box.bottom) - Math.max(card.top, box.top));
  return [...document.querySelectorAll(".screen :is({_MUST_SHOW})")]
    .reduce((sum, part) => sum + over(part.getBoundingClientRect()), 0);
}}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844), (844, 390)])
def test_explanation_does_not_cover_the_table(
    width: int, height: int, server: ShowServer, entries: Entries, open_page: Opener
) -> None:
    entry_number = next(entry.seq for entry in entries if len(getattr(entry.event, "chances", ())) > 1)
    server.channel(f"words-{width}", entries[:entry_number])
    device = {} if width > 1000 else PHONE
    page = open_page(f"watch?channel=words-{width}", **{**device, "viewport": {"width": width, "height": height}})
    page.wait_for_function("() => document.body?.dataset.ready === 'yes' && document.querySelector('.badge--button')")
    press = page.touchscreen.tap if device else page.mouse.click
    page.locator(".badge--blind[tabindex]").first.wait_for(state="attached")
    titles = {".badge--button:visible": "The dealer's star", ".chance:visible": "%", ".third__where": "", ".pot": ""}
    for part, title in titles.items():
        box = page.locator(part).first.bounding_box()
        assert box
        press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator("#explained-title")).to_contain_text(title)
        expect(page.locator("#explained")).to_be_visible()
        assert page.evaluate(_MEASURE_COVERED) == 0, part


def test_every_word_that_the_page_explains_is_in_the_glossary() -> None:
    script = (ROOT / "static/js/replay/words/explanations.js").read_text(encoding="utf-8")
    glossary = (ROOT / "broadcast/guide/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r'term: "([^"]+)"', script))
    assert len(terms) >= 7
    assert not [term for term in terms if f"| {term} |" not in glossary]

"""A tap on an unfamiliar word explains it to newcomers. The explanation covers nothing."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from broadcast.on_air.events import EquitiesChanged, OnAirEntry
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.source_files import ROOT

_READY = "() => document.body?.dataset.ready === 'yes' && document.querySelector('.badge--button')"
_KEPT = ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third"
# Some parts of the page must stay visible. Measures how much of them the explanation covers, in square pixels.
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
def test_explanation_covers_nothing_of_the_table(
    width: int, height: int, shows: ShowServer, on_air: Sequence[OnAirEntry], visit: Visit
) -> None:
    chances = next(
        entry.seq for entry in on_air if isinstance(entry.event, EquitiesChanged) and len(entry.event.chances) > 1
    )
    shows.channel(f"words-{width}", on_air[:chances])
    device = {} if width > 1000 else PHONE
    page = visit(f"watch?channel=words-{width}", **{**device, "viewport": {"width": width, "height": height}})
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    page.locator(".badge--blind[tabindex]").first.wait_for(state="attached", timeout=PATIENCE_MS)
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


def test_every_explained_word_is_in_the_glossary() -> None:
    script = (ROOT / "static/js/replay/words/sentences.js").read_text(encoding="utf-8")
    glossary = (ROOT / "broadcast/guide/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r'term: "([^"]+)"', script))
    assert len(terms) >= 7
    assert not [term for term in terms if f"| {term} |" not in glossary]

"""Drawings outside the overlay match the overlay's: suits in link pictures, paper in reports."""

import re

import pytest

from broadcast.recordings.suits import suit_outlines
from server.paths import STATIC
from tests.overlay.support.screen import Screen

_BOX = """async (suit) => {
  const { suitShape } = await import("/static/js/overlay/parts/shapes.js");
  const shape = document.body.appendChild(suitShape(suit));
  const box = shape.querySelector("path").getBBox();
  shape.remove();
  return [box.x, box.y, box.x + box.width, box.y + box.height];
}"""
_PAPER = """async () => {
  const { paperSheet } = await import("/static/js/overlay/parts/shapes.js");
  return [...paperSheet(248, 316, 5).querySelectorAll("path")].map((path) => path.getAttribute("d"));
}"""


@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_a_suit_in_the_picture_of_a_link_is_as_large_as_on_the_table(suit: str, still: Screen) -> None:
    across, down = zip(*suit_outlines()[suit], strict=True)
    ours = [min(across), min(down), max(across), max(down)]
    assert still.page.evaluate(_BOX, suit) == pytest.approx(ours, abs=0.5)


def test_the_paper_of_a_report_is_torn_as_a_poster_is(still: Screen) -> None:
    kept = re.findall(r' d="([^"]+)"', (STATIC / "art" / "report-paper.svg").read_text())
    theirs = still.page.evaluate(_PAPER)
    assert kept[:3] == theirs[:3]

"""Drawings outside the overlay match the overlay's: suits in link pictures, paper in reports."""

import re

import pytest
from PIL import ImageColor

from broadcast.recordings.drawing import PAPER, PAPER_LIGHT, paper, suit_outlines
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
def test_suit_in_a_link_picture_is_as_large_as_on_the_table(suit: str, still: Screen) -> None:
    across, down = zip(*suit_outlines()[suit], strict=True)
    ours = [min(across), min(down), max(across), max(down)]
    assert still.page.evaluate(_BOX, suit) == pytest.approx(ours, abs=0.5)


def test_paper_of_a_report_is_torn_like_a_poster(still: Screen) -> None:
    kept = re.findall(r' d="([^"]+)"', (STATIC / "art" / "report-paper.svg").read_text())
    theirs = still.page.evaluate(_PAPER)
    assert kept[:3] == theirs[:3]


def test_paper_in_a_link_picture_is_torn_like_a_report_in_the_colours_of_the_show() -> None:
    corners = re.findall(r'class="paper__sheet" d="M([^"Z]+)', (STATIC / "art" / "report-paper.svg").read_text())[0]
    sheet = paper(248, 316)
    tokens = (STATIC / "css" / "common" / "tokens.css").read_text()
    assert (f"--paper: {PAPER};" in tokens, f"--paper-light: {PAPER_LIGHT};" in tokens) == (True, True)
    across = [float(corner.split()[0]) for corner in corners.split("L")]
    down = [float(corner.split()[1]) for corner in corners.split("L")]
    assert sheet.getbbox() == pytest.approx((min(across), min(down), max(across), max(down)), abs=1)
    assert sheet.getpixel((124, 158)) == ImageColor.getcolor(PAPER_LIGHT, "RGBA")

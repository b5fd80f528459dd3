"""The size of all letters on a phone that is held upright, in the picture and around it."""

from collections.abc import Sequence
from typing import Any

import pytest

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.show_server import ShowServer

LEAST = 14
"""CSS pixels."""
# Every text that can be seen, with the size of its letters on the screen: the picture is scaled.
_LETTERS = """() => {
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


@pytest.mark.parametrize("share", [0.05, 0.4, 0.55, 0.7, 1])
def test_no_letters_are_smaller_than_14_pixels_on_a_phone(
    share: float, studio: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    studio.channel(f"letters-{share}", on_air[: int(len(on_air) * share)])
    page = look(f"watch?channel=letters-{share}", **PHONE)
    found: list[Any] = []
    for tab in ("Now", "Standings", "Hands", "Schedule"):
        page.get_by_role("tab", name=tab).tap()
        found += page.evaluate(_LETTERS)
    assert len(found) > 40
    assert not {tuple(each) for each in found if each[1] < LEAST - 0.001}

"""The size of all text on an upright phone, in the picture and around it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS

LEAST = 14
"""CSS pixels."""
SHARES = (0.05, 0.4, 0.55, 0.7, 1)
"""Fractions of the show on air at each look."""
TABS = ("Now", "Standings", "Hands", "Schedule")
"""The first is checked at every look, as the picture above it changes; the others at the end, when they are full."""
# Every visible text with its size on the screen; the picture is scaled.
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


def test_no_text_is_smaller_than_14_pixels_on_a_phone(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shown = [int(len(on_air) * share) for share in SHARES]
    air = shows.channel("text-size", on_air[: shown[0]])
    page = look("watch?channel=text-size", **PHONE)
    for before, now in pairwise([shown[0], *shown]):
        shows.put(air, on_air[before:now])
        page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=now, timeout=PATIENCE_MS)
        found: list[Any] = []
        for tab in TABS if now >= len(on_air) else TABS[:1]:
            page.get_by_role("tab", name=tab).tap()
            found += page.evaluate(_TEXTS)
        assert len(found) > 15
        assert not {tuple(each) for each in found if each[1] < LEAST - 0.001}

"""The size of all letters on a phone that is held upright, in the picture and around it."""

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
"""So much of the show has been on air."""
TABS = ("Now", "Standings", "Hands", "Schedule")
"""The first is read at every moment, for the picture above it changes; the others at the end, when they are full."""
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


def test_no_text_is_smaller_than_14_pixels_on_a_phone(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shown = [int(len(on_air) * share) for share in SHARES]
    air = shows.channel("letters", on_air[: shown[0]])
    page = look("watch?channel=letters", **PHONE)
    for before, now in pairwise([shown[0], *shown]):
        shows.put(air, on_air[before:now])
        page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=now, timeout=PATIENCE_MS)
        found: list[Any] = []
        for tab in TABS if now >= len(on_air) else TABS[:1]:
            page.get_by_role("tab", name=tab).tap()
            found += page.evaluate(_LETTERS)
        assert len(found) > 15
        assert not {tuple(each) for each in found if each[1] < LEAST - 0.001}

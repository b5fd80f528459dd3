"""The first picture of a live show and of a replay, on a phone with a slow line: what has to load before it."""

import re
import time
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.show_server import ShowServer

MAX_BYTES = 180_000
# All that was requested before the first picture: the page and every file.
_BEFORE = """() => {
  const [{ startTime: stood }] = performance.getEntriesByName("highnoon:replay");
  return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter((entry) => entry.startTime < stood)
    .map((entry) => [entry.name.replace(location.origin, ""), entry.transferSize]);
}"""


@pytest.mark.parametrize("path", ["watch?channel=first", "replay/one?hand=3&step=9"])
def test_first_picture_takes_two_round_trips_and_180_kilobytes(
    path: str, shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    """At 1.6 Mbit/s and 150 ms that is 300 ms of waiting and 900 ms of loading, which leaves 300 ms of the second and
    a half for the phone to make the picture. Two trips: the page names every file that its picture needs."""
    if "first" in path:
        shows.channel("first", on_air[:400])
    else:
        while httpx.get(f"{shows.address}/films/one/index.json?soon", timeout=60).status_code == 202:
            time.sleep(0.05)  # the film is being made, and the page would ask how far it is
    page: Page = look(path, **PHONE, fresh=True)
    text = httpx.get(f"{shows.address}/{path}").text
    (_, size), *files = loaded(page)
    named = set(re.findall(r'(?:href|src)="([^"]+)"', text.replace("&amp;", "&")))
    needed = [name for name, _ in files if not name.startswith("/static/art/")]  # the wood behind it may come later
    assert not [name for name in needed if not any(name.endswith(each.lstrip("./")) for each in named if each)]
    assert size + sum(each for _, each in files) <= MAX_BYTES, files


def loaded(page: Page) -> list[Any]:
    """Name and bytes of everything loaded before the picture, the page first."""
    found: list[Any] = page.evaluate(_BEFORE)
    return found

"""The timeline and the live button in a real browser: games, marks by shape, what is to come, the show's state."""

import re
from collections.abc import Sequence

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry
from server.game.events import ControlSet
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.show_server import ShowServer

_HANDS = "() => window.highnoon.film.outline.hands"
_POSITION = "() => Object.values(window.highnoon.head.place)"
# The centre of each mark of a kind on the screen.
_MARKS = """(kind) => {
  const path = document.querySelector(`#marks [data-kind="${kind}"]`);
  const box = document.getElementById("marks").getBoundingClientRect();
  const starts = [...path.getAttribute("d").matchAll(/M([0-9.]+) ([0-9.]+)/g)];
  return starts.map(([, x, y]) => [box.x + Number(x), box.y + Number(y)]);
}"""
_SHAPES = "() => [...document.querySelectorAll('#legend path')].map((path) => path.getAttribute('d'))"


def test_timeline_has_a_piece_for_each_game_and_marks_lead_to_hands(look: Visit) -> None:
    page = look("replay/one?hand=0")
    hands = page.evaluate(_HANDS)
    games = {(hand["stage"], hand["game"]) for hand in hands[1:]}
    pieces = page.locator("#games svg").first.locator("path").first.get_attribute("d") or ""
    assert pieces.count("M") == len(games) > 1
    out = [number for number, hand in enumerate(hands) if hand["out"]]
    marks = page.evaluate(_MARKS, "out")
    assert len(marks) == len(out) > 1
    page.mouse.click(*marks[1])
    page.wait_for_function("(hand) => window.highnoon.head.place.hand === hand", arg=out[1])
    shapes = page.evaluate(_SHAPES)
    assert len(set(shapes)) == len(shapes) == 4, "a shape for each kind, as not everybody sees colours"


def test_what_is_to_come_is_hatched_where_it_can_be_estimated(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    air = shows.channel("still-to-come", on_air[:120])
    page = look("watch?channel=still-to-come")
    come = page.locator(".timeline__to-come")
    expect(come).to_be_hidden()
    expect(page.locator("#left")).to_be_empty()
    shows.put(air, on_air[120:400])  # the last stage: how long it lasts can be told
    expect(come).to_be_visible()
    expect(page.locator("#left")).to_contain_text(re.compile(r"about \d min to come"))
    line, hatched = page.locator("#games").bounding_box(), come.bounding_box()
    assert line is not None
    assert hatched is not None
    assert line["x"] < hatched["x"] < line["x"] + line["width"]
    page.mouse.click(hatched["x"] + hatched["width"] / 2, line["y"] + 35)  # nobody can go there
    page.wait_for_function("() => !document.body.dataset.moving")
    assert page.evaluate("() => window.highnoon.head.now <= window.highnoon.film.end")
    shows.put(air, on_air[400:])
    expect(come).to_be_hidden()


def test_live_button_shows_live_waiting_paused_and_over(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    air = shows.channel("stand", [*on_air[:199], replace(on_air[199], hold_ms=0)])
    page: Page = look("watch?channel=stand", **PHONE)
    button = page.locator("#live")
    expect(button).to_have_text("Waiting")  # nothing more comes
    shows.put(air, on_air[200:201])
    expect(button).to_have_text("Live")
    shows.put(air, [OnAirEntry(0, air.at_ms, 0, ControlSet("paused", True, False))])
    expect(button).to_have_text("Paused")
    shows.put(air, [OnAirEntry(0, air.at_ms, 0, ControlSet("paused", False, True))])
    expect(button).not_to_have_text("Paused")
    shows.put(air, on_air[201:])
    expect(button).to_have_text("Over")
    page.locator("#hand-back").tap()
    expect(button).to_contain_text("behind")
    assert page.evaluate(_POSITION)[0] > 0

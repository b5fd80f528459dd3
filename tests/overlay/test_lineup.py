"""The line-up before the show, with the start time and the bots that are still missing; the standings between games."""

from datetime import datetime

import pytest

from server.game.events import BotConnected
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.test_scenes import FITTING, measure

MANY = [f"{name} {number}".strip() for number in ("", "II", "III") for name in NAMES]
_CLOCK = "() => document.querySelector('.countdown__figure').textContent"
_GRAPH = """() => {
  const room = document.querySelector(".panel").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".chart__face")].filter((face) => face.checkVisibility())
    .map((face) => face.getBoundingClientRect());
  const inside = ({ left, right, top, bottom }) =>
    left >= room.left && right <= room.right && top >= room.top && bottom <= room.bottom;
  const apart = (one, two) =>
    one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top;
  const free = boxes.every((one, at) => boxes.slice(0, at).every((two) => apart(one, two)));
  return [boxes.length, boxes.every(inside), free];
}"""
_AWAITED = "() => document.querySelectorAll('.poster[data-away]').length"


@pytest.mark.parametrize("count", [2, 7, 9, 30])
def test_lineup_and_standings_of_any_size_fit_and_missing_bots_are_marked(count: int, still: Screen) -> None:
    still.show(Script(MANY[:count]).tell(*(BotConnected(bot) for bot in range(1, count // 2 + 1))))
    assert measure(still) == FITTING
    assert still.page.evaluate(_AWAITED) == count - count // 2
    assert "here so far" in still.page.inner_text(".lineup__line")
    script = Script(MANY[:count]).connect().stage().game(range(1, min(count, 6) + 1), (5000,) * min(count, 6))
    still.show(script.hand("fold fold fold fold fold"[: 5 * min(count, 6) - 6]).end_game())
    assert measure(still) == FITTING
    assert still.page.locator(".row:visible").count() == count


def test_lineup_counts_nobody_before_a_bot_connects_and_awaits_nobody_after_the_start(still: Screen) -> None:
    still.show(Script())
    assert "so far" not in still.page.inner_text(".lineup__line")
    still.show(Script().tell(BotConnected(1)).stage())
    assert still.page.evaluate(_AWAITED) == 0


@pytest.mark.parametrize(("scene", "faces"), [("standings", 12), ("title_odds", 24)])
def test_each_line_of_a_graph_ends_in_a_face_that_covers_no_other(scene: str, faces: int, still: Screen) -> None:
    still.show(SCENES[scene]())
    assert still.page.evaluate(_GRAPH) == [faces, True, True]


def test_clock_counts_down_to_a_valid_start_time_in_the_address_until_the_show_starts(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&start=20:00", fresh=True)
    figures = {(18, 59, 58): "1:00:02", (19, 50, 0): "10:00", (19, 59, 55): "0:05", (20, 0, 1): "NOW"}
    for now, figure in figures.items():
        screen.page.clock.set_fixed_time(datetime(2026, 11, 21, *now).astimezone())
        screen.show(Script().connect())
        assert screen.page.evaluate(_CLOCK) == figure
    screen.put(Script().connect().stage().entries)
    screen.settle()
    assert not screen.page.locator(".countdown").is_visible()
    for settings in ("", "&start=25:00", "&start=%3Cb%3E"):
        screen = open_screen(f"motion=off{settings}")
        screen.show(Script().connect())
        assert not screen.page.locator(".countdown").is_visible()

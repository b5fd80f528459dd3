"""Every scene looks like its golden picture, keeps everything inside its boxes, and is legible.

Legible means: all text is large enough, has enough contrast to what is behind it, and does not touch other text. Cards
out of play (folded hands, cards that did not win) are dimmed on purpose, so they need no contrast, and neither does
text under a stamp.

`GOLDEN=new pytest tests/overlay/test_scenes.py` stores new golden pictures; look at them before committing.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from playwright.sync_api import Browser

from broadcast.on_air.events import Chance, EquitiesChanged, FocusChanged, OnAirEntry
from server.game.events import TurnStarted
from server.hand_histories.import_hands import import_hands
from tests.overlay.support.compare_pictures import SIZE, difference_share, shrink
from tests.overlay.support.legibility import Written, find_faint, read_texts
from tests.overlay.support.scenes import SCENES, TRIALS, starting, winner
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.in_node import Node
from tests.support.source_files import ROOT

GOLDEN = Path(__file__).parent / "golden"
MEASURES = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
# Scenes with characters that our fonts lack are not compared, because these look different on each machine.
COMPARED = sorted(set(SCENES) - {"names", "reading_of_nine"})
SCALED = {
    "betting": (1080, 720), "twelve_running_out": (1080,), "standings": (720,), "champion": (1080,),
    "technical_trouble": (720,),
}  # fmt: skip
"""Scenes that are also compared at other sizes, with the heights of these sizes in pixels."""
HALF = 540
"""The height in pixels at which all scenes are compared: a quarter of the work of 1080."""
FITTING: dict[str, list[str]] = {"small": [], "outside": [], "overlapping": [], "unsafe": []}
"""What `measure` returns for a picture without faults."""
PLAIN_GOLDEN = ("betting", "captured", "standings", "reading", "champion", "resting")
TABLES = [(2, 123456), (12, 123456), *((count, 123456789) for count in range(2, 13))]
"""The number of seats, and every bot's stack. Each number of seats is tested with stacks of nine digits."""


LAYOUT = """async ([count, near, seats], load) => {
  const { layoutFor } = await load("/static/js/overlay/scenes/layout.js");
  return layoutFor(count, { near, seats }).map((box) => ({ ...box, x: box.left + box.width / 2 }));
}"""


WANTED = """() => [...document.querySelectorAll(".poster__wanted")].map(
  (head) => !head.textContent && getComputedStyle(head, "::before").content.includes("WANTED"))"""
# The space on the left of each chance, in pixels of the screen of 1920x1080 or 780x1387.
MARGINS = """() => [...document.querySelectorAll(".chance")].map((chance) => {
  const [box, range] = [chance.getBoundingClientRect(), document.createRange()];
  range.selectNodeContents(chance.firstElementChild);
  const text = Math.min(...[...range.getClientRects()].map((each) => each.left));
  return ((text - box.left) * chance.offsetWidth) / box.width;
})"""


class Look(Struct, frozen=True):
    """The measurements and the texts of a scene, and its screenshots by the height of the window in pixels."""

    measured: dict[str, list[str]]
    written: Written
    pictures: dict[int, bytes]


@pytest.fixture(scope="module")
def look(still_screen: Screen) -> Callable[[str], Look]:
    """Takes the look of a scene; each scene is shown only once for all tests."""
    return cache(lambda scene: take_look(still_screen, scene, SCALED.get(scene, ())))


def take_look(screen: Screen, scene: str, lines: Iterable[int] = ()) -> Look:
    screen.tidy()
    screen.show(SCENES[scene]())
    found, pictures = measure(screen), {}
    for each in (*lines, HALF):
        screen.page.set_viewport_size({"width": each * 16 // 9, "height": each})
        screen.settle()
        pictures[each] = screen.picture()
    texts = read_texts(screen)
    screen.page.set_viewport_size({"width": 1920, "height": 1080})
    assert texts
    assert not screen.complaints
    return Look(found, texts, pictures)


@pytest.mark.parametrize("scene", COMPARED)
def test_scene_looks_like_its_golden_picture(scene: str, look: Callable[[str], Look]) -> None:
    compare(f"{scene}.png", look(scene).pictures[HALF])
    for lines in SCALED.get(scene, ()):
        compare(f"{scene}-{lines}.png", look(scene).pictures[lines])


@pytest.fixture(scope="module")
def look_plain(shows: ShowServer, browser: Browser) -> Callable[[str], Look]:
    """Takes the look of a scene in the plain theme with the two-colour deck."""
    screen = Screen(shows, browser, "plain", "motion=off&still&theme=plain&deck=2")
    return cache(lambda scene: take_look(screen, scene))


@pytest.mark.parametrize(
    "scene", [*PLAIN_GOLDEN, "everyone_all_in", "winner", "evening_counted", "finalists", "at_stake"]
)
def test_plain_theme_is_legible_and_looks_like_its_golden_pictures(
    scene: str, look_plain: Callable[[str], Look]
) -> None:
    assert not find_faint(look_plain(scene).written)
    if scene in PLAIN_GOLDEN:
        compare(f"plain-{scene}.png", look_plain(scene).pictures[HALF])


def compare(name: str, png: bytes, size: tuple[int, int] = SIZE) -> None:
    """Compares a screenshot with a golden picture; with GOLDEN=new, stores it as the new golden picture first."""
    if os.environ.get("GOLDEN") == "new":
        GOLDEN.mkdir(exist_ok=True)
        shrink(png, size).save(GOLDEN / name, optimize=True)
    assert difference_share(GOLDEN / name, png) < 0.01


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_and_everything_written_is_legible(scene: str, look: Callable[[str], Look]) -> None:
    assert look(scene).measured == FITTING
    assert not find_faint(look(scene).written)


@pytest.mark.parametrize("scene", ["betting", "everyone_all_in", "winner", "champion"])
def test_widest_names_stay_in_their_boxes(scene: str, still: Screen) -> None:
    script = SCENES[scene]()
    script.entries[0] = Script(("W" * 30,) * len(script.names)).entries[0]
    still.show(script)
    found = measure(still)
    assert found["outside"] == found["overlapping"] == []


@pytest.mark.parametrize(("count", "stack"), TABLES)
def test_every_table_size_fits(count: int, stack: int, still: Screen) -> None:
    still.show(full_table(count, stack))
    assert measure(still) == FITTING


def full_table(count: int, stack: int) -> Script:
    """A table of bots with long names and stacks; two of them chat."""
    script = Script(("Señor Fold-a-Lot de Río Grande",) * count, stack=stack).connect().stage(games=1, advance=0)
    script.game(range(1, count + 1)).hand(f"call raise:{stack // 1000 * 999} call")
    return script.chat(
        *((bot, "A word from every seat of the table, and it is not a short one.") for bot in (1, count))
    )


@pytest.mark.parametrize("count", range(3, 13))
def test_nearer_table_of_any_size_fits(count: int, still: Screen) -> None:
    for script in nearer_tables(count):
        still.show(script)
        assert measure(still) == FITTING


def nearer_tables(count: int) -> Iterator[Script]:
    """A table of `count` bots with two seats in focus, and then with three."""
    script = Script([f"Gunslinger Gus No {bot:02}" for bot in range(count)]).connect().stage(games=1, advance=0)
    script.game(range(1, count + 1)).hand()
    for near, seats in (("duel", (0, count - 1)), ("group", (0, 1, count - 1))):
        yield script.put(FocusChanged(near, seats, None, "", silent=False))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", range(3, 13))
def test_bots_keep_their_sides_when_the_picture_goes_nearer(count: int, node: Node) -> None:
    table = node.evaluate(LAYOUT, [count, "table", []])
    for one, other in combinations(range(count), 2):
        nearer = node.evaluate(LAYOUT, [count, "duel", [one, other]])
        assert (nearer[one]["x"] - nearer[other]["x"]) * (table[one]["x"] - table[other]["x"]) >= 0


@pytest.mark.parametrize("count", range(4, 13))
def test_small_seats_are_in_rows_of_about_the_same_length(count: int, node: Node) -> None:
    for near, focus in (("duel", [0, 1]), ("group", [0, 1, 2])):
        seats = node.evaluate(LAYOUT, [count, near, focus])
        small = [seat for seat in seats if seat["kind"] == "bench"]
        for there in (True, False):
            place = [seat for seat in small if there == (seat["x"] < 960 if near == "duel" else seat["top"] < 540)]
            rows = Counter(seat["top"] for seat in place).values()
            assert not rows or max(rows) - min(rows) <= 1


def test_bot_that_is_out_is_no_longer_wanted(still: Screen) -> None:
    still.show(winner().eliminate(1, 12).hand("call"))
    heads = still.page.evaluate(WANTED)
    assert heads == [False] * 6
    still.show(starting().game(TRIALS).hand("call"))
    assert still.page.evaluate(WANTED) == [True] * 6


def test_rays_shine_for_a_large_pot_and_not_for_a_small_one(still: Screen) -> None:
    still.show(winner())
    assert still.page.locator(".behind__rays").is_visible()
    still.show(starting().game(TRIALS).hand("call call call call call call down", events=-1))
    assert still.page.evaluate("() => document.querySelector('.scene--table').dataset.won") == "win"
    assert not still.page.locator(".behind__rays").is_visible()


@pytest.mark.parametrize("count", [2, 6, 8, 10, 12])
@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_no_chance_touches_the_edge_of_its_box(shape: str, count: int, still: Screen, tall: Screen) -> None:
    screen = still if shape == "wide" else tall
    script = Script(NAMES[:count]).connect().stage(games=1, advance=0).game(range(1, count + 1)).hand()
    for win, tie in ((888, 0), (1000, 0), (991, 9), (8, 9), (0, 880), (0, 995), (0, 1000)):
        screen.show(script.put(EquitiesChanged(tuple(Chance(seat, win, tie) for seat in range(count)))))
        assert min(screen.page.evaluate(MARGINS)) >= 5


def test_unknown_cards_of_published_hands_lie_face_down(still: Screen) -> None:
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    dealt = next(number for number, entry in enumerate(published) if isinstance(entry.event, TurnStarted))
    still.put(OnAirEntry(entry.seq, entry.at_ms, 0, entry.event) for entry in published[:dealt])
    still.settle()
    cards = "[...document.querySelectorAll('.seat__cards .card')]"
    backs = still.page.evaluate(f"() => {cards}.map((card) => !!card.dataset.back)")
    assert backs[:6] == [False, False, True, True, False, False]


def measure(screen: Screen) -> Any:
    """Lists everything that is too small, outside its box, overlapping, or outside the safe area."""
    screen.page.evaluate(MEASURES)
    return screen.page.evaluate("() => window.measures()")

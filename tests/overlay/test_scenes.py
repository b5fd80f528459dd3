"""Every scene looks like its golden picture, keeps everything inside its box, and is legible: all text is large enough,
in contrast to what is really behind it, apart from other text.

What is out of play is dimmed on purpose (cards of folded hands, cards that did not win) and is exempt from contrast;
so is what a stamp covers.

`GOLDEN=new pytest tests/overlay/test_scenes.py` keeps new golden pictures; look at them before committing.
"""

import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from playwright.sync_api import Browser

from broadcast.on_air.events import OnAirEntry
from server.game.events import TurnStarted
from server.hand_histories.import_hands import import_hands
from tests.overlay.support.compare_pictures import SIZE, differing, kept
from tests.overlay.support.legibility import EYES, LARGE_RATIO, LEAST, Written, faint, overlap, safe, written
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.source_files import ROOT

GOLDEN = Path(__file__).parent / "golden"
MEASURES = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
TOKENS = Path(__file__).parents[2] / "static" / "css" / "common" / "tokens.css"
# Letters that no font of ours has come from the machine, so they are measured but not compared.
COMPARED = sorted(set(SCENES) - {"names", "resting_early"})
SCALED = {
    "betting": (1080, 720), "twelve_running_out": (1080,), "standings": (720,), "champion": (1080,),
    "technical_trouble": (720,),
}  # fmt: skip
"""Two tables, and other kinds of pictures, and the lines at which they are compared too: the same stage, scaled."""
HALF = 540
"""The lines of the pictures of all scenes: the same colours, letters and shapes, and a quarter of the work."""
PLAIN = ("betting", "captured", "standings", "champion", "resting")
TABLES = [(2, 123456), (12, 123456), *((count, 123456789) for count in range(2, 13))]
"""Seats and the stack of each bot: the longest number at every table."""
# What stands on what: text colour, ground.
PAIRS = (
    ("ink", "paper"), ("ink", "paper-light"), ("ink", "paper-dim"), ("ink", "paper-lit"), ("ink-soft", "paper-light"),
    ("brass-ink", "brass"), ("plate-ink", "plate"), ("plate-quiet-ink", "plate-quiet"), ("cream", "red"),
    ("gold", "red-dark"), ("gold", "plate-turn"), ("gold-ink", "gold"), ("band-ink", "band"), ("gold", "band"),
    ("bubble-ink", "bubble"), ("plate-ink", "cream"), ("cream", "felt"), ("cream", "felt-final"),
    ("spade", "card"), ("heart", "card"), ("diamond", "card"), ("club", "card"), ("cream", "room"), ("up", "paper"),
    ("down", "paper"), ("band-soft", "felt"), ("gold", "felt"), ("gold", "felt-final"), ("gold", "room"),
    ("band-ink", "red-dark"), ("cream", "plate-turn"), ("cream", "took-weak"), ("cream", "took-middle"),
    ("tally-strong-ink", "took-strong"), ("cream", "lost-weak"), ("cream", "lost-middle"),
    ("tally-strong-ink", "lost-strong"), ("lucky", "band"), ("lucky", "room"), ("down", "paper-light"),
)  # fmt: skip


class Look(Struct, frozen=True):
    """What a scene measures, what is written in it, and its screenshots, each by the lines of its window."""

    measured: dict[str, list[str]]
    written: Written
    pictures: dict[int, bytes]


@pytest.fixture(scope="module")
def look(still_screen: Screen) -> Callable[[str], Look]:
    """A scene as it is shown once for all that is asked of it."""
    return cache(lambda scene: looked(still_screen, scene, SCALED.get(scene, ())))


def looked(screen: Screen, scene: str, lines: Iterable[int] = ()) -> Look:
    screen.tidy()
    screen.show(SCENES[scene]())
    found, pictures = measured(screen), {}
    for each in (*lines, HALF):
        screen.page.set_viewport_size({"width": each * 16 // 9, "height": each})
        screen.settle()
        pictures[each] = screen.picture()
    stands = written(screen)
    screen.page.set_viewport_size({"width": 1920, "height": 1080})
    assert stands
    assert not screen.complaints
    return Look(found, stands, pictures)


@pytest.mark.parametrize("scene", COMPARED)
def test_scene_looks_like_its_golden_picture(scene: str, look: Callable[[str], Look]) -> None:
    compare(f"{scene}.png", look(scene).pictures[HALF])


@pytest.mark.parametrize("scene", SCALED)
def test_scene_looks_like_its_golden_picture_at_1080_and_720_lines(scene: str, look: Callable[[str], Look]) -> None:
    for lines in SCALED[scene]:
        compare(f"{scene}-{lines}.png", look(scene).pictures[lines])


@pytest.fixture(scope="module")
def look_plain(shows: ShowServer, browser: Browser) -> Callable[[str], Look]:
    """The same in the plain theme with the classic deck."""
    screen = Screen(shows, browser, "plain", "motion=off&still&theme=plain&deck=2")
    return cache(lambda scene: looked(screen, scene))


@pytest.mark.parametrize("scene", PLAIN)
def test_plain_theme_looks_like_its_golden_picture(scene: str, look_plain: Callable[[str], Look]) -> None:
    compare(f"plain-{scene}.png", look_plain(scene).pictures[HALF])


def compare(name: str, png: bytes, size: tuple[int, int] = SIZE) -> None:
    """Holds a screenshot against a golden picture, or keeps it as the new one."""
    if os.environ.get("GOLDEN") == "new":
        GOLDEN.mkdir(exist_ok=True)
        kept(png, size).save(GOLDEN / name, optimize=True)
    assert differing(GOLDEN / name, png) < 0.01


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_and_nothing_leaves_its_box(scene: str, look: Callable[[str], Look]) -> None:
    assert look(scene).measured == {"small": [], "outside": [], "overlapping": [], "unsafe": []}


@pytest.mark.parametrize("scene", SCENES)
def test_everything_written_stands_out_from_what_is_behind_it(scene: str, look: Callable[[str], Look]) -> None:
    assert not faint(look(scene).written)


@pytest.mark.parametrize("scene", ["betting", "everyone_all_in", "winner", "captured", "standings", "champion"])
def test_in_the_plain_theme_too(scene: str, look_plain: Callable[[str], Look]) -> None:
    assert not faint(look_plain(scene).written)


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_written_is_small_or_outside_the_safe_area_or_on_other_text(
    scene: str, look: Callable[[str], Look]
) -> None:
    found = look(scene).written
    assert not [each["text"] for each in found if each["size"] < LEAST]
    assert not [each["text"] for each in found if not safe(each["box"])]
    assert not [(one["text"], other["text"]) for one, other in combinations(found, 2) if overlap(one, other)]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("scene", ["winner", "everyone_all_in", "showdown"])
def test_words_are_read_without_colours(scene: str, eyes: str, look: Callable[[str], Look]) -> None:
    assert not faint(look(scene).written, EYES[eyes], least=LARGE_RATIO)


@pytest.mark.parametrize("scene", ["betting", "everyone_all_in", "winner", "champion"])
def test_the_widest_names_leave_no_box(scene: str, still: Screen) -> None:
    script = SCENES[scene]()
    still.show(renamed(script, "W" * 30))
    assert measured(still)["outside"] == []
    assert measured(still)["overlapping"] == []


@pytest.mark.parametrize(("count", "stack"), TABLES)
def test_every_table_size_fits(count: int, stack: int, still: Screen) -> None:
    script = Script(("Señor Fold-a-Lot de Río Grande",) * count, stack=stack).connect().stage(games=1, advance=0)
    script.game(range(1, count + 1)).hand(f"call raise:{stack // 1000 * 999} call")
    script.chat(*((bot, "A word from every seat of the table, and it is not a short one.") for bot in (1, count)))
    still.show(script)
    assert measured(still) == {"small": [], "outside": [], "overlapping": [], "unsafe": []}


def test_names_of_neighbours_move_nothing(still: Screen) -> None:
    still.show(SCENES["betting"]())
    before = still.page.evaluate("() => window.boxesOf('.poster, .plate, .card, .poster__photo')")
    still.show(renamed(SCENES["betting"](), "W" * 30))
    assert still.page.evaluate("() => window.boxesOf('.poster, .plate, .card, .poster__photo')") == before


def test_unseen_cards_of_published_hands_lie_face_down(still: Screen) -> None:
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    dealt = next(number for number, entry in enumerate(published) if isinstance(entry.event, TurnStarted))
    still.put(OnAirEntry(entry.seq, entry.at_ms, 0, entry.event) for entry in published[:dealt])
    still.settle()
    cards = "[...document.querySelectorAll('.seat__cards .card')]"
    backs = still.page.evaluate(f"() => {cards}.map((card) => !!card.dataset.back)")
    assert backs[:6] == [False, False, True, True, False, False]


@pytest.mark.parametrize("theme", ["western", "plain"])
def test_text_stands_out_from_its_ground(theme: str) -> None:
    tokens = colours(theme)
    weak = {pair: round(contrast(tokens[pair[0]], tokens[pair[1]]), 1) for pair in PAIRS}
    assert not {pair: ratio for pair, ratio in weak.items() if ratio < 4.5}


def renamed(script: Script, name: str) -> Script:
    """The same show with everybody called `name`."""
    again = Script((name,) * len(script.names))
    script.entries[0] = again.entries[0]
    return script


def measured(screen: Screen) -> Any:
    """What is too small, outside its box, overlapping, or outside the safe area."""
    screen.page.evaluate(MEASURES)
    return screen.page.evaluate("() => window.measures()")


def colours(theme: str) -> dict[str, str]:
    """The colour tokens of a theme."""
    css = TOKENS.read_text(encoding="utf-8")
    blocks = re.findall(r'(:root|\[data-theme="plain"\]) \{(.*?)\n\}', css, re.DOTALL)
    tokens: dict[str, str] = {}
    for selector, block in blocks:
        if selector == ":root" or theme == "plain":
            tokens |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    return tokens


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it, 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

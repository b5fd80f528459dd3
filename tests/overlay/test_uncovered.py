"""Nothing that the show adds lies on a name, a face, a card or an amount: at rest and on every way there, by hit tests
in a real browser, for 2 to 12 seats, in both shapes and both themes."""

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from broadcast.on_air.events import OnAirEntry
from server.game.events import PotAwarded
from tests.overlay.conftest import WINDOW, OpenScreen
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer

COVERS = (Path(__file__).parent / "covers.js").read_text(encoding="utf-8")
LOOKS = {
    f"{shape}-{theme}": f"shape={shape}&theme={theme}" for shape in ("wide", "tall") for theme in ("western", "plain")
}
WINDOWS = {"wide": WINDOW, "tall": (837, 1488)}
"""The tall one as large as the frames of faces are measured on: a star at rest lies on the very edge of one."""
FULL = len(NAMES)
WESTERN = [look for look in LOOKS if look.endswith("western")]
SEATED = {
    "wide-western": (2, 9, FULL), "tall-western": (3, FULL), "wide-plain": (FULL,), "tall-plain": (6,),
}  # fmt: skip
"""Each size of seats; both shapes are measured with every number of them where they stand still."""
SIZES = [(look, size) for look, sizes in SEATED.items() for size in sizes]
ONE_IN, ONE_IN_OF_FULL, ONE_IN_BETWEEN = 20, 9, 8
"""Of the moments of a show this share is looked at: at each size others."""
# As the page itself sees it in a frame of the flight: a busy machine may ask too late.
_FLOWN = """() => {
  window.under = null;
  const look = () => {
    if (document.querySelector("canvas.particles")) window.under = window.covered();
    else requestAnimationFrame(look);
  };
  look();
}"""


Look = Callable[[str], Screen]


@pytest.fixture(scope="module")
def look_at(shows: ShowServer, browser: Browser) -> Iterator[Look]:
    """Opens a page with a look whose animations stand still until they are looked at; it stays while the look does."""
    opened: list[Screen] = []
    page = browser.new_page()

    def page_of(look: str) -> Screen:
        if not opened or opened[-1].channel != look:
            leave()
            width, height = WINDOWS[look.partition("-")[0]]
            screen = Screen(shows, browser, look, LOOKS[look], width=width, height=height, blank=page)
            opened.append(screen)
            screen.stop_clock()
            screen.page.evaluate(COVERS)
            screen.page.evaluate("() => window.holdMotions()")
        return opened[-1]

    def leave() -> None:
        if opened:
            screen = opened.pop()
            screen.leave()
            assert not screen.complaints

    yield page_of
    leave()


@pytest.mark.parametrize(("look", "count"), SIZES)
def test_nothing_lies_on_a_name_a_face_a_card_or_an_amount(look: str, count: int, look_at: Look) -> None:
    shape, _, theme = look.partition("-")
    full = count == FULL and theme == "western"
    one_in = ONE_IN_OF_FULL if full else ONE_IN
    after = 2 * count + (one_in // 2 if shape == "tall" else 0)
    read, moved = looked_through(look_at(look), hand_of(count), one_in, after)
    assert not full or {"poster__photo", "line", "card"} <= read
    assert not full or moved > FULL


@pytest.mark.parametrize("look", WESTERN)
def test_nothing_lies_on_what_is_read_between_the_hands(look: str, look_at: Look) -> None:
    script = Script(speed=1).connect().stage().game()
    script.hand("call fold fold fold call call").end_game()
    ranking = list(range(1, 13))
    script.end_stage(ranking, [5000] * 12).final(ranking[:6])
    script.crown(ranking[:6], [25000, 5000, 0, 0, 0, 0])
    read, _ = looked_through(look_at(look), script, ONE_IN_BETWEEN)
    assert {"poster__photo", "line", "card"} <= read


@pytest.mark.parametrize(("count", "shape"), [(6, "wide"), (2, "tall")])
def test_particles_fly_below_all_that_is_read(count: int, shape: str, open_screen: OpenScreen) -> None:
    script = hand_of(count)
    at = next(number for number, entry in enumerate(script.entries) if isinstance(entry.event, PotAwarded))
    width, height = WINDOWS[shape]
    screen = open_screen(f"shape={shape}", width=width, height=height)
    screen.recall(script.entries[:at])
    screen.settle()
    screen.stop_clock()
    screen.page.evaluate(COVERS)
    screen.page.evaluate(_FLOWN)
    screen.put([script.entries[at]])
    screen.wait("() => window.under !== null")
    assert screen.page.evaluate("() => window.under") == []


def looked_through(screen: Screen, script: Script, one_in: int, after: int = 0) -> tuple[set[str], int]:
    """What is read in a show, by its classes, and how much moves in the moments that are looked at: one in so many."""
    read: set[str] = set()
    moved = 0
    passed: list[OnAirEntry] = []
    for at, moment in enumerate(moments(script)):
        if (at - after) % one_in:
            passed += moment
            continue
        if passed:
            screen.shows.recall(screen.air, passed)
            passed.clear()
            screen.page.evaluate("(seq) => window.pass(seq)", screen.air.last)
        screen.shows.put(screen.air, moment)
        seen = screen.page.evaluate("(moment) => window.lookAt(moment)", [screen.air.last, at])
        assert seen["covered"] == [], moment[-1].event
        read |= set(seen["read"])
        moved += seen["moved"]
    return read, moved


def hand_of(count: int) -> Script:
    """A short stack, a bot that is gone, speech, all in, a run-out, its winners; then a hand without who is out."""
    script = Script(NAMES[:count], speed=1).connect().stage(games=1, advance=0)
    script.game(range(1, count + 1), (5000, 1500, *(5000,) * (count - 2))).lose(2)
    script.chat((1, "I once folded a royal flush to a man with a better hat, and I would do it again tomorrow."))
    script.chat((count, "Yeehaw!"))
    early = ("call", "fold") * count
    script.hand(" ".join(("raise:5000", *early[: max(0, count - 3)], *("call",) * min(2, count - 1))))
    out = [seat for seat, stack in enumerate(script.stacks) if not stack]
    for place, seat in enumerate(out):
        script.eliminate(seat, count - place)
    return script.hand("call") if len(out) < count - 1 else script


def moments(script: Script) -> Iterator[list[OnAirEntry]]:
    """The entries of a show, as far as the same kind of event follows itself."""
    for _, alike in groupby(script.entries, key=lambda entry: type(entry.event)):
        yield list(alike)

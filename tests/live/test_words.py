"""Words for newcomers: a tap on an unfamiliar word explains it, with the numbers of the moment."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from broadcast.on_air.events import EquitiesChanged, OnAirEntry
from tests.live.conftest import PHONE, Visit
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.source_files import ROOT

ACROSS = {**PHONE, "viewport": {"width": 844, "height": 390}}
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
# The tall picture has neither the crosstable nor the meaning of the bars.
_COUNTED = (
    ("head--earned", "Earned"), ("head--luck", "Luck"), ("range", "How sure that is"), ("corner", "Who took from whom"),
)  # fmt: skip
_READY = "() => document.body?.dataset.ready === 'yes' && document.querySelector('.badge--button')"
_PLAYING = "() => window.highnoon.head.playing"
_STATE = "() => window.highnoon.state()"
_KEPT = ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third"
# How much of what must stay visible the explanation covers, in square pixels.
_COVERED = f"""() => {{
  const card = document.getElementById("explained").getBoundingClientRect();
  const over = (box) => Math.max(0, Math.min(card.right, box.right) - Math.max(card.left, box.left))
    * Math.max(0, Math.min(card.bottom, box.bottom) - Math.max(card.top, box.top));
  return [...document.querySelectorAll(".screen :is({_KEPT})")]
    .reduce((sum, part) => sum + over(part.getBoundingClientRect()), 0);
}}"""


@pytest.fixture(scope="module", autouse=True)
def _channels(shows: ShowServer, on_air: Sequence[OnAirEntry]) -> None:
    """A channel at a moment with chances on screen, and one with the closing statistics."""
    chances = next(
        entry.seq for entry in on_air if isinstance(entry.event, EquitiesChanged) and len(entry.event.chances) > 1
    )
    shows.channel("words", on_air[:chances])
    shows.channel("counted", SCENES["evening_counted"]().entries)


@pytest.fixture(scope="module", params=[WIDE, PHONE, ACROSS], ids=["wide", "phone", "across"])
def watching(request: pytest.FixtureRequest, shows: ShowServer, browser: Browser) -> Iterator[Page]:
    """The watch page at that moment, opened once for each size; it may not report errors."""
    errors: list[str] = []
    page = browser.new_page(**request.param)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{shows.address}/watch?channel=words&debug&motion=off")
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    yield page
    assert not errors


@pytest.fixture
def page(watching: Page) -> Page:
    """That page, live, with nothing explained."""
    watching.keyboard.press("Escape")
    expect(watching.locator("#explained")).to_be_hidden()
    watching.locator(".badge--blind[tabindex]").first.wait_for(state="attached", timeout=PATIENCE_MS)
    assert watching.evaluate(_PLAYING)
    return watching


def tap(page: Page, part: Locator) -> None:
    box = part.bounding_box()
    assert box
    (page.touchscreen.tap if page.evaluate("() => navigator.maxTouchPoints > 0") else page.mouse.click)(
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    )


def name_of(page: Page, seat: int) -> str:
    state = page.evaluate(_STATE)
    name: str = state["bots"][str(state["seats"][seat]["bot"])]["name"]
    return name


@pytest.mark.parametrize("watching", [WIDE, PHONE], ids=["wide", "phone"], indirect=True)
def test_tap_explains_a_word_with_current_numbers_while_the_show_goes_on(page: Page) -> None:
    state = page.evaluate(_STATE)
    big = next(at for at, seat in enumerate(state["seats"]) if seat["blind"] == "big")
    tap(page, page.locator(".badge--blind:visible", has_text="BB"))
    expect(page.locator("#explained-title")).to_have_text("The big blind")
    expect(page.locator("#explained-text")).to_have_text(
        f"{name_of(page, big)} had to put in {state['hand']['big_blind']} before the cards came."
    )
    tap(page, page.locator(".badge--blind:visible", has_text="SB"))
    expect(page.locator("#explained-title")).to_have_text("The small blind")
    shown = next(seat for seat in state["seats"] if seat["win"] is not None)
    tap(page, page.locator(".chance:visible").first)
    expect(page.locator("#explained-title")).to_contain_text("%")
    assert shown["win"] is not None
    assert page.evaluate(_PLAYING)


def test_explanation_covers_nothing_of_the_table(page: Page) -> None:
    for part in (".badge--button:visible", ".chance:visible", ".third__where", ".pot"):
        tap(page, page.locator(part).first)
        expect(page.locator("#explained")).to_be_visible()
        assert page.evaluate(_COVERED) == 0, part


@pytest.mark.parametrize("watching", [PHONE], ids=["phone"], indirect=True)
def test_explanation_stays_until_closed_or_something_else_is_tapped(page: Page) -> None:
    explained = page.locator("#explained")
    for close in ("Escape", "button", "elsewhere"):
        tap(page, page.locator(".badge--blind:visible", has_text="BB"))
        expect(explained).to_be_visible()
        if close == "Escape":
            page.keyboard.press("Escape")
        elif close == "button":
            explained.locator("button").click()
        else:
            tap(page, page.locator(".poster__photo").first)
        expect(explained).to_be_hidden()
        assert page.evaluate(_PLAYING), "what closes it does not pause the show"
    tap(page, page.locator(".poster__photo").first)
    page.wait_for_function("() => !window.highnoon.head.playing")
    tap(page, page.locator(".poster__photo").first)
    page.wait_for_function(_PLAYING)


@pytest.mark.parametrize("watching", [WIDE], ids=["wide"], indirect=True)
def test_enter_explains_and_the_focus_returns(page: Page) -> None:
    star = page.locator(".badge--button:visible")
    star.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#explained-title")).to_have_text("The dealer's star")
    page.keyboard.press("Escape")
    expect(star).to_be_focused()


@pytest.mark.parametrize("watching", [PHONE], ids=["phone"], indirect=True)
def test_explanation_goes_with_what_it_explains(page: Page) -> None:
    tap(page, page.locator(".badge--blind:visible", has_text="SB"))
    expect(page.locator("#explained")).to_be_visible()
    page.evaluate("() => window.highnoon.head.seek(1)")
    expect(page.locator("#explained")).to_be_hidden()
    page.evaluate("() => window.highnoon.head.follow()")
    page.wait_for_function("() => window.highnoon.head.following && document.querySelector('.badge--blind')")


def test_paused_replay_explains_a_word_and_then_plays_on(look: Visit, on_air: Sequence[OnAirEntry]) -> None:
    page = look("replay/one?hand=1")
    chances = next(entry.seq for entry in on_air if isinstance(entry.event, EquitiesChanged))
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", chances)
    assert not page.evaluate(_PLAYING)
    page.locator(".badge--blind:visible[tabindex]", has_text="BB").wait_for(timeout=PATIENCE_MS)
    state = page.evaluate(_STATE)
    big = next(at for at, seat in enumerate(state["seats"]) if seat["blind"] == "big")
    tap(page, page.locator(".badge--blind:visible", has_text="BB"))
    expect(page.locator("#explained-text")).to_have_text(
        f"{name_of(page, big)} had to put in {state['hand']['big_blind']} before the cards came."
    )
    assert not page.evaluate(_PLAYING), "what explains a word does not start the show"
    page.keyboard.press("Escape")
    expect(page.locator("#explained")).to_be_hidden()
    page.keyboard.press("5")  # as fast as it goes
    tap(page, page.locator(".poster__photo").first)
    page.wait_for_function(_PLAYING)
    page.wait_for_function("(seq) => window.highnoon.state().seq > seq", arg=state["seq"], timeout=PATIENCE_MS)


@pytest.mark.parametrize("context", [WIDE, PHONE], ids=["wide", "phone"])
def test_words_of_the_closing_statistics_are_explained(context: dict[str, Any], visit: Visit) -> None:
    page = visit("watch?channel=counted", **context)
    page.locator(".tally__head--luck[tabindex]").wait_for(timeout=PATIENCE_MS)
    rows = {row["bot"]: row for row in page.evaluate(_STATE)["statistics"]["rows"]}
    best = max(rows.values(), key=lambda row: row.get("won", 0))
    tap(page, page.locator(".tally__head--net"))
    expect(page.locator("#explained-title")).to_have_text("Net")
    expect(page.locator("#explained-text")).to_contain_text(f"{best['won']:+,}")
    for part, title in _COUNTED[: 4 if context is WIDE else 2]:
        tap(page, page.locator(f".tally__{part}"))
        expect(page.locator("#explained-title")).to_have_text(title)


def test_overlay_and_projector_explain_nothing(visit: Visit) -> None:
    for name in ("overlay", "projector"):
        page = visit(f"{name}?channel=words")
        page.locator(".badge--blind").first.wait_for(state="attached", timeout=PATIENCE_MS)
        assert page.locator("[tabindex], #explained").count() == 0


def test_every_explained_word_is_in_the_glossary() -> None:
    script = (ROOT / "static/js/replay/words/sentences.js").read_text(encoding="utf-8")
    glossary = (ROOT / "broadcast/guide/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r'term: "([^"]+)"', script))
    assert len(terms) >= 7
    assert not [term for term in terms if f"| {term} |" not in glossary]

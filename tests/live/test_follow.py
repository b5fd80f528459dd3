"""Following bots in a real browser: the star, what it marks, and what the browser remembers of it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.live.conftest import PHONE, THUMB, Visit
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import TRIALS, UNEVEN, WIDE_NAMES
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS

KEY = "highnoon:followed"
_KEPT = f"() => JSON.parse(localStorage.getItem('{KEY}') ?? '[]')"
_FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
})"""
_PRESSED = "() => [...document.querySelectorAll('.star')].map((star) => star.getAttribute('aria-pressed'))"


def star(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Follow {name}", exact=True)


def followed(page: Page) -> list[str]:
    """The names in the rows that are marked."""
    marked: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('li[data-followed] :is(.standing__name, .seatline__name)')]"
        ".map((name) => name.textContent)"
    )
    return marked


def test_a_star_marks_its_bot_in_every_list_and_in_every_tab_of_the_browser(shows: ShowServer, visit: Visit) -> None:
    shows.channel("star", Script().connect().stage().game(TRIALS, UNEVEN).hand("call raise:300").entries)
    front = visit("?channel=star")
    watch = visit("watch?channel=star", front.context)
    expect(star(watch, NAMES[2])).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
    star(front, NAMES[2]).click(timeout=PATIENCE_MS)
    for page in (front, watch):
        expect(star(page, NAMES[2])).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        expect(page.locator("li[data-followed]")).to_have_count(1)
        assert followed(page) == [NAMES[2]]
    assert front.evaluate(_KEPT) == [NAMES[2]]
    star(watch, NAMES[2]).focus()
    watch.keyboard.press("Space")
    expect(front.locator("li[data-followed]")).to_have_count(0, timeout=PATIENCE_MS)
    assert watch.evaluate("() => window.highnoon.head.playing"), "the key was the star's"
    assert front.evaluate(_KEPT) == []


def test_a_followed_bot_is_marked_when_the_page_is_opened_again(shows: ShowServer, visit: Visit) -> None:
    shows.channel("again", Script().connect().stage().game(TRIALS, UNEVEN).entries)
    page = visit("?channel=again")
    star(page, NAMES[5]).click(timeout=PATIENCE_MS)
    page.reload()
    expect(star(page, NAMES[5])).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
    assert followed(page) == [NAMES[5]]


@pytest.mark.parametrize(
    "kept", ["", "{", "null", "7", '"Billy the Kid"', "{}", "[1, null, {}, [], true]", '["", "x' + "y" * 300 + '"]']
)
def test_nonsense_in_the_storage_is_nobody_followed(kept: str, shows: ShowServer, visit: Visit) -> None:
    name = f"nonsense-{len(kept)}-{kept[:1].isalnum()}"
    shows.channel(name, Script().connect().stage().game(TRIALS).entries)
    page = visit(f"?channel={name}", script=f"localStorage.setItem('{KEY}', {kept!r})")
    expect(star(page, NAMES[0])).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
    assert "true" not in page.evaluate(_PRESSED)
    star(page, NAMES[0]).click()
    assert page.evaluate(_KEPT) == [NAMES[0]]


def test_where_the_browser_keeps_nothing_the_page_remembers(shows: ShowServer, visit: Visit) -> None:
    shows.channel("forbidden", Script().connect().stage().game(TRIALS).entries)
    page = visit("?channel=forbidden", script=_FORBIDDEN)
    star(page, NAMES[0]).click(timeout=PATIENCE_MS)
    expect(star(page, NAMES[0])).to_have_attribute("aria-pressed", "true")
    assert followed(page) == [NAMES[0]]


def test_of_more_than_fifty_the_one_followed_first_is_forgotten(shows: ShowServer, visit: Visit) -> None:
    shows.channel("fifty", Script().connect().stage().game(TRIALS).entries)
    fifty = [f"Bot {number}" for number in range(50)]
    page = visit("?channel=fifty", script=f"localStorage.setItem('{KEY}', JSON.stringify({fifty}))")
    star(page, NAMES[0]).click(timeout=PATIENCE_MS)
    assert page.evaluate(_KEPT) == [*fifty[1:], NAMES[0]]


def test_any_name_can_be_followed_and_is_only_text(shows: ShowServer, visit: Visit) -> None:
    names = (*WIDE_NAMES, *PAYLOADS[:4], "../../etc", '"] *')
    shows.channel("names", Script(names, media=False).connect().stage().game(TRIALS).entries)
    page = visit("?channel=names")
    shown = page.locator("#rows .standing")
    expect(shown).to_have_count(12, timeout=PATIENCE_MS)
    for at in range(12):
        shown.nth(at).locator(".star").click()
    expect(page.locator("li[data-followed]")).to_have_count(12)
    texts = page.locator(".standing__name").all_inner_texts()
    assert page.evaluate(_KEPT) == texts
    assert page.evaluate("() => window.robbed") is None
    for link in page.locator(".standing__name").all():
        assert (link.get_attribute("href") or "").count("/") == 2


def test_stars_are_as_large_as_thumbs(shows: ShowServer, visit: Visit) -> None:
    shows.channel("thumbs", Script().connect().stage().game(TRIALS).hand("call").entries)
    front = visit("?channel=thumbs", **PHONE)
    watch = visit("watch?channel=thumbs", front.context)
    for page, count in ((front, 12), (watch, 6)):
        page.locator(".star").nth(count - 1).wait_for(state="attached", timeout=PATIENCE_MS)
        sizes = page.evaluate(
            "() => [...document.querySelectorAll('.star')].filter((star) => star.offsetParent)"
            ".map((star) => star.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
        )
        assert len(sizes) >= count
        assert min(sizes) >= THUMB

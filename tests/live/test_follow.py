"""Following bots in a real browser: the star, what it marks, and what the browser remembers of it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.game.events import ActionTaken
from tests.live.conftest import PHONE, THUMB, Visit
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import TRIALS, UNEVEN, WIDE_NAMES
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.season.season_server import Pages
from tests.season.test_pages import looked_at
from tests.support.browsers import PATIENCE_MS

KEY = "highnoon:followed"
NONSENSE = (
    "{", "", "null", "7", '"Billy the Kid"', "{}", "[1, null, {}, [], true]", '["", "x' + "y" * 300 + '"]',
)  # fmt: skip
_KEEP = f"(kept) => localStorage.setItem('{KEY}', kept)"
_KEPT = f"() => JSON.parse(localStorage.getItem('{KEY}') ?? '[]')"
_FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
})"""
FOLLOWS = f"localStorage.setItem('{KEY}', JSON.stringify({{names}}))"
_READY = "() => document.body?.dataset.ready === 'yes'"
# A headless browser has no notifications: this one allows and records them.
_NOTICES = """Object.assign(window, { notices: [], asked: 0 });
window.Notification = class {
  static permission = "default";
  static async requestPermission() {
    window.asked += 1;
    this.permission = "granted";
    return this.permission;
  }
  constructor(title, { body }) {
    window.notices.push(body);
  }
};"""
_STARS = """() => [...document.querySelectorAll('.star')].filter((star) => star.offsetParent)
  .map((star) => star.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""
_PRESSED = "() => [...document.querySelectorAll('.star')].map((star) => star.getAttribute('aria-pressed'))"


def star(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Follow {name}", exact=True)


def isolated(name: str) -> str:
    """A name isolated from the direction of the text around it."""
    return f"\u2068{name}\u2069"


def followed(page: Page) -> list[str]:
    """The names in the marked rows."""
    marked: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('li[data-followed] :is(.standing__name, .seatline__name)')]"
        ".map((name) => name.textContent)"
    )
    return marked


def test_star_marks_its_bot_in_every_list_tab_and_later_visit(shows: ShowServer, visit: Visit) -> None:
    shows.channel("star", Script().connect().stage().game(TRIALS, UNEVEN).hand("call raise:300").entries)
    front = visit("?channel=star")
    watch = visit("watch?channel=star", front)
    expect(star(watch, NAMES[2])).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
    star(front, NAMES[2]).click(timeout=PATIENCE_MS)
    for page in (front, watch):
        expect(star(page, NAMES[2])).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        assert {*followed(page)} == {NAMES[2]}
    assert front.evaluate(_KEPT) == [NAMES[2]]
    front.reload()
    expect(star(front, NAMES[2])).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
    assert followed(front) == [NAMES[2]]
    star(watch, NAMES[2]).focus()
    watch.keyboard.press("Space")
    expect(front.locator("li[data-followed]")).to_have_count(0, timeout=PATIENCE_MS)
    assert watch.evaluate("() => window.highnoon.head.playing"), "the star got the key"
    assert front.evaluate(_KEPT) == []


def test_followed_bot_is_marked_among_winners_and_in_the_schedule(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage().game(TRIALS).hand("raise:300 fold fold fold fold fold").hand("call")
    winner = NAMES[script.stacks.index(max(script.stacks))]
    shows.channel("lists", script.entries)
    page = visit("watch?channel=lists", script=FOLLOWS.format(names=[winner]))
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    for panel in ("hands", "schedule"):
        page.locator(f"#tab-{panel}").click(timeout=PATIENCE_MS)
        expect(page.locator(f"#{panel} bdi[data-followed]")).to_have_text(winner, timeout=PATIENCE_MS)
    front = visit("?channel=lists", page)
    expect(front.locator("#schedule bdi[data-followed]")).to_have_text(winner, timeout=PATIENCE_MS)


def test_nonsense_in_storage_means_nobody_is_followed(shows: ShowServer, visit: Visit) -> None:
    shows.channel("nonsense", Script().connect().stage().game(TRIALS).entries)
    first, *others = NONSENSE
    page = visit("?channel=nonsense", script=f"localStorage.setItem('{KEY}', {first!r})")
    mine = star(page, NAMES[0])
    expect(mine).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
    assert "true" not in page.evaluate(_PRESSED)
    mine.click()
    assert page.evaluate(_KEPT) == [NAMES[0]]
    tab = visit("healthz", page)
    for kept in others:
        expect(mine).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        tab.evaluate(_KEEP, kept)
        expect(mine).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
        assert "true" not in page.evaluate(_PRESSED), kept
        mine.click()
        assert page.evaluate(_KEPT) == [NAMES[0]], kept


def test_page_remembers_stars_where_the_browser_stores_nothing(shows: ShowServer, visit: Visit) -> None:
    shows.channel("forbidden", Script().connect().stage().game(TRIALS).entries)
    page = visit("?channel=forbidden", script=_FORBIDDEN)
    star(page, NAMES[0]).click(timeout=PATIENCE_MS)
    expect(star(page, NAMES[0])).to_have_attribute("aria-pressed", "true")
    assert followed(page) == [NAMES[0]]


def test_first_of_more_than_fifty_followed_bots_is_forgotten(shows: ShowServer, visit: Visit) -> None:
    shows.channel("fifty", Script().connect().stage().game(TRIALS).entries)
    fifty = [f"Bot {number}" for number in range(50)]
    page = visit("?channel=fifty", script=f"localStorage.setItem('{KEY}', JSON.stringify({fifty}))")
    star(page, NAMES[0]).click(timeout=PATIENCE_MS)
    assert page.evaluate(_KEPT) == [*fifty[1:], NAMES[0]]


def test_any_name_can_be_followed_and_stays_plain_text(shows: ShowServer, visit: Visit) -> None:
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


def test_news_of_a_followed_bot_comes_once_a_minute_on_every_page(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage()
    air = shows.channel("news", script.entries)
    front = visit("?channel=news", script=FOLLOWS.format(names=[NAMES[1], NAMES[6]]))
    watch, page = visit("watch?channel=news", front), visit("bots/Doc%20Holobyte?channel=news", front)
    pages = (front, watch, page)
    star(front, NAMES[1]).wait_for(timeout=PATIENCE_MS)
    for other in (watch, page):
        other.wait_for_function("() => document.body?.dataset.ready === 'yes'", timeout=PATIENCE_MS)
    shown = len(script.entries)
    shows.put(air, script.game(TRIALS).entries[shown:])
    for each in pages:
        expect(each.locator("#told")).to_have_text(f"{isolated(NAMES[1])} comes to the table", timeout=PATIENCE_MS)
        each.evaluate("() => { document.getElementById('told').textContent = ''; }")
    shown = len(script.entries)
    script.hand("raise:5000 call call call call call").eliminate(1, 12)
    shows.put(air, script.entries[shown:])
    for each in pages:
        each.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=len(script.entries))
        expect(each.locator("#told")).to_have_text("")  # the minute is not over


def test_followed_bot_that_goes_out_is_announced_with_its_place(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage().game(TRIALS).hand("raise:5000 call call call call call")
    first = len(script.entries)
    script.eliminate(1, 12)
    air = shows.channel("out", script.entries[:first])
    page = visit("watch?channel=out", script=FOLLOWS.format(names=[NAMES[1]]))
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    assert page.inner_text("#told") == "", "what came before the page is not announced"
    shows.put(air, script.entries[first:])
    expect(page.locator("#told")).to_have_text(f"{isolated(NAMES[1])} is out: 12th", timeout=PATIENCE_MS)


def test_viewer_who_went_back_gets_news_of_the_moment_shown(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage().game(TRIALS).hand("call call")
    first = len(script.entries)
    script.hand("raise:5000")
    acts = [(entry.seq, entry.event) for entry in script.entries[first:]]
    before, bot = next(
        (seq - 1, script.seats[act.seat]) for seq, act in acts if isinstance(act, ActionTaken) and act.all_in
    )
    air = shows.channel("gone-back", script.entries[:first])
    page = visit("watch?channel=gone-back", script=FOLLOWS.format(names=[NAMES[bot - 1]]))
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => !window.highnoon.head.following && !document.body.dataset.moving")
    shows.put(air, script.entries[first:])
    page.wait_for_function("(seq) => window.highnoon.film.outline.entries === seq", arg=len(script.entries))
    expect(page.locator("#told")).to_have_text("")
    page.evaluate("(seq) => window.highnoon.head.seek(seq).then(() => window.highnoon.head.play())", before)
    expect(page.locator("#told")).to_have_text(f"{isolated(NAMES[bot - 1])} is all in", timeout=PATIENCE_MS)


def test_news_on_a_phone_covers_and_moves_nothing_and_stars_fit_thumbs(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage()
    air = shows.channel("line", script.entries)
    front = visit("?channel=line", script=FOLLOWS.format(names=[NAMES[1]]), **PHONE)
    watch = visit("watch?channel=line", front)
    stars = {front: 12, watch: 6}
    star(front, NAMES[1]).wait_for(timeout=PATIENCE_MS)
    watch.wait_for_function(_READY, timeout=PATIENCE_MS)
    boxes = {front: "#picture", watch: "#screen"}
    before = {page: page.locator(box).bounding_box() for page, box in boxes.items()}
    first = len(script.entries)
    shows.put(air, script.game(TRIALS).entries[first:])
    for page, box in boxes.items():
        expect(page.locator("#told")).not_to_have_text("", timeout=PATIENCE_MS)
        told, picture = page.locator("#told").bounding_box(), page.locator(box).bounding_box()
        assert picture == before[page]
        assert told is not None
        assert picture is not None
        assert told["height"] > 0
        assert told["y"] + told["height"] <= picture["y"]
        page.locator(".star").nth(stars[page] - 1).wait_for(state="attached", timeout=PATIENCE_MS)
        sizes = page.evaluate(_STARS)
        assert len(sizes) >= stars[page]
        assert min(sizes) >= THUMB


def test_tell_me_asks_for_permission_then_notifies_who_looks_elsewhere(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage()
    air = shows.channel("tell", script.entries)
    page = visit("bots/Doc%20Holobyte?channel=tell", script=_NOTICES)
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    assert page.evaluate("() => window.asked") == 0
    page.locator("#tell").click()
    expect(page.locator("#tell")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("() => window.asked") == 1
    assert page.evaluate(_KEPT) == ["Doc Holobyte"], "asking for news of a bot follows it"
    assert page.evaluate("() => window.notices.splice(0)") == ["You will be told while a page of the show is open."]
    first = len(script.entries)
    shows.put(air, script.game((1, 3, 4, 5, 6, 7)).end_game().entries[first:])
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=len(script.entries))
    assert page.evaluate("() => window.notices") == []
    page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true })")
    first = len(script.entries)
    shows.put(air, script.game(TRIALS).entries[first:])
    page.wait_for_function("() => window.notices.length === 1", timeout=PATIENCE_MS)
    assert page.evaluate("() => window.notices") == [f"{isolated('Doc Holobyte')} comes to the table"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "https"),
        ("delete window.Notification", "has no notices"),
        ("Notification.requestPermission = async () => 'denied'", "does not allow"),
    ],
)
def test_browser_without_notifications_says_why(script: str, words: str, shows: ShowServer, visit: Visit) -> None:
    name = f"cannot-{len(words)}"
    shows.channel(name, Script().connect().stage().entries)
    page = visit(f"bots/Doc%20Holobyte?channel={name}", script=script)
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    page.locator("#tell").click()
    expect(page.locator("#tell-words")).to_contain_text(words)
    expect(page.locator("#tell")).to_have_attribute("aria-pressed", "false")


def test_season_leaderboard_has_stars(tmp_path: Path, shows: ShowServer, visit: Visit) -> None:
    texts: list[str] = []

    async def look(pages: Pages) -> None:
        texts.append((await pages.get("/season")).text)

    with ThreadPoolExecutor(1) as aside:  # the browser has an event loop in this thread
        aside.submit(looked_at, tmp_path, look, games=10).result()
    page = visit("healthz")
    page.route("**/season", lambda route: route.fulfill(body=texts[0], content_type="text/html"))
    page.goto(f"{shows.address}/season")
    star(page, "Bot 1").click(timeout=PATIENCE_MS)
    expect(page.locator("tr[data-followed]")).to_have_count(1)
    expect(page.locator("tr[data-followed]")).to_contain_text("Bot 1")
    expect(page.locator(".star")).to_have_count(7)
    assert page.evaluate(_KEPT) == ["Bot 1"]

"""Viewers follow bots with a star, which marks the bots on all pages, and which the browser remembers."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.live.conftest import PHONE, READY, THUMB, Visit
from tests.overlay.support.scenes import TRIALS, UNEVEN
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.in_node import Node

KEY = "highnoon:followed"
_KEPT = f"() => JSON.parse(localStorage.getItem('{KEY}') ?? '[]')"
FOLLOWS = f"localStorage.setItem('{KEY}', JSON.stringify({{names}}))"
_STARS = """() => [...document.querySelectorAll('.star')].filter((star) => star.offsetParent)
  .map((star) => star.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""


# Follows bots one after the other in a browser that stores nothing; returns the names that the page remembers.
_FOLLOW = """async (names, load) => {
  globalThis.addEventListener ??= () => {};
  const { FollowedBots } = await load("/static/js/common/followed.js");
  const followed = new FollowedBots(() => {});
  for (const name of names) followed.toggle(name);
  return followed.names;
}"""
# Returns the names of the bots to whose pages the links for these names lead.
_LINKED = """async (names, load) => {
  const { linkToBot } = await load("/static/js/common/followed.js");
  return names.map((name) => {
    let address = new URL("http://127.0.0.1/");
    linkToBot({ getAttribute: () => null, setAttribute: (_, set) => { address = new URL(set, address); } }, name);
    return address.searchParams.get("bot") ?? decodeURIComponent(address.pathname.replace("/bots/", ""));
  });
}"""


def star(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Follow {name}", exact=True)


def followed(page: Page) -> list[str]:
    return page.locator("li[data-followed] :is(.standing__name, .seatline__name)").all_text_contents()


def test_star_marks_its_bot_in_every_list_tab_and_later_visit(shows: ShowServer, visit: Visit) -> None:
    shows.channel("star", Script().connect().stage().game(TRIALS, UNEVEN).hand("call raise:300").entries)
    front = visit("?channel=star")
    watch = visit("watch?channel=star", front)
    expect(star(watch, NAMES[2])).to_have_attribute("aria-pressed", "false")
    star(front, NAMES[2]).click()
    for page in (front, watch):
        expect(star(page, NAMES[2])).to_have_attribute("aria-pressed", "true")
        assert {*followed(page)} == {NAMES[2]}
    assert front.evaluate(_KEPT) == [NAMES[2]]
    front.reload()
    expect(star(front, NAMES[2])).to_have_attribute("aria-pressed", "true")
    assert followed(front) == [NAMES[2]]
    star(watch, NAMES[2]).focus()
    watch.keyboard.press("Space")
    expect(front.locator("li[data-followed]")).to_have_count(0)
    assert watch.evaluate("() => window.highnoon.head.playing"), (
        "the pressed key must act on the star, not on the player"
    )
    assert front.evaluate(_KEPT) == []


def test_the_fifty_bots_followed_last_are_remembered(node: Node) -> None:
    names = [f"Bot {number}" for number in range(60)]
    assert node.evaluate(_FOLLOW, names) == names[10:]


def test_link_to_a_bot_leads_to_it_whatever_its_name(node: Node) -> None:
    names = ["Ann", "#1?", "50 %", "a/b", "..", ".", "德州 & Söhne"]
    assert node.evaluate(_LINKED, names) == names


def test_news_on_a_phone_covers_nothing_and_moves_nothing_and_stars_fit_thumbs(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage()
    air = shows.channel("line", script.entries)
    front = visit("?channel=line", script=FOLLOWS.format(names=[NAMES[1]]), **PHONE)
    watch = visit("watch?channel=line", front)
    stars = {front: 12, watch: 6}
    star(front, NAMES[1]).wait_for()
    watch.wait_for_function(READY)
    boxes = {front: "#picture", watch: "#screen"}
    before = {page: page.locator(box).bounding_box() for page, box in boxes.items()}
    first = len(script.entries)
    shows.put(air, script.game(TRIALS).entries[first:])
    for page, box in boxes.items():
        expect(page.locator("#told")).not_to_have_text("")
        news, picture = page.locator("#told").bounding_box(), page.locator(box).bounding_box()
        assert picture == before[page]
        assert news is not None
        assert picture is not None
        assert news["height"] > 0
        assert news["y"] + news["height"] <= picture["y"]
        page.locator(".star").nth(stars[page] - 1).wait_for(state="attached")
        sizes = page.evaluate(_STARS)
        assert len(sizes) >= stars[page]
        assert min(sizes) >= THUMB

"""The commentators' page on a tablet: opened with the token that may only look, it tells what is on air."""

from playwright.sync_api import Browser, expect

from tests.desk.desk_server import TOKENS, DeskServer
from tests.support.in_node import Node

SIZES = ((1024, 768), (1180, 820), (820, 1180), (390, 844), (1920, 1080))


def test_the_booth_tells_the_hand_on_air_to_who_may_only_look(server: DeskServer, browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
    page.goto(f"{server.address}/booth?token={TOKENS.view}")
    page.wait_for_selector("body[data-wire='up']")
    assert page.url == f"{server.address}/booth"
    expect(page.locator("#where")).to_contain_text("Hand ")
    expect(page.locator(".player")).to_have_count(6)
    expect(page.locator(".player__cards .face[data-suit]").first).to_be_visible()
    expect(page.locator("#pot")).to_contain_text("Pot ")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
        link = page.get_by_role("link", name="Watch").bounding_box()
        assert link
        assert min(link["width"], link["height"]) >= 44
    page.context.close()


def test_a_call_needs_its_part_of_what_the_caller_can_win(node: Node) -> None:
    code = """async ([committed, seat, to_call], load) => (await load("/static/js/booth/now.js"))
      .neededToCall(committed.map((committed) => ({ committed })), { seat, to_call })"""
    assert node.evaluate(code, [[50, 100, 0], 2, 100]) == 400
    assert node.evaluate(code, [[1000, 5000, 500], 2, 500]) == 167

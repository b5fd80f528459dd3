"""The commentators' page on a tablet, opened with the view token: what it shows, and what it puts on air."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from server.game.events import ChatSent, HandEnded
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.desk.http_requests import ask, headers
from tests.support.house_contests import play_house_contest

SIZES = ((1180, 820), (1024, 768), (820, 1180), (390, 844), (1920, 1080))
TABLET: dict[str, Any] = {"viewport": {"width": 1180, "height": 820}, "has_touch": True, "is_mobile": True}
# Records every text shown for the present hand.
WATCH = """() => {
  window.seen = [];
  const look = () => document.querySelectorAll("#street, #pot, .player__ahead, .act span")
    .forEach((node) => node.textContent && window.seen.push(node.textContent));
  new MutationObserver(look).observe(document.querySelector(".now"),
    { childList: true, subtree: true, characterData: true });
}"""
_SMALL = """(buttons) => buttons.map((button) => [button.innerText, button.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 43.5).map(([words]) => words)"""
HANDS = 12
"""After this many hands of the contest there are storylines."""
LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzeskarten"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """A show that waits after its last hand, with storylines."""
    events = [entry.event for entry in play_house_contest("quick-draw", 3, 9)]
    ends = [at for at, event in enumerate(events, 1) if isinstance(event, HandEnded)]
    said = [ChatSent(bot, LONG) for bot in range(1, 10)]
    with DeskServer(tmp_path_factory.mktemp("media"), [*events[: ends[HANDS - 1]], *said], speed=1000) as opened:
        yield opened


@pytest.fixture(scope="module")
def booth(server: DeskServer, browser: Browser) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 1180, "height": 820}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server.address}/booth?token={TOKENS.view}")
    page.wait_for_selector("body[data-wire='up'][data-booth='up']")
    page.wait_for_selector(".line")
    yield page
    page.context.close()
    assert not errors


def on_the_band(server: DeskServer) -> str:
    text: str = server.there(lambda: server.air.picture.desk.storyline or "")
    return text


def test_only_a_true_storyline_can_be_put_on_air(server: DeskServer) -> None:
    cookie = ask(server, "GET", f"/booth?token={TOKENS.view}", headers(server, origin="")).headers["set-cookie"]
    sent = headers(server, cookie=cookie.partition(";")[0], content_type="application/json")
    answers = [
        ask(server, "POST", "/api/booth/tell", sent, body)
        for body in (b'{"key": "drought-99"}', b'{"key": "", "text": "Vote for Doc!"}', b'{"key": 7}', b"[", b"\xff")
    ]
    assert [answer.status_code for answer in answers] == [409, 400, 400, 400, 400]
    assert answers[0].json()["error"] == "this is no longer true"
    assert on_the_band(server) == ""


def test_booth_accepts_a_limited_number_of_changes_a_minute(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        cookie = ask(server, "GET", f"/booth?token={TOKENS.view}", headers(server, origin="")).headers["set-cookie"]
        sent = headers(server, cookie=cookie.partition(";")[0], content_type="application/json")
        ticks = [ask(server, "POST", "/api/booth/tick", sent, b'{"item": 1, "done": true}') for _ in range(120)]
        assert {answer.status_code for answer in ticks} == {200}
        refused = (ask(server, "POST", "/api/booth/tick", sent, b'{"item": 1, "done": true}') for _ in range(120))
        answer = next(answer for answer in refused if answer.status_code == 429)  # two more are allowed each second
        assert "120 changes a minute" in answer.json()["error"]


def test_booth_follows_the_show_street_by_street(tmp_path: Path, browser: Browser) -> None:
    events = [entry.event for entry in play_house_contest("quick-draw", 3, 9)]
    ends = [at for at, event in enumerate(events, 1) if isinstance(event, HandEnded)]
    with DeskServer(tmp_path, events[: ends[HANDS - 1]], speed=20) as server, browser.new_context(**TABLET) as tablet:
        page = tablet.new_page()
        page.goto(f"{server.address}/booth?token={TOKENS.view}")
        page.wait_for_selector("body[data-wire='up'][data-booth='up']")
        page.evaluate(WATCH)
        page.wait_for_selector(".line", timeout=120_000)
        seen = set(page.evaluate("() => window.seen"))
    streets = {f"Now · {street}" for street in ("preflop", "flop", "turn", "river", "over")}
    assert streets <= seen, "every street was shown"
    assert any("leads since the " in words for words in seen)
    assert any(re.search(r"\d+ outs?$", words) for words in seen)
    assert any("to call · must win " in words for words in seen)
    assert any(words.startswith("Pot ") for words in seen)


def test_booth_shows_the_hand_on_air_with_the_view_token(server: DeskServer, booth: Page) -> None:
    assert booth.url == f"{server.address}/booth"
    expect(booth.locator("#where")).to_contain_text("Hand ")
    expect(booth.locator(".player")).to_have_count(6)
    expect(booth.locator(".player__cards .face[data-suit]").first).to_be_visible()
    expect(booth.locator("#leader")).to_contain_text("leads ")
    expect(booth.locator("#coming li").first).to_contain_text("The Trials, game")


def test_one_press_puts_a_storyline_on_the_lower_third_for_its_time(server: DeskServer, booth: Page) -> None:
    line = booth.locator(".line").first
    text = line.locator(".line__text").inner_text()
    line.get_by_role("button", name="To air").click()
    expect(booth.locator("#on-air-text")).to_have_text(f"On air: {text}")
    assert on_the_band(server) == text
    expect(line.locator(".line__told")).to_contain_text("aired")
    expect(booth.locator("#on-air")).to_be_hidden()
    assert on_the_band(server) == ""


def test_pinned_storyline_stays_until_it_is_taken_away(server: DeskServer, booth: Page) -> None:
    line = booth.locator(".line").first
    text = line.locator(".line__text").inner_text()
    line.get_by_role("button", name="Pin").click()
    expect(booth.locator("#on-air-text")).to_have_text(f"Pinned: {text}")
    booth.get_by_role("button", name="Take away").click()
    expect(booth.locator("#on-air")).to_be_hidden()
    assert on_the_band(server) == ""


def test_storyline_links_to_its_hands(server: DeskServer, booth: Page) -> None:
    link = booth.locator(".line a.hand").first
    number = int(re.split(r"\.", link.inner_text())[-1])
    address = link.get_attribute("href") or ""
    outline = server.web.get(f"{server.address}/live/main/index.json").json()["outline"]["hands"]
    assert outline[int(address.rpartition("=")[2])]["hand"] == number
    assert server.web.get(f"{server.address}{address}").status_code == 200


def test_bot_card_has_the_organisers_notes_and_its_opponents(booth: Page) -> None:
    booth.locator("#ranks").get_by_role("button", name="Annie Oddsley").click()
    expect(booth.locator("#bot-name")).to_have_text("Annie Oddsley")
    expect(booth.locator("#say")).to_have_text("ANN-ee ODS-lee")
    expect(booth.locator("#notes-of")).to_have_text("Won the cup in May.")
    expect(booth.locator("#style")).to_have_text("Too early to tell: 6 hands so far.")
    expect(booth.locator("#met tr").first).to_be_visible()
    choice = booth.locator("#choices").get_by_role("button").first
    choice.click()
    expect(booth.locator("#bot-name")).to_have_text(choice.get_attribute("aria-label") or "")
    expect(choice).to_have_attribute("aria-pressed", "true")


def test_run_of_the_show_is_ticked_off_on_all_pages(server: DeskServer, booth: Page, browser: Browser) -> None:
    items = booth.get_by_role("checkbox")
    assert [item.inner_text().split("\n") for item in items.all()] == [
        ["Opening", "19:00"], ["The Trials", "19:10"], ["Prizes"],
    ]  # fmt: skip
    items.first.click()
    expect(items.first).to_be_checked()
    expect(booth.locator(".item[data-now]")).to_contain_text("The Trials")
    other = browser.new_context().new_page()
    other.goto(f"{server.address}/booth?token={TOKENS.control}")
    expect(other.get_by_role("checkbox").first).to_be_checked()
    other.get_by_role("checkbox").first.click()
    expect(items.first).not_to_be_checked()
    other.context.close()


def test_commentators_write_notes_for_one_another_as_plain_text(booth: Page) -> None:
    booth.get_by_label("Your name").fill("Ann")
    booth.get_by_label("A note").fill("<b>Ask</b> about the feathers.")
    booth.get_by_role("button", name="Write").click()
    expect(booth.locator(".note__text")).to_have_text("<b>Ask</b> about the feathers.")
    expect(booth.locator(".note__by")).to_contain_text("Ann, ")
    expect(booth.get_by_label("A note")).to_have_value("")
    booth.get_by_role("button", name="Erase this note").click()
    expect(booth.locator(".note")).to_have_count(0)


def test_booth_fits_every_screen_and_every_finger(booth: Page) -> None:
    expect(booth.locator("#said-by")).to_contain_text(LONG)
    for width, height in SIZES:
        booth.set_viewport_size({"width": width, "height": height})
        assert booth.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
        small = booth.locator("button:visible, a:visible").evaluate_all(_SMALL)
        assert small == [], width
    booth.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})

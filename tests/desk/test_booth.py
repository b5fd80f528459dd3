"""The commentators' page, on a tablet with the view token, shows the hand and puts storylines on air."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from server.app.results.results import compute_results
from server.game.events import HandEnded
from tests.commentary.claims.test_reading_scores import with_notes
from tests.desk.desk_server import TOKENS, DeskServer, ask, contest_events, headers
from tests.support.games.house_contests import play_house_contest

HANDS = 12
"""The number of hands on air, after which there are storylines."""
PLAYED = [*with_notes(play_house_contest("quick-draw", 3, 9), every=1)]
"""A contest in which bots give thoughts."""
ON_AIR = PLAYED[: [at for at, entry in enumerate(PLAYED, 1) if isinstance(entry.event, HandEnded)][HANDS - 1]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """A show that waits after its last hand, with storylines."""
    events = [entry.event for entry in ON_AIR]
    with DeskServer(tmp_path_factory.mktemp("media"), events, speed=1000) as opened:
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


def lower_third(server: DeskServer) -> str:
    text: str = server.call_in_server(lambda: server.air.picture.desk.storyline or "")
    return text


def test_only_a_true_storyline_can_be_put_on_air(server: DeskServer) -> None:
    sent = headers(server, "view", content_type="application/json")
    answers = [
        ask(server, "POST", "/api/booth/tell", sent, body)
        for body in (b'{"key": "drought-99"}', b'{"key": "", "text": "Vote for Doc!"}', b'{"key": 7}', b"[", b"\xff")
    ]
    assert [answer.status_code for answer in answers] == [409, 400, 400, 400, 400]
    assert answers[0].json()["error"] == "this storyline is no longer true"
    assert lower_third(server) == ""


def test_booth_accepts_a_limited_number_of_changes_a_minute(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        sent = headers(server, "view", content_type="application/json")
        ticks = [ask(server, "POST", "/api/booth/tick", sent, b'{"item": 1, "done": true}') for _ in range(120)]
        assert {answer.status_code for answer in ticks} == {200}
        refused = (ask(server, "POST", "/api/booth/tick", sent, b'{"item": 1, "done": true}') for _ in range(120))
        # Two more changes are allowed each second.
        answer = next(answer for answer in refused if answer.status_code == 429)
        assert "120 changes a minute" in answer.json()["error"]


def test_booth_opened_with_the_view_token_shows_the_hand_on_air(server: DeskServer, booth: Page) -> None:
    assert booth.url == f"{server.address}/booth"
    expect(booth.locator("#where")).to_contain_text("Hand ")
    expect(booth.locator(".player")).to_have_count(6)
    expect(booth.locator(".player__cards .face[data-suit]").first).to_be_visible()
    expect(booth.locator("#leader")).to_contain_text("has led ")
    expect(booth.locator("#coming li").first).to_contain_text("The Trials, game")


def test_standings_and_eight_storylines_of_the_same_moment_are_in_sight_on_a_small_tablet(booth: Page) -> None:
    booth.set_viewport_size({"width": 1024, "height": 768})
    expect(booth.locator("#after")).to_have_text(f"after game 2, hand {HANDS - 6}")
    expect(booth.locator(".rank")).to_have_count(9)
    bottoms = "rows => rows.map((row) => row.getBoundingClientRect().bottom)"
    assert max(booth.locator(".rank").evaluate_all(bottoms)) <= 768
    expect(booth.locator(".line:visible")).to_have_count(8)
    assert max(booth.locator(".line:visible").evaluate_all(bottoms)) <= 768
    booth.get_by_role("button", name="All storylines").click()
    assert booth.locator(".line:visible").count() > 8
    booth.get_by_role("button", name="The first 8 only").click()
    booth.locator(".line__open").first.click()
    expect(booth.locator(".line").first.get_by_role("button", name="Pin")).to_be_visible()
    booth.set_viewport_size({"width": 1180, "height": 820})


def test_card_of_a_bot_has_the_same_reading_scores_as_the_results(booth: Page) -> None:
    for row in compute_results(ON_AIR).rows:
        if row.reading and row.reading.claims and booth.get_by_role("button", name=row.name, exact=True).count():
            booth.get_by_role("button", name=row.name, exact=True).click()
            true = row.reading.claims - row.reading.false_claims
            words = f"true claims in its thoughts, {true} of {row.reading.claims}"
            expect(booth.locator("#habits")).to_contain_text(words)
            score = booth.locator("#habits li", has_text="Brier score").locator("b")
            expect(score).to_have_text(f"{row.reading.brier:.2f}")
            return
    raise AssertionError("no bot at the table has made a claim")


def test_booth_has_a_card_with_topics_between_hands(booth: Page) -> None:
    first = booth.locator("#talk-text").inner_text()
    assert first in booth.locator(".line__text").all_text_contents()
    booth.get_by_role("button", name="Another").click()
    expect(booth.locator("#talk-text")).not_to_have_text(first)


def test_one_press_shows_a_storyline_on_the_lower_third_for_a_limited_time(server: DeskServer, booth: Page) -> None:
    line = booth.locator(".line").first
    text = line.locator(".line__text").inner_text()
    line.get_by_role("button", name="To air").click()
    expect(booth.locator("#on-air-text")).to_have_text(f"On air: {text}")
    assert lower_third(server) == text
    expect(line.locator(".line__told")).to_contain_text("aired")
    expect(booth.locator("#on-air")).to_be_hidden()
    assert lower_third(server) == ""


def test_commentators_notes_are_shown_as_plain_text(booth: Page) -> None:
    booth.get_by_label("Your name").fill("Ann")
    booth.get_by_label("A note").fill("<b>Ask</b> about the feathers.")
    booth.get_by_role("button", name="Write").click()
    expect(booth.locator(".note__text")).to_have_text("<b>Ask</b> about the feathers.")
    expect(booth.locator(".note__by")).to_contain_text("Ann, ")
    expect(booth.get_by_label("A note")).to_have_value("")
    booth.get_by_role("button", name="Erase this note").click()
    expect(booth.locator(".note")).to_have_count(0)

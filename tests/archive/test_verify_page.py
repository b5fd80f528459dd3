"""The page `/verify` in a real browser proves a recording on the visitor's machine, and uploads nothing."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from server.game.events import HandStarted
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import renamed, small_contest, write

HOSTILE_NAME = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def page(shows: ShowServer, browser: Browser) -> Page:
    return browser.new_page()


def test_archived_recording_is_proved_from_its_address(shows: ShowServer, page: Page) -> None:
    page.goto(f"{shows.address}/recordings/one")
    page.get_by_role("link", name="Prove it yourself").click()
    expect(page.locator(".stamp")).to_have_text("Cards proved")
    hands = sum(isinstance(entry.event, HandStarted) for entry in small_contest())
    expect(page.get_by_text(f"{hands} decks: each was sealed before its hand")).to_be_visible()
    why = page.get_by_text("a Fisher-Yates shuffle")
    expect(why).to_be_hidden()
    page.get_by_text(f"{hands} decks: each").click()
    expect(why).to_be_visible()


def test_file_is_proved_without_being_uploaded(shows: ShowServer, page: Page, tmp_path: Path) -> None:
    requests: list[Request] = []
    page.on("request", lambda request: requests.extend([request]))
    page.goto(f"{shows.address}/verify")
    whole = write(tmp_path / "whole.jsonl", renamed(small_contest(), HOSTILE_NAME)).read_bytes()
    altered = tmp_path / "altered.jsonl"
    altered.write_bytes(whole.replace(b'"act":"call"', b'"act":"fold"', 1))
    page.set_input_files("#file", tmp_path / "whole.jsonl")
    expect(page.locator(".stamp")).to_have_text("Cards proved")
    page.set_input_files("#file", altered)
    expect(page.locator(".stamp")).to_have_text("Refuted")
    expect(page.locator(".fault")).to_contain_text(
        "the checksum does not match; this line or an earlier one was altered"
    )
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(whole[: len(whole) // 2])
    page.set_input_files("#file", cut)
    expect(page.locator(".stamp")).to_have_text("Cards proved in part")
    expect(page.get_by_text("The tournament is not over")).to_be_visible()
    rubbish = tmp_path / "rubbish.jsonl"
    rubbish.write_bytes(b"x" * 20_000_000)
    page.set_input_files("#file", rubbish)
    expect(page.locator(".fault")).to_contain_text("This is not a High Noon recording")
    assert not [request for request in requests if request.method != "GET" or request.post_data]
    assert page.locator("main img").count() == 0
    assert page.title() == "High Noon: prove a recording yourself"

"""The setup page in a real browser: its checklist follows what the show's pages report."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE
from broadcast.web.page_reports import FORGOTTEN_SECONDS
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.desk.http_requests import ask, headers
from tests.obs.obs_stand_in import ObsStandIn
from tests.support.browsers import allow_sound

OBS = (
    """window.obsstudio = {pluginVersion: "2.18.6", getStatus: (tell) => tell({streaming: false, recording: false})}"""
)


def opened(browser: Browser, address: str, *, script: str = "") -> Page:
    page = browser.new_context(viewport={"width": 480, "height": 270}).new_page()
    if script:
        page.add_init_script(script)
    page.goto(address)
    return page


def setup(tab: Page, server: DeskServer, token: str = TOKENS.control) -> Page:
    tab.set_viewport_size({"width": 1280, "height": 720})
    tab.goto(f"{server.address}/setup?token={token}")
    tab.wait_for_selector(".step")
    return tab


def has_state(page: Page, step: str, state: str, words: str = "") -> None:
    page.wait_for_selector(f".step[data-state='{state}']:has-text('{step}'):has-text('{words}')")


def test_setup_token_becomes_a_cookie_and_leads_back_to_setup(show: DeskServer) -> None:
    answer = ask(show, "GET", f"/setup?token={TOKENS.view}", headers(show, origin=""))
    assert (answer.status_code, answer.headers["location"]) == (303, "/setup")
    assert TOKENS.view not in answer.headers["set-cookie"]


def test_checklist_says_what_to_do_before_anything_is_open(show: DeskServer, tab: Page) -> None:
    page = setup(tab, show)
    expect(page.locator("#count")).to_have_text("Ready: 1 of 7")
    has_state(page, "Recordings can be written", "done")
    has_state(page, "The overlay is open", "open", "browser source")
    has_state(page, "The projector is open", "aside")


def test_checklist_ticks_itself_as_obs_opens_plays_and_streams(show: DeskServer, browser: Browser, tab: Page) -> None:
    page = setup(tab, show)
    overlay = opened(browser, f"{show.address}/overlay?audio=1&motion=off", script=OBS)
    allow_sound(overlay)
    for step in ("The overlay is open", "It paints", "It runs in OBS", "It is in the program"):
        has_state(page, step, "done")
    page.get_by_role("button", name="Play a sound").click()
    has_state(page, "Its sound is heard", "done")
    has_state(page, "OBS is streaming", "open", "Start the stream")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsStreamingStarted'))")
    expect(page.locator("#count")).to_have_text("All is ready")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsSourceActiveChanged', {detail: {active: false}}))")
    has_state(page, "It is in the program", "open")
    overlay.context.close()
    show.ahead += FORGOTTEN_SECONDS
    has_state(page, "The overlay is open", "open")


def test_one_press_builds_scenes_in_obs_and_a_second_changes_nothing(tmp_path: Path, tab: Page) -> None:
    obs = ObsStandIn()
    obs.scenes, obs.scene, obs.canvas = ["Camera"], "Camera", (1280, 720)
    with DeskServer(tmp_path, contest_events(hands=1), obs=obs) as server:
        page = setup(tab, server)
        has_state(page, "OBS follows the show", "aside", "has no scene Starting")
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built li").first).to_have_text(f"Made: {', '.join((*SCENES, OVERLAY, SOURCE))}.")
        expect(page.locator("#built li").last).to_contain_text("The canvas of OBS is 1280x720")
        assert obs.inputs == {SOURCE: f"{server.address}/overlay?audio=1"}
        has_state(page, "OBS follows the show", "done", "from any scene of ours")
        obs.canvas = (1920, 1080)
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built")).to_have_text("All is there already.")
        watched = setup(tab, server, TOKENS.view)
        expect(watched.locator("#build")).to_be_hidden()


@pytest.fixture(scope="module")
def sounding(server: DeskServer, browser: Browser) -> Iterator[DeskServer]:
    """A show with an open overlay that has sound."""
    overlay = opened(browser, f"{server.address}/overlay?audio=1&motion=off")
    yield server
    overlay.context.close()


def test_checklist_notices_the_projector_and_a_second_sound(sounding: DeskServer, browser: Browser, tab: Page) -> None:
    page = setup(tab, sounding)
    projector = opened(browser, f"{sounding.address}/projector?audio=1&motion=off")
    has_state(page, "The projector is open", "done")
    has_state(page, "Its sound is heard", "open", "heard twice")
    projector.context.close()


def test_unwritable_folder_is_named(tmp_path: Path, tab: Page) -> None:
    media = tmp_path / "media"
    with DeskServer(media, contest_events(hands=1)) as server:
        media.rmdir()
        page = setup(tab, server)
        has_state(page, "Recordings can be written", "open", "No such file or directory")


def test_view_token_shows_the_checklist_without_the_sound_button(sounding: DeskServer, tab: Page) -> None:
    page = setup(tab, sounding, TOKENS.view)
    has_state(page, "The overlay is open", "done")
    assert page.get_by_role("button", name="Play a sound").count() == 0
    assert TOKENS.view not in page.content()


def test_one_press_copies_an_address(show: DeskServer, tab: Page) -> None:
    page = setup(tab, show)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("button.copy").first.click()
    expect(page.locator("button.copy").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{show.address}/overlay?audio=1"

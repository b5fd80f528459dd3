"""The setup page's checklist follows what pages and OBS report, and OBS can use the scenes that it makes."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE_NAME, browser_settings
from broadcast.web.page_reports import FORGOTTEN_SECONDS
from tests.desk.desk_server import TOKENS, DeskServer, ask, contest_events, headers
from tests.obs.obs_stand_in import ObsStandIn
from tests.support.programs.browsers import allow_sound

OBS = (
    """window.obsstudio = {pluginVersion: "2.18.6", getStatus: (tell) => tell({streaming: false, recording: false})}"""
)


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Page:
    """A browser page for all tests of a file, because new pages are expensive."""
    return browser.new_context().new_page()


def setup(tab: Page, server: DeskServer, token: str = TOKENS.control) -> Page:
    tab.set_viewport_size({"width": 1280, "height": 720})
    tab.goto(f"{server.address}/setup?token={token}")
    tab.wait_for_selector(".step")
    return tab


def has_state(page: Page, step: str, state: str, words: str = "") -> None:
    page.wait_for_selector(f".step[data-state='{state}']:has-text('{step}'):has-text('{words}')")


def test_checklist_ticks_itself_as_obs_opens_plays_and_streams(show: DeskServer, browser: Browser, tab: Page) -> None:
    page = setup(tab, show)
    overlay = browser.new_context(viewport={"width": 480, "height": 270}).new_page()
    overlay.add_init_script(OBS)
    overlay.goto(f"{show.address}/overlay?audio=1&motion=off")
    allow_sound(overlay)
    for step in ("is open", "paints", "runs in OBS", "is in the program"):
        has_state(page, f"The overlay {step}", "done")
    page.get_by_role("button", name="Play a sound").click()
    has_state(page, "The sound is heard", "done")
    has_state(page, "OBS is streaming", "open", "Start the stream")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsStreamingStarted'))")
    expect(page.locator("#count")).to_have_text("All is ready")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsSourceActiveChanged', {detail: {active: false}}))")
    has_state(page, "The overlay is in the program", "open")
    overlay.context.close()
    show.ahead += FORGOTTEN_SECONDS
    has_state(page, "The overlay is open", "open")


def test_one_press_builds_scenes_in_obs_and_a_second_press_changes_nothing(tmp_path: Path, tab: Page) -> None:
    obs = ObsStandIn()
    obs.scenes, obs.scene, obs.canvas = ["Camera"], "Camera", (1280, 720)
    with DeskServer(tmp_path, contest_events(hands=1), obs=obs) as server:
        page = setup(tab, server)
        has_state(page, "OBS follows the show", "aside", "has no scene Starting")
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built li").first).to_have_text(f"Made: {', '.join((*SCENES, OVERLAY, SOURCE_NAME))}.")
        expect(page.locator("#built li").last).to_contain_text("The canvas of OBS is 1280x720")
        assert obs.settings == {SOURCE_NAME: browser_settings(f"{server.address}/overlay?audio=1")}
        assert obs.scene == "Camera", "OBS must stay in its own scene"
        has_state(page, "OBS follows the show", "done", "s scenes so that it follows the show again")
        obs.canvas = (1920, 1080)
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built")).to_have_text("Everything is already there.")
        watched = setup(tab, server, TOKENS.view)
        expect(watched.locator("#build")).to_be_hidden()


def test_checklist_knows_whether_obs_captures_the_sound_and_at_what_frame_rate(tmp_path: Path, tab: Page) -> None:
    obs = ObsStandIn()
    obs.fps, obs.inputs = 30.0, {"Web": "http://127.0.0.1:8000/overlay?audio=1"}
    with DeskServer(tmp_path, contest_events(hands=1), obs=obs) as server:
        page = setup(tab, server)
        has_state(page, "OBS captures the sound", "aside", "In the properties of Web tick Control audio via OBS")
        has_state(page, "60 frames a second", "aside", "OBS makes 30: choose 60 in Settings, Video")
        obs.fps, obs.settings["Web"] = 60.0, {"reroute_audio": True}
        has_state(page, "OBS captures the sound", "done")
        has_state(page, "60 frames a second", "aside", "This is known once OBS shows the overlay.")


def test_checklist_says_how_obs_on_another_pc_reaches_the_overlay(server: DeskServer, tab: Page) -> None:
    has_state(setup(tab, server), "OBS can run on another PC", "aside", 'host = "0.0.0.0" in the event file')
    seen = headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    steps = ask(server, "GET", "/api/setup", seen).json()["steps"]
    (step,) = [step for step in steps if step["of"] == "OBS can run on another PC"]
    words = "The addresses on this page lead to saloon.example, with the token that OBS needs."
    assert (step["done"], step["words"], step["needed"]) == (True, words, False)


def test_unwritable_folder_is_named(tmp_path: Path, tab: Page) -> None:
    media = tmp_path / "media"
    with DeskServer(media, contest_events(hands=1)) as server:
        media.rmdir()
        page = setup(tab, server)
        has_state(page, "Recordings can be written", "open", "No such file or directory")


def test_scene_file_has_the_requested_address_and_a_page_with_sound_that_is_never_shut_down(server: DeskServer) -> None:
    answer = ask(
        server, "GET", "/setup/obs.json", headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    )
    assert answer.headers["content-disposition"] == 'attachment; filename="high-noon.json"'
    address = f"http://saloon.example:{server.port}/overlay?audio=1&token={TOKENS.view}"
    (source,) = [each for each in answer.json()["sources"] if "reroute_audio" in each["settings"]]
    assert (source["name"], source["id"], source["versioned_id"]) == (SOURCE_NAME, *["browser_source"] * 2)
    wanted = {"url": address, "width": 1920, "height": 1080, "fps": 60, "fps_custom": True, "reroute_audio": True}
    assert source["settings"].items() >= {**wanted, "shutdown": False, "restart_when_active": False}.items()


def test_options_to_type_stay_in_one_line_however_narrow_the_window(show: DeskServer, tab: Page) -> None:
    page = setup(tab, show)
    has_state(page, "OBS follows the show", "aside", "--obs")
    for width in range(360, 1300, 10):
        page.set_viewport_size({"width": width, "height": 720})
        lines = page.locator(".how code, .option").evaluate_all(
            "all => all.map((each) => each.getClientRects().length)"
        )
        assert len(lines) >= 3
        assert set(lines) == {1}, width

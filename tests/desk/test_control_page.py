"""The control desk, in a real browser with a real show, confirms, refuses and undoes, and its buttons take effect.

The setup page's checklist follows what pages and OBS report, and OBS can use the scenes that it makes.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict
from playwright.sync_api import Browser, Page, expect

from broadcast.desk.desk import SetRequest
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE_NAME, browser_settings
from broadcast.web.page_reports import FORGOTTEN_SECONDS
from server.game.events import ControlSet
from tests.desk.desk_server import TOKENS, DeskServer, ask, contest_events, headers
from tests.obs.obs_stand_in import ObsStandIn
from tests.overlay.support.scripted_show import NAMES
from tests.support.games.recordings import small_contest
from tests.support.program import wait_until
from tests.support.programs.browsers import allow_sound
from tests.support.programs.reused_pages import ReusedPages

OpenDesk = Callable[..., Page]


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[DeskServer]:
    """A studio whose show puts its first stage on air after two seconds."""
    with DeskServer(tmp_path, contest_events(hands=1), speed=3.0) as server:
        yield server


@pytest.fixture
def open_desk(reused_pages: ReusedPages) -> Iterator[OpenDesk]:
    """Opens `/control` without its preview as a named operator, and waits until it is connected. At the end, checks
    that no page had errors.
    """
    errors: list[str] = []
    heard: dict[str, Any] = {
        "pageerror": lambda error: errors.append(str(error)),
        "dialog": lambda dialog: errors.append(dialog.message),
    }

    def opened(server: DeskServer, name: str = "", *, token: str = TOKENS.control) -> Page:
        stored = {"operator": name, "preview": "off"}
        script = "".join(f"localStorage['highnoon:{key}'] = {stored[key]!r};" for key in stored)
        page = reused_pages.open({"width": 1280, "height": 720}, script=script, **heard)
        page.goto(f"{server.address}/control?token={token}")
        page.wait_for_selector("body[data-wire='up']")
        return page

    yield opened
    reused_pages.leave()
    assert not errors


def sees_answer(desk: Page, words: str) -> None:
    expect(desk.locator("#said")).to_contain_text(words)


def test_start_and_end_ask_for_confirmation(quick: DeskServer, open_desk: OpenDesk) -> None:
    show, desk = quick, open_desk(quick)
    for button, control in (("#start", "started"), ("#end", "stage_end")):
        desk.click(button)
        desk.wait_for_selector(f"{button}[data-sure]")
        assert not [event for event in show.done if isinstance(event, ControlSet) and event.control == control]
        desk.wait_for_function("(since) => performance.now() - since > 400", arg=desk.evaluate("performance.now()"))
        desk.click(button)
        desk.wait_for_selector(f"#log .line:has-text('{'started' if control == 'started' else 'ended the stage'}')")
    desk.wait_for_selector("#start", state="hidden")
    desk.wait_for_selector("#banner:has-text('The table ends The Trials after the hand it plays')")
    desk.click("#end")
    sees_answer(desk, "let the stage go on")
    assert show.call_in_server(lambda: show.controls.started and not show.controls.stage_end)


def test_two_operators_see_at_once_who_did_what(show: DeskServer, open_desk: OpenDesk) -> None:
    ann, ben = open_desk(show, "Ann"), open_desk(show, "Ben")
    ann.wait_for_selector("#desks:has-text('Ben')")
    ann.click("#mute")
    ben.wait_for_selector("#log .line:has-text('Ann')")
    ben.wait_for_selector("#mute:has-text('Unmute')")
    ben.click("#mute")
    ann.wait_for_selector("#log .line:has-text('Ben')")
    ann.wait_for_selector("#mute:has-text('Panic mute')")
    ben.locator("#log .line", has_text="Ben").get_by_role("button", name="Undo").click()
    ann.wait_for_selector("#mute:has-text('Unmute')")
    ben.goto(f"{show.address}/healthz")
    ann.wait_for_selector("#desks:has-text('Nobody else')")


def test_keys_do_nothing_until_they_are_armed(show: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(show)
    for key in ("m", "g", "b", "Space", "+"):
        desk.keyboard.press(key)
    desk.click("#arm")
    desk.keyboard.press("m")
    sees_answer(desk, "muted everything")
    assert [event.control for event in show.done if isinstance(event, ControlSet)] == ["sound"]
    for key, words in (("Space", "paused"), ("h", "held"), ("g", "hid"), ("t", "technical"), ("u", "took the card")):
        desk.keyboard.press(key)
        sees_answer(desk, words)
    desk.fill("#name", "m g b")
    desk.keyboard.press("Enter")
    desk.click("#arm")
    before = len(show.done)
    desk.keyboard.press("m")
    desk.click("#next")
    sees_answer(desk, "next")
    assert len(show.done) == before + 1


def test_view_token_shows_the_desk_and_disables_its_buttons(show: DeskServer, open_desk: OpenDesk) -> None:
    looking, desk = open_desk(show, token=TOKENS.view), open_desk(show, "Ann")
    assert looking.locator("#board button:enabled, #health button:enabled, #log button:enabled").count() == 0
    looking.click("#arm")
    looking.keyboard.press("m")
    desk.click("#mute")
    looking.wait_for_selector("#log .line:has-text('Ann')")
    assert len(show.done) == 1


def test_refusal_and_trouble_are_shown_in_words(
    server: DeskServer, open_desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(server)
    monkeypatch.setattr(server, "refusal", "the disk is full")
    desk.click("#pause")
    sees_answer(desk, "the disk is full")
    monkeypatch.setattr(server, "trouble", "the disk is full")
    desk.wait_for_selector("#banner:has-text('The game waits: the disk is full')")
    desk.wait_for_selector("#summary[data-colour='red']")


def test_desk_offers_nothing_that_is_impossible_after_the_champion(tmp_path: Path, open_desk: OpenDesk) -> None:
    events = [entry.event for entry in small_contest()]
    with DeskServer(tmp_path, events, speed=1000.0) as server:
        desk = open_desk(server)
        expect(desk.locator("#scene")).to_have_text("the champion")
        first = desk.locator("#ranks .rank").first
        expect(first).to_contain_text("1st")
        expect(first).not_to_contain_text("out")
        expect(desk.locator("#waiting")).to_be_hidden()
        expect(desk.locator("#ends-in")).to_be_hidden()
        expect(desk.locator("#ahead")).to_have_text("nothing: the tournament is over")
        for button in ("#pause", "#hold", "#end"):
            expect(desk.locator(button)).to_be_disabled()


def test_small_desk_keeps_panels_inside_and_cuts_no_name_or_hint(server: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(server)
    desk.set_viewport_size({"width": 1024, "height": 768})
    expect(desk.locator(".rank")).to_have_count(len(NAMES))
    edges = "panels => panels.map((panel) => panel.getBoundingClientRect().right)"
    assert max(desk.locator("main > *").evaluate_all(edges)) <= 1024 - 8
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert desk.locator(".rank bdi").evaluate_all(cut) == []
    cut = "hints => hints.filter((hint) => hint.scrollHeight > hint.clientHeight + 4).map((hint) => hint.textContent)"
    expect(desk.locator("#start .note")).to_have_text("the first stage begins")
    assert desk.locator(".key .note").evaluate_all(cut) == []
    expect(desk.locator("#coming li").first).to_contain_text("game 2")
    desk.locator("#ranks button", has_text="Annie Oddsley").click()
    expect(desk.locator("#bots .light", has_text="Annie Oddsley")).to_be_in_viewport()
    desk.set_viewport_size({"width": 1280, "height": 720})


EFFECTS: dict[str, dict[str, object]] = {
    "graphics": {"graphics": False}, "mute": {"sound": False}, "break": {"card": "break"},
    "technical": {"card": "technical"}, "whole": {"view": "table"}, "keep": {"view": "held"},
    "thoughts": {"thoughts": False}, "faster": {"speed": 1.25}, "slower": {"speed": 0.75},
}  # fmt: skip
"""What each button changes in the picture on air."""


def wait_until_on_air(server: DeskServer, settings: dict[str, object]) -> None:
    wait_until(
        lambda: asdict(server.air.picture.desk).items() >= settings.items(),
        lambda: f"{settings} are not on air, but {server.air.picture.desk}",
    )


def test_each_button_takes_effect_on_air_and_undo_reverts_it(server: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(server, "Ann")
    before = asdict(server.air.picture.desk)
    for button, changed in EFFECTS.items():
        done = len(server.done)
        desk.click(f"#{button}")
        wait_until_on_air(server, changed)
        desk.wait_for_selector("#log .line:first-child:has(.who:text-is('Ann')):not(:has-text('undo:'))")
        desk.click("#undo")
        wait_until_on_air(server, before)
        desk.wait_for_selector("#log .line:first-child:has-text('undo:')")
        assert [event.operator for event in server.done[done:]] == ["Ann", "Ann"], button


@pytest.mark.parametrize(("control", "value"), [("card", "break"), ("paused", True), ("sound", False), ("speed", 2.0)])
def test_same_setting_requested_at_once_is_applied_once(show: DeskServer, control: str, value: object) -> None:
    async def ask() -> list[str]:
        answers = await asyncio.gather(*(show.desk.set(SetRequest(control, value)) for _ in range(3)))  # type: ignore[arg-type]
        return [json.loads(bytes(answer.body))["said"] for answer in answers]

    assert show.do(ask())[1:] == ["already set"] * 2
    assert len(show.done) == 1


def test_double_click_is_one_press_of_every_switch(show: DeskServer, open_desk: OpenDesk) -> None:
    """The second click comes after the first takes effect. The page's clock stands still, as machines may be slow."""
    desk = open_desk(show)
    switches = ("pause", "hold", "governor", "graphics", "mute", "break")
    for button in switches:
        desk.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
        desk.click(f"#{button}")
        desk.wait_for_selector(f"#{button}[aria-pressed='true']")
        desk.mouse.down(click_count=2)
        desk.mouse.up(click_count=2)
        desk.evaluate("() => { delete performance.now; }")
    desk.wait_for_selector("#break[aria-disabled='false']")
    wanted = [(event.control, event.value) for event in show.done if isinstance(event, ControlSet)]
    assert wanted == [
        ("paused", True), ("held", True), ("governed", False), ("graphics", False), ("sound", False), ("card", "break")
    ]  # fmt: skip


OBS = (
    "window.obsstudio = { pluginVersion: '2.18.6', getStatus: (tell) => tell({ streaming: false, recording: false }) }"
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
    sent = headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    answer = ask(server, "GET", "/setup/obs.json", sent)
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
        rectangles = "all => all.map((each) => each.getClientRects().length)"
        lines = page.locator(".how code, .option").evaluate_all(rectangles)
        assert len(lines) >= 3
        assert set(lines) == {1}, width

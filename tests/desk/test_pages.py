"""Operators change the show at their desk, the setup page checks OBS, and commentators air storylines (remarks)."""

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
from server.app.results.results import compute_results
from server.game.events import ControlSet, HandEnded
from tests.commentary.claims.test_thoughts import with_notes
from tests.desk.desk_server import TOKENS, DeskServer, ask, contest_events, make_headers
from tests.obs.obs_stand_in import ObsStandIn
from tests.overlay.support.scripted_show import NAMES
from tests.support import program
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import small_contest
from tests.support.programs.browsers import allow_sound, confirm_press
from tests.support.programs.reused_pages import ReusedPages

OpenDesk = Callable[..., Page]


@pytest.fixture
def open_desk(reused_pages: ReusedPages) -> Iterator[OpenDesk]:
    """Yields a function that opens the desk without its preview. Fails at the end if a page had errors or dialogs."""
    errors: list[str] = []
    listeners: dict[str, Any] = {
        "pageerror": lambda error: errors.append(str(error)),
        "dialog": lambda dialog: errors.append(dialog.message),
    }

    def open_page(server: DeskServer, name: str = "", *, token: str = TOKENS.control) -> Page:
        settings = {"operator": name, "preview": "off"}
        script = "".join(f"localStorage['highnoon:{key}'] = {settings[key]!r};" for key in settings)
        page = reused_pages.open({"width": 1280, "height": 720}, script=script, **listeners)
        page.goto(f"{server.address}/control?token={token}")
        page.wait_for_selector("body[data-wire='up']")
        return page

    yield open_page
    reused_pages.leave()
    assert not errors


def expect_reply(desk: Page, words: str) -> None:
    expect(desk.locator("#said")).to_contain_text(words)


def test_start_and_end_ask_for_confirmation(tmp_path: Path, open_desk: OpenDesk) -> None:
    with DeskServer(tmp_path, contest_events(hands=1), speed=3.0) as show:  # So the first stage is on air after 2 s.
        desk = open_desk(show)
        for button, control in (("start", "started"), ("end", "stage_end")):
            desk.click(f"#{button}")
            desk.wait_for_selector(f"#{button}[data-sure]")
            assert not [event for event in show.done if isinstance(event, ControlSet) and event.control == control]
            confirm_press(desk, button)
            desk.wait_for_selector(f"#log .line:has-text('{'started' if control == 'started' else 'ended the stage'}')")
        desk.wait_for_selector("#start", state="hidden")
        desk.wait_for_selector("#banner:has-text('The table ends The Trials after the hand it plays')")
        desk.click("#end")
        expect_reply(desk, "let the stage go on")
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
    expect_reply(desk, "muted everything")
    assert [event.control for event in show.done if isinstance(event, ControlSet)] == ["sound"]
    for key, words in (("Space", "paused"), ("h", "held"), ("g", "hid"), ("t", "technical"), ("u", "took the card")):
        desk.keyboard.press(key)
        expect_reply(desk, words)
    desk.fill("#name", "m g b")
    desk.keyboard.press("Enter")
    desk.click("#arm")
    event_count = len(show.done)
    desk.keyboard.press("m")
    desk.click("#next")
    expect_reply(desk, "next")
    assert len(show.done) == event_count + 1


def test_view_token_shows_the_desk_and_disables_its_buttons(show: DeskServer, open_desk: OpenDesk) -> None:
    viewer, desk = open_desk(show, token=TOKENS.view), open_desk(show, "Ann")
    assert viewer.locator("#board button:enabled, #health button:enabled, #log button:enabled").count() == 0
    viewer.click("#arm")
    viewer.keyboard.press("m")
    desk.click("#mute")
    viewer.wait_for_selector("#log .line:has-text('Ann')")
    assert len(show.done) == 1


def test_refusal_and_trouble_are_shown_in_words(
    server: DeskServer, open_desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(server)
    monkeypatch.setattr(server, "refusal", "the disk is full")
    desk.click("#pause")
    expect_reply(desk, "the disk is full")
    monkeypatch.setattr(server, "trouble", "the disk is full")
    desk.wait_for_selector("#banner:has-text('The game waits: the disk is full')")
    desk.wait_for_selector("#summary[data-colour='red']")


def test_desk_offers_nothing_impossible_after_the_tournament(tmp_path: Path, open_desk: OpenDesk) -> None:
    with DeskServer(tmp_path, [entry.event for entry in small_contest()], speed=1000.0) as server:
        desk = open_desk(server)
        expect(desk.locator("#scene")).to_have_text("the champion")
        first_row = desk.locator("#ranks .rank").first
        expect(first_row).to_contain_text("1st")
        expect(first_row).not_to_contain_text("out")
        expect(desk.locator("#waiting")).to_be_hidden()
        expect(desk.locator("#ends-in")).to_be_hidden()
        expect(desk.locator("#ahead")).to_have_text("nothing: the tournament is over")
        for button in ("#pause", "#hold", "#end"):
            expect(desk.locator(button)).to_be_disabled()


def test_desk_fits_a_small_window_with_full_names_and_hints(server: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(server)
    desk.set_viewport_size({"width": 1024, "height": 768})
    expect(desk.locator(".rank")).to_have_count(len(NAMES))
    edges = "panels => panels.map((panel) => panel.getBoundingClientRect().right)"
    assert max(desk.locator("main > *").evaluate_all(edges)) <= 1024 - 8
    cut_names = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert desk.locator(".rank bdi").evaluate_all(cut_names) == []
    cut_hints = "all => all.filter((hint) => hint.scrollHeight > hint.clientHeight + 4).map((hint) => hint.innerText)"
    expect(desk.locator("#start .note")).to_have_text("the first stage begins")
    assert desk.locator(".key .note").evaluate_all(cut_hints) == []
    expect(desk.locator("#coming li").first).to_contain_text("game 2")
    desk.locator("#ranks button", has_text="Annie Oddsley").click()
    expect(desk.locator("#bots .light", has_text="Annie Oddsley")).to_be_in_viewport()
    desk.set_viewport_size({"width": 1280, "height": 720})


EFFECT_OF_BUTTON: dict[str, dict[str, object]] = {
    "graphics": {"graphics": False}, "mute": {"sound": False}, "break": {"card": "break"},
    "technical": {"card": "technical"}, "whole": {"view": "table"}, "keep": {"view": "held"},
    "thoughts": {"thoughts": False}, "faster": {"speed": 1.25}, "slower": {"speed": 0.75},
}  # fmt: skip
"""What each button changes in `air.picture.desk`. The picture is the state of the show on air."""


def wait_until_on_air(server: DeskServer, settings: dict[str, object]) -> None:
    program.wait_until(
        lambda: asdict(server.air.picture.desk).items() >= settings.items(),
        lambda: f"{settings} are not on air, but {server.air.picture.desk}",
    )


def test_each_button_takes_effect_on_air_and_undo_reverts_it(server: DeskServer, open_desk: OpenDesk) -> None:
    desk = open_desk(server, "Ann")
    settings_before = asdict(server.air.picture.desk)
    for button, effect in EFFECT_OF_BUTTON.items():
        event_count = len(server.done)
        desk.click(f"#{button}")
        wait_until_on_air(server, effect)
        desk.wait_for_selector("#log .line:first-child:has(.who:text-is('Ann')):not(:has-text('undo:'))")
        desk.click("#undo")
        wait_until_on_air(server, settings_before)
        desk.wait_for_selector("#log .line:first-child:has-text('undo:')")
        assert [event.operator for event in server.done[event_count:]] == ["Ann", "Ann"], button


def test_setting_requested_three_times_at_once_is_applied_once(show: DeskServer) -> None:
    async def set_three_times() -> list[str]:
        responses = await asyncio.gather(*(show.desk.set(SetRequest("card", "break")) for _ in range(3)))
        return [json.loads(bytes(response.body))["said"] for response in responses]

    assert show.do(set_three_times())[1:] == ["already set"] * 2
    assert len(show.done) == 1


def test_double_click_on_a_switch_counts_as_one_press(show: DeskServer, open_desk: OpenDesk) -> None:
    """The page's clock stands still, so that the clicks are a double click even on a slow machine."""
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
    assert [(event.control, event.value) for event in show.done if isinstance(event, ControlSet)] == [
        ("paused", True), ("held", True), ("governed", False), ("graphics", False), ("sound", False), ("card", "break")
    ]  # fmt: skip


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Page:
    """A page that all tests of the setup page share, because a new page is expensive."""
    return browser.new_context().new_page()


def open_setup(tab: Page, server: DeskServer, token: str = TOKENS.control) -> Page:
    tab.set_viewport_size({"width": 1280, "height": 720})
    tab.goto(f"{server.address}/setup?token={token}")
    tab.wait_for_selector(".step")
    return tab


def wait_for_step(page: Page, step: str, state: str, words: str = "") -> None:
    page.wait_for_selector(f".step[data-state='{state}']:has-text('{step}'):has-text('{words}')")


def test_checklist_ticks_itself_as_obs_opens_plays_and_streams(show: DeskServer, browser: Browser, tab: Page) -> None:
    page = open_setup(tab, show)
    overlay = browser.new_context(viewport={"width": 480, "height": 270}).new_page()
    status = "getStatus: (tell) => tell({ streaming: false, recording: false })"
    overlay.add_init_script(f"window.obsstudio = {{ pluginVersion: '2.18.6', {status} }}")
    overlay.goto(f"{show.address}/overlay?audio=1&motion=off")
    allow_sound(overlay)
    for step in ("is open", "paints", "runs in OBS", "is in the program"):
        wait_for_step(page, f"The overlay {step}", "done")
    page.get_by_role("button", name="Play a sound").click()
    wait_for_step(page, "The sound is heard", "done")
    wait_for_step(page, "OBS is streaming", "open", "Start the stream")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsStreamingStarted'))")
    expect(page.locator("#count")).to_have_text("All is ready")
    overlay.evaluate("dispatchEvent(new CustomEvent('obsSourceActiveChanged', {detail: {active: false}}))")
    wait_for_step(page, "The overlay is in the program", "open")
    overlay.context.close()
    show.ahead += FORGOTTEN_SECONDS  # After this time without reports, a page is forgotten.
    wait_for_step(page, "The overlay is open", "open")


def test_building_scenes_in_obs_again_adds_nothing(tmp_path: Path, tab: Page) -> None:
    obs = ObsStandIn()
    obs.scenes, obs.scene, obs.canvas = ["Camera"], "Camera", (1280, 720)
    with DeskServer(tmp_path, contest_events(hands=1), obs=obs) as server:
        page = open_setup(tab, server)
        wait_for_step(page, "OBS follows the show", "aside", "has no scene Starting")
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built li").first).to_have_text(f"Made: {', '.join((*SCENES, OVERLAY, SOURCE_NAME))}.")
        expect(page.locator("#built li").last).to_contain_text("The canvas of OBS is 1280x720")
        assert obs.source_settings == {SOURCE_NAME: browser_settings(f"{server.address}/overlay?audio=1")}
        assert obs.scene == "Camera", "OBS must not leave the scene Camera"
        wait_for_step(page, "OBS follows the show", "done", "s scenes so that it follows the show again")
        obs.canvas = (1920, 1080)
        page.get_by_role("button", name="Build them in OBS").click()
        expect(page.locator("#built")).to_have_text("Everything is already there.")
        expect(open_setup(tab, server, TOKENS.view).locator("#build")).to_be_hidden()


def test_checklist_reports_stream_sound_and_frame_rate_of_obs(tmp_path: Path, tab: Page) -> None:
    obs = ObsStandIn()
    obs.fps, obs.streaming, obs.recording = 30.0, True, True
    obs.inputs = {"Web": "http://127.0.0.1:8000/overlay?audio=1"}
    with DeskServer(tmp_path, contest_events(hands=1), obs=obs) as server:
        page = open_setup(tab, server)
        wait_for_step(page, "OBS captures the sound", "aside", "In the properties of Web tick Control audio via OBS")
        wait_for_step(page, "60 frames a second", "aside", "OBS makes 30: choose 60 in Settings, Video")
        wait_for_step(page, "OBS is streaming", "done", "and recording")
        obs.fps, obs.source_settings["Web"] = 60.0, {"reroute_audio": True}
        wait_for_step(page, "OBS captures the sound", "done")
        wait_for_step(page, "60 frames a second", "aside", "This is known once OBS shows the overlay.")


def test_checklist_says_how_obs_on_another_pc_reaches_the_overlay(server: DeskServer, tab: Page) -> None:
    wait_for_step(open_setup(tab, server), "OBS can run on another PC", "aside", 'host = "0.0.0.0" in the event file')
    headers = make_headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    steps = ask(server, "GET", "/api/setup", headers).json()["steps"]
    (step,) = [step for step in steps if step["of"] == "OBS can run on another PC"]
    sentence = "The addresses on this page lead to saloon.example, with the token that OBS needs."
    assert (step["done"], step["words"], step["needed"]) == (True, sentence, False)


def test_unwritable_folder_is_named(tmp_path: Path, tab: Page) -> None:
    with DeskServer(tmp_path / "media", contest_events(hands=1)) as server:
        (tmp_path / "media").rmdir()
        wait_for_step(open_setup(tab, server), "Recordings can be written", "open", "No such file or directory")


def test_scene_file_keeps_the_overlay_running_at_the_requested_address(server: DeskServer) -> None:
    headers = make_headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    response = ask(server, "GET", "/setup/obs.json", headers)
    assert response.headers["content-disposition"] == 'attachment; filename="high-noon.json"'
    address = f"http://saloon.example:{server.port}/overlay?audio=1&token={TOKENS.view}"
    (source,) = [source for source in response.json()["sources"] if "reroute_audio" in source["settings"]]
    assert (source["name"], source["id"], source["versioned_id"]) == (SOURCE_NAME, *["browser_source"] * 2)
    settings = {"url": address, "width": 1920, "height": 1080, "fps": 60, "fps_custom": True, "reroute_audio": True}
    assert source["settings"].items() >= {**settings, "shutdown": False, "restart_when_active": False}.items()


def test_command_line_options_never_break_across_lines(show: DeskServer, tab: Page) -> None:
    page = open_setup(tab, show)
    wait_for_step(page, "OBS follows the show", "aside", "--obs")
    for width in range(360, 1300, 10):
        page.set_viewport_size({"width": width, "height": 720})
        rectangles = "all => all.map((each) => each.getClientRects().length)"
        line_counts = page.locator(".how code, .option").evaluate_all(rectangles)
        assert len(line_counts) >= 3
        assert set(line_counts) == {1}, width


CONTEST = [*with_notes(play_house_contest("quick-draw", 3, 9), every=1)]
"""The journal of a contest in which bots send thoughts (comments on their actions)."""
AIRED_ENTRIES = CONTEST[: [seq for seq, entry in enumerate(CONTEST, 1) if isinstance(entry.event, HandEnded)][11]]
"""The first twelve hands of CONTEST. They are enough for storylines."""


@pytest.fixture(scope="module")
def waiting_show(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """Yields a show that has put AIRED_ENTRIES on air, and waits for the next hand."""
    with DeskServer(tmp_path_factory.mktemp("media"), [entry.event for entry in AIRED_ENTRIES], speed=1000) as server:
        yield server


@pytest.fixture(scope="module")
def booth(waiting_show: DeskServer, browser: Browser) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 1180, "height": 820}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{waiting_show.address}/booth?token={TOKENS.view}")
    page.wait_for_selector("body[data-wire='up'][data-booth='up']")
    page.wait_for_selector(".line")
    yield page
    page.context.close()
    assert not errors


def read_lower_third(waiting_show: DeskServer) -> str:
    return waiting_show.call_in_server(lambda: waiting_show.air.picture.desk.storyline or "")


def test_only_a_true_storyline_can_be_put_on_air(waiting_show: DeskServer) -> None:
    headers = make_headers(waiting_show, "view", content_type="application/json")
    responses = [
        ask(waiting_show, "POST", "/api/booth/tell", headers, body)
        for body in (b'{"key": "drought-99"}', b'{"key": "", "text": "Vote for Doc!"}', b'{"key": 7}', b"[", b"\xff")
    ]
    assert [response.status_code for response in responses] == [409, 400, 400, 400, 400]
    assert responses[0].json()["error"] == "this storyline is no longer true"
    assert read_lower_third(waiting_show) == ""


def test_booth_accepts_a_limited_number_of_changes_a_minute(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        headers = make_headers(server, "view", content_type="application/json")
        ticks = [ask(server, "POST", "/api/booth/tick", headers, b'{"item": 1, "done": true}') for _ in range(120)]
        assert {response.status_code for response in ticks} == {200}
        later = (ask(server, "POST", "/api/booth/tick", headers, b'{"item": 1, "done": true}') for _ in range(120))
        # The server allows two more changes each second, so the first refusal may come a little after the 120th change.
        response = next(response for response in later if response.status_code == 429)
        assert "120 changes a minute" in response.json()["error"]


def test_booth_opened_with_the_view_token_shows_the_hand_on_air(waiting_show: DeskServer, booth: Page) -> None:
    assert booth.url == f"{waiting_show.address}/booth"
    expect(booth.locator("#where")).to_contain_text("Hand ")
    expect(booth.locator(".player")).to_have_count(6)
    expect(booth.locator(".player__cards .face[data-suit]").first).to_be_visible()
    expect(booth.locator("#leader")).to_contain_text("has led ")
    expect(booth.locator("#coming li").first).to_contain_text("The Trials, game")


def test_standings_and_eight_storylines_fit_a_small_tablet(booth: Page) -> None:
    booth.set_viewport_size({"width": 1024, "height": 768})
    expect(booth.locator("#after")).to_have_text("after game 2, hand 6")
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
    for row in compute_results(AIRED_ENTRIES).rows:
        if row.reading and row.reading.claims and booth.get_by_role("button", name=row.name, exact=True).count():
            booth.get_by_role("button", name=row.name, exact=True).click()
            true_claims = row.reading.claims - row.reading.false_claims  # `reading`: how true the thoughts were
            words = f"true claims in its thoughts, {true_claims} of {row.reading.claims}"
            expect(booth.locator("#habits")).to_contain_text(words)
            score = booth.locator("#habits li", has_text="Brier score").locator("b")
            expect(score).to_have_text(f"{row.reading.brier:.2f}")
            return
    raise AssertionError("no bot at the table has made a claim")


def test_booth_shows_topics_between_hands(booth: Page) -> None:
    first_topic = booth.locator("#talk-text").inner_text()
    assert first_topic in booth.locator(".line__text").all_text_contents()
    booth.get_by_role("button", name="Another").click()
    expect(booth.locator("#talk-text")).not_to_have_text(first_topic)


def test_one_press_shows_a_storyline_on_air_for_a_limited_time(waiting_show: DeskServer, booth: Page) -> None:
    storyline = booth.locator(".line").first
    text = storyline.locator(".line__text").inner_text()
    storyline.get_by_role("button", name="To air").click()
    expect(booth.locator("#on-air-text")).to_have_text(f"On air: {text}")
    assert read_lower_third(waiting_show) == text
    expect(storyline.locator(".line__told")).to_contain_text("aired")
    expect(booth.locator("#on-air")).to_be_hidden()
    assert read_lower_third(waiting_show) == ""


def test_commentators_notes_are_shown_as_plain_text(booth: Page) -> None:
    booth.get_by_label("Your name").fill("Ann")
    booth.get_by_label("A note").fill("<b>Ask</b> about the feathers.")
    booth.get_by_role("button", name="Write").click()
    expect(booth.locator(".note__text")).to_have_text("<b>Ask</b> about the feathers.")
    expect(booth.locator(".note__by")).to_contain_text("Ann, ")
    expect(booth.get_by_label("A note")).to_have_value("")
    booth.get_by_role("button", name="Erase this note").click()
    expect(booth.locator(".note")).to_have_count(0)

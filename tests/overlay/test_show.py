"""A page shows what is on air, even after a reload or a lost connection. It animates only what happens live.

Changes by the operator are shown at once. The front page also shows standings and the best hands.
"""

import io
import json
from itertools import groupby
from typing import Any

import pytest
from msgspec import to_builtins
from PIL import Image
from playwright.sync_api import expect

from broadcast.on_air.events import OnAirEntry, PaceChanged, StorylineShown, TroubleShown
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_speech import reading_ms
from broadcast.on_air.picture_state import Seat, State
from server.game.events import ChatSent, ControlSet, Event, PotAwarded
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES, TROUBLE, let_tess_win, play_short_contest
from tests.overlay.support.screen import WAIT_FOR_ENTRY, Screen
from tests.overlay.support.scripted_deals import Deals
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.browsers import PATIENCE_MS
from tests.support.programs.esbuild import needs_esbuild
from tests.support.programs.in_node import Node
from tests.support.programs.reused_pages import ReusedPages

# Returns the time at which each running motion ends, in ms. Fuses (burning clocks) do not count, because they burn as
# long as a bot may think. CSS animations do not count, because they always show the newest state.
_MOTIONS = """() => document.getAnimations()
  .filter((motion) => motion.constructor === Animation && !motion.effect.target.closest(".fuse"))
  .map((motion) => motion.effect.getComputedTiming().endTime)"""

# Gives motions time to start, and then cancels them. Returns their ends, as _MOTIONS does.
_STARTED_MOTIONS = f"""async () => {{
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const ends = ({_MOTIONS})();
  for (const motion of document.getAnimations()) motion.cancel();
  return ends;
}}"""
# Loses `times` connections, each after it has worked. Returns the wait before each new attempt, in ms.
_WAITS = """async (times, load) => {
  const { connectToShow } = await load("/static/js/overlay/transport.js");
  const waits = [];
  let [socket, lastWait, reconnect] = [];
  globalThis.location = new URL("http://127.0.0.1/overlay");
  globalThis.WebSocket = class { constructor() { socket = this; } };
  globalThis.setTimeout = (call, ms) => { [reconnect, lastWait] = [call, ms]; };
  connectToShow("main", { position: () => ({ seq: 0, epoch: "" }), welcome() {}, connected() {} });
  for (let time = 0; time < times; time += 1) {
    socket.onopen();
    socket.onmessage({ data: '{"type": "welcome"}' });
    socket.onclose({ code: 1006, reason: "" });
    waits.push(lastWait);
    reconnect();
  }
  return waits;
}"""
_SPEECH_AT = "async (chat, load) => (await load('/static/js/overlay/reducer-speech.js')).speechAt(...chat)"
# Returns each address that the page has loaded, and how many bytes the server sent.
_LOADED_FILES = """() => performance.getEntries().filter((entry) => "encodedBodySize" in entry)
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
# Tries to call another server. Returns the rule of the content security policy that prevents the call.
_CALL_ELSEWHERE = """() => new Promise((done) => {
  document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  new WebSocket("ws://127.0.0.9:9/").addEventListener("error", () => setTimeout(done, 0, "it was called"));
})"""
_STATE = "() => JSON.stringify(window.highnoon.state())"
_IS_CONNECTED = "() => document.documentElement.dataset.wire === 'up'"


@needs_esbuild
def test_show_loads_at_most_50_kilobytes_of_code_and_150_in_all(open_screen: OpenScreen) -> None:
    screen = open_screen(fresh=True)
    screen.settle()
    loaded: list[list[Any]] = screen.page.evaluate(_LOADED_FILES)
    assert all(name.startswith(screen.server.address) for name, _ in loaded)
    code_sizes = {name: size for name, size in loaded if name.endswith((".js", ".css"))}
    assert (len(code_sizes), sum(code_sizes.values()) <= 50_000) == (2, True), code_sizes
    assert sum(size for _, size in loaded) <= 150_000, loaded


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_page_calls_no_other_server(host: str, server: ShowServer, reused_pages: ReusedPages) -> None:
    server.channel("heard")
    addresses: list[str] = []
    page = reused_pages.open({"width": 640, "height": 360}, websocket=lambda socket: addresses.append(socket.url))
    page.goto(f"{server.address.replace('127.0.0.1', host)}/overlay?channel=heard")
    page.wait_for_function(_IS_CONNECTED)
    assert addresses
    assert all(address.startswith(f"ws://{host}:") for address in addresses), addresses
    assert page.evaluate(_CALL_ELSEWHERE) == "connect-src"
    reused_pages.leave()


def test_page_waits_silently_for_its_channel(
    server: ShowServer, reused_pages: ReusedPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    console: list[str] = []
    page = reused_pages.open({"width": 640, "height": 360}, console=lambda message: console.append(message.text))
    with page.expect_websocket() as first_socket:
        page.goto(f"{server.address}/overlay?channel=later&debug")
    with page.expect_websocket():  # the page reconnects
        first_socket.value.wait_for_event("close")
    assert page.locator(".absent").text_content() == ""
    air = server.channel("later", SCENES["dealt"]().entries)
    page.wait_for_function(_IS_CONNECTED)
    page.evaluate(WAIT_FOR_ENTRY, [air.last_seq, PATIENCE_MS])
    assert json.loads(page.evaluate(_STATE)) == json.loads(server.picture(air))["state"]
    why = "Billy registered and did not connect in time: there is no game."
    monkeypatch.setattr(server.studio, "why_absent", lambda _: why)
    server.close(air)
    with page.expect_websocket() as new_socket:
        page.evaluate("() => window.highnoon.drop()")
    new_socket.value.wait_for_event("close")
    assert page.locator(".absent").text_content() == ""
    assert json.loads(page.evaluate(_STATE))["hand"]
    reused_pages.leave()
    assert not console


def test_page_catches_up_after_lost_connections_and_with_a_new_show(open_screen: OpenScreen) -> None:
    screen = open_screen()
    entries = play_short_contest()
    for at in range(0, 600, 60):
        screen.server.put(screen.air, entries[at : at + 30])
        screen.page.evaluate("() => window.highnoon.drop()")
        screen.server.put(screen.air, entries[at + 30 : at + 60])
    screen.catch_up()
    assert screen.state() == screen.studio_state()  # the studio is the show's server
    screen.air = screen.server.channel(screen.channel, SCENES["dealt"]().entries)
    screen.page.evaluate("() => window.highnoon.drop()")
    screen.catch_up()
    assert screen.state() == screen.studio_state()


def test_connection_that_has_worked_is_always_reopened_at_once(node: Node) -> None:
    waits = node.evaluate(_WAITS, 8)
    assert len(waits) == 8
    assert all(75 <= wait <= 125 for wait in waits)


def test_every_motion_ends_within_the_hold_time_of_its_entry(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.stop_clock()
    moving_events = set()
    entries = let_tess_win(speed=1).eliminate(1, 12).end_game().entries
    for _, (entry, *commentary) in groupby(entries, key=lambda entry: entry.at_ms):
        screen.put([entry, *commentary])
        ends: list[float] = screen.page.evaluate(_STARTED_MOTIONS)
        event = type(entry.event).__name__
        assert max(ends, default=0) <= max(entry.hold_ms, 1), event
        moving_events |= {event} if ends else set()
    assert moving_events >= {"HoleDealt", "ActionTaken", "BlindPosted", "BetsCollected", "StreetDealt", "PotAwarded"}


def test_animations_are_off_at_full_speed_and_during_catch_up(open_screen: OpenScreen) -> None:
    screen, late_screen = open_screen(), open_screen()
    screen.put(play_short_contest())
    screen.settle()
    assert screen.page.evaluate(_MOTIONS) == []
    assert screen.state() == screen.studio_state()
    entries = let_tess_win(speed=1).entries
    award = next(at for at, entry in enumerate(entries) if isinstance(entry.event, PotAwarded))
    late_screen.server.put(late_screen.air, entries[: award + 1])
    late_screen.page.reload()  # the page gets these few entries one by one, not as the state of the whole show
    late_screen.catch_up()
    late_screen.settle()
    assert late_screen.page.evaluate(_MOTIONS) == []


def test_bots_speak_one_at_a_time_and_long_enough_to_read(node: Node) -> None:
    reading_times = [reading_ms("word " * words) for words in (1, 4, 5, 12, 16, 40)]
    assert reading_times == [2500, 2500, 2875, 5500, 7000, 7000]
    state = State(seats=tuple(Seat(bot, 100) for bot in (1, 2, 3, 4)))
    for seq, bot in enumerate((1, 2, 1, 12, 3, 4)):
        state = reduce(state, seq, 0, 0, ChatSent(bot, "five words and no more"))
    moments_ms = (0, 2800, 2900, 5700, 5800, 9000)
    lines = [node.evaluate(_SPEECH_AT, [to_builtins(state.chat), ms])["line"] for ms in moments_ms]
    assert [line and line["bot"] for line in lines] == [1, 1, 2, 2, None, None]


def test_page_ignores_unknown_settings_and_shows_the_chosen_layers(open_screen: OpenScreen) -> None:
    screen = open_screen("theme=neon&deck=7&motion=wild&vol=loud&hats=3&layers=table,third")
    page = screen.page.evaluate("() => ({ ...document.documentElement.dataset })")
    assert (page["theme"], page["deck"], page["motion"]) == ("western", "4", "full")
    is_visible = "(name) => document.querySelector('.' + name).checkVisibility()"
    assert [screen.page.evaluate(is_visible, name) for name in ("backdrop", "floor", "third")] == [False, True, True]


def put_changes(screen: Screen, *events: Event) -> None:
    screen.put(OnAirEntry(0, screen.air.at_ms, 0, event) for event in events)
    screen.settle()


@pytest.fixture
def betting(wide: Screen) -> Screen:
    """A wide page without motion, in the middle of a hand."""
    wide.show(SCENES["betting"]())
    return wide


def test_break_card_says_when_the_show_is_back(betting: Screen) -> None:
    for card, text in (("break until 21:15 CET", "Back at 21:15 CET"), ("break", "")):
        put_changes(betting, ControlSet("card", card, ""))
        expect(betting.page.locator(".cover__break .cover__line")).to_have_text(text)
    put_changes(betting, ControlSet("card", "", ""))
    expect(betting.page.locator(".cover")).to_be_hidden()


def test_hidden_graphics_leave_the_overlay_fully_transparent(betting: Screen) -> None:
    put_changes(betting, ControlSet("graphics", False, ""), ControlSet("card", "break", ""))
    assert measure_opacity(betting) == 0
    put_changes(betting, ControlSet("graphics", True, ""), ControlSet("card", "", ""))
    assert measure_opacity(betting) == 255


def measure_opacity(screen: Screen) -> int:
    """Returns the opacity of the most opaque pixel of the page, 0 to 255."""
    screen.page.set_viewport_size({"width": 640, "height": 360})
    screen.settle()
    picture = Image.open(io.BytesIO(screen.page.screenshot(omit_background=True)))
    return max(picture.convert("RGBA").getchannel("A").tobytes())


def test_bots_without_their_media_have_the_default_face(betting: Screen) -> None:
    face = betting.page.locator(".seat").first.locator(".poster__photo img")
    for is_on, address in ((False, "/assets/avatars/default.webp"), (True, "/media/billy-the-kid-avatar.webp")):
        put_changes(betting, ControlSet("media", is_on, "", bot=1))
        expect(face).to_have_attribute("src", address)


def test_trouble_is_plain_text_on_the_technical_card_and_in_the_lower_third(betting: Screen) -> None:
    markup = "<img src=x onerror=alert(1)>"
    put_changes(betting, TroubleShown(markup), ControlSet("card", "technical", ""))
    assert betting.page.locator(".cover__text img").count() == 0
    expect(betting.page.locator(".cover__text")).to_have_text(markup)
    put_changes(betting, TroubleShown(""))
    expect(betting.page.locator(".cover__note")).to_be_hidden()
    put_changes(betting, ControlSet("card", "", ""))
    lower_third = betting.page.locator(".third__caption")
    caption, story = lower_third.inner_text().split(), "Doc Holobyte hasn't won a pot in 12 hands."
    for event, text in ((StorylineShown(story), story), (TroubleShown(TROUBLE), TROUBLE)):
        put_changes(betting, event)
        assert lower_third.inner_text().split() == text.split()
    put_changes(betting, TroubleShown(""), StorylineShown(""))
    assert lower_third.inner_text().split() == caption


def test_motion_follows_the_pace_of_the_show_even_on_a_reloaded_page(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.show(SCENES["betting"]())
    put_changes(screen, PaceChanged(0.5))
    assert screen.read_json("window.highnoon.speed()") == 0.5
    screen.page.reload()
    screen.catch_up()
    assert screen.read_json("window.highnoon.speed()") == 0.5


# Returns each bot's name and worth (chips or place) in the standings, and "line" above the bots that do not advance.
_STANDINGS = """() => [...document.querySelectorAll("#rows > li")].map((row) => row.className === "cut" ? "line"
  : [row.querySelector(".standing__name").textContent, row.querySelector(".standing__worth").textContent])"""


@pytest.fixture
def front(open_screen: OpenScreen) -> Screen:
    return open_screen("motion=off&still", page="", width=1440, height=900)


def test_front_page_shows_what_is_on_air_and_whether_it_is_paused(front: Screen) -> None:
    front.show(Script().connect().stage().game().hand("call raise:300"))
    read = front.page.inner_text
    assert [read("#live"), read("#on"), read("#caption")] == ["LIVE", "The Trials", front.state()["caption"]]
    assert read("#where").startswith("Game 1 of up to 15 · Hand 1 of 6 · Blinds")
    assert front.state() == front.studio_state()
    assert front.page.locator("#picture .seat").count() == 6
    lines = front.page.locator("#next .schedule__item")
    schedule = ((0, "Now"), (0, "The Trials, game 1 of 15"), (1, "The Trials, game 2 of 15"), (-1, "The next stage"))
    for line, words in schedule:
        expect(lines.nth(line)).to_contain_text(words)
    for is_paused, word in ((True, "Paused"), (False, "Live")):
        put_changes(front, ControlSet("paused", is_paused, not is_paused))
        expect(front.page.locator("#live")).to_have_text(word)


def test_bots_are_ranked_by_chips_per_deal_after_deal_1_and_none_is_out(front: Screen) -> None:
    places, schedule = front.page.locator(".standing__rank"), front.page.locator("#schedule")
    front.show(Deals().game(hands=1).hand("fold"))
    assert places.all_inner_texts() == [""] * 6
    expect(schedule.locator(".schedule__what")).to_have_text(["The Final, deal 1 of 60", "The Final, deal 2 of 60"])
    expect(schedule.locator(".schedule__words")).to_contain_text("End of the show")
    front.show(SCENES["certainty_early"]())
    expect(places).to_have_text(["1", "2", "3", "4", "5", "6"])
    expect(front.page.locator("#hands small").first).to_have_text("Deal 1")
    standings = front.page.evaluate(_STANDINGS)
    assert standings[0] == ["Billy the Kid", "+4,950"]
    assert standings[-1] == ["Doc Holobyte", "\N{MINUS SIGN}4,950"], "in a stage of deals, no bot may be shown as out"
    assert front.page.inner_text("#where") == "Deal 1 of up to 60", "deal 2 must not be named before its first hand"
    expect(front.page.locator("#next .schedule__item").first).to_contain_text("The Final, deal 2 of 60")


def test_places_are_listed_for_eliminated_bots_and_finally_for_all(front: Screen) -> None:
    front.show(SCENES["captured"]())
    assert front.page.evaluate(_STANDINGS)[-1] == ["Doc Holobyte", "12th"]
    front.show(SCENES["champion"]())
    assert front.page.inner_text("#live") == "OVER"
    rows = front.page.evaluate(_STANDINGS)
    assert [row[1] for row in rows[:3]] == ["1st", "2nd", "3rd"]
    assert "line" not in rows


def test_best_hands_say_what_happened_and_link_to_it(front: Screen) -> None:
    front.show(SCENES["captured"]())
    link = front.page.locator(".best__told").first
    expect(link).to_be_visible()
    mark = front.state()["marks"][-1]  # `mark`: the last hand that the show marked as a highlight
    address = link.get_attribute("href") or ""
    number = int(address.rpartition("hand=")[2])
    index = front.page.request.get(f"{front.server.address}/live/{front.air.channel}/index.json").json()
    hand = index["outline"]["hands"][number]
    assert (hand["game"], hand["hand"]) == (mark["game"], mark["hand"])
    assert f"{hand['pot']:,}" in link.inner_text()
    front.page.goto(f"{front.server.address}{address}&debug")
    front.page.wait_for_function("() => document.body?.dataset.ready === 'yes'")
    assert front.state()["hand"]["hand"] == mark["hand"]

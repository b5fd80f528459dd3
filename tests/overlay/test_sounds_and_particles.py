"""Pages play sounds and particles (images that fly at a win) on time. Files that fail to load are fetched again."""

import io
import re
from typing import Any

import numpy as np
import pytest
import soundfile
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Route, expect

from broadcast.on_air.events import LineSpoken, OnAirEntry, ThoughtShown
from server.game.events import Award, Control, ControlSet, Event, HoleDealt, PotAwarded, StreetDealt, TurnStarted
from server.paths import ASSETS
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES, let_tess_win, one_table
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.programs.browsers import allow_sound
from tests.support.programs.in_node import Node

LOUDEST_LEVEL = """async (frames) => {
  let loudest = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    loudest = Math.max(loudest, window.highnoon.level());
  }
  return loudest;
}"""
IS_LOUD = "() => window.highnoon.level() > 0.01"
# Returns how many pixels of the particles' canvas contain red, how many green, and how many are painted at all.
COUNT_COLOURS = """() => {
  const canvas = document.querySelector("canvas.particles");
  if (!canvas) return [0, 0, 0];
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  const painted = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] > 99) painted[0] += 1;
    if (pixels[at + 1] > 99) painted[1] += 1;
    if (pixels[at + 3]) painted[2] += 1;
  }
  return painted;
}"""
# Returns a show's sound cues (requests to play a sound).
_SOUNDS = """async (texts, load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { initialState } = await load("/static/js/overlay/reducer-state.js");
  const { cuesOf } = await load("/static/js/overlay/cues.js");
  let state = initialState();
  return texts.map((text) => JSON.parse(text)).flatMap((entry) => {
    const before = state;
    state = reduce(state, entry);
    return cuesOf(entry, before, state).filter((cue) => cue.kind === "sound");
  });
}"""
# Requests sounds one after another. A request has a cue and, in seconds, the sound's length and the current time.
# Returns how each sound is played, or null if it is not played.
_PLAN = """async (requests, load) => {
  const { SoundRules } = await load("/static/js/overlay/effects/sound-rules.js");
  const rules = new SoundRules();
  return requests.map(([cue, seconds, now]) => rules.planPlayback(cue, seconds, now));
}"""
_COUNT_CONTEXTS = """
  const Real = AudioContext;
  window.contexts = 0;
  window.AudioContext = class extends Real { constructor() { super(...arguments); window.contexts += 1; } };
"""
# Records each sound that begins: its length in hundredths of a second, and how many cards are being turned over.
_RECORD_SOUNDS = """() => {
  const start = AudioBufferSourceNode.prototype.start;
  window.begun = [];
  AudioBufferSourceNode.prototype.start = function (...when) {
    const turning = document.getAnimations()
      .filter(({ effect }) => effect.target.closest(".card, .flight--card") && !effect.target.closest(".fuse"));
    window.begun.push([Math.floor(this.buffer.duration * 100 + 1e-6), turning.length]);
    return start.apply(this, when);
  };
}"""
WIN, VOICE, THOUGHT = {"name": "win"}, {"name": "voice"}, {"name": "voice", "bot": 3}


def put_award(screen: Screen, script: Script, first: int = 0) -> None:
    """Puts the entries from `first` to the first award of a pot on air. Only the award has motion and sound."""
    at = next(number for number, entry in enumerate(script.entries) if isinstance(entry.event, PotAwarded))
    screen.recall(script.entries[first:at])
    screen.settle()
    screen.put([script.entries[at]])


def open_with_sound(open_screen: OpenScreen) -> Screen:
    """Opens a page that plays each sound, even if a busy machine sends the sound's file late."""
    screen = open_screen("audio=1", fresh=True)
    click_for_sound(screen)
    screen.stop_clock()
    return screen


def record_of(file: str) -> list[int]:
    """Returns what _RECORD_SOUNDS records when this file of `assets` begins and no card is being turned over."""
    return [int(soundfile.info(ASSETS / file).duration * 100 + 1e-6), 0]


def click_for_sound(screen: Screen) -> None:
    """Clicks the button that allows sound, and waits until the page may play and has fetched the default sounds."""
    allow_sound(screen.page)
    expect(screen.page.get_by_role("button")).to_be_hidden()
    screen.page.wait_for_load_state("networkidle")


def test_page_catches_up_in_silence_then_plays_a_win_and_obeys_the_sound_switch(open_screen: OpenScreen) -> None:
    script = Script([f"Bot {number}" for number in range(6)], speed=1).connect().stage().game()
    script.hand("fold fold fold fold fold", events=-1)
    screen = open_screen("audio=1", fresh=True)
    screen.server.put(screen.air, script.entries)
    screen.page.reload()
    screen.catch_up()
    click_for_sound(screen)
    assert screen.page.evaluate(LOUDEST_LEVEL, 20) == 0
    screen.stop_clock()
    screen.page.evaluate(_RECORD_SOUNDS)
    put_award(screen, script)
    screen.wait(IS_LOUD)
    assert screen.page.evaluate("() => window.begun") == [record_of("sounds/win.ogg")], "the page must play win.ogg"
    level_later = "async () => { await new Promise((done) => setTimeout(done, 150)); return window.highnoon.level() }"
    for is_on in (False, True):
        screen.put(script.set("sound", is_on).entries[-1:])
        assert screen.page.evaluate(level_later) < 0.001
    before = len(script.entries)
    screen.put(script.hand("fold fold fold fold fold").entries[before:])
    screen.wait(IS_LOUD)


@pytest.mark.parametrize("is_media_on", [True, False])
def test_particles_show_the_winners_image_or_the_default_and_vanish(is_media_on: bool, open_screen: OpenScreen) -> None:
    screen, script = open_screen(), let_tess_win(speed=1)
    screen.stop_clock()

    def send_colour(route: Route) -> None:
        is_winners = route.request.url.endswith("/two-pair-tess-particle.webp")
        body = io.BytesIO()
        Image.new("RGB", (16, 16), "#00ff00" if is_winners else "#ff0000").save(body, "PNG")
        route.fulfill(body=body.getvalue(), content_type="image/png")

    screen.page.route(re.compile(r"particle.*\.webp$"), send_colour)
    screen.put(script.entries[:2])
    screen.put([OnAirEntry(0, screen.air.at_ms, 0, ControlSet("media", is_media_on, was=True, bot=6))])
    put_award(screen, script, 2)
    screen.wait(f"() => {{ window.colours = ({COUNT_COLOURS})(); return window.colours[2] > 1000; }}")
    default, winners, _ = screen.page.evaluate("() => window.colours")
    assert (default > 1000, winners > 1000, min(default, winners)) == (not is_media_on, is_media_on, 0)
    screen.wait("() => !document.querySelector('canvas')")
    frames = screen.page.evaluate("() => window.highnoon.frames()")
    screen.settle()
    assert screen.page.evaluate("() => window.highnoon.frames()") == frames


def sound_cues(node: Node, script: Script) -> Any:
    return node.evaluate(_SOUNDS, [entry.to_json().decode() for entry in script.entries])


@pytest.mark.parametrize(("scene", "wins", "sting"), [("captured", 2, "eliminated"), ("champion", 14, "champion")])
def test_show_plays_a_sound_at_each_win_and_at_its_end(scene: str, wins: int, sting: str, node: Node) -> None:
    sounds = [cue["name"] for cue in sound_cues(node, SCENES[scene]())]
    assert sounds.count("win") == wins
    assert {"eliminated", "champion"} & {*sounds} == {sting}


@pytest.mark.parametrize(
    ("requests", "times"),
    [
        ([(WIN, 3.0, 10.0), (WIN, 9.0, 10.0), (WIN, 1.0, 10.0), (WIN, 1.0, 15.0)], [(10, 3), (13, 5), None, (18, 1)]),
        ([({**WIN, "ms": 1600}, 4.0, 1.0)] * 3, [(1, 1.6), (2.6, 1.6), (4.2, 1.6)]),
        ([({"name": "game_start"}, 2.0, 1.0), ({"name": "eliminated"}, 2.0, 1.2)], [(1, 2), (1.2, 2)]),
        ([(VOICE, 6.5, 1.0), (VOICE, 2.0, 3.0), (VOICE, 2.0, 6.0)], [(1, 6.5), (3.05, 2), (6, 2)]),
        ([(VOICE, 1.5, 10.0), (THOUGHT, 4.0, 10.1)], [(10, 1.5), (11.5, 4)]),
        ([(VOICE, 9.0, 10.0), (THOUGHT, 4.0, 10.1)], [(10, 9), None]),
        ([(THOUGHT, 4.0, 10.0), (VOICE, 1.0, 11.0)], [(10, 4), (11, 1)]),
    ],
    ids=["winners queue, and a late winner is dropped", "winners of a shared pot queue", "a sting plays at once",
         "a new line of the voice waits until the old one has faded", "a thought waits for the commentator",
         "a thought that would be late is not spoken", "the commentator does not wait for a thought"],
)  # fmt: skip
def test_sounds_start_when_their_kind_allows(requests: list[Any], times: list[Any], node: Node) -> None:
    plans = node.evaluate(_PLAN, requests)
    assert [plan and (round(plan["begins"], 3), round(plan["seconds"], 3)) for plan in plans] == times
    assert len({plan["kind"] for plan in plans if plan}) == 1


def test_short_sounds_are_skipped_if_crowded_and_quieter_if_repeated(node: Node) -> None:
    names = ("deal", "deal", "chip", "fold", "call")
    crowded_sounds = node.evaluate(_PLAN, [({"name": name}, 0.2, 1 + at / 100) for at, name in enumerate(names)])
    assert [plan is not None for plan in crowded_sounds] == [True, False, True, True, False]
    plans = node.evaluate(_PLAN, [({"name": "deal", "variant": number}, 0.2, number * 0.4) for number in range(6)])
    levels_db = [20 * np.log10(plan["gain"]) for plan in plans]
    assert levels_db == pytest.approx([0, -3, -6, -9, -9, -9])
    assert len({plan["rate"] for plan in plans[:5]}) == 5
    assert all(0.95 < plan["rate"] < 1.05 for plan in plans)
    _, later_sound = node.evaluate(_PLAN, [({"name": "deal", "variant": 3}, 0.2, at) for at in (0.0, 9.0)])
    assert later_sound["gain"] == 1


@pytest.mark.parametrize(("winners", "sounds"), [(1, 1), (2, 2), (3, 3), (4, 1)])
def test_up_to_three_winners_are_heard_and_otherwise_only_the_first(winners: int, sounds: int, node: Node) -> None:
    script = one_table(NAMES[:4])
    award = PotAwarded(0, 100 * winners, tuple(Award(seat, 100) for seat in range(winners)))
    script.entries.append(OnAirEntry(99, 0, 4800, award))
    cues = [cue for cue in sound_cues(node, script) if cue["name"] == "win"]
    assert [cue["bot"] for cue in cues] == [*range(1, sounds + 1)]
    assert [cue.get("ms", 4800) for cue in cues] == [4800 / sounds] * sounds
    assert {cue["variant"] for cue in cues} == {99}


def test_only_the_page_with_audio_fetches_and_plays_sounds(wide: Screen) -> None:
    page, sound_of_pages = wide.context.new_page(), {}
    page.add_init_script(_COUNT_CONTEXTS)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    for address in ("/overlay?audio=0", "/projector", "/", "/overlay?audio=1"):
        fetched.clear()
        page.goto(wide.server.address + address)
        page.wait_for_load_state("networkidle")
        sound_of_pages[address] = (page.evaluate("() => window.contexts"), any(url.endswith(".ogg") for url in fetched))
    page.close()
    assert sound_of_pages == dict.fromkeys(sound_of_pages, (0, False)) | {"/overlay?audio=1": (1, True)}


def fail_first_request(screen: Screen, file: str) -> list[str]:
    """Makes the first request for this file fail. Returns a list to which the addresses of all requests are added."""
    requested: list[str] = []
    screen.page.on("request", lambda request: requested.append(request.url))
    screen.page.route(f"**/{file}", lambda route: route.abort("connectionreset"), times=1)
    return requested


def assert_only_file_lost(screen: Screen, file: str) -> None:
    """Asserts that the browser has reported the loss of `file`, and no other fault."""
    assert screen.complaints
    assert all("ERR_CONNECTION_RESET" in each and file in each for each in screen.complaints)
    screen.complaints.clear()


def test_face_that_failed_to_load_is_loaded_again(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off", fresh=True)
    requested = fail_first_request(screen, "billy-the-kid-avatar.webp")
    screen.put(SCENES["betting"]().entries)
    face = screen.page.locator(".seat").first.locator(".poster__photo img")
    expect(face).to_have_attribute("src", "/media/billy-the-kid-avatar.webp")
    screen.settle()
    assert face.evaluate("(image) => image.naturalWidth") > 1
    assert_only_file_lost(screen, "billy-the-kid-avatar.webp")
    assert f"{screen.server.address}/assets/avatars/default.webp" in requested, "the default face must be loaded"


def test_sound_that_failed_to_load_is_heard_at_the_next_win(open_screen: OpenScreen) -> None:
    screen = open_screen("audio=1", fresh=True)
    requested, script = fail_first_request(screen, "two-pair-tess-sound.ogg"), let_tess_win(speed=1)
    # No bot has an image, and later the break card hides the table. Even so, the winner's own sound must be played.
    opened: Any = script.entries[0].event
    entrants = tuple(replace(entrant, avatar="") for entrant in opened.entrants)
    script.entries[0] = replace(script.entries[0], event=replace(opened, entrants=entrants))
    sound = f"{screen.server.address}/media/two-pair-tess-sound.ogg"
    with screen.page.expect_event("requestfailed"):
        screen.recall(script.entries[:2])
    click_for_sound(screen)
    assert requested.count(sound) == 1
    screen.stop_clock()
    screen.put([replace(script.entries[1], event=ControlSet("card", "break", ""))])
    screen.page.evaluate(_RECORD_SOUNDS)
    put_award(screen, script, 2)
    screen.wait(IS_LOUD)
    # If the file is still loading when the pot is awarded, the sound begins late, while cards move. That is allowed.
    lengths = [length for length, _ in screen.page.evaluate("() => window.begun")]
    assert lengths == [record_of("house/two-pair-tess/sound.ogg")[0]]
    assert requested.count(sound) == 2
    assert_only_file_lost(screen, "two-pair-tess-sound.ogg")


@pytest.mark.parametrize("control", ["thoughts", "chat"])
def test_thought_hidden_by_the_desk_is_silenced_at_once(control: Control, open_screen: OpenScreen) -> None:
    script = Script(speed=1).connect().stage().game().hand("call")
    screen = open_with_sound(open_screen)
    hum, seconds = io.BytesIO(), 20
    soundfile.write(hum, np.sin(np.arange(seconds * 8000) / 4) / 2, 8000, format="OGG", subtype="VORBIS")
    screen.page.route("**/media/thought.ogg", lambda route: route.fulfill(body=hum.getvalue()))
    screen.recall(script.entries)
    last, spoken = script.entries[-1], LineSpoken("thought.ogg", 4000, bot=4)
    screen.put(replace(last, event=each) for each in (ThoughtShown(4, "word " * 20), spoken))
    screen.wait(IS_LOUD)
    began_ms = screen.page.evaluate("() => Date.now()")
    screen.put([replace(last, hold_ms=0, event=ControlSet(control, value=False, was=True, bot=4))])
    screen.wait("() => window.highnoon.level() < 0.001")
    assert screen.page.evaluate("() => Date.now()") - began_ms < 500 * seconds, "the sound must not play to its end"
    assert screen.state()["chat"] == []


@pytest.mark.parametrize("speed", [1, 5])
@pytest.mark.parametrize("card_event", [HoleDealt, StreetDealt])
def test_voice_waits_until_the_card_is_face_up(card_event: type[Event], speed: float, open_screen: OpenScreen) -> None:
    script = Script(speed=speed).connect().stage().game((1, 2)).hand("call check")
    screen = open_with_sound(open_screen)
    line = ASSETS / "sounds" / "champion.ogg"
    screen.page.route("**/media/line.ogg", lambda route: route.fulfill(body=line.read_bytes()))
    deal = max(at for at, entry in enumerate(script.entries) if isinstance(entry.event, card_event))
    turn = next(at for at in range(deal, len(script.entries)) if isinstance(script.entries[at].event, TurnStarted))
    screen.recall(script.entries[:deal])
    screen.settle()
    screen.page.evaluate(_RECORD_SOUNDS)
    screen.put([*script.entries[deal:turn], replace(script.entries[deal], event=LineSpoken("line.ogg", 900))])
    record = record_of("sounds/champion.ogg")
    screen.wait("(hundredths) => window.begun.some(([length]) => length === hundredths)", record[0])
    assert record in screen.page.evaluate("() => window.begun")

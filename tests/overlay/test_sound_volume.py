"""Loudness of the mix: rendered by the browser through the page's own audio graph, measured with our meter."""

import base64
from typing import Any

import numpy as np
import pytest

from broadcast.media.loudness_meter import Samples, integrated_lufs, true_peak_db
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script, folded
from tests.support.in_node import Node

RATE = 48_000
SIX = [f"/media/{bot.sound}" for bot in list(folded(Script().entries).bots.values())[:6]]
WIN_SOUND = "/assets/sounds/win.ogg"
WIN, VOICE = {"name": "win"}, {"name": "voice"}
# Renders sounds that begin together through the mix, or, if `bare`, past it.
_RENDER = """async ([addresses, bare]) => {
  const { mixIn, sounding } = await import("/static/js/overlay/effects/volume.js");
  const context = new OfflineAudioContext(2, 48000 * 3, 48000);
  const { master, exit } = mixIn(context, 1);
  exit.connect(context.destination);
  for (const address of addresses) {
    const buffer = await context.decodeAudioData(await (await fetch(address)).arrayBuffer());
    sounding(context, buffer, { begins: 0.2, seconds: 2.6, gain: 1, rate: 1 }, bare ? context.destination : master);
  }
  const heard = await context.startRendering();
  const bytes = new Uint8Array(new Float32Array([...heard.getChannelData(0), ...heard.getChannelData(1)]).buffer);
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}"""
# What the rules answer to one cue after another: how to play it, or null.
_ADMIT = """async (asked, load) => {
  const { SoundRules } = await load("/static/js/overlay/effects/sound-rules.js");
  const rules = new SoundRules();
  return asked.map(([cue, seconds, now]) => rules.admit(cue, seconds, now));
}"""

# Counts the audio contexts that a page opens.
_COUNT = """
  window.contexts = 0;
  const Real = AudioContext;
  window.AudioContext = class extends Real {
    constructor(...rest) {
      super(...rest);
      window.contexts += 1;
    }
  };
"""


def rendered(screen: Screen, addresses: list[str], *, bare: bool = False) -> Samples:
    """The samples of sounds that begin together."""
    floats = np.frombuffer(base64.b64decode(screen.page.evaluate(_RENDER, [addresses, bare])), "<f4")
    return floats.reshape(2, -1).T.astype(np.float64)


def admitted(node: Node, *asked: tuple[dict[str, Any], float, float]) -> list[Any]:
    """What becomes of cues: (cue, seconds of its sound, when)."""
    parts: list[Any] = node.evaluate(_ADMIT, [list(each) for each in asked])
    return parts


def test_six_winners_at_once_stay_below_full_scale(still: Screen) -> None:
    """All six with the same sound, whose samples add up in full."""
    assert true_peak_db(rendered(still, [WIN_SOUND] * 6, bare=True)) > 1, "they would clip"
    assert true_peak_db(rendered(still, [WIN_SOUND] * 6)) < 0


def test_single_sound_passes_the_mix_unchanged(still: Screen) -> None:
    for address in (SIX[3], "/assets/sounds/champion.ogg"):
        bare, played = (rendered(still, [address], bare=past) for past in (True, False))
        assert integrated_lufs(played, RATE) == pytest.approx(integrated_lufs(bare, RATE), abs=0.2)
        assert true_peak_db(played) == pytest.approx(true_peak_db(bare), abs=0.2)


@pytest.mark.parametrize(
    ("asked", "played"),
    [
        ([(WIN, 3.0, 10.0), (WIN, 9.0, 10.0), (WIN, 1.0, 10.0), (WIN, 1.0, 15.0)], [(10, 3), (13, 5), None, (18, 1)]),
        ([({**WIN, "ms": 1600}, 4.0, 1.0)] * 3, [(1, 1.6), (2.6, 1.6), (4.2, 1.6)]),
        ([({"name": "game_start"}, 2.0, 1.0), ({"name": "eliminated"}, 2.0, 1.2)], [(1, 2), (1.2, 2)]),
        ([(VOICE, 6.5, 1.0), (VOICE, 2.0, 3.0), (VOICE, 2.0, 6.0)], [(1, 6.5), (3.05, 2), (6, 2)]),
    ],
    ids=["winners queue, one too late is dropped", "winners of a shared pot queue", "a sting plays at once",
         "a new line of the voice waits for the old one to fade"],
)  # fmt: skip
def test_sounds_begin_when_their_kind_allows(asked: list[Any], played: list[Any], node: Node) -> None:
    parts = admitted(node, *asked)
    assert [part and (round(part["begins"], 3), round(part["seconds"], 3)) for part in parts] == played
    assert len({part["kind"] for part in parts if part}) == 1


def test_ticks_that_crowd_are_skipped(node: Node) -> None:
    parts = admitted(
        node,
        *[({"name": name}, 0.2, 1 + at / 100) for at, name in enumerate(("deal", "deal", "chip", "fold", "call"))],
    )
    assert [part is not None for part in parts] == [True, False, True, True, False]


def test_repeated_tick_gets_quieter_and_varies_in_pitch(node: Node) -> None:
    parts = admitted(node, *[({"name": "deal", "variant": number}, 0.2, number * 0.4) for number in range(6)])
    levels = [20 * np.log10(part["gain"]) for part in parts]
    assert levels == pytest.approx([0, -3, -6, -9, -9, -9])
    assert len({part["rate"] for part in parts[:5]}) == 5
    assert all(0.95 < part["rate"] < 1.05 for part in parts)
    rested = admitted(node, *[({"name": "deal", "variant": 3}, 0.2, at) for at in (0.0, 9.0)])
    assert rested[1]["gain"] == 1


@pytest.mark.parametrize(("sharing", "sounds"), [(1, 1), (2, 2), (3, 3), (4, 1)])
def test_every_winner_of_a_pot_is_heard_once(sharing: int, sounds: int, node: Node) -> None:
    cues: list[dict[str, Any]] = node.evaluate(
        """async (seats, load) => {
          const { opening } = await load("/static/js/overlay/reducer-state.js");
          const { cuesOf } = await load("/static/js/overlay/cues.js");
          const state = { ...opening(), seats: [0, 1, 2, 3].map((seat) => ({ bot: seat + 1, stack: 0 })) };
          const awards = seats.map((seat) => ({ seat, amount: 100 }));
          const entry = { seq: 7, at_ms: 0, hold_ms: 4800, type: "pot_awarded", pot: 0, amount: 100, awards };
          return cuesOf(entry, state, state).filter((cue) => cue.kind === "sound");
        }""",
        list(range(sharing)),
    )
    assert [(cue["name"], cue["bot"]) for cue in cues] == [("win", bot) for bot in range(1, sounds + 1)]
    assert [cue.get("ms", 4800) for cue in cues] == [4800 / sounds] * sounds
    assert {cue["variant"] for cue in cues} == {7}


def test_panic_mute_is_immediate_and_only_cut_off_sounds_stay_away(open_screen: OpenScreen) -> None:
    screen = open_screen("audio=1", fresh=True)
    screen.page.get_by_role("button", name="Click for sound").click()
    screen.page.wait_for_load_state("networkidle")
    script = Script(speed=1).connect().stage().game((1, 2, 3, 4, 5, 6)).hand("fold fold fold fold fold", events=-1)
    screen.put(script.entries)
    screen.wait("() => window.highnoon.level() > 0.005")
    screen.shows.put(screen.air, script.set("sound", value=False).entries[-1:])
    screen.catch_up()
    silent = "async () => { await new Promise((done) => setTimeout(done, 150)); return window.highnoon.level() }"
    assert screen.page.evaluate(silent) < 0.001
    screen.put(script.set("sound", value=True).entries[-1:])
    assert screen.page.evaluate(silent) < 0.001
    before = len(script.entries)
    screen.put(script.hand("fold fold fold fold fold").entries[before:])
    screen.wait("() => window.highnoon.level() > 0.005")


def test_only_the_page_with_audio_carries_the_sound(still: Screen) -> None:
    carrying = {}
    page = still.context.new_page()
    page.add_init_script(_COUNT)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    for address in ("/overlay?audio=0", "/projector", "/", "/overlay?audio=1"):
        fetched.clear()
        page.goto(still.shows.address + address)
        page.wait_for_load_state("networkidle")
        carrying[address] = (page.evaluate("() => window.contexts"), any(url.endswith(".ogg") for url in fetched))
    page.close()
    silent = (0, False)
    assert carrying == dict.fromkeys(carrying, silent) | {"/overlay?audio=1": (1, True)}

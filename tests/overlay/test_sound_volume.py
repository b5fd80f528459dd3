"""Sounds: which cue is heard when and how loudly, what the operator's mute does, and which page plays them."""

from typing import Any

import numpy as np
import pytest

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.support.in_node import Node

WIN, VOICE = {"name": "win"}, {"name": "voice"}
# Passes cues to the rules one after another. Returns for each how to play it, or null.
_ADMIT = """async (requests, load) => {
  const { SoundRules } = await load("/static/js/overlay/effects/sound-rules.js");
  const rules = new SoundRules();
  return requests.map(([cue, seconds, now]) => rules.admit(cue, seconds, now));
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


def admit(node: Node, *requests: tuple[dict[str, Any], float, float]) -> list[Any]:
    """How the rules play each of `requests`: a cue, the seconds of its sound, and the time."""
    parts: list[Any] = node.evaluate(_ADMIT, [list(each) for each in requests])
    return parts


@pytest.mark.parametrize(
    ("requests", "played"),
    [
        ([(WIN, 3.0, 10.0), (WIN, 9.0, 10.0), (WIN, 1.0, 10.0), (WIN, 1.0, 15.0)], [(10, 3), (13, 5), None, (18, 1)]),
        ([({**WIN, "ms": 1600}, 4.0, 1.0)] * 3, [(1, 1.6), (2.6, 1.6), (4.2, 1.6)]),
        ([({"name": "game_start"}, 2.0, 1.0), ({"name": "eliminated"}, 2.0, 1.2)], [(1, 2), (1.2, 2)]),
        ([(VOICE, 6.5, 1.0), (VOICE, 2.0, 3.0), (VOICE, 2.0, 6.0)], [(1, 6.5), (3.05, 2), (6, 2)]),
    ],
    ids=["winners queue, and one too late is dropped", "winners of a shared pot queue", "a sting plays at once",
         "a new line of the voice waits until the old one has faded"],
)  # fmt: skip
def test_sounds_start_when_their_kind_allows(requests: list[Any], played: list[Any], node: Node) -> None:
    parts = admit(node, *requests)
    assert [part and (round(part["begins"], 3), round(part["seconds"], 3)) for part in parts] == played
    assert len({part["kind"] for part in parts if part}) == 1


def test_crowded_ticks_are_skipped_and_repeated_ticks_get_quieter(node: Node) -> None:
    names = ("deal", "deal", "chip", "fold", "call")
    crowded = admit(node, *[({"name": name}, 0.2, 1 + at / 100) for at, name in enumerate(names)])
    assert [part is not None for part in crowded] == [True, False, True, True, False]
    parts = admit(node, *[({"name": "deal", "variant": number}, 0.2, number * 0.4) for number in range(6)])
    levels = [20 * np.log10(part["gain"]) for part in parts]
    assert levels == pytest.approx([0, -3, -6, -9, -9, -9])
    assert len({part["rate"] for part in parts[:5]}) == 5
    assert all(0.95 < part["rate"] < 1.05 for part in parts)
    rested = admit(node, *[({"name": "deal", "variant": 3}, 0.2, at) for at in (0.0, 9.0)])
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


def test_panic_mute_is_immediate_and_later_sounds_play_again(open_screen: OpenScreen) -> None:
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


def test_only_the_page_with_audio_fetches_and_plays_sounds(still: Screen) -> None:
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

"""Nothing flashes more than three times a second while a run-out after an all-in is recorded.

In WCAG 2.3.1, a flash is two opposing changes of the relative luminance by at least 0.1 each, if the darker of both
images is below 0.8. The test is stricter than WCAG: it measures much smaller areas.
"""

import base64
import io
from itertools import groupby
from typing import Any

import numpy as np
from PIL import Image

from server.game.events import TurnStarted
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.legibility import Floats, luminance
from tests.overlay.support.scenes import TRIALS
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script

FIELDS = (8, 6)
"""How many fields of the picture are measured, across and down."""
CHANGE, DARK = 0.1, 0.8
"""The smallest change of luminance in a flash, and the luminance below which the darker image counts as dark."""
MAX_FLASHES = 3
# Whether all motion is over. Burning fuses are ignored unless `fuses` is true, because a show does not wait for them.
_RESTING = """(fuses) => !document.querySelector(".flight") &&
  document.getAnimations().every(({ effect }) => !fuses && effect.target.closest(".fuse"))"""


def test_all_in_run_out_and_duel_flash_at_most_three_times_a_second(open_screen: OpenScreen) -> None:
    script = Script(speed=8).connect().stage().game(TRIALS, (4350, 700, 6120, 1500, 11900, 3480))
    script.hand("raise:1500 raise:11900 fold fold call call").eliminate(1, 12)
    before = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, TurnStarted))
    screen = open_screen("motion=full", width=320, height=180)
    screen.recall(script.entries[:before])
    screen.settle()
    frames = record_frames(screen, script, before)
    assert len(frames) > 30
    worst = max(
        most_flashes([(at, float(field[place])) for at, field in frames]) for place in range(FIELDS[0] * FIELDS[1])
    )
    assert worst <= MAX_FLASHES


def record_frames(screen: Screen, script: Script, first: int) -> list[tuple[float, Floats]]:
    """Plays the show from entry `first`; returns for each frame its time in seconds and the luminance of its fields."""
    frames: list[tuple[float, Floats]] = []
    camera = screen.context.new_cdp_session(screen.page)

    def keep(frame: dict[str, Any]) -> None:
        small = Image.open(io.BytesIO(base64.b64decode(frame["data"]))).resize(FIELDS, Image.Resampling.BOX)
        pixels = np.asarray(small.convert("RGB"), np.float64).reshape(-1, 3)
        frames.append((frame["metadata"]["timestamp"], luminance(pixels)))
        camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    camera.on("Page.screencastFrame", keep)
    camera.send("Page.startScreencast", {"format": "jpeg", "quality": 60, "maxWidth": 320, "everyNthFrame": 2})
    burnt_down = False
    for _, moment in groupby(script.entries[first:], key=lambda entry: entry.at_ms):
        entry, *rest = moment
        screen.put([entry, *rest])
        if entry.hold_ms:
            burns = isinstance(entry.event, TurnStarted) and not burnt_down
            screen.wait(_RESTING, burns)
            burnt_down |= burns
    camera.send("Page.stopScreencast")
    return frames


def most_flashes(brightness: list[tuple[float, float]]) -> float:
    """The maximum number of flashes within a second; two opposing changes are one flash."""
    turns: list[float] = []
    way, extreme = 0, brightness[0][1]
    for at, value in brightness:
        change = value - extreme
        if abs(change) >= CHANGE and min(value, extreme) < DARK and change * way <= 0:
            turns.append(at)
            way = 1 if change > 0 else -1
            extreme = value
        elif change * way > 0:
            extreme = value
    return max((sum(begin <= at < begin + 1 for at in turns) / 2 for begin in turns), default=0)

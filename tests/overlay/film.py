"""A minute of a final on film, painted frame by frame with the page's clock in our hands:
`python -m tests.overlay.film OUT.mp4 [FRAMES_PER_SECOND]`. However slow the machine, no frame is missed.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from broadcast.onair import OnAirEntry
from tests.browsers import find_chromium
from tests.overlay.scenes import TRIALS
from tests.overlay.screen import FLAGS, Screen
from tests.overlay.scripted import Script
from tests.overlay.theatre import Theatre

SIZE = (1280, 720)
LASTS_MS = 60_000
FINAL_STACKS = (4350, 2100, 6020, 2200, 11900, 3480)
LEAD_MS = 1000
# Motions of the browser keep their own time: each is stopped as it begins, and moved on by hand.
_STOP = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how);
    motion.pause();
    return motion;
  };
}"""
_TURN = """(now) => {
  window.begun ??= new Map();
  for (const motion of document.getAnimations()) {
    if (!window.begun.has(motion)) {
      motion.pause();
      window.begun.set(motion, now);
    }
    const gone = now - window.begun.get(motion);
    if (gone >= motion.effect.getComputedTiming().endTime) motion.finish();
    else motion.currentTime = gone;
  }
}"""


def main() -> None:
    """Films what `final` tells and writes it to where the command says."""
    target, rate = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30
    encode = ["ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "mjpeg", "-framerate", str(rate)]
    encode += ["-i", "-", "-pix_fmt", "yuv420p", "-crf", "20", str(target)]
    with subprocess.Popen(encode, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin
        for frame in frames(rate):
            encoder.stdin.write(frame)
        encoder.stdin.close()
        sys.exit(encoder.wait())


def final() -> tuple[list[OnAirEntry], list[OnAirEntry]]:
    """What was on air before the film begins, and the last hand of a final, told quicker than at show pace."""
    script = Script(speed=1.25).connect().stage().end_stage(tuple(range(1, 13)), (5000,) * 12)
    begun = len(script.entries)
    script.final(TRIALS).game(TRIALS, FINAL_STACKS, hands=24).chat((6, "Two pair is a way of life."))
    script.hand("fold raise:2100 raise:3480 fold call fold call")
    script.eliminate(1, 6).crown((6, 5, 3, 1, 4, 2, 7, 8, 9, 10, 11, 12), (9160, 8420, 5920, 4350, 2200, 0) + (0,) * 6)
    return script.entries[:begun], script.entries[begun:]


def frames(rate: int) -> Iterator[bytes]:
    """Every frame of the film as a JPEG."""
    before, entries = final()
    begins = entries[0].at_ms - LEAD_MS
    with tempfile.TemporaryDirectory() as media, Theatre(Path(media)) as theatre, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        screen = Screen(theatre, chromium, "film", page="projector", width=SIZE[0], height=SIZE[1])
        screen.put(before)
        screen.settle()
        screen.page.evaluate(_STOP)
        screen.page.clock.install(time=0)
        screen.page.clock.pause_at(1000)
        for number in range(LASTS_MS * rate // 1000):
            now = number * 1000 // rate
            while entries and entries[0].at_ms - begins <= now:
                shown(screen, entries.pop(0))
            screen.page.clock.run_for(1000 // rate)
            screen.page.evaluate(_TURN, now)
            yield screen.page.screenshot(type="jpeg", quality=90)
        chromium.close()


def shown(screen: Screen, entry: OnAirEntry) -> None:
    """Puts an entry on air and asks, by no clock of the page's, until the page has it."""
    screen.theatre.put(screen.air, [entry])
    while screen.page.evaluate("() => window.highnoon.state().seq") < screen.air.last:
        pass


if __name__ == "__main__":
    main()

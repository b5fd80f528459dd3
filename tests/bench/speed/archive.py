"""How fast is the replay page of a recording of 720 hands?

Run: `make bench BENCH=archive`, or a shorter measurement with `ARGS="--jumps 20"`.
"""

import random
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page, sync_playwright

from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import index_recordings
from broadcast.film.film import film_recording, write_film
from broadcast.video.chromium import find_chromium
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.view import View
from tests.bench.common.scales import options, percentile
from tests.overlay.support.show_server import ShowServer
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.recordings import write
from tests.support.programs.browsers import FLAGS

JUMP = """async (seq) => {
  const started_at = performance.now();
  await window.highnoon.head.seek(seq);
  await new Promise(requestAnimationFrame);
  const after = new MessageChannel();
  await new Promise((done) => { after.port1.onmessage = done; after.port2.postMessage(0); });
  return performance.now() - started_at;
}"""
"""JavaScript that jumps to an entry, and returns the milliseconds until the entry's picture is drawn."""
PAINTED = "performance.getEntriesByName('highnoon:mounted').at(-1)"
"""The time mark that the page sets after the frame with the first picture."""


class CalmBot(DiceBot):
    """A bot that seldom raises, and always by the minimum, so that all bots have chips after hundreds of hands."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only on its turn"
        if turn.max_raise_to and self._dice.random() < 0.15:
            return RaiseTo(turn.min_raise_to)
        return Fold() if turn.to_call and self._dice.random() < 0.5 else Call()


def measure_replay(folder: Path, jumps: int) -> None:
    trials, final = QUICK_DRAW_FORMAT.stages
    long_format = replace(QUICK_DRAW_FORMAT, starting_stack=400_000, stages=(replace(trials, games=116), final))
    entries = play_contest(3, 12, long_format, kind=CalmBot)
    recording = write(folder / "long.jsonl", entries)
    started_at = time.process_time()
    film = film_recording(entries, "2026-11-21T20:00:00+00:00")  # a film is a recording prepared for replay
    hands = len(film.outline.hands) - 1
    print(f"{'making a film':24} {time.process_time() - started_at:9.1f} s of a processor, {hands} hands, once")
    write_film(film, stamp_of(recording), folder / "long.film")  # a stamp is a file's size and modification time
    index_recordings(folder / INDEX_FILE, folder, ["long"])
    show_server = ShowServer(folder / "media")
    show_server.studio.add_archive(Archive(folder, folder / INDEX_FILE))
    with show_server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        opening_ms = percentile([open_page(page, show_server.address) for _ in range(5)], 50)
        print(f"{'opening the page':24} {opening_ms:9.0f} ms to the picture, median of 5")
        dice = random.Random(3)
        target_seqs = [dice.randrange(1, film.outline.entries) for _ in range(jumps)]
        waits = [page.evaluate(JUMP, seq) for seq in target_seqs]
        print(f"{'jumping anywhere':24} {percentile(waits, 50):9.0f} ms, p99 {percentile(waits, 99):.0f}  (goal 300)")
        chromium.close()


def open_page(page: Page, address: str) -> float:
    """Opens the replay page at a late hand. Returns the milliseconds until the first picture is shown."""
    page.goto("about:blank")
    page.goto(f"{address}/replay/long?debug&motion=off&hand={random.Random(5).randrange(700)}&step=20")
    page.wait_for_function(f"() => {PAINTED}", timeout=60_000)
    return float(page.evaluate(f"() => {PAINTED}.startTime"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        measure_replay(Path(name), options(__doc__, jumps=100).jumps)

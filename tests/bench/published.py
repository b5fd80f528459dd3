"""A show on a static host: are all viewers at the same moment, what does an hour of it weigh, is it whole after kills?

Goals: 3 browsers within 100 ms at every moment, 1 MB a viewer-hour without media, no gap or double after kills.
Run: `make bench BENCH=published ARGS="--moments 30 --kills 0 --weighed 0"`; 0 leaves a part out, without ARGS all.
The weight of an hour is measured for a small contest and for a whole evening of each contest, at the pace of a show.
"""

import asyncio
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, Page, sync_playwright

from broadcast.on_air.events import CaptionSpoken, OnAirEntry
from broadcast.publish.live_files import DELAY_SECONDS, EVERY_SECONDS
from server.journal.journal import Entry
from tests.bench.common.scales import options, print_machine
from tests.publish.hosted_show import HostedShow
from tests.publish.test_live_publisher import PublishedShow
from tests.support.browsers import FLAGS, find_browser
from tests.support.house_contests import play_house_contest
from tests.support.nginx import nginx, static_host
from tests.support.published import published_entries, published_index
from tests.support.recordings import aired, small_contest
from tests.support.source_files import ROOT

GOAL_MS, GOAL_BYTES = 100, 1_000_000
HEADERS = 330
"""Bytes of the head of an answer of nginx, which a browser's request is about as long as."""
BOTS = {"quick-draw": 12, "enova": 8, "upac": 2, "arena": 12}
"""The bots of a whole contest that is weighed."""
WRONG_MS = (0, 3_600_000, -137)
"""The errors of the three visitors' clocks."""
_CLOCK = """(wrong) => {
  const { now } = Date;
  window.origin = performance.timeOrigin;
  Date.now = () => now() + wrong;
  Object.defineProperty(performance, "timeOrigin", { value: window.origin + wrong });
}"""
_WATCH = """() => {
  window.seen = {};
  const look = () => {
    const { seq } = window.highnoon.state();
    window.seen[seq] ??= window.origin + performance.now();
    setTimeout(look, 1);
  };
  look();
}"""


def together(moments: int) -> None:
    """Marks moments of a show, and prints how far apart three browsers show them."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as name, visitors(Path(name)) as (show, pages):
        marks, dues = [], []
        for number in range(moments):
            dues.append((time.time() - show.behind + DELAY_SECONDS) * 1000)
            show.put([OnAirEntry(0, 0, 1000, CaptionSpoken(f"mark {number}"))])
            marks.append(show.air.last)
            time.sleep(dice.uniform(0.3, 2.0))
        for page in pages:
            page.wait_for_function("(seq) => window.seen[seq]", arg=marks[-1], timeout=60_000)
        seen = [page.evaluate("(marks) => marks.map((seq) => window.seen[seq])", marks) for page in pages]
    apart = sorted(max(at) - min(at) for at in zip(*seen, strict=True))
    median = statistics.median(apart)
    print(f"{moments} moments, 3 browsers: median {median:.0f} ms apart, most {apart[-1]:.0f}   (goal {GOAL_MS} ms)")
    for wrong, at in zip(WRONG_MS, seen, strict=True):
        late = sorted(shown - due for shown, due in zip(at, dues, strict=True))
        print(f"  clock wrong by {wrong} ms: {statistics.median(late):.0f} ms late, most {late[-1]:.0f}")


@contextmanager
def visitors(folder: Path) -> Iterator[tuple[HostedShow, list[Page]]]:
    """A show on a host, and three browsers that show it."""
    with HostedShow(folder / "site", behind=3.0) as show, nginx(folder / "nginx", static_host(show.folder)) as host:
        show.put(aired(small_contest())[:40])
        with sync_playwright() as play:
            browsers = [play.chromium.launch(executable_path=find_browser(), args=FLAGS) for _ in WRONG_MS]
            pages = [_visited(browser, host, wrong) for browser, wrong in zip(browsers, WRONG_MS, strict=True)]
            for page in pages:  # until they know the time at the host
                page.wait_for_function("() => performance.getEntriesByName('highnoon:clock').length", timeout=60_000)
            yield show, pages
            for browser in browsers:
                browser.close()


def _visited(browser: Browser, host: str, wrong: int) -> Page:
    page = browser.new_page(viewport={"width": 640, "height": 480})
    page.add_init_script(f"({_CLOCK})({wrong})")
    page.goto(f"{host}/watch/?debug&motion=off&still")
    page.wait_for_function("() => document.body?.dataset.ready === 'yes'", timeout=60_000)
    page.evaluate(_WATCH)
    return page


def weight(what: str, journal: Sequence[Entry]) -> None:
    """Prints what a viewer who watches a contest from its beginning fetches per hour."""
    with tempfile.TemporaryDirectory() as name:
        seconds, sizes = asyncio.run(_fetched(Path(name), journal))
    heads = len(sizes) * HEADERS
    per_hour = 3.6 / seconds  # thousands of bytes
    print(f"{what}, {seconds / 60:.0f} minutes; an hour has {len(sizes) * 3600 / seconds:.0f} answers: ", end="")
    print(f"content {sum(sizes) * per_hour:.0f} kB, heads {heads * per_hour:.0f} kB;", end=" ")
    print(f"in all {(sum(sizes) + heads) * per_hour / 1000:.2f} MB   (goal {GOAL_BYTES / 1e6:.0f} MB)")


async def _fetched(folder: Path, journal: Sequence[Entry]) -> tuple[float, list[int]]:
    """How long a show lasted, and the size of each file that a page fetched."""
    on = PublishedShow(folder, journal=journal)
    with on.show.begun():
        await on.publisher.publish()
        at = folder / "live/main"
        sizes = [_size(at / "all.json"), _size(at / on.live.epoch / "0-0.part")]
        while not on.over:
            await on.clock.run(EVERY_SECONDS)
            await on.publisher.publish()
            sizes.append(_size(at / "index.json"))  # it has all that is new, so nothing else is requested
    return on.clock.now, sizes


def _size(path: Path) -> int:
    return path.stat().st_size


def kills(times: int) -> None:
    """Kills a program that shows and publishes, again and again, and checks what is published each time."""
    dice = random.Random(2)
    done = shows = 0
    while done < times:
        shows += 1
        with tempfile.TemporaryDirectory() as name:
            words = [sys.executable, "-m", "tests.publish.killed_show", name]
            over = False
            while done < times and not over:
                with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
                    assert program.stdout
                    program.stdout.readline()
                    time.sleep(dice.uniform(0, 1.5))
                    program.send_signal(signal.SIGKILL)
                published_entries(Path(name) / "site")
                over = published_index(Path(name) / "site")["state"] == "over"
                done += 1
    print(f"{done} kills in {shows} shows: what is published had no gap and no double each time")


if __name__ == "__main__":
    asked = options(__doc__, moments=30, kills=30, weighed=1)
    print_machine()
    if asked.weighed:
        weight("a small contest", small_contest())
        for contest, bots in BOTS.items():
            weight(f"a whole evening of {contest}", play_house_contest(contest, 1, bots))
    if asked.kills:
        kills(int(asked.kills))
    if asked.moments:
        together(int(asked.moments))

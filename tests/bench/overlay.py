"""How soon does the overlay show an event? The peer: a bare page that only writes a number, in turns with ours.

Also: frames during a win, the first paint, and the processor time of an idle table. Run: `make bench BENCH=overlay`.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec.structs import replace
from playwright.sync_api import Browser, sync_playwright

from broadcast.on_air.events import CaptionSpoken, OnAirEntry
from broadcast.video.chromium import find_chromium
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.scenes import betting, winner
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS

BETWEEN_MS = 70
LIVE_MS = 4000
"""How long a win holds the screen."""
# From the message to the end of the frame that shows it: a task after the next frame's callbacks.
WATCH = """() => {
  window.late = [];
  window.frames = [];
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    set onmessage(heard) {
      super.onmessage = (event) => {
        const at = performance.now();
        heard.call(this, event);
        requestAnimationFrame(() => {
          const after = new MessageChannel();
          after.port1.onmessage = () => window.late.push(performance.now() - at);
          after.port2.postMessage(0);
        });
      };
    }
  };
  let last = 0;
  const frame = (now) => { if (last) window.frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}"""
BARE = """(address) => {
  document.body.replaceChildren();
  const socket = new WebSocket(address);
  socket.onmessage = (event) => { document.body.textContent = String(event.data.length); };
}"""


def main(messages: int) -> None:
    with (
        tempfile.TemporaryDirectory() as media,
        ShowServer(Path(media)) as shows,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with opened(shows, chromium, "idle") as overlay, opened(shows, chromium, "bare", bare=True) as bare:
            for _ in range(messages):
                for screen in (overlay, bare):
                    shows.put(screen.air, [next(SPOKEN)])
                    screen.page.wait_for_timeout(BETWEEN_MS / 2)
            floor = late(bare)
            print_times("bare page, message to frame", floor)
            print_times("idle table, message to frame", late(overlay), floor, "goal p99 33.3")
        with opened(shows, chromium, "win") as screen:
            win(screen, messages)
            print_times("in a win, message to frame", late(screen), floor, "goal p99 33.3")
            print_times("in a win, between frames", screen.page.evaluate("window.frames"), [1000 / 60], "goal p99 16.8")
        print(f"{'idle table':30} {idle(shows, chromium):5.1f} % of a processor  (goal below 15)")
        print(f"{'first paint':30} {first_paint(shows, chromium):5.0f} ms, best of 5  (goal 200)")
        print(f"{'welcome to table':30} {mounted(shows, chromium):5.0f} ms, best of 5  (goal 200)")
        chromium.close()


SPOKEN: Iterator[OnAirEntry] = (OnAirEntry(0, 0, 0, CaptionSpoken(f"Caption {number}.")) for number in count())


@contextmanager
def opened(shows: ShowServer, chromium: Browser, channel: str, *, bare: bool = False) -> Iterator[Screen]:
    """A table in the middle of a hand, or a page that only writes the length of each message."""
    screen = Screen(shows, chromium, channel)
    screen.page.add_init_script(f"({WATCH})()")
    screen.page.reload()
    if bare:
        screen.page.goto(f"{shows.address}/healthz")
        screen.page.evaluate(BARE, f"ws{shows.address.removeprefix('http')}/ws/show?channel={channel}")
    else:
        screen.wait("() => window.highnoon && document.documentElement.dataset.wire === 'up'")
        screen.show(betting())
    screen.page.wait_for_timeout(500)
    screen.page.evaluate("window.late = []")
    yield screen
    screen.close()


def win(screen: Screen, messages: int) -> None:
    """Wins one after the other, with captions while the particles fly."""
    entries = winner().entries
    screen.put(entries[:-2])
    screen.page.evaluate("window.late = []; window.frames = []")
    for entry in cycle(entries[-2:]):
        screen.shows.put(screen.air, [replace(entry, hold_ms=LIVE_MS)])
        for _ in range(LIVE_MS // 2 // BETWEEN_MS):
            screen.shows.put(screen.air, [next(SPOKEN)])
            screen.page.wait_for_timeout(BETWEEN_MS)
            messages -= 1
        if messages <= 0:
            return


def late(screen: Screen) -> list[float]:
    """Milliseconds from each message to its frame."""
    times: list[float] = screen.page.evaluate("window.late")
    return times


def print_times(what: str, times: Sequence[float], floor: Sequence[float] = (), goal: str = "") -> None:
    """Prints the median, the 99th percentile, and how many times the floor's median is ours."""
    ordered, least = sorted(times), sorted(floor or times)
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    ratio = p50 / least[len(least) // 2]
    print(f"{what:30} p50 {p50:5.1f} ms   p99 {p99:5.1f} ms   {ratio:.2f}x{f'  ({goal})' if goal else ''}")


def idle(shows: ShowServer, chromium: Browser, seconds: float = 5.0) -> float:
    """The percentage of one processor that the whole browser uses while a table stands still."""
    with opened(shows, chromium, "still"):
        before, begun = spent(chromium), time.perf_counter()
        time.sleep(seconds)
        return (spent(chromium) - before) / (time.perf_counter() - begun) * 100


def spent(chromium: Browser) -> float:
    """Seconds of processor time of the browser's processes."""
    session = chromium.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return sum(float(process["cpuTime"]) for process in processes)


def first_paint(shows: ShowServer, chromium: Browser) -> float:
    """Milliseconds until a fresh page paints, the best of five."""
    times = []
    for number in range(5):
        screen = Screen(shows, chromium, f"fresh-{number}", page="projector")
        screen.page.wait_for_function("() => performance.getEntriesByType('paint').length")
        times.append(float(screen.page.evaluate("performance.getEntriesByType('paint')[0].startTime")))
        screen.close()
    return min(times)


def mounted(shows: ShowServer, chromium: Browser) -> float:
    """Milliseconds from a reloaded page's welcome to the table on screen, the best of five."""
    times = []
    with opened(shows, chromium, "mounts") as screen:
        for _ in range(5):
            screen.page.reload()
            screen.page.wait_for_function("() => performance.getEntriesByName('highnoon:mounted').length")
            span = "performance.measure('mount', 'highnoon:welcome', 'highnoon:mounted').duration"
            times.append(float(screen.page.evaluate(span)))
    return min(times)


if __name__ == "__main__":
    flags = options(__doc__, messages=100)
    print_machine()
    main(flags.messages)

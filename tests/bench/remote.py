"""What do the API, the remote control and OGraf graphics cost?

Measures requests of one program that asks as fast as it can, and the processor time that the studio needs for each;
how soon a press of a button is recorded and on air; and how soon a graphic in Chromium shows another moment.
Run: `make bench BENCH=remote`; shorter: `ARGS="--seconds 1 --presses 50"`.
"""

import json
import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright
from websockets.sync.client import connect

from broadcast.video.chromium import find_chromium
from tests.bench.common.scales import options, print_machine, processor_seconds
from tests.bench.evening import evening
from tests.end_to_end.evening import CONTROL, EventFolder, Terminal
from tests.publish.test_ograf import RECORDING, Renderer, file_server
from tests.support.browsers import FLAGS
from tests.support.program import SECONDS, highnoon

TOKEN = {"Authorization": f"Bearer {CONTROL}"}
PATHS: Mapping[str, Mapping[str, str]] = {"/api/v1/standings": {}, "/api/v1/on-air": {}, "/api/v1/desk": TOKEN}
MOMENTS = 200


class Program:
    """A program that sends requests on one connection."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)

    def ask(self, path: str, headers: Mapping[str, str], method: str = "GET") -> HTTPResponse:
        self._connection.request(method, path, headers=dict(headers))
        answer = self._connection.getresponse()
        answer.read()
        return answer


def until_playing(program: Program) -> None:
    """Waits until the first hand is on air."""
    while program.ask("/api/v1/hands/1", {}).status != 200:
        time.sleep(0.1)


def print_requests(program: Program, terminal: Terminal, seconds: float) -> None:
    """Prints each request's rate and its cost for the studio, also for programs that already have the last answer."""
    for path, headers in PATHS.items():
        tag = program.ask(path, headers).headers["ETag"]
        for what, sent in (("", headers), (", with the last answer's ETag", {**headers, "If-None-Match": tag})):
            count, spent, begun = 0, processor_seconds(terminal.studio), time.monotonic()
            while time.monotonic() - begun < seconds:
                assert program.ask(path, sent).status in (200, 304)
                count += 1
            cost = (processor_seconds(terminal.studio) - spent) / count
            rate = count / (time.monotonic() - begun)
            print(
                f"{path + what}: {rate:,.0f} requests a second, each {cost * 1e6:.0f} µs of the studio's processor time"
            )


def print_presses(event_folder: EventFolder, program: Program, presses: int) -> None:
    """Prints how soon a change is recorded, which is when its request is answered, and how soon it is on air."""
    recorded, shown = list[float](), list[float]()
    with connect(f"ws://127.0.0.1:{event_folder.pages}/api/v1/show", proxy=None, max_queue=None) as socket:
        for number in range(presses):
            begun = time.perf_counter()
            state = "on" if number % 2 else "off"
            assert program.ask(f"/api/v1/desk/set/graphics/{state}", TOKEN, "POST").status == 200
            recorded.append(time.perf_counter() - begun)
            while json.loads(socket.recv(SECONDS))["type"] != "control_set":
                pass
            shown.append(time.perf_counter() - begun)
    for what, taken in (("recorded and answered", recorded), ("on air", shown)):
        print(f"a press is {what} after {_ms(taken)}")


def print_graphics(folder: Path) -> None:
    """Prints how large a package is, and how soon its graphics show a moment."""
    package = folder / "any" / "path" / "graphics"
    begun = time.monotonic()
    assert highnoon("ograf", str(RECORDING), "--out", str(package)).returncode == 0
    took = time.monotonic() - begun
    sizes = [each.stat().st_size for each in package.rglob("*") if each.is_file()]
    print(f"OGraf: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, written in {took:.1f} s")
    with sync_playwright() as playwright, file_server(folder) as address:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name in ("lower-third", "table"):
            renderer = Renderer(browser, f"{address}/any/path/graphics", name)
            renderer.call("load", renderType="non-realtime")
            renderer.call("playAction")
            print(f"OGraf: {name} shows a moment after {_ms([*_graphic_times(renderer)])}")
            renderer.leave()


def _graphic_times(renderer: Renderer) -> Iterator[float]:
    """Yields how many seconds the graphic takes for each of some random moments of the first minute."""
    dice = random.Random(6)
    for _ in range(MOMENTS):
        begun = time.perf_counter()
        assert renderer.call("goToTime", timestamp=dice.uniform(0, 60_000))["statusCode"] == 200
        yield time.perf_counter() - begun


def _ms(taken: list[float]) -> str:
    return f"{1000 * median(taken):.1f} ms (p99 {1000 * quantiles(taken, n=100)[98]:.1f})"


def main() -> None:
    flags = options(__doc__, seconds=5.0, presses=300)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        with evening(Path(name, "evening"), 12, 1) as (event_folder, terminal):
            program = Program(event_folder.pages)
            until_playing(program)
            print_requests(program, terminal, flags.seconds)
            print_presses(event_folder, program, int(flags.presses))
        print_graphics(Path(name, "host"))


if __name__ == "__main__":
    main()

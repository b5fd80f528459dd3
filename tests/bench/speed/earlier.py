"""Does a command, or the overlay, take more processor time than at an earlier commit?

The earlier commit is set up in `build`, once. Both versions take turns at the same recording, so that a busy machine
slows both down. Prints the median of the ratios, and the smallest and the largest ratio. The goal is 1.05 times.
Run: `make bench BENCH=earlier ARGS="--commit HEAD~100"`; without the overlay: `ARGS="--commit HEAD~100 --hands 0"`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from playwright.sync_api import BrowserType, sync_playwright

from broadcast.video.chromium import find_chromium
from tests.bench.common.scales import options
from tests.support.program import ROOT, serving_program
from tests.support.programs.browsers import FLAGS

RECORDING = Path("tests", "data", "contests", "quick-draw.jsonl")
COMMANDS = ("--help", "verify FILE", "luck FILE", "export FILE --text --out OUT/text", "publish FILE --to OUT/site")
LOOK_MS = 20


def set_up(commit: str) -> Path:
    """Sets up the earlier commit if that has not been done yet; returns its folder."""
    name = subprocess.check_output(["git", "rev-parse", "--short=8", commit], cwd=ROOT, text=True).strip()
    folder = ROOT / "build" / f"earlier-{name}"
    if not folder.exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        subprocess.run(["git", "checkout", "--quiet", name], cwd=folder, check=True)
    subprocess.run(["make", "setup"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def program(version: Path) -> Sequence[str]:
    return (str(version / ".venv" / "bin" / "python"), "-m", "server")


def time_command(version: Path, command: str, recording: Path) -> float:
    """Runs a command; returns its seconds of processor time."""
    with tempfile.TemporaryDirectory() as out:
        words = [word.replace("FILE", str(recording)).replace("OUT", out) for word in command.split()]
        environment = {**os.environ, "PYTHONPATH": str(version)}
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([*program(version), *words], cwd=version, env=environment, capture_output=True, check=True)
        after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Overlay:
    """The overlay of one version, while a recording is replayed at the pace of a show."""

    def __init__(self, version: Path, recording: Path, chromium: BrowserType, opened: ExitStack) -> None:
        data = opened.enter_context(tempfile.TemporaryDirectory())
        words = ("replay", str(recording), "--speed", "1", "--data", data)
        environment = {"PYTHONPATH": str(version)}
        running = serving_program(*words, cwd=version, command=program(version), env=environment)
        server = opened.enter_context(running)
        browser = chromium.launch(executable_path=find_chromium(), args=FLAGS)
        self.page = browser.new_page(viewport={"width": 1920, "height": 1080})
        self.spent: list[float] = []
        """The seconds of processor time that the page's main thread had used when each hand started."""
        self._started = 0
        self._cdp = self.page.context.new_cdp_session(self.page)
        self._cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.goto(f"{server.base}/overlay")

    def _hear(self, message: str | bytes) -> None:
        self._started += json.loads(message)["type"] == "hand_started"

    def look(self) -> None:
        """Notes the processor time if a hand has started."""
        if self._started > len(self.spent):
            metrics = self._cdp.send("Performance.getMetrics")["metrics"]
            self.spent.append(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def time_overlays(versions: Sequence[Path], recording: Path, hands: int) -> list[list[float]]:
    """Shows the same hands in the overlays of both versions at once; returns each version's seconds for each hand."""
    with sync_playwright() as playwright, ExitStack() as opened:
        overlays = [Overlay(version, recording, playwright.chromium, opened) for version in versions]
        while any(len(overlay.spent) <= hands for overlay in overlays):
            for overlay in overlays:
                overlay.page.wait_for_timeout(LOOK_MS)
                overlay.look()
        return [
            [after - before for before, after in zip(each.spent[:hands], each.spent[1:], strict=False)]
            for each in overlays
        ]


def print_ratio(what: str, old: Sequence[float], new: Sequence[float]) -> None:
    ratios = sorted(now / then for then, now in zip(old, new, strict=True))
    spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    print(f"{what:36} {median(old):.3f} s, now {median(new):.3f} s, {median(ratios):.2f} times ({spread})", flush=True)


def main() -> None:
    flags = options(__doc__, commit="", rounds=7, hands=4)
    if not flags.commit:
        sys.exit('Name a commit to compare with: ARGS="--commit HEAD~100"')
    versions = (set_up(flags.commit), ROOT)
    recording = versions[0] / RECORDING
    for command in COMMANDS:
        # The first round fills the caches of files.
        rounds = [[time_command(each, command, recording) for each in versions] for _ in range(flags.rounds + 1)][1:]
        print_ratio(command, *zip(*rounds, strict=True))
    if flags.hands:
        print_ratio("a hand in the overlay", *time_overlays(versions, recording, flags.hands))


if __name__ == "__main__":
    main()

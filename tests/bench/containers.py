"""How long after `docker compose up` does a container deal its first hand, and when does Docker call it healthy?

The image is built beforehand. The practice server is timed with a starter bot, which is restarted until the server
answers. An evening is timed with three bots in boxes, including the build of their images; it may be over before
Docker first asks for its health.

Run: `make bench BENCH=containers`.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import docker

from tests.bench.common.scales import print_machine
from tests.support.boxes import OURS, daemon_address, ensure_base_image
from tests.support.compose import LISTEN, SECONDS, Compose, play, settings_for, write_evening
from tests.support.python_image import make_python_image

PROJECT = "high-noon-bench"
BOXES = ("compose.yaml", "compose.boxes.yaml")


def start(server: Compose, service: str, first_hand: Callable[[], None], **settings: str) -> float:
    """Starts a service and waits for its first hand. Returns the time of the start, as `time.monotonic` tells it."""
    began = time.monotonic()
    server("up", "-d", "--no-build", service, **settings)
    first_hand()
    print(f"{service:10} first hand after {time.monotonic() - began:.1f} s", flush=True)
    return began


def _asks_bot() -> bool:
    """Whether practice asks the starter bot for an action; the bot ends at once if no server answers."""
    return any(" to call, " in line for line in play(f"{LISTEN}:5000"))


def main(home: Path) -> None:
    address = daemon_address(home)
    ensure_base_image(address, ours=OURS in address)
    (home / "image").mkdir()
    settings = settings_for(address, make_python_image(address, home / "image"))
    with closing(docker.APIClient(base_url=address, version="auto", timeout=int(SECONDS))) as engine:
        practice = Compose(engine, settings, "compose.yaml", project=PROJECT, profile="")
        practice("build")
        began = start(practice, "practice", lambda: practice.until(_asks_bot))
        practice.until(lambda: practice.healthy("practice"))
        print(f"{'':10} healthy after {time.monotonic() - began:.1f} s", flush=True)
        practice("down", "-v")
        write_evening(home / "evening")
        evening = Compose(engine, settings, *BOXES, project=PROJECT, profile="evening")
        dealt = partial(evening.until, lambda: b'"hand_started"' in evening.journal())
        start(evening, "evening", dealt, EVENING=str(home / "evening"))
        evening("down", "-v")


if __name__ == "__main__":
    print_machine()
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))

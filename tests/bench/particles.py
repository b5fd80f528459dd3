"""How many frames a second with a thousand images of 64 pixels in motion at 1920x1080, in a browser without a GPU?

The peers: tsParticles and canvas-confetti, in turns with ours, on an otherwise empty page.
Run: `make bench BENCH=particles`; npm fetches the peers.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, sync_playwright

from broadcast.video.chromium import find_chromium
from tests.bench.common.peers import peer_script
from tests.bench.common.scales import options, print_machine, print_ratio
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS

IMAGE = "/assets/particles/default.webp"
WARM_MS = 1500
# Ours are thrown anew as they fall, and where they thin themselves out, so that as many are in the air all the time.
OURS = """async ({ count, image }) => {
  const { Particles } = await import("/static/js/overlay/effects/particles.js");
  const { sizeOf } = await import("/static/js/common/settings.js");
  const stage = document.body.appendChild(document.createElement("div"));
  const particles = new Particles(stage, sizeOf({ shape: "wide" }));
  const thrown = () => ({ x: 100 + Math.random() * 1720, y: 1000 + Math.random() * 80,
    vx: (Math.random() - 0.5) * 300, vy: -900 - Math.random() * 600, born: 0, dies: 4500 });
  const fill = async () => {
    if (particles.flying < count) await particles.fly(image, count - particles.flying, thrown);
    requestAnimationFrame(fill);
  };
  fill();
  window.flying = () => particles.flying;
}"""
TSPARTICLES = """async ({ count, image }) => {
  await loadSlim(tsParticles);
  const container = await tsParticles.load({ id: "peer", options: { fullScreen: true, detectRetina: false, particles: {
    number: { value: count }, move: { enable: true, speed: 8, outModes: "bounce" },
    rotate: { value: { min: 0, max: 360 }, animation: { enable: true, speed: 60 } }, size: { value: 32 },
    shape: { type: "image", options: { image: { src: image, width: 64, height: 64 } } },
  } } });
  window.flying = () => container.particles.count;
}"""
CONFETTI = """async ({ count, image }) => {
  const picture = new Image();
  picture.src = image;
  await picture.decode();
  const bitmap = await createImageBitmap(picture, { resizeWidth: 64, resizeHeight: 64 });
  const canvas = document.body.appendChild(document.createElement("canvas"));
  Object.assign(canvas, { width: 1920, height: 1080 });
  const shape = { type: "bitmap", bitmap, matrix: [1, 0, 0, 1, -32, -32] };
  confetti.create(canvas, {})({ particleCount: count, shapes: [shape], spread: 360, startVelocity: 35, gravity: 0.01,
    ticks: 100000, decay: 0.97, scalar: 1 });
  window.flying = () => count;
}"""
CONTENDERS = {
    "ours": ((), OURS),
    "tsParticles": (("@tsparticles/slim/tsparticles.slim.bundle.min.js",), TSPARTICLES),
    "canvas-confetti": (("canvas-confetti/dist/confetti.browser.js",), CONFETTI),
}
# By the time that frames bear, not by the clock in their callbacks, which come one after the other within a frame.
FRAMES = """(ms) => new Promise((done) => {
  const frames = [];
  let [begun, last, flying] = [0, 0, 0];
  const frame = (now) => {
    if (last) frames.push(now - last);
    else begun = now;
    flying += window.flying();
    last = now;
    if (now - begun < ms) requestAnimationFrame(frame);
    else done([frames, flying / (frames.length + 1)]);
  };
  requestAnimationFrame(frame);
})"""


class Flight(NamedTuple):
    """Milliseconds between frames, and how many images were in the air on average."""

    times: list[float]
    flying: float


def main(particles: int, seconds: float, turns: int) -> None:
    frames: dict[str, list[Flight]] = {name: [] for name in CONTENDERS}
    with (
        tempfile.TemporaryDirectory() as media,
        ShowServer(Path(media)) as shows,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for _ in range(turns):
            for name in CONTENDERS:
                frames[name].append(measured(shows, chromium, name, particles, seconds))
        chromium.close()
    best = {name: max(runs, key=lambda flight: rate(flight.times)) for name, runs in frames.items()}
    for name, (times, flying) in best.items():
        goal = "  (goal 60 fps, p99 16.8)" if name == "ours" else ""
        frame_times = f"p50 {at(times, 50):5.1f} ms   p99 {at(times, 99):5.1f} ms"
        print(f"{name:24} {rate(times):5.1f} fps   {frame_times}   {flying:5.0f} in the air{goal}")
    for peer in list(CONTENDERS)[1:]:
        print_ratio(f"{particles:,} particles", "fps", peer, (rate(best["ours"].times), rate(best[peer].times)))


def measured(shows: ShowServer, chromium: Browser, name: str, particles: int, seconds: float) -> Flight:
    """One contender on a page of its own."""
    scripts, play = CONTENDERS[name]
    context = chromium.new_context(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{shows.address}/healthz")
    page.add_style_tag(content="body{margin:0;overflow:hidden}canvas{position:absolute;inset:0}pre{display:none}")
    for script in scripts:
        page.add_script_tag(content=peer_script(script))
    page.evaluate(play, {"count": particles, "image": IMAGE})
    page.wait_for_timeout(WARM_MS)
    flight = Flight(*page.evaluate(FRAMES, seconds * 1000))
    assert flight.flying >= particles * 0.9, f"{name}: only {flight.flying} in the air"
    context.close()
    return flight


def rate(times: Sequence[float]) -> float:
    """Frames a second."""
    return len(times) / sum(times) * 1000


def at(times: Sequence[float], percent: int) -> float:
    """The time that so many per cent of the frames keep to."""
    return sorted(times)[len(times) * percent // 100]


if __name__ == "__main__":
    flags = options(__doc__, particles=1000, seconds=5.0, turns=3)
    print_machine()
    main(flags.particles, flags.seconds, flags.turns)

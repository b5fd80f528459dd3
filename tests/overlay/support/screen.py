"""A page of the overlay in a real browser, and the channel it watches."""

import json
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage

from broadcast.on_air.events import OnAirEntry, TroubleShown
from server.game.events import Control, ControlSet, Event
from tests.overlay.support.scripted import Script
from tests.overlay.support.theatre import Theatre

_OF_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
"""What Playwright turns off by itself; a list of ours takes the place of its own."""
_OF_WINDOWS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Pages behind the address bar, which nobody sees: two a window, and dearer than the page that is tested."""
FLAGS = [
    f"--disable-features={','.join((*_OF_PLAYWRIGHT, *_OF_WINDOWS))}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--force-color-profile=srgb",
]
PATIENCE_MS = 60_000
"""Nothing here takes as long, on a busy machine either."""
# What a whole picture needs besides the state: letters, faces, and a frame that shows them.
SETTLED = """async () => {
  await new Promise(requestAnimationFrame);
  await Promise.all(["600 32px 'Barlow Condensed'", "700 32px 'Barlow Condensed'", "400 32px Rye"]
    .map((face) => document.fonts.load(face)));
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.complete || new Promise((done) => {
    image.addEventListener("load", done);
    image.addEventListener("error", done);
  })));
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""


class Screen:
    """A page and its channel; `phone` lays it out as phones and tablets do, and is touched."""

    def __init__(
        self,
        theatre: Theatre,
        browser: Browser,
        channel: str,
        settings: str = "",
        *,
        page: str = "overlay",
        width: int = 1920,
        height: int = 1080,
        phone: bool = False,
    ) -> None:
        self.theatre = theatre
        self.complaints: list[str] = []
        self.channel = channel
        self.air = theatre.channel(channel)
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=3 if phone else 1, is_mobile=phone,
            has_touch=phone,
        )  # fmt: skip
        self.page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        self.address = f"{theatre.address}/{page}?channel={channel}&debug&{settings}"
        self.page.goto(self.address)
        self.wait("() => document.documentElement.dataset.wire === 'up'")

    def close(self) -> None:
        self.context.close()

    def wait(self, condition: str, arg: Any = None) -> None:
        """Waits until `condition`, a function of the page, holds."""
        self.page.wait_for_function(condition, arg=arg, timeout=PATIENCE_MS)

    def put(self, entries: Iterable[OnAirEntry]) -> None:
        """Puts `entries` on air and waits until the page has them on screen."""
        self.theatre.put(self.air, entries)
        self.catch_up()

    def show(self, script: Script) -> None:
        """A whole show at once, and the picture it ends in, with everything loaded."""
        self.put(script.entries)
        self.settle()

    def tidy(self) -> None:
        """Puts the desk back as it was at first; a show that follows keeps it as it stands."""
        desk = self.air.picture["desk"]
        lists: dict[Control, list[int]] = {"chat": desk["chat_off"], "media": desk["media_off"]}
        wanted: list[Event] = [ControlSet("card", "", desk["card"]), TroubleShown("")]
        wanted += [ControlSet(control, value=True, was=False, bot=bot) for control, off in lists.items() for bot in off]
        self.put(OnAirEntry(0, self.air.at_ms, 0, event) for event in wanted)

    def catch_up(self) -> None:
        """Waits until the page has all that is on air."""
        self.wait("(seq) => window.highnoon.state().seq === seq", self.air.last)

    def settle(self) -> None:
        """Waits for letters, images and a painted frame."""
        self.page.evaluate(SETTLED)

    def stop_clock(self) -> None:
        """No time passes for the page any more: nothing begins too late to be shown, however busy the machine is."""
        self.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")

    def state(self) -> Any:
        """The page's picture."""
        return self.page.evaluate("() => window.highnoon.state()")

    def studio_state(self) -> Any:
        """The studio's picture of the same channel."""
        return json.loads(self.theatre.picture(self.air))["state"]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

"""A page in a real browser, which shows a channel (a show)."""

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, ViewportSize

from broadcast.on_air.events import OnAirEntry, TroubleShown
from server.game.events import ControlSet, Event
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.browsers import PATIENCE_MS

# Waits for fonts, bots' faces, and scenes that load when first shown. Then waits until a frame shows them all.
WAIT_UNTIL_SETTLED = """async () => {
  await new Promise(requestAnimationFrame);
  await Promise.all(["600 32px 'Barlow Condensed'", "700 32px 'Barlow Condensed'", "400 32px Rye"]
    .map((face) => document.fonts.load(face)));
  await document.fonts.ready;
  while (document.querySelector(".floor > .scene:empty")) await new Promise((done) => setTimeout(done, 20));
  await Promise.all([...document.images].map((image) => image.complete || new Promise((done) => {
    image.addEventListener("load", done);
    image.addEventListener("error", done);
  })));
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""

# Waits until the page shows an entry (event on air). Waiting in the page costs half as much as in Playwright.
WAIT_FOR_ENTRY = """async ([seq, patience]) => {
  const until = Date.now() + patience;
  while (window.highnoon.state().seq !== seq) {
    if (Date.now() > until) throw new Error(`${seq} is not shown in time`);
    await new Promise(requestAnimationFrame);
  }
}"""
MAX_ENTRIES_ONE_BY_ONE = 30
"""How many of the last entries go on air one by one. Earlier entries arrive as one snapshot, which is far quicker."""


class Screen:
    """A page and its channel. Opens a new page, or uses the page `blank`, which the caller closes."""

    def __init__(
        self,
        server: ShowServer,
        browser: Browser,
        channel: str,
        settings: str = "",
        *,
        page: str = "overlay",
        width: int = 1920,
        height: int = 1080,
        blank: Page | None = None,
    ) -> None:
        self.server = server
        self.complaints: list[str] = []
        self.channel = channel
        self.air = server.channel(channel)
        self.page = blank or browser.new_context().new_page()
        self._size: ViewportSize = {"width": width, "height": height}
        self.page.set_viewport_size(self._size)
        self.context = self.page.context
        for event, handler in self._handlers().items():
            self.page.on(event, handler)  # type: ignore[call-overload]
        self.address = f"{server.address}/{page}?channel={channel}&debug&{settings}"
        self.page.goto(self.address)
        self.wait("() => document.documentElement.dataset.wire === 'up'")

    def close(self) -> None:
        self.context.close()

    def leave(self) -> None:
        for event, handler in self._handlers().items():
            self.page.remove_listener(event, handler)

    def wait(self, condition: str, arg: Any = None) -> None:
        self.page.wait_for_function(condition, arg=arg)

    def put(self, entries: Iterable[OnAirEntry]) -> None:
        self.server.put(self.air, entries)
        self.catch_up()

    def recall(self, entries: Iterable[OnAirEntry]) -> None:
        """Puts `entries` on air as a single snapshot, without motion or sound, and waits until the page shows it."""
        self.server.recall(self.air, entries)
        self.catch_up()

    def show(self, script: Script) -> None:
        self.show_all(script.entries)

    def show_all(self, entries: Sequence[OnAirEntry]) -> None:
        """Puts `entries` on air, and waits until the last picture is shown with everything loaded."""
        if before := entries[:-MAX_ENTRIES_ONE_BY_ONE]:
            self.server.recall(self.air, before)
        self.put(entries[-MAX_ENTRIES_ONE_BY_ONE:])
        self.settle()

    def tidy(self) -> None:
        """Resets the window's size. Removes all notices (cards and trouble) from the picture. Allows chat and media."""
        if self.page.viewport_size != self._size:
            self.page.set_viewport_size(self._size)
        desk = self.air.picture.desk  # `air.picture` is the state of the show, not an image.
        if not (desk.card or desk.trouble or desk.chat_off or desk.media_off):
            return
        events: list[Event] = [ControlSet("card", "", desk.card), TroubleShown("")]
        events += [ControlSet("chat", value=True, was=False, bot=bot) for bot in desk.chat_off]
        events += [ControlSet("media", value=True, was=False, bot=bot) for bot in desk.media_off]
        self.put(OnAirEntry(0, self.air.at_ms, 0, event) for event in events)

    def catch_up(self) -> None:
        self.page.evaluate(WAIT_FOR_ENTRY, [self.air.last_seq, PATIENCE_MS])

    def settle(self) -> None:
        self.page.evaluate(WAIT_UNTIL_SETTLED)

    def stop_clock(self) -> None:
        """Stops the page's clock, so that the page drops no late animation or sound on a busy machine."""
        self.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")

    def picture(self) -> bytes:
        return take_screenshot(self.page)

    def state(self) -> Any:
        return self.read_json("window.highnoon.state()")

    def read_json(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression. Large values arrive far quicker as JSON."""
        return json.loads(self.page.evaluate(f"() => JSON.stringify({expression})"))

    def studio_state(self) -> Any:
        return json.loads(self.server.picture(self.air))["state"]

    def _handlers(self) -> dict[str, Callable[[Any], None]]:
        return {"console": self._console, "pageerror": self._complain, "dialog": self._complain}

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _complain(self, error: Error | Dialog) -> None:
        self.complaints.append(error.message)


def take_screenshot(page: Page) -> bytes:
    """Returns a PNG of a page's window. Playwright's own function compresses more but needs twice the work."""
    camera = page.context.new_cdp_session(page)
    answer = camera.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    camera.detach()
    return base64.b64decode(answer["data"])

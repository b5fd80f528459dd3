"""A headless Chromium, driven by the DevTools protocol through a pipe so that it ends with the program."""

import asyncio
import base64
import itertools
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from server.child_environment import environment
from server.process import end_process

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # it opens only our pages, and root gets no sandbox
    "--disable-gpu",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--disable-partial-raster",  # otherwise earlier paint shows through in the lowest bits
    "--disable-checker-imaging",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    # Invisible pages behind the address bar take longer than the page that is shown.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
    "--no-first-run",
)
# The protocol uses the descriptors 3 and 4.
_ON_PIPES = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null'
_LONGEST = 1 << 27
_END_SECONDS = 5.0
_LOADED = (
    "new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done(), true))"
)


class NoBrowser(Exception):
    """No browser can be used; the message says why and what to do."""


def find_chromium() -> str | None:
    """$CHROMIUM, or one on the path, or Playwright's newest; None if none is installed."""
    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return named or next(_fetched(), None)


def _fetched() -> Iterator[str]:
    kept = "Library/Caches" if sys.platform == "darwin" else ".cache"
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / kept / "ms-playwright")
    for program in ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*"):
        yield from map(str, sorted(folder.glob(f"chromium-*/{program}"), reverse=True))


class Tab:
    """The page of a running browser, from `open_tab`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._session = ""
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def load(self, address: str, size: tuple[int, int]) -> None:
        """Loads the page at `address` in a window of `size` pixels. Raises NoBrowser."""
        target = (await self._ask("Target.createTarget", {"url": "about:blank"}))["targetId"]
        attached = await self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = attached["sessionId"]
        window = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        await self._ask("Emulation.setDeviceMetricsOverride", window)
        answered = await self._ask("Page.navigate", {"url": address})
        if answered.get("errorText"):
            raise NoBrowser(f"the browser cannot open {address}: {answered['errorText']}")
        await self.evaluate(_LOADED)

    async def evaluate(self, expression: str) -> Any:
        """The awaited value of an expression in the page. Raises NoBrowser with the error the page threw."""
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answered = await self._ask("Runtime.evaluate", asked)
        if "exceptionDetails" in answered:
            thrown = answered["exceptionDetails"]
            words = thrown.get("exception", {}).get("description") or thrown["text"]
            raise NoBrowser(f"the page failed: {words.splitlines()[0]}")
        return answered["result"].get("value")

    async def picture(self, quality: int) -> bytes:
        """A JPEG of the page as it is now. Raises NoBrowser."""
        asked = {"format": "jpeg", "quality": quality, "optimizeForSpeed": True}
        answered = await self._ask("Page.captureScreenshot", asked)
        return base64.b64decode(answered["data"])

    async def _ask(self, method: str, asked: dict[str, Any]) -> dict[str, Any]:
        """The browser's answer. Raises NoBrowser if it refuses or is gone."""
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": asked}
        if self._session:
            message["sessionId"] = self._session
        assert self._process.stdin
        self._process.stdin.write(msgspec.json.encode(message) + b"\0")
        with suppress(ConnectionError):  # the browser is gone, and the listener ends, too
            await self._process.stdin.drain()
        if self._process.stdout is None or self._process.stdout.at_eof():
            self._lose()
        answered = await answer
        if "error" in answered:
            raise NoBrowser(f"the browser refuses {method}: {answered['error'].get('message')}")
        return dict(answered["result"])

    async def listen(self) -> None:
        """Reads the browser's answers until it ends."""
        assert self._process.stdout
        with suppress(asyncio.IncompleteReadError):
            while True:
                message = msgspec.json.decode((await self._process.stdout.readuntil(b"\0"))[:-1])
                answer = self._asked.pop(message.get("id", 0), None)
                if answer and not answer.done():  # otherwise no task waits for it any more
                    answer.set_result(message)
        self._lose()

    def _lose(self) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(NoBrowser("the browser has ended in the middle of its work"))
        self._asked.clear()


@asynccontextmanager
async def open_tab(program: str, address: str, size: tuple[int, int]) -> AsyncIterator[Tab]:
    """Opens a page in a new browser, whose profile is deleted afterwards. Raises NoBrowser, OSError."""
    with TemporaryDirectory(prefix="high-noon-", ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", _ON_PIPES, program, *FLAGS, f"--user-data-dir={profile}",
            env=environment("CHROMIUM_*", "FONTCONFIG_*"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST, start_new_session=True,
        )  # fmt: skip
        tab = Tab(process)
        listening = asyncio.create_task(tab.listen())
        assert process.stdin
        try:
            await tab.load(address, size)
            yield tab
        finally:
            process.stdin.close()  # this ends it
            await end_process(process, _END_SECONDS)
            await listening

"""Drives a headless Chromium by the DevTools protocol. Uses a pipe, so that the browser ends when the program ends."""

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

from server.child_environment import environment_for_child
from server.process import end_process
from server.system.processes import UNIX

PROGRAM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # the browser opens only this program's pages, and Chromium refuses to start a sandbox as root
    "--disable-gpu",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--disable-partial-raster",  # otherwise the lowest bits of colours depend on what was painted before
    "--disable-checker-imaging",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    # Chromium's invisible pages behind the address bar would need more time than the visible page.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
    "--no-first-run",
)
# The protocol uses the file descriptors 3 and 4.
_ON_PIPES = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null'
_MAX_MESSAGE_BYTES = 1 << 27
_END_SECONDS = 5.0
_UNTIL_LOADED = (
    "new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done(), true))"
)


class BrowserError(Exception):
    """The browser cannot be used. The message says why."""


def find_chromium() -> str | None:
    """Returns the path of Chromium, or None. Tries $CHROMIUM, the PATH, and then the newest Chromium of Playwright."""
    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAM_NAMES)), None)
    return named or next(_playwright_browsers(), None)


def _playwright_browsers() -> Iterator[str]:
    cache = "Library/Caches" if sys.platform == "darwin" else ".cache"
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / cache / "ms-playwright")
    for program in ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*"):
        yield from map(str, sorted(folder.glob(f"chromium-*/{program}"), reverse=True))


class Tab:
    """A page in a running browser. `open_tab` opens it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._session = ""
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def load(self, address: str, size: tuple[int, int]) -> None:
        """Loads the page at `address` in a window of `size` pixels. Raises BrowserError."""
        target = (await self._ask("Target.createTarget", {"url": "about:blank"}))["targetId"]
        attached = await self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = attached["sessionId"]
        window = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        await self._ask("Emulation.setDeviceMetricsOverride", window)
        answer = await self._ask("Page.navigate", {"url": address})
        if answer.get("errorText"):
            raise BrowserError(f"the browser cannot open {address}: {answer['errorText']}")
        await self.evaluate(_UNTIL_LOADED)

    async def evaluate(self, expression: str) -> Any:
        """Evaluates an expression in the page and awaits its value. Raises BrowserError with the page's error."""
        answer = await self._ask(
            "Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True}
        )
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            error = thrown.get("exception", {}).get("description") or thrown["text"]
            raise BrowserError(f"the page failed: {error.splitlines()[0]}")
        return answer["result"].get("value")

    async def screenshot(self, quality: int) -> bytes:
        """Returns a JPEG of the page as it is now. `quality` is from 0 to 100. Raises BrowserError."""
        options = {"format": "jpeg", "quality": quality, "optimizeForSpeed": True}
        answer = await self._ask("Page.captureScreenshot", options)
        return base64.b64decode(answer["data"])

    async def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Sends a request and returns the browser's answer. Raises BrowserError if the browser refuses or has ended."""
        number = next(self._numbers)
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        assert self._process.stdin
        self._process.stdin.write(msgspec.json.encode(message) + b"\0")
        with suppress(ConnectionError):  # the browser has ended, and `listen` ends too
            await self._process.stdin.drain()
        if self._process.stdout is None or self._process.stdout.at_eof():
            self._fail_pending()
        answer = await future
        if "error" in answer:
            raise BrowserError(f"the browser refuses {method}: {answer['error'].get('message')}")
        return dict(answer["result"])

    async def listen(self) -> None:
        """Reads the browser's answers until the browser ends."""
        assert self._process.stdout
        with suppress(asyncio.IncompleteReadError):
            while True:
                message = msgspec.json.decode((await self._process.stdout.readuntil(b"\0"))[:-1])
                future = self._pending.pop(message.get("id", 0), None)
                if future and not future.done():  # a cancelled future is done
                    future.set_result(message)
        self._fail_pending()

    def _fail_pending(self) -> None:
        for future in self._pending.values():
            if not future.done():
                future.set_exception(BrowserError("the browser ended in the middle of its work"))
        self._pending.clear()


@asynccontextmanager
async def open_tab(program: str, address: str, size: tuple[int, int]) -> AsyncIterator[Tab]:
    """Opens a page in a new browser, and deletes the browser's profile afterwards. Raises BrowserError, OSError."""
    if not UNIX:
        raise BrowserError("clips need Linux or macOS: make them there, from the same recording")
    with TemporaryDirectory(prefix="high-noon-", ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", _ON_PIPES, program, *FLAGS, f"--user-data-dir={profile}",
            env=environment_for_child("CHROMIUM_*", "FONTCONFIG_*"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=_MAX_MESSAGE_BYTES, start_new_session=True,
        )  # fmt: skip
        tab = Tab(process)
        listening = asyncio.create_task(tab.listen())
        assert process.stdin
        try:
            await tab.load(address, size)
            yield tab
        finally:
            process.stdin.close()  # this ends the browser
            await end_process(process, _END_SECONDS)
            await listening

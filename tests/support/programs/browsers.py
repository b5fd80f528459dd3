"""Opens Chromium for the tests.

Each test process has one browser for each set of flags, used from one thread. Playwright keeps an event loop running in
its thread, so other tests could not run their own event loops there. That is why every test that asks for a browser
runs in Playwright's thread, and the browser stays open for the next test file.
"""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect, sync_playwright

from broadcast.video.chromium import find_chromium
from server.app.clips.filming import Tools, find_encoder
from server.errors import Refusal

_DISABLED_BY_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints", "PaintHolding", "ThirdPartyStoragePartitioning",
)  # fmt: skip
"""The features that Playwright itself turns off. They are repeated here because our list replaces Playwright's."""
_ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Features that open invisible pages behind the address bar: two per window, which cost more than the tested page."""
_SPARE_PROCESS = ("SpareRendererForSitePerProcess",)
"""A feature that starts a process in advance for a second page, which few tests open."""
_ENABLED = ("CDPScreenshotNewSurface", "NetworkServiceInProcess2")
"""A feature that Playwright turns on for screenshots, and one that runs the network in the browser's own process."""
FLAGS = [
    f"--disable-features={','.join((*_DISABLED_BY_PLAYWRIGHT, *_ADDRESS_BAR, *_SPARE_PROCESS))}",
    f"--enable-features={','.join(_ENABLED)}",
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=slight",  # draws text as a Chromium with a window does
    "--in-process-gpu",
    "--num-raster-threads=1",
    "--disable-checker-imaging",  # pictures are painted whole and at once
    "--disable-partial-raster",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--force-color-profile=srgb",
]
SOUNDS = "--autoplay-policy=no-user-gesture-required"
"""Lets pages play sound before a click, as in OBS. Only for a few tests: each browser is expensive."""
PATIENCE_MS = 60_000
"""The timeout of every page; long, because the machine may be busy."""
NO_CHROMIUM = "Chromium is not installed: apt-get install chromium, or set CHROMIUM=/its/path"
Result = TypeVar("Result")


def find_browser() -> str | None:
    """The path of the browser: $CHROMIUM, or else a headless Chromium, or else the browser that the program chooses.

    A headless Chromium is preferred because its pages cost a third less. All these browsers draw the same picture. With
    None, Playwright starts its own browser.
    """
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or find_chromium()


def film_browser() -> str:
    """A browser for tests that use it as the filming of clips does; skips the test if there is none."""
    return find_browser() or pytest.skip(NO_CHROMIUM)


def film_tools() -> Tools:
    """The programs that film a clip; skips the test if one of them is missing."""
    try:
        return Tools(film_browser(), find_encoder())
    except Refusal as missing:
        pytest.skip(str(missing))


def allow_sound(page: Page) -> None:
    """Lets the page play sounds, and waits until the page can do so. Before that, the page drops all sounds."""
    chip = page.get_by_role("button", name="Click for sound")
    chip.click()
    chip.wait_for(state="hidden")


class Browsers:
    """The open browsers, one for each set of extra flags."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "browsers")
        self._ident = self._thread.submit(threading.get_ident).result()
        self._playwright: Playwright | None = None
        self._open: dict[tuple[str, ...], Browser] = {}
        self._lasting: set[BrowserContext] = set()

    def aside(self, work: Callable[[], Result]) -> Result:
        """Runs `work` in the browsers' thread; returns its result."""
        if threading.get_ident() == self._ident:
            return work()
        return self._thread.submit(work).result()

    @contextmanager
    def opened(self, *flags: str) -> Iterator[Browser]:
        """The browser with these flags; at the end, closes all its pages except those of `lasting` profiles."""
        browser = self.aside(lambda: self._with_flags(flags))
        yield browser
        self.aside(lambda: self._empty(browser))

    def lasting(self, **options: Any) -> BrowserContext:
        """A new profile of the browser without extra flags; it stays open for later test files."""
        context = self._with_flags(()).new_context(**options)
        self._lasting.add(context)
        context.on("close", self._forget)
        return context

    def close(self) -> None:
        self.aside(self._close)
        self._thread.shutdown()

    def _with_flags(self, flags: tuple[str, ...]) -> Browser:
        """The browser with these flags, started again if it has crashed."""
        if flags not in self._open or not self._open[flags].is_connected():
            if not self._playwright:
                expect.set_options(timeout=PATIENCE_MS)
                self._playwright = _start_playwright()
            browser = _launch(self._playwright, [*FLAGS, *flags])
            browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
            self._open[flags] = browser
        return self._open[flags]

    def _forget(self, closed: BrowserContext) -> None:
        self._lasting.discard(closed)

    def _empty(self, browser: Browser) -> None:
        for context in browser.contexts:
            if context not in self._lasting:
                context.close()

    def _close(self) -> None:
        for browser in self._open.values():
            browser.close()
        if self._playwright:
            self._playwright.stop()


def _start_playwright() -> Playwright:
    """Starts Playwright; skips the test if that is impossible on this machine."""
    try:
        return sync_playwright().start()
    except Exception:
        driver = subprocess.run([sys.executable, "-m", "playwright", "--version"], check=False, capture_output=True)
        if driver.returncode:
            pytest.skip("Playwright does not start: apt-get install libatomic1")
        raise


def _launch(playwright: Playwright, flags: list[str]) -> Browser:
    """Starts Chromium. Skips the test if Chromium is not installed; fails if it is installed but does not start."""
    browser = find_browser()
    try:
        return playwright.chromium.launch(executable_path=browser, args=flags)
    except Error:
        if browser:
            raise
        pytest.skip(NO_CHROMIUM)

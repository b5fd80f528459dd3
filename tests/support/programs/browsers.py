"""Chromium for the tests. Each test process has one browser for each set of flags, and keeps it open.

Playwright's event loop keeps running in the thread that starts Playwright. No other event loop can run in that thread.
Tests with a browser therefore run in a thread of their own, and all other tests can start event loops.
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

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=slight",  # Draws text as a Chromium with a window does.
    "--disable-checker-imaging",  # Paints each picture at once, and as a whole.
    "--disable-partial-raster",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--force-color-profile=srgb",
]
SOUNDS = "--autoplay-policy=no-user-gesture-required"
"""Lets pages play sound before a click, as in OBS."""
PATIENCE_MS = 60_000
NO_CHROMIUM = "Chromium is not installed: apt-get install chromium, or set CHROMIUM=/its/path"
Result = TypeVar("Result")


def find_browser() -> str | None:
    """Returns the path of a Chromium, or None if Playwright must choose. Any will do: all draw the same picture.

    Returns $CHROMIUM if it is set. Otherwise prefers `chromium-headless-shell`, which needs a third less time per page.
    """
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or find_chromium()


def chromium_or_skip() -> str:
    return find_browser() or pytest.skip(NO_CHROMIUM)


def film_tools_or_skip() -> Tools:  # `Tools`: the browser and the encoder that film clips
    try:
        return Tools(chromium_or_skip(), find_encoder())
    except Refusal as missing:
        pytest.skip(str(missing))


def confirm_press(page: Page, button: str) -> None:
    """Presses a button of the operator's desk again to confirm. First waits, because a double click would not count."""
    page.wait_for_selector(f"#{button}[data-sure]")  # The button asks whether the operator is sure.
    page.wait_for_function("(since) => performance.now() - since > 400", arg=page.evaluate("performance.now()"))
    page.click(f"#{button}")


def allow_sound(page: Page) -> None:
    """Clicks the button for sound. Until the button is hidden, the page drops all sounds."""
    sound_button = page.get_by_role("button", name="Click for sound")
    sound_button.click()
    sound_button.wait_for(state="hidden")


class Browsers:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "browsers")
        self._thread_id = self._thread.submit(threading.get_ident).result()
        self._playwright: Playwright | None = None
        self._open_browsers: dict[tuple[str, ...], Browser] = {}
        self._lasting_profiles: set[BrowserContext] = set()

    def run_in_thread(self, work: Callable[[], Result]) -> Result:
        """Runs `work` in the browsers' thread. Returns the result of `work`."""
        if threading.get_ident() == self._thread_id:
            return work()
        return self._thread.submit(work).result()

    @contextmanager
    def opened(self, *flags: str) -> Iterator[Browser]:
        """Yields the browser with these extra flags. Closes its pages at the end, but not those of `open_profile()`."""
        browser = self.run_in_thread(lambda: self._browser_with_flags(flags))
        yield browser
        self.run_in_thread(lambda: self._close_pages(browser))

    def open_profile(self, **options: Any) -> BrowserContext:
        """Returns a new profile in the browser that has no extra flags. The profile stays open for later test files."""
        context = self._browser_with_flags(()).new_context(**options)
        self._lasting_profiles.add(context)
        context.on("close", lambda _: self._lasting_profiles.discard(context))
        return context

    def close(self) -> None:
        self.run_in_thread(self._close)
        self._thread.shutdown()

    def _browser_with_flags(self, flags: tuple[str, ...]) -> Browser:
        """Returns the browser with these flags. Starts the browser if it is not running or has crashed."""
        if flags not in self._open_browsers or not self._open_browsers[flags].is_connected():
            if not self._playwright:
                expect.set_options(timeout=PATIENCE_MS)
                self._playwright = _start_playwright()
            browser = _launch(self._playwright, [*FLAGS, *flags])
            browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
            self._open_browsers[flags] = browser
        return self._open_browsers[flags]

    def _close_pages(self, browser: Browser) -> None:
        for context in browser.contexts:
            if context not in self._lasting_profiles:
                context.close()

    def _close(self) -> None:
        for browser in self._open_browsers.values():
            browser.close()
        if self._playwright:
            self._playwright.stop()


def _start_playwright() -> Playwright:
    try:
        return sync_playwright().start()
    except Exception:
        driver = subprocess.run([sys.executable, "-m", "playwright", "--version"], check=False, capture_output=True)
        if driver.returncode:
            pytest.skip("Playwright does not start: apt-get install libatomic1")
        raise


def _launch(playwright: Playwright, flags: list[str]) -> Browser:
    """Starts Chromium. Skips the test if there is no Chromium, but fails if an installed Chromium does not start."""
    browser = find_browser()
    try:
        return playwright.chromium.launch(executable_path=browser, args=flags)
    except Error:
        if browser:
            raise
        pytest.skip(NO_CHROMIUM)

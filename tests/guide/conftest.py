"""A browser for the pages of the guide."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.overlay.support.screen import FLAGS


@pytest.fixture(scope="module")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()

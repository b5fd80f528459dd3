"""One show under a desk for each file that only knocks at it, and one browser for each file that needs one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.desk.rig import Rig, evening
from tests.overlay.support.screen import FLAGS


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with Rig(tmp_path_factory.mktemp("media"), evening()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    expect.set_options(timeout=60_000)  # a machine with other work takes its time
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path, args=[*FLAGS, "--autoplay-policy=no-user-gesture-required"]
        )
        yield chromium
        chromium.close()

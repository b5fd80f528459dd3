"""One show under a desk for each file that only knocks at it, and a browser whose pages may sound without a click."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.desk.rig import Rig, evening
from tests.overlay.support.screen import FLAGS, SOUNDS
from tests.support.browsers import Browsers


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with Rig(tmp_path_factory.mktemp("media"), evening()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    expect.set_options(timeout=60_000)  # a machine with other work takes its time
    with browsers.opened(*FLAGS, SOUNDS) as opened:
        yield opened

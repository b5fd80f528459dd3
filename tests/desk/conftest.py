"""One show under a desk for each file that only knocks at it, and a browser whose pages may sound without a click."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.desk.rig import Rig, evening
from tests.support.browsers import SOUNDS, Browsers


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with Rig(tmp_path_factory.mktemp("media"), evening()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    with browsers.opened(SOUNDS) as opened:
        yield opened

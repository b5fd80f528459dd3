"""Fixtures: one show with a desk for each file of tests, and a browser in which pages may play sound unasked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.desk.desk_server import DeskServer, evening
from tests.support.browsers import SOUNDS, Browsers


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    with DeskServer(tmp_path_factory.mktemp("media"), evening()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    with browsers.opened(SOUNDS) as opened:
        yield opened

"""Fixtures: a separate log of the web server for each test, and a studio for strangers (clients without a token)."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.stranger_connections import studio_aside


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevents servers that other tests have opened from filtering this test's log."""
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with studio_aside(tmp_path) as served:
        yield served

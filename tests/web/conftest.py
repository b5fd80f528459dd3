"""Fixtures: a log of the web server's own for each test."""

import logging

import pytest


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps servers opened by other tests from filtering this test's log."""
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])

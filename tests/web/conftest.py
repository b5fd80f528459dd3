"""Fixtures: a log of the web server's own for each test."""

import logging

import pytest


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that other tests keep open limit the lines of this one's no more."""
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])

"""Fixtures: a small disk, and listeners that notice every fault of a page."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.programs.disks import small_disk

__all__ = ["small_disk"]


@pytest.fixture
def strict_listeners() -> Iterator[dict[str, Any]]:
    """Yields listeners for a page. After the test, asserts that the page reported no error and found every file."""
    complaints: list[str] = []
    yield {
        "console": lambda line: complaints.append(line.text) if line.type == "error" else None,
        "pageerror": lambda error: complaints.append(str(error)),
        "response": lambda answer: complaints.append(answer.url) if answer.status >= 400 else None,
    }
    assert not complaints

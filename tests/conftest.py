"""What every test may ask for: the browser of the tests. Nothing of the house is imported here."""

import pytest
from hypothesis import settings

from tests.browsers import find_chromium

# The same examples on every machine and every run; time limits are for benchmarks.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """The Chromium the tests drive: $CHROMIUM, else one on the path, else None for the one Playwright brought."""
    return find_chromium()

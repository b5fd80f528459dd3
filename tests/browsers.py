"""Which Chromium the tests drive."""

import os
import shutil

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """$CHROMIUM, else one on the path, else None for the one Playwright brought."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)

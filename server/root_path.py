"""The path below which a proxy serves the pages: behind nginx's `location /poker/` every address begins with /poker."""

import os
import re

ROOT_PATH = "HIGHNOON_ROOT_PATH"
"""Environment variable with that path; the pages lie at the root without it."""
_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")


def root_path() -> str:
    """The path, like "/poker"; "" for the root. Raises ValueError where it is none."""
    found = os.environ.get(ROOT_PATH, "").rstrip("/")
    if found and not _PATH.fullmatch(found):
        raise ValueError(
            f"${ROOT_PATH} must be a path like /poker, of letters, digits and - . _ ~ after each slash, not {found!r}"
        )
    return found

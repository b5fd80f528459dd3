"""Says where the program's files are, and below which path its pages are served."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder with the packages `server` and `broadcast`: the clone, or the environment's site-packages."""


def _find_folder(name: str) -> Path:
    """Finds the folder `name`: beside our packages in a clone, or inside `broadcast` in a wheel."""
    packed = ROOT / "broadcast" / name
    return packed if packed.is_dir() else ROOT / name


ASSETS = _find_folder("assets")
STATIC = _find_folder("static")
TEMPLATES = ROOT / "broadcast" / "templates"
GUIDE = ROOT / "broadcast" / "guide"
ROOT_PATH_VARIABLE = "HIGHNOON_ROOT_PATH"
"""The environment variable with the path below which pages are served, such as "/poker" behind nginx with `location
/poker/`.
"""
_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")


def root_path() -> str:
    """Returns the path below which pages are served, such as "/poker", or "" for the root.

    Raises ValueError if the path is malformed.
    """
    path = os.environ.get(ROOT_PATH_VARIABLE, "").rstrip("/")
    if path and not _PATH.fullmatch(path):
        raise ValueError(
            f"${ROOT_PATH_VARIABLE} must be a path like /poker, of letters, digits and - . _ ~ after each "
            f"slash, not {path!r}"
        )
    return path

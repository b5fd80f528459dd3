"""Where the program's own files lie, in a clone as well as installed from a wheel. Nothing is ever written there."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds the packages `server` and `broadcast`: the clone, or the environment's site-packages."""


def _files(name: str) -> Path:
    """A folder of files beside the packages; a wheel has it inside `broadcast`, where no other project writes."""
    packed = ROOT / "broadcast" / name
    return packed if packed.is_dir() else ROOT / name


ASSETS = _files("assets")
STATIC = _files("static")
TEMPLATES = ROOT / "broadcast" / "templates"
GUIDE = ROOT / "broadcast" / "guide"

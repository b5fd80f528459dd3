"""Which of what was handed in has commands in a bot.json, and no Dockerfile.

Looks at names only.
"""

from pathlib import Path

from server.submissions.commands import BOT_JSON, FOLDER
from server.submissions.folder_scan import JUNK
from server.submissions.markers import BOT_CONFIG, DOCKERFILE, OLD_BOT_CONFIG
from server.submissions.zip_archive import names_in

MOST_LOOKED_AT = 500
_OTHERS = {DOCKERFILE, BOT_CONFIG, OLD_BOT_CONFIG}
_DEPTH = 2
"""Folders around bot.json in an archive: its own, and one that somebody packed around that."""


def commands_in(path: Path) -> list[Path]:
    """The submissions at `path`: itself, or each of what lies in it where one has commands and none a Dockerfile.

    None where there is nothing with commands. Raises OSError.
    """
    if _has_commands(path):
        return [path]
    if not path.is_dir() or _is_other(path):
        return []
    inside = sorted(child for child in path.iterdir() if _is_candidate(child))[:MOST_LOOKED_AT]
    if any(map(_is_other, inside)) or not any(map(_has_commands, inside)):
        return []
    return inside


def _is_candidate(path: Path) -> bool:
    if path.name in JUNK or path.name.startswith(".") or path.is_symlink():
        return False
    return path.is_dir() or _is_archive(path)


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() == ".zip"


def _has_commands(path: Path) -> bool:
    """Its bot.json lies there, or in its folder `bot`."""
    if _is_archive(path):
        names = names_in(path)
        there = any(name.rpartition("/")[2] == BOT_JSON and name.count("/") <= _DEPTH for name in names)
        return there and not _has_others(names)
    folders = [folder for folder in (path, path / FOLDER) if (folder / BOT_JSON).is_file()]
    return bool(folders) and not any((folder / name).exists() for folder in folders for name in _OTHERS)


def _is_other(path: Path) -> bool:
    """Whether it has a Dockerfile, or what goes with one."""
    if _is_archive(path):
        return _has_others(names_in(path))
    return path.is_dir() and any((path / name).exists() for name in _OTHERS) and not _has_commands(path)


def _has_others(names: list[str]) -> bool:
    return any(name.rpartition("/")[2] in _OTHERS for name in names)

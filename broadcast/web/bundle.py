"""Finds the file to serve for a script or style sheet: its source, or a bundle of the source and all its imports.

In a clone, `make bundle` makes these bundles with esbuild. A wheel built in the clone includes them. If no bundles
match the sources when the program starts, each source is served as it is. Pages that are a single file contain all
sources, joined.
"""

import hashlib
import re
from functools import cache
from os.path import normpath
from pathlib import Path

from server.paths import STATIC

BUNDLE_FOLDER = "bundle"
DIGEST_FILE = "sources.sha256"
"""The file with the digest of the sources of the bundles."""
_IMPORT = re.compile(r'^(?:@import|import (?:\{[^}]*\} from )?) ?"([^"]+)";\n', re.MULTILINE)
"""Matches an import as the formatter Biome writes it."""
CSS_URL = re.compile(r'url\("?(\.[^")]+)"?\)')
"""Matches a relative address in a style sheet."""
_EXPORT_KEYWORD = re.compile(r"^export ", re.MULTILINE)


def bundled_file(path: Path) -> Path:
    """Returns the bundle of a script or style sheet, or the file itself if it has no bundle."""
    folder = find_bundles(STATIC)
    bundle = folder / path.relative_to(STATIC) if folder and path.is_relative_to(STATIC) else path
    return bundle if bundle.is_file() else path


@cache
def find_bundles(static: Path) -> Path | None:
    """Returns the folder of the bundles, or None if the bundles do not match the sources. Compares them only at the
    first call.
    """
    folder = static / BUNDLE_FOLDER
    try:
        bundled_digest = (folder / DIGEST_FILE).read_text(encoding="utf-8")
    except OSError:
        return None
    return folder if bundled_digest == sources_digest(static) else None


def sources_digest(static: Path) -> str:
    """Returns the SHA-256 of all sources, in hexadecimal."""
    total = hashlib.sha256()
    for name in source_names(static):
        content = (static / name).read_bytes()
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()


def source_names(static: Path) -> list[str]:
    """Returns the names of all scripts and sheets, such as "js/front/main.js"."""
    paths = (path for kind in ("css", "js") for path in (static / kind).rglob(f"*.{kind}"))
    return sorted(path.relative_to(static).as_posix() for path in paths)


def files_to_load(path: Path) -> list[Path]:
    """Returns the files to load for a script or sheet: only its bundle if there is one, otherwise all its imports and
    then the file itself.
    """
    bundle = bundled_file(path)
    if bundle != path:
        return [bundle]
    parts: dict[Path, str] = {}
    _collect_imports(path, parts)
    return [*parts]


def joined_sources(path: Path) -> str:
    """Returns a script or sheet, preceded by everything that it imports. Raises OSError.

    All scripts share one scope, so no two may define the same name.
    """
    parts: dict[Path, str] = {}
    _collect_imports(path, parts)
    return "\n".join(parts.values())


def _collect_imports(path: Path, parts: dict[Path, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        if (other := Path(normpath(path.parent / name))) not in parts:
            _collect_imports(other, parts)
    parts[path] = _EXPORT_KEYWORD.sub("", _IMPORT.sub("", text))

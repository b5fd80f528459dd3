"""Our scripts and style sheets, each in one file with all it imports.

For served pages esbuild bundles them: `make bundle` in a clone, and so in a wheel built there. Without a bundle, or
once a source has changed, each source is served as it is. Single-file pages have their sources joined.
"""

import hashlib
import re
from functools import cache
from os.path import normpath
from pathlib import Path

from server.paths import STATIC

FOLDER = "bundle"
SOURCES = "sources.sha256"
"""Holds the digest of the bundle's sources."""
_IMPORT = re.compile(r'^(?:@import|import (?:\{[^}]*\} from )?) ?"([^"]+)";\n', re.MULTILINE)
"""An import, as our formatter writes it."""
ADDRESS = re.compile(r'url\("?(\.[^")]+)"?\)')
"""An address in a sheet, relative to the folder of the sheets."""
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def bundled(path: Path) -> Path:
    """The file to serve for a script or sheet: its bundle, or itself."""
    bundle = bundle_of(STATIC)
    made = bundle / path.relative_to(STATIC) if bundle and path.is_relative_to(STATIC) else path
    return made if made.is_file() else path


@cache
def bundle_of(static: Path) -> Path | None:
    """The folder of the bundles; None if it was not made from the sources as they were at the first call."""
    folder = static / FOLDER
    try:
        made_of = (folder / SOURCES).read_text()
    except OSError:
        return None
    return folder if made_of == digest(static) else None


def digest(static: Path) -> str:
    """SHA-256 of all sources, in hexadecimal."""
    total = hashlib.sha256()
    for name in sources(static):
        content = (static / name).read_bytes()
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()


def sources(static: Path) -> list[str]:
    """All scripts and sheets, such as "js/front/main.js"."""
    paths = (path for kind in ("css", "js") for path in (static / kind).rglob(f"*.{kind}"))
    return sorted(path.relative_to(static).as_posix() for path in paths)


def joined(path: Path) -> str:
    """A script or sheet after all its imports, in one scope, so no two may define the same name. Raises OSError."""
    parts: dict[Path, str] = {}
    _gather(path, parts)
    return "\n".join(parts.values())


def _gather(path: Path, parts: dict[Path, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        if (other := Path(normpath(path.parent / name))) not in parts:
            _gather(other, parts)
    parts[path] = _EXPORT.sub("", _IMPORT.sub("", text))

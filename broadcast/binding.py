"""Files of the house bound into one: a script with every module it imports, a sheet with every sheet, without comments.

Only for our own files, written as the formatter leaves them; strangers' text never comes here.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_SHEET = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_MODULE = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:class|const|function\*?) (\w+)", re.MULTILINE)


def parts_of(path: Path) -> list[Path]:
    """A script or sheet and all that it imports, each after those it imports itself; OSError where one is missing."""
    parts: dict[Path, None] = {}
    _gather(path.resolve(), parts, set())
    return list(parts)


def bound(parts: list[Path]) -> str:
    """What `parts_of` gave, as one file that does the same; ValueError where one of them is not well written."""
    import minify  # noqa: PLC0415 (not before a page is asked for: it takes a tenth of a second and five threads)

    if parts[-1].suffix == ".css":
        sheets = "".join(_SHEET.sub("", part.read_text(encoding="utf-8")) for part in parts)
        return str(minify.string("text/css", sheets))
    names = {part: f"${number}" for number, part in enumerate(parts)}
    return str(minify.string("text/javascript", "".join(_enclosed(part, names) for part in parts)))


def _gather(path: Path, parts: dict[Path, None], begun: set[Path]) -> None:
    if path not in begun:
        begun.add(path)
        for other in _imported(path):
            _gather(other, parts, begun)
        parts[path] = None


def _imported(path: Path) -> Iterator[Path]:
    text = path.read_text(encoding="utf-8")
    found = _SHEET.findall(text) if path.suffix == ".css" else [name for _, name in _MODULE.findall(text)]
    return ((path.parent / name).resolve() for name in found)


def _enclosed(path: Path, names: dict[Path, str]) -> str:
    """A module in a scope of its own, as a value that holds what it exports."""
    text = path.read_text(encoding="utf-8")
    exported = ",".join(_EXPORT.findall(text))
    text = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
    text = _MODULE.sub(lambda found: _taken(found[1], names[(path.parent / found[2]).resolve()]), text)
    return f"const {names[path]} = (() => {{\n{text}\nreturn {{{exported}}};\n}})();\n"


def _taken(wanted: str | None, module: str) -> str:
    """An import of `wanted`: "el, mark as note"."""
    return f"const {{{wanted.strip().rstrip(',').replace(' as ', ': ')}}} = {module};\n" if wanted else ""

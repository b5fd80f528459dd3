"""Bundles our own files: a script with all modules that it imports, or a style sheet with all sheets, minified.

It relies on the layout that our formatter gives, and is never used on strangers' files.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from os.path import normpath
from pathlib import Path

_SHEET = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_MODULE = re.compile(r'^import (?:\{[^}]*\} from )?"([^"]+)";\n', re.MULTILINE)
_ALIAS = re.compile(r"(\w+) as (\w+)")
_NAME = re.compile(r"^(export )?(?:async )?(?:class|const|let|function\*?) (\w+)", re.MULTILINE)


def parts_of(path: Path) -> list[Path]:
    """A script or sheet and all that it imports, each after those that it imports itself.

    Raises OSError where one is missing.
    """
    parts: dict[Path, None] = {}
    _gather(path.resolve(), parts, set())
    return list(parts)


def bound(parts: list[Path]) -> str:
    """Joins the files that `parts_of` gave into one that does the same. Raises ValueError where two export one name."""
    import minify  # noqa: PLC0415 (not before a page is asked for: it takes a tenth of a second and five threads)

    if parts[-1].suffix == ".css":
        sheets = "".join(_SHEET.sub("", part.read_text(encoding="utf-8")) for part in parts)
        return str(minify.string("text/css", sheets))
    texts = [part.read_text(encoding="utf-8") for part in parts]
    names = [_NAME.findall(text) for text in texts]
    given = Counter(name for each in names for export, name in each if export)
    if twice := [name for name, modules in given.items() if modules > 1]:
        raise ValueError(f"given by two modules: {', '.join(twice)}")
    named = Counter(name for each in names for _, name in each)
    joined = "".join(_joined(text, its, named) for text, its in zip(texts, names, strict=True))
    return str(minify.string("text/javascript", f"(() => {{\n{joined}}})();\n"))


def _gather(path: Path, parts: dict[Path, None], begun: set[Path]) -> None:
    if path not in begun:
        begun.add(path)
        for other in _imported(path):
            _gather(other, parts, begun)
        parts[path] = None


def _imported(path: Path) -> Iterator[Path]:
    text = path.read_text(encoding="utf-8")
    found = _SHEET.findall(text) if path.suffix == ".css" else _MODULE.findall(text)
    return (Path(normpath(path.parent / name)) for name in found)


def _joined(text: str, names: Sequence[tuple[str, str]], named: Counter[str]) -> str:
    """A module in the scope of all, if it names nothing as another does; else in its own, but for what it exports.

    `names` are its own, with what comes before those that it exports.
    """
    plain = _NAME.sub(lambda found: found[0].removeprefix("export "), _MODULE.sub(_aliases, text))
    if all(named[name] == 1 for _, name in names) and not any(map(_aliases, _MODULE.finditer(text))):
        return f"{plain}\n"
    exported = ", ".join(name for export, name in names if export)
    return f"const {{{exported}}} = (() => {{\n{plain}\nreturn {{{exported}}};\n}})();\n"


def _aliases(imported: re.Match[str]) -> str:
    """What is left of an import: names that this module gives to another's."""
    return "".join(f"const {alias} = {name};\n" for name, alias in _ALIAS.findall(imported[0]))

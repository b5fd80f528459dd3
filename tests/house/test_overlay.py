"""The overlay's sources: modules import only downwards, no text becomes markup, and pages contain no script."""

import re
from pathlib import Path, PurePosixPath

from tests.support.source_files import ROOT, text_files

# A module imports only from floors below its own, or from its own folder; "scenes/" is every file of that
# folder that has no floor of its own.
FLOORS: tuple[set[str], ...] = (
    {
        "common/",
        "overlay/desk-rules.js",
        "overlay/reducer-hand.js",
        "overlay/reducer-state.js",
        "overlay/reducer-tournament.js",
        "overlay/reducer.js",
    },
    {"overlay/parts/"},
    {"overlay/seat/"},
    {"overlay/scenes/", "overlay/effects/", "overlay/cues.js"},
    {"overlay/", "desk/", "lists/", "pages/"},
    {"overlay/main.js", "report/", "replay/film/", "verify/"},
    {"booth/", "front/", "replay/panels/", "replay/controls/", "bot/"},
    {"desk/main.js"},
    {"replay/words/"},
    {"replay/"},
    {"clip/", "verify/page/"},
)
IMPORT_NOTHING = ("overlay/reducer-state.js", "overlay/cues.js", "common/format.js", "overlay/desk-rules.js")
MAKES_MARKUP = (
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|createContextualFragment)\b"
    r"|\bdocument\.write|\beval\(|\bnew Function\b|\b[a-z]+\.on[a-z]+ *= *[\"']"
)
_JS = PurePosixPath("static/js")
_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""")


def test_modules_import_only_from_floors_below_or_their_own_folder() -> None:
    modules = _modules()
    assert not [f"{name}: no floor in FLOORS" for name in modules if _floor(name) is None]
    assert not [
        f"{name} imports {other}"
        for name, text in modules.items()
        for other in _imports(name, text)
        if not _is_below(other, name) or other not in modules
    ]
    assert not [name for name in IMPORT_NOTHING if _imports(name, modules.get(name, ""))]
    reducers = {name for name in modules if PurePosixPath(name).name.startswith("reducer")}
    assert not [f"{name} imports {other}" for name in reducers for other in _imports(name, modules[name]) - reducers]
    waiting = {name: _imports(name, text) for name, text in modules.items()}
    while free := {name for name, others in waiting.items() if not others}:
        waiting = {name: others - free for name, others in waiting.items() if name not in free}
    assert not waiting, "circular imports"


def test_strangers_text_never_becomes_markup() -> None:
    assert not [
        f"{name}: {found.group()}" for name, text in _modules().items() for found in re.finditer(MAKES_MARKUP, text)
    ]


def test_pages_contain_no_script_and_load_nothing_from_elsewhere() -> None:
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\bstyle=|\son\w+=|javascript:|\|\s*safe\b|https?://")
    assert not [f"{path}: {found.group()}" for path, text in _templates() for found in inline.finditer(text)]
    elsewhere = re.compile(r"url\(\s*[\"']?(?:\w+:)?//")
    assert not [path for path, text in text_files() if path.suffix == ".css" and elsewhere.search(text)]


def _templates() -> list[tuple[Path, str]]:
    found = [(path, text) for path, text in text_files() if path.is_relative_to("broadcast/templates")]
    return [(path, text) for path, text in found if path.suffix == ".html"]


def _modules() -> dict[str, str]:
    """Every module below static/js by its path there, without comments."""
    found = {path: text for path, text in text_files() if path.suffix == ".js" and path.is_relative_to(_JS)}
    return {path.relative_to(_JS).as_posix(): _code(text) for path, text in found.items()}


def _code(text: str) -> str:
    return re.sub(r"^\s*//.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), flags=re.MULTILINE)


def _imports(name: str, text: str) -> set[str]:
    """The modules that `name` imports, by their paths below static/js; other imports are left as they are."""
    here = (ROOT / _JS / name).parent
    found = _IMPORT.findall(text)
    return {_below_js(here / other) if other.startswith(".") else other for other in found}


def _below_js(path: Path) -> str:
    resolved = path.resolve()
    return resolved.relative_to(ROOT / _JS).as_posix() if resolved.is_relative_to(ROOT / _JS) else str(resolved)


def _floor(name: str) -> int | None:
    named = [number for number, floor in enumerate(FLOORS) if name in floor]
    folders = [number for number, floor in enumerate(FLOORS) if name.rpartition("/")[0] + "/" in floor]
    return next(iter(named + folders), None)


def _is_below(other: str, name: str) -> bool:
    mine, theirs = _floor(name), _floor(other)
    same_folder = "/" in name and name.rpartition("/")[0] == other.rpartition("/")[0]
    return same_folder or (mine is not None and theirs is not None and theirs < mine)

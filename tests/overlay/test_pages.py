"""The pages' own papers: what they load is there, and there is not too much of it."""

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from broadcast.app import HOUSE

STATIC = HOUSE / "static"
TEMPLATES = HOUSE / "broadcast" / "templates"
_IMPORT = re.compile(r'^import [^"]*"([^"]+)";|^} from "([^"]+)";', re.MULTILINE)


def head() -> str:
    """What the head of every page of the show loads."""
    return (TEMPLATES / "_page.html").read_text(encoding="utf-8")


def reached(script: Path) -> set[Path]:
    """`script` and all that it imports, and what they import."""
    found, waiting = set[Path](), {script}
    while waiting:
        found |= (new := waiting - found)
        waiting = {
            (path.parent / "".join(name)).resolve()
            for path in new
            for name in _IMPORT.findall(path.read_text(encoding="utf-8"))
        } - found
    return found


def test_every_module_of_the_show_is_loaded_ahead() -> None:
    ahead = re.findall(r'rel="modulepreload" href="/static/js/([^"]+)"', head())
    main = STATIC / "js" / "main.js"
    assert sorted(ahead) == sorted(path.relative_to(STATIC / "js").as_posix() for path in reached(main) - {main})


def test_pages_name_only_files_that_exist() -> None:
    named = {
        name
        for page in TEMPLATES.glob("*.html")
        for name in re.findall(r'(?:href|src)="/((?:static|assets)/[^"]+)"', page.read_text(encoding="utf-8"))
    }
    named |= {
        name
        for sheet in (STATIC / "css").glob("*.css")
        for name in re.findall(r'url\("/([^"]+)"\)', sheet.read_text(encoding="utf-8"))
    }
    assert named
    assert not [name for name in named if not (HOUSE / name).is_file()]


def test_scripts_and_styles_of_the_show_weigh_at_most_60_kilobytes_zipped() -> None:
    named = re.findall(r'(?:href|src)="/(static/(?:js|css)/[^"]+)"', head())
    assert zipped(HOUSE / name for name in named) <= 60_000


def test_the_desk_weighs_at_most_20_kilobytes_zipped() -> None:
    assert zipped([*(STATIC / "js" / "desk").glob("*.js"), STATIC / "css" / "desk.css"]) <= 20_000


def zipped(files: Iterable[Path]) -> int:
    """Bytes of all of them together."""
    return len(gzip.compress(b"".join(path.read_bytes() for path in sorted(files))))

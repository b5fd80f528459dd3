"""The pages' own papers: what they load is there, and there is not too much of it."""

import gzip
import re

from broadcast.app import HOUSE

STATIC = HOUSE / "static"
TEMPLATES = HOUSE / "broadcast" / "templates"
# types.js holds types alone; main.js is the script itself.
NOT_PRELOADED = {"types.js", "main.js"}


def test_every_module_is_loaded_ahead() -> None:
    head = (TEMPLATES / "_page.html").read_text(encoding="utf-8")
    ahead = set(re.findall(r'rel="modulepreload" href="/static/js/([^"]+)"', head))
    modules = {path.relative_to(STATIC / "js").as_posix() for path in (STATIC / "js").rglob("*.js")}
    assert ahead == modules - NOT_PRELOADED


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


def test_scripts_and_styles_weigh_at_most_45_kilobytes_zipped() -> None:
    files = [path for path in (STATIC / "js").rglob("*.js") if path.name != "types.js"]
    files += (STATIC / "css").glob("*.css")
    assert len(gzip.compress(b"".join(path.read_bytes() for path in sorted(files)))) <= 45_000

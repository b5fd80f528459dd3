"""The guide as a set of files below one folder: its pages, in their order, and the style, fonts and pictures they need.

The same files are served below `/guide/` and written by `highnoon guide`; every link in them is relative.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache, cached_property
from posixpath import normpath

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from broadcast.guide.render import Rendered, rendered
from broadcast.web.bundle import joined
from server.contests import CONTESTS
from server.paths import ASSETS, GUIDE, STATIC, TEMPLATES

CHAPTERS = {
    "Start": ("index", "first-steps", "evening", "desk", "obs"),
    "Bots": ("bots", "contests", *(f"protocol-{name}" for name in CONTESTS)),
    "Their server": ("boxes", "server", "workers"),
    "Afterwards": ("recordings", "video"),
    "Reference": ("commands", "event-file", "rules", "events", "glossary"),
    "Inside": ("how", "house", "walks", "why", "promises", "figures", "working", "changelog"),
}
"""Every page, in the order in which they are read."""
NAMES = tuple(name for names in CHAPTERS.values() for name in names)
FIRST = f"{NAMES[0]}.html"
STYLE = "guide.css"
_STYLE = STATIC / "css/pages/guide.css"
_FOLDERS = {"assets": ASSETS, "static": STATIC}
"""Where the files lie that the guide shares with other pages."""
_URL = re.compile(r'url\("?(\.[^")]+)"?\)')
"""An address in a style, relative to the folder of the sheets."""


class Guide:
    """The files of the guide, each made when it is first asked for."""

    def __init__(self, home: str = "") -> None:
        """`home` is the address of the page of what is on now, relative to the pages; "" where nothing is served."""
        self._home = home
        self._made: dict[str, bytes] = {}
        self._tags: dict[str, str] = {}

    def file(self, name: str) -> bytes | None:
        """The file of that name, such as "evening.html"; None if the guide has none."""
        if name not in self.names:
            return None
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def tag(self, name: str) -> str:
        """The ETag of a file that the guide has; KeyError before `file` has made it."""
        if name not in self._tags:
            self._tags[name] = f'"{hashlib.sha256(self._made[name]).hexdigest()[:16]}"'
        return self._tags[name]

    @cached_property
    def names(self) -> frozenset[str]:
        """Every file: pages, style, and what these name of the house's own files."""
        named = {*map(_named, _URL.findall(_sheet())), *(link for page in self.pages.values() for link in page.links)}
        shared = {name for name in named if name.partition("/")[0] in _FOLDERS}
        return frozenset({STYLE, *(f"{name}.html" for name in NAMES), *shared})

    @property
    def pages(self) -> Mapping[str, Rendered]:
        """Every page by its name."""
        return _pages()

    def _make(self, name: str) -> bytes:
        if name == STYLE:
            return _URL.sub(lambda found: f'url("{_named(found[1])}")', _sheet()).encode()
        if name.endswith(".html"):
            return self._page(name.removesuffix(".html")).encode()
        folder, _, path = name.partition("/")
        return (_FOLDERS[folder] / path).read_bytes()

    def _page(self, name: str) -> str:
        at = NAMES.index(name)
        around = {"before": "".join(NAMES[at - 1 : at]), "after": "".join(NAMES[at + 1 : at + 2])}
        about = {"name": name, "page": self.pages[name], "pages": self.pages, "around": around}
        return _template().render(**about, chapters=CHAPTERS, first=FIRST, home=self._home)


@cache
def _pages() -> Mapping[str, Rendered]:
    return {name: rendered((GUIDE / f"{name}.md").read_text(encoding="utf-8")) for name in NAMES}


@cache
def _template() -> Template:
    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("shared/guide.html")


def _named(address: str) -> str:
    """What a sheet calls `address`, as the guide calls it: `assets/fonts/rye.woff2`."""
    return normpath(f"static/css/pages/{address}")


def _sheet() -> str:
    """The style and what it imports, as one sheet."""
    return joined(_STYLE)

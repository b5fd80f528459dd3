"""The guide as a set of files below one folder: its pages, in their order, and the style, fonts and pictures they need.

The same files are served below `/guide/` and written by `highnoon guide`; every link in them is relative.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from posixpath import normpath

from jinja2 import Template

from broadcast.guide.render import Rendered, rendered
from broadcast.web.bundle import ADDRESS, joined
from broadcast.web.templates import strict_templates
from server.contests import CONTESTS
from server.paths import ASSETS, GUIDE, STATIC

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
_FOLDERS = {"assets": ASSETS, "static": STATIC}
"""Where the files lie that the guide shares with other pages."""


class Guide:
    """The files of the guide."""

    def __init__(self, home: str = "") -> None:
        """`home` is the address of the page of what is on now, relative to the pages; "" where nothing is served."""
        self._home = home

    def file(self, name: str) -> bytes | None:
        """The file of that name, such as "evening.html"; None if the guide has none."""
        if name not in self.names:
            return None
        if name == STYLE:
            return ADDRESS.sub(lambda found: f'url("{_named(found[1])}")', self._sheet).encode()
        if name.endswith(".html"):
            return self._page(name.removesuffix(".html")).encode()
        folder, _, path = name.partition("/")
        return (_FOLDERS[folder] / path).read_bytes()

    @cached_property
    def names(self) -> frozenset[str]:
        """Every file: pages, style, and what these name of the house's own files."""
        named = {
            *map(_named, ADDRESS.findall(self._sheet)),
            *(link for page in self.pages.values() for link in page.links),
        }
        shared = {name for name in named if name.partition("/")[0] in _FOLDERS}
        return frozenset({STYLE, *(f"{name}.html" for name in NAMES), *shared})

    @property
    def pages(self) -> Mapping[str, Rendered]:
        """Every page by its name."""
        return _pages()

    @cached_property
    def _sheet(self) -> str:
        """The style and what it imports."""
        return joined(STATIC / "css/pages" / STYLE)

    @cached_property
    def _template(self) -> Template:
        return strict_templates().get_template("shared/guide.html")

    def _page(self, name: str) -> str:
        at = NAMES.index(name)
        around = {"before": "".join(NAMES[at - 1 : at]), "after": "".join(NAMES[at + 1 : at + 2])}
        about = {"name": name, "page": self.pages[name], "pages": self.pages, "around": around}
        return self._template.render(**about, chapters=CHAPTERS, first=FIRST, home=self._home)


@cache
def _pages() -> Mapping[str, Rendered]:
    return {name: rendered((GUIDE / f"{name}.md").read_text(encoding="utf-8")) for name in NAMES}


def _named(address: str) -> str:
    """What a sheet calls `address`, as the guide calls it: `assets/fonts/rye.woff2`."""
    return normpath(f"static/css/pages/{address}")

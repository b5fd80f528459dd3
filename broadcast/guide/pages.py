"""Makes the files of the guide: its pages in order, and the style sheet, fonts and pictures that the pages need.

The program serves these files below `/guide/`, and `highnoon guide` writes them to a folder. All links are relative.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePath
from posixpath import normpath

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from broadcast.guide.render import GuidePage, render_page
from broadcast.web.answers import MEDIA_TYPES, Answer, AnswerCache, compressed_answer
from broadcast.web.brand import Brand
from broadcast.web.bundle import CSS_URL, joined_sources
from broadcast.web.routes import Route
from broadcast.web.static_files import etag_header
from broadcast.web.templates import strict_templates
from server.contests import CONTESTS
from server.paths import ASSETS, GUIDE, STATIC

CHAPTERS = {
    "Start": ("index", "first-steps", "systems", "evening", "desk", "obs", "remote"),
    "Bots": ("bots", "agents", "minds", "contests", *(f"protocol-{name}" for name in CONTESTS)),
    "Their server": ("boxes", "server", "containers", "classroom", "monitoring", "workers"),
    "Afterwards": ("recordings", "video", "ograf"),
    "Reference": ("commands", "event-file", "rules", "events", "http-api", "api", "glossary"),
    "Inside": ("how", "house", "files", "walks", "why", "promises", "figures", "working", "changelog"),
}
"""All pages in reading order."""
PAGE_NAMES = tuple(name for names in CHAPTERS.values() for name in names)
FIRST_PAGE = f"{PAGE_NAMES[0]}.html"
STYLE_SHEET = "guide.css"
_TEXT = "text/plain; charset=utf-8"
_MEDIA_TYPES = {".html": "text/html; charset=utf-8", ".toml": _TEXT, ".py": _TEXT, ".json": "application/schema+json"}
_SHARED_FOLDERS = {"assets": ASSETS, "static": STATIC}
"""Folders with files that the guide shares with other pages."""


class Guide:
    """Reads and renders the files of the guide."""

    def __init__(self, home: str = "", brand: Brand | None = None) -> None:
        """`home` is the relative address of the server's front page, or "" if the guide is only written to a folder.

        `brand` is the branding that this server shows, if any.
        """
        self._home = home
        self._brand = brand

    def file(self, name: str) -> bytes | None:
        """Returns the content of a file, such as "evening.html", or None if the guide has no such file."""
        if name not in self.names:
            return None
        if name == STYLE_SHEET:
            return CSS_URL.sub(lambda found: f'url("{_guide_path(found[1])}")', self._sheet).encode()
        if name.endswith(".html"):
            return self._render_page(name.removesuffix(".html")).encode()
        folder, _, path = name.partition("/")
        return (_SHARED_FOLDERS[folder] / path).read_bytes()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all files: the pages, the style sheet, and the shared files that these need."""
        links = (link for page in self.pages.values() for link in page.links)
        named = {*map(_guide_path, CSS_URL.findall(self._sheet)), *links}
        shared = {name for name in named if name.partition("/")[0] in _SHARED_FOLDERS}
        return frozenset({STYLE_SHEET, *(f"{name}.html" for name in PAGE_NAMES), *shared})

    @cached_property
    def pages(self) -> Mapping[str, GuidePage]:
        """All pages, keyed by name."""
        return {name: render_page((GUIDE / f"{name}.md").read_text(encoding="utf-8")) for name in PAGE_NAMES}

    @cached_property
    def _sheet(self) -> str:
        return joined_sources(STATIC / "css/pages" / STYLE_SHEET)

    def _render_page(self, name: str) -> str:
        index = PAGE_NAMES.index(name)
        around = {"before": "".join(PAGE_NAMES[index - 1 : index]), "after": "".join(PAGE_NAMES[index + 1 : index + 2])}
        values = {"name": name, "page": self.pages[name], "pages": self.pages, "around": around}
        template = strict_templates().get_template("shared/guide.html")
        shown = {"brand": self._brand, "root_path": self._home} if self._brand else {}
        return template.render(**values, **shown, chapters=CHAPTERS, first=FIRST_PAGE, home=self._home)


def guide_router(brand: Brand | None) -> APIRouter:
    """Returns the routes of the guide's files. The pages link back to the front page, and show the `brand`, if any."""
    router = APIRouter(route_class=Route)
    guide, cache = Guide("../", brand), AnswerCache()

    def file(name: str) -> Answer:
        content = guide.file(name)
        if content is None:
            raise HTTPException(404)
        return compressed_answer(content, (MEDIA_TYPES | _MEDIA_TYPES)[PurePath(name).suffix], etag_header(content))

    @router.get("/guide")
    async def enter() -> Response:
        return RedirectResponse("/guide/")

    @router.get("/guide/{name:path}")
    async def answer(request: Request, name: str) -> Response:
        name = name or FIRST_PAGE
        return (await cache.get(name, None, lambda: file(name))).response_for(request)

    return router


def _guide_path(address: str) -> str:
    """Returns the guide's name for an `address` in the style sheet, such as `assets/fonts/rye.woff2`."""
    return normpath(f"static/css/pages/{address}")

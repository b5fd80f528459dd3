"""Makes a package of OGraf graphics (EBU OGraf 1.0): parts of the show's picture as web components.

The graphics show a recording from the package, or what is on air at a server. The package is a folder that any file
server can serve. All addresses in the package are relative, except the address of a live show's server.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from broadcast.film.film import Film, index_of
from broadcast.publish.files import program_files
from broadcast.web.brand import Brand
from broadcast.web.bundle import BUNDLE_FOLDER, files_to_load
from broadcast.web.templates import page_templates
from server.paths import STATIC
from server.version import VERSION

SCHEMA = "https://ograf.ebu.io/v1/specification/json-schemas/graphics/schema.json"
MANIFEST_ENDING = ".ograf.json"
STAGE_PAGE = "stage.html"
RECORDING_NAME = "show"
_COMPONENTS_FOLDER = "js/ograf"
_SHARED_PATHS = ("static/art/", "assets/fonts/", "assets/avatars/", "licences/")
"""The graphics need scripts, style sheets, and all files whose paths begin with one of these texts."""


class Graphic(Struct, frozen=True):
    """A graphic: its name for people, what it shows, and whether it covers the whole picture."""

    title: str
    about: str
    is_full_screen: bool = False


GRAPHICS: Mapping[str, Graphic] = {
    "lower-third": Graphic("Lower third", "Stage and hand, the caption, prizes or places at stake, and the branding."),
    "standings": Graphic("Standings", "Ranks, chips and their course, game by game.", is_full_screen=True),
    "table": Graphic("Table", "The table with all bots, cards, chances to win and pots.", is_full_screen=True),
    "champion": Graphic("Champion", "The champion and all places with their prizes.", is_full_screen=True),
    "storyline": Graphic("Storyline", "A storyline while it is announced, or the controller's own text."),
}


class Server(Struct, frozen=True):
    """The server of a live show. `root` is the address of its front page, with "/" at its end."""

    root: str
    channel: str

    @classmethod
    def from_address(cls, address: str) -> "Server":
        """Returns the server at an address such as "https://poker.example/?channel=main". Raises ValueError."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.fragment:
            raise ValueError(f"should be the address of a server such as http://192.168.1.20:8000, not {address[:100]}")
        root = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/"
        return cls(root, parse_qs(parts.query).get("channel", ["main"])[0])


def package_files(source: Film | Server, media: Mapping[str, Path], brand: Brand | None) -> Iterator[tuple[str, bytes]]:
    """Yields the path and content of each file of a package. `media` are the pictures of a film's bots, keyed by file
    name.
    """
    kind: Literal["recording", "live"] = "live" if isinstance(source, Server) else "recording"
    for name in GRAPHICS:
        yield f"{name}{MANIFEST_ENDING}", f"{json.dumps(manifest(name, kind), indent=2)}\n".encode()
    yield STAGE_PAGE, _stage(source, brand).encode()
    if isinstance(source, Film):
        version, index = index_of(source)
        yield f"films/{RECORDING_NAME}/index.json", gzip.decompress(index)
        for number, segment in enumerate(source.segments):
            yield f"films/{RECORDING_NAME}/{version}/{number}.seg", segment
    for name, path in media.items():
        yield f"media/{name}", path.read_bytes()
    for name, content in (brand.files if brand else {}).items():
        yield f"brand/{name}", content
    yield from _program_files()


def manifest(name: str, kind: Literal["recording", "live"]) -> dict[str, Any]:
    """Returns the manifest of the graphic `name`, for a package that shows a recording or a live show."""
    graphic, is_recorded = GRAPHICS[name], kind == "recording"
    network = {} if is_recorded else {"accessToPublicInternet": {"ideal": True}}
    return {
        "$schema": SCHEMA,
        "id": f"high-noon.{name}.{kind}",
        "version": VERSION,
        "name": f"High Noon: {graphic.title}",
        "description": graphic.about,
        "author": {"name": "High Noon"},
        "main": f"static/{_COMPONENTS_FOLDER}/{name}.js",
        "supportsRealTime": True,
        "supportsNonRealTime": is_recorded,
        "stepCount": 1,
        "schema": {"type": "object", "properties": dict(_properties(name, is_recorded=is_recorded))},
        "renderRequirements": [
            {"resolution": {"width": {"ideal": 1920}, "height": {"ideal": 1080}}, **network},
        ],
    }


def _properties(name: str, *, is_recorded: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the properties that an OGraf controller may set, which `static/js/ograf/data.js` reads."""
    if is_recorded:
        whole = {"type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0}
        yield "hand", {**whole, "title": "Hand", "description": "Where the recording begins; 0 is its line-up"}
        yield "speed", {"type": "number", "title": "Speed", "minimum": 0.25, "maximum": 8, "default": 1}
    if not GRAPHICS[name].is_full_screen:
        text = {"type": "string", "maxLength": 200, "default": "", "gddType": "single-line"}
        yield "text", {**text, "title": "Text", "description": "Written in place of what the show says"}
    else:
        yield "background", {"type": "boolean", "title": "Background", "default": True}
    yield "theme", _choice("Theme", "western", "plain")
    yield "deck", _choice("Colours of the suits", "4", "2")


def _choice(title: str, *choices: str) -> dict[str, Any]:
    labels = {"labels": {choice: choice for choice in choices}}
    kind = {"type": "string", "gddType": "select", "gddOptions": labels}
    return {**kind, "title": title, "enum": list(choices), "default": choices[0]}


def _stage(source: Film | Server, brand: Brand | None) -> str:
    is_live = isinstance(source, Server)
    site = {"root": source.root if isinstance(source, Server) else "./", "program": "./", "brand": "./"}
    values = {
        "channel": source.channel if isinstance(source, Server) else "",
        "recording": "" if is_live else RECORDING_NAME,
    }
    return page_templates().get_template("ograf/stage.html").render(site=site, brand=brand, **values)


def _program_files() -> Iterator[tuple[str, bytes]]:
    for path in sorted((STATIC / _COMPONENTS_FOLDER).glob("*.js")):
        if path.name not in ("stage.js", "parts.js"):
            yield f"static/{_COMPONENTS_FOLDER}/{path.name}", path.read_bytes()
    for entry in (
        STATIC / _COMPONENTS_FOLDER / "stage.js",
        STATIC / "css/ograf/stage.css",
        STATIC / "css/common/branding.css",
    ):
        for path in files_to_load(entry):
            name = path.relative_to(STATIC).as_posix().removeprefix(f"{BUNDLE_FOLDER}/")
            yield f"static/{name}", path.read_bytes()
    for name, content in program_files().files.items():
        if name.startswith(_SHARED_PATHS):
            yield name, content

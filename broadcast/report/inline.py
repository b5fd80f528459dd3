"""Puts styles, fonts and scripts into a page, so that it can be sent as one file, with a policy that allows only those.

Only files of our own become markup here.
"""

import base64
import hashlib
import mimetypes
import re
from pathlib import Path

from markupsafe import Markup
from msgspec import Struct

from broadcast.web.bundle import joined
from server.paths import STATIC

_ADDRESS = re.compile(r'url\("?(\.[^")]+)"?\)')


class Inlined(Struct, frozen=True):
    """A style and a script element, and a policy under which a browser takes them, `data:` files, and nothing else."""

    style: Markup
    script: Markup
    policy: str


def inlined(sheet: str, module: str = "") -> Inlined:
    """The file `sheet` of static/css and the `module` of static/js, if there is one, each with all that it imports.

    Raises OSError where a file cannot be read.
    """
    path = STATIC / "css" / sheet
    style = _ADDRESS.sub(lambda found: f'url("{_file(path.parent / found[1])}")', joined(path))
    script = joined(STATIC / "js" / module) if module else ""
    assert "</" not in style + script, "an end tag would end the element"
    policy = (
        f"default-src 'none'; img-src data:; media-src data:; font-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return Inlined(
        Markup(f"<style>{style}</style>"),  # noqa: S704 (our own files)
        Markup(f'<script type="module">{script}</script>'),  # noqa: S704 (our own files)
        policy,
    )


def in_place(content: bytes, kind: str) -> str:
    """A `data:` address that holds `content`, of the media type `kind`."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _file(path: Path) -> str:
    """A file of ours as a `data:` address that holds it."""
    return in_place(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "font/woff2")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

"""Stores the organiser's branding, which every page and every scene shows: logo, title, sponsor's line, colours.

The branding is kept in one file beside the bots' pictures and sounds. All pages that show the bots find it there. The
files that pages load are named after their content, so browsers may keep them for ever.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from server.journal.atomic_file import write_atomically
from server.text.regular_file import read_at_most

BRAND_FILE = "brand.json"
_MAX_BYTES = 2_000_000
_MAX_CHARACTERS = 100
Colour = Annotated[str, Meta(pattern=r"\A#[0-9a-f]{6}\Z")]
Text = Annotated[str, Meta(max_length=_MAX_CHARACTERS)]


class Brand(Struct, frozen=True):
    """The branding. `logo` is a WebP, or b"" for none. Any text may be ""."""

    ground: Colour
    ink: Colour
    accent: Colour
    title: Text = ""
    sponsor: Text = ""
    logo: bytes = b""

    @property
    def colours(self) -> str:
        """A style sheet that sets the colours. Its selector overrides the selector of any theme."""
        names = {"--brand-ground": self.ground, "--brand-ink": self.ink, "--brand-accent": self.accent}
        lines = [f"{name}: {colour}" for name, colour in {**names, "--band-line": self.accent}.items()]
        return f":root, :root[data-theme] {{ {'; '.join(lines)} }}\n"

    @property
    def sheet_name(self) -> str:
        return _hashed_name(self.colours.encode(), ".css")

    @property
    def logo_name(self) -> str:
        """The name of the logo's file, or "" if there is no logo."""
        return _hashed_name(self.logo, ".webp") if self.logo else ""

    @property
    def files(self) -> Mapping[str, bytes]:
        """The files that pages load, by name."""
        logo = {self.logo_name: self.logo} if self.logo else {}
        return {self.sheet_name: self.colours.encode(), **logo}


def write_brand(media: Path, brand: Brand | None) -> None:
    """Stores the branding in the folder `media`. If `brand` is None, removes a stored branding. Raises OSError."""
    if brand:
        write_atomically(media / BRAND_FILE, msgspec.json.encode(brand))
    else:
        (media / BRAND_FILE).unlink(missing_ok=True)


def read_brand(media: Path) -> Brand | None:
    """Returns the branding in the folder `media`, or None if it is missing or unreadable."""
    try:
        brand = msgspec.json.decode(read_at_most(media / BRAND_FILE, _MAX_BYTES), type=Brand)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return brand if not brand.logo or brand.logo.startswith(b"RIFF") else None


def _hashed_name(content: bytes, suffix: str) -> str:
    return sha256(content).hexdigest()[:16] + suffix

"""Reads the branding in a tournament's event file (its settings): a title, a sponsor's line, a logo and colours. Checks
that the colours have enough contrast.
"""

import re
from functools import partial
from pathlib import Path

from msgspec import Struct

from server.config.event_reader import EventReader, Table
from server.config.event_values import describe_value, single_line, text

MAX_TITLE_CHARACTERS, MAX_SPONSOR_CHARACTERS = 40, 60
"""The maximum numbers of characters of the title and of the sponsor's line. Texts of this length fit into one line on
screen.
"""
MAX_LOGO_BYTES = 1_000_000
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_LINE_SURFACES = (("the western theme's lower third", "#1f1209"), ("the plain theme's lower third", "#0b0e13"))
"""The names and colours of those surfaces of the overlay on which the branding draws lines. Each colour is `--band` of
a theme in `static/css/common/tokens.css`.
"""
_TEXT_RATIO, _LINE_RATIO = 4.5, 3.0
"""The lowest contrast that the guidelines WCAG 2.2 allow for text (1.4.3), and for lines and edges (1.4.11)."""


class BrandingPlan(Struct, frozen=True):
    """The organiser's branding of every scene and page. Colours are "#rrggbb"."""

    title: str = ""
    sponsor: str = ""
    logo: Path | None = None
    ground: str = "#1f1209"
    """The colour behind the logo and the texts."""
    ink: str = "#fff4d9"
    """The colour of the texts."""
    accent: str = "#d8a648"
    """The colour of lines: the edges of the ground and of the lower third, and the lines between parts of pages."""


def read_branding(reader: EventReader, root: Table, event_folder: Path) -> BrandingPlan | None:
    """Returns the branding, or None if the file has no branding. Adds a fault if colours are hard to tell apart. The
    logo's path may be relative to the folder `event_folder`.
    """
    if "branding" not in root:
        return None
    table, defaults = reader.read_table(root, "branding"), BrandingPlan()
    plan = BrandingPlan(
        title=reader.read(table, "branding", "title", single_line(MAX_TITLE_CHARACTERS), ""),
        sponsor=reader.read(table, "branding", "sponsor", single_line(MAX_SPONSOR_CHARACTERS), ""),
        logo=reader.read(table, "branding", "logo", partial(_find_logo, event_folder), None),
        ground=reader.read(table, "branding", "ground", _read_colour, defaults.ground),
        ink=reader.read(table, "branding", "ink", _read_colour, defaults.ink),
        accent=reader.read(table, "branding", "accent", _read_colour, defaults.accent),
    )
    if not {"title", "sponsor", "logo"} & table.keys():
        reader.add_fault("branding", "has nothing to show: write a title, a sponsor or a logo")
    pairs = [("ink", "ground", plan.ground, _TEXT_RATIO), ("accent", "ground", plan.ground, _LINE_RATIO)]
    pairs += [("accent", band, colour, _LINE_RATIO) for band, colour in _LINE_SURFACES]
    for key, other, background, min_ratio in pairs:
        colour: str = getattr(plan, key)
        ratio = contrast(colour, background)
        if ratio < min_ratio:
            fault_key = key if key in table or other not in table else other
            finding = f"{key} {colour} on {other} {background} has a contrast of {_round_down(ratio)} : 1"
            reader.add_fault(
                f"branding.{fault_key}", f"{finding}; at least {min_ratio:g} : 1 is needed to read it (WCAG 2.2)"
            )
    return plan


def contrast(one: str, other: str) -> float:
    """Returns the contrast of two colours "#rrggbb" by WCAG 2.2: 1 if they are equal, 21 for black and white."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = (int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _round_down(ratio: float) -> str:
    """Writes a ratio with one digit, rounded down, so that 4.49 does not look like 4.5."""
    return f"{int(ratio * 10) / 10:g}"


def _read_colour(value: object) -> str:
    """Reads a colour, and returns it in lower case. Raises ValueError."""
    colour = value.lower() if isinstance(value, str) else ""
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f'should be a colour such as "#d8a648", not {describe_value(value)}')
    return colour


def _find_logo(event_folder: Path, value: object) -> Path:
    """Returns the path of an existing picture. `value` may be relative to `event_folder`. Raises ValueError."""
    path = event_folder / text(value)
    if not path.is_file():
        raise ValueError(f'there is no file "{value}" in {event_folder}')
    if path.stat().st_size > MAX_LOGO_BYTES:
        raise ValueError(f'"{value}" is larger than {MAX_LOGO_BYTES // 1_000_000} MB')
    return path

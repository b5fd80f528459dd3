"""The picture of a link, 1200 x 630 pixels: a hand with the bots it was between, or a contest with its winner.

Drawn with Pillow; it takes some 0.1 s of processor time, so callers draw in a thread.
"""

import zlib
from functools import cached_property
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from broadcast.recordings.drawing import (
    BAND,
    BAND_LINE,
    BOLD,
    CREAM,
    GOLD,
    INK,
    PAPER_EDGE,
    TEXT,
    TITLE,
    Font,
    Picture,
    card,
    centres_in_row,
    fitting_font,
    paper,
    paste_with_shadow,
    readable,
    square_avatar,
    two_lines,
)
from broadcast.recordings.link_text import LinkText, Poster
from server.paths import ASSETS

WIDTH, HEIGHT = 1200, 630
_POSTER = (318, 494)
_LEFT, _RIGHT = 188, 1012
"""The x of a poster's centre, in pixels."""


class LinkImages:
    """Draws pictures of links, all on the same background, which is read once."""

    def __init__(self, media: Path) -> None:
        """Bots' pictures are read from the folder `media`; a bot whose picture is not there gets the default one."""
        self._media = media

    def draw(self, text: LinkText) -> bytes:
        """The picture as a PNG. Raises OSError where our own pictures or fonts cannot be read."""
        picture = self._table.copy()
        middle, width = (762, 720) if len(text.posters) == 1 else (600, 450)
        _centre(picture, (middle, 146), fitting_font(TITLE, readable(text.head, "High Noon"), 76, width), GOLD)
        _centre(picture, (middle, 196), fitting_font(TEXT, readable(text.line, ""), 42, width), CREAM)
        rows = [poster.cards for poster in text.posters if poster.cards] or [text.cards]
        for at, cards in zip(centres_in_row(len(rows), 214, 20, middle), rows, strict=True):
            for x, face in zip(centres_in_row(len(cards), 100, 8, at), cards, strict=True):
                paste_with_shadow(picture, card(face, 100), (x, 350))
        for place, name in enumerate(text.places, 1):
            Font(TITLE, 54).write(picture, (460, 230 + 86 * place), f"{place}", GOLD)
            font, cut = fitting_font(BOLD, readable(name, "a bot"), 54, 560)
            font.write(picture, (530, 230 + 86 * place), cut, CREAM)
        for poster, x, turn in zip(text.posters, (_LEFT, _RIGHT), (3, -3), strict=False):
            paste_with_shadow(picture, _sheet(poster, self._media), (x, 290), turn)
        _write_band(picture, text.where)
        file = BytesIO()
        picture.save(file, "PNG", compress_type=zlib.Z_RLE)  # half the time of the default, for a twelfth more bytes
        return file.getvalue()

    @cached_property
    def _table(self) -> Picture:
        with Image.open(ASSETS / "pictures" / "link-table.webp") as opened:
            return opened.convert("RGB")


def _centre(picture: Picture, at: tuple[int, int], fit: tuple[Font, str], colour: str) -> None:
    font, text = fit
    font.write(picture, at, text, colour, middle=True)


def _sheet(poster: Poster, media: Path) -> Picture:
    """One bot's poster: its picture, its name and its chips."""
    width, height = _POSTER
    sheet = paper(width, height)
    _centre(sheet, (width // 2, 80), fitting_font(TITLE, "WANTED" if poster.name else "HIGH NOON", 66, width - 60), INK)
    side = 232
    left, top = (width - side) // 2, 102
    ImageDraw.Draw(sheet).rectangle((left - 5, top - 5, left + side + 4, top + side + 4), INK)
    sheet.paste(square_avatar(_picture_of(poster.avatar, media), side), (left, top))
    if poster.name:
        _write_name(sheet, readable(poster.name, "a bot"))
        ImageDraw.Draw(sheet).line((44, 420, width - 44, 420), PAPER_EDGE, 3)
    if poster.chips:
        small, amount, chips = Font(TEXT, 34), Font(BOLD, 50), f"{poster.chips:,}"
        x = (width - small.width(f"{poster.of} ") - amount.width(chips)) / 2
        small.write(sheet, (x, 466), f"{poster.of} ", INK)
        amount.write(sheet, (x + small.width(f"{poster.of} "), 468), chips, INK)
    return sheet


def _write_name(sheet: Picture, name: str) -> None:
    """Writes a name below the picture, in two lines where one would be too small to read."""
    width = sheet.width - 44
    lines = [line for line in two_lines(name, Font(BOLD, 38), width) if line]
    for at, line in enumerate(lines):
        y = 396 if len(lines) == 1 else 376 + 34 * at
        _centre(sheet, (sheet.width // 2, y), fitting_font(BOLD, line, 46 if len(lines) == 1 else 36, width), INK)


def _picture_of(avatar: str, media: Path) -> Path:
    """The path of a bot's prepared picture in `media`, of the default one if there is none. Never leads elsewhere."""
    path = media / Path(avatar).name
    return path if avatar and path.suffix == ".webp" and path.is_file() else ASSETS / "avatars" / "default.webp"


def _write_band(picture: Picture, where: str) -> None:
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 556, WIDTH, HEIGHT), BAND)
    draw.line((0, 556, WIDTH, 556), BAND_LINE, 4)
    Font(TITLE, 44).write(picture, (36, 609), "HIGH NOON", GOLD)
    font, text = fitting_font(TEXT, readable(where, ""), 36, 800)
    font.write(picture, (WIDTH - 36 - font.width(text), 607), text, CREAM)

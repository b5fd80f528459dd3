"""The picture of a link, 1200 x 630: a hand with those who meet in it, or a contest with its winner. Knows Pillow.

Takes a tenth of a second of a processor, so it is drawn in a thread.
"""

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
    Letters,
    Picture,
    card,
    fitted,
    halves,
    laid,
    paper,
    photograph,
    places_of,
    readable,
)
from broadcast.recordings.link_text import LinkText, Poster
from server.paths import ASSETS

WIDTH, HEIGHT = 1200, 630
_POSTER = (318, 494)
_LEFT, _RIGHT = 188, 1012
"""Where the middle of a poster is, in pixels."""


class LinkImages:
    """Draws the pictures of links on one table."""

    def __init__(self, media: Path) -> None:
        """Bots' pictures are taken from the folder `media`, the default where they are not there."""
        self._media = media

    def draw(self, text: LinkText) -> bytes:
        """The picture as a PNG. Raises OSError where our own pictures or fonts cannot be read."""
        picture = self._table.copy()
        middle, width = (762, 720) if len(text.posters) == 1 else (600, 450)
        _centre(picture, (middle, 146), fitted(TITLE, readable(text.head, "High Noon"), 76, width), GOLD)
        _centre(picture, (middle, 196), fitted(TEXT, readable(text.line, ""), 42, width), CREAM)
        rows = [poster.cards for poster in text.posters if poster.cards] or [text.cards]
        for at, cards in zip(places_of(len(rows), 214, 20, middle), rows, strict=True):
            for x, face in zip(places_of(len(cards), 100, 8, at), cards, strict=True):
                laid(picture, card(face, 100), (x, 350))
        for place, name in enumerate(text.places, 1):
            Letters(TITLE, 54).write(picture, (460, 230 + 86 * place), f"{place}", GOLD)
            letters, cut = fitted(BOLD, readable(name, "a bot"), 54, 560)
            letters.write(picture, (530, 230 + 86 * place), cut, CREAM)
        for poster, x, turn in zip(text.posters, (_LEFT, _RIGHT), (3, -3), strict=False):
            laid(picture, _sheet(poster, self._media), (x, 290), turn)
        _write_band(picture, text.where)
        file = BytesIO()
        picture.save(file, "PNG")
        return file.getvalue()

    @cached_property
    def _table(self) -> Picture:
        with Image.open(ASSETS / "pictures" / "link-table.webp") as opened:
            return opened.convert("RGB")


def _centre(picture: Picture, at: tuple[int, int], fit: tuple[Letters, str], colour: str) -> None:
    letters, text = fit
    letters.write(picture, at, text, colour, middle=True)


def _sheet(poster: Poster, media: Path) -> Picture:
    """A poster, wanted for what it won or has."""
    width, height = _POSTER
    sheet = paper(width, height)
    _centre(sheet, (width // 2, 80), fitted(TITLE, "WANTED" if poster.name else "HIGH NOON", 66, width - 60), INK)
    side = 232
    left, top = (width - side) // 2, 102
    ImageDraw.Draw(sheet).rectangle((left - 5, top - 5, left + side + 4, top + side + 4), INK)
    sheet.paste(photograph(_picture_of(poster.avatar, media), side), (left, top))
    if poster.name:
        _write_name(sheet, readable(poster.name, "a bot"))
        ImageDraw.Draw(sheet).line((44, 420, width - 44, 420), PAPER_EDGE, 3)
    if poster.chips:
        small, amount, told = Letters(TEXT, 34), Letters(BOLD, 50), f"{poster.chips:,}"
        x = (width - small.width(f"{poster.of} ") - amount.width(told)) / 2
        small.write(sheet, (x, 466), f"{poster.of} ", INK)
        amount.write(sheet, (x + small.width(f"{poster.of} "), 468), told, INK)
    return sheet


def _write_name(sheet: Picture, name: str) -> None:
    """A name below its photograph, in two lines where one would be too small."""
    width = sheet.width - 44
    lines = [line for line in halves(name, Letters(BOLD, 38), width) if line]
    for at, line in enumerate(lines):
        y = 396 if len(lines) == 1 else 376 + 34 * at
        _centre(sheet, (sheet.width // 2, y), fitted(BOLD, line, 46 if len(lines) == 1 else 36, width), INK)


def _picture_of(avatar: str, media: Path) -> Path:
    """A prepared file of `media` and of no other folder."""
    path = media / Path(avatar).name
    return path if avatar and path.suffix == ".webp" and path.is_file() else ASSETS / "avatars" / "default.webp"


def _write_band(picture: Picture, where: str) -> None:
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 556, WIDTH, HEIGHT), BAND)
    draw.line((0, 556, WIDTH, 556), BAND_LINE, 4)
    Letters(TITLE, 44).write(picture, (36, 609), "HIGH NOON", GOLD)
    letters, text = fitted(TEXT, readable(where, ""), 36, 800)
    letters.write(picture, (WIDTH - 36 - letters.width(text), 607), text, CREAM)

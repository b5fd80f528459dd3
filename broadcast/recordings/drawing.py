"""What the pictures of links are made of: letters of our own faces, cards, paper. Knows Pillow.

Nothing is decoded here but files of the house and media that were made safe before.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from broadcast.recordings.suits import suit_outlines
from server.game.cards import Card
from server.paths import ASSETS

FONTS = ASSETS / "fonts"
Picture = Image.Image
Face = Literal["rye-{}-400-normal", "barlow-condensed-{}-600-normal", "barlow-condensed-{}-700-normal"]
TITLE: Face = "rye-{}-400-normal"
TEXT: Face = "barlow-condensed-{}-600-normal"
BOLD: Face = "barlow-condensed-{}-700-normal"
Colour = str
Point = tuple[float, float]

INK, CREAM, GOLD = "#24150a", "#fff4d9", "#ffcf5c"
PAPER, PAPER_LIGHT, PAPER_EDGE = "#e9cf9b", "#f1dcae", "#c9a669"
BAND, BAND_LINE = "#1f1209", "#d8a648"
_SUIT_COLOURS = {"s": "#16191f", "h": "#b81d18", "d": "#0b4fb0", "c": "#0f6a2b"}
_FINE = 3
"""Curves are drawn so many times as large and made smaller: Pillow draws no soft edges."""


class Letters:
    """One of our faces at a size in pixels; letters that it does not have are left out."""

    def __init__(self, face: Face, size: int) -> None:
        self._fonts = {part: ImageFont.truetype(FONTS / f"{face.format(part)}.woff2", size) for part in _PARTS}
        self.size = size

    def width(self, text: str) -> float:
        return sum(self._fonts[part].getlength(run) for part, run in _runs(text))

    def write(self, on: Picture, at: Point, text: str, colour: Colour, *, middle: bool = False) -> None:
        """Writes `text` with its baseline at `at`, beginning there or, with `middle`, around it."""
        x, y = at
        x -= self.width(text) / 2 if middle else 0
        draw = ImageDraw.Draw(on)
        for part, run in _runs(text):
            draw.text((x, y), run, colour, self._fonts[part], anchor="ls")
            x += self._fonts[part].getlength(run)


_PARTS = ("latin", "latin-ext")
_BESIDE = "\u0131\u0152\u0153\u20ac\u2122\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
"""What the first file has besides the letters of Western Europe."""


def _part_of(letter: str) -> str:
    """The file that has a letter; "" where none of ours has."""
    code = ord(letter)
    if 0x20 <= code <= 0xFF or letter in _BESIDE:
        return "latin"
    return "latin-ext" if 0x100 <= code <= 0x2BA or 0x1E00 <= code <= 0x1EFF else ""


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces of the same file."""
    part, run = "", ""
    for letter in text:
        here = _part_of(letter)
        if here != part and run:
            yield part, run
            run = ""
        part, run = here or part, run + letter if here else run
    if run:
        yield part, run


def readable(text: str, otherwise: str) -> str:
    """`text` as far as we have letters for it; `otherwise` where that is less than half."""
    kept = "".join(letter for letter in text if _part_of(letter))
    return kept.strip() if len(kept.strip()) * 2 >= len(text.strip()) > 0 else otherwise


def fitted(face: Face, text: str, size: int, width: float, least: int = 24) -> tuple[Letters, str]:
    """Letters in which `text` is no wider than `width`, and the text, cut where even the least size is too wide."""
    letters = Letters(face, size)
    while letters.width(text) > width and letters.size > least:
        letters = Letters(face, max(least, min(letters.size - 2, int(letters.size * width / letters.width(text)))))
    while letters.width(text) > width and len(text) > 1:
        text = f"{text.rstrip('…')[:-1].rstrip()}…"
    return letters, text


def halves(text: str, letters: Letters, width: float) -> tuple[str, str]:
    """`text` in two lines where one is too narrow for it; the first holds as many words as it can."""
    words = text.split()
    count = len(words)
    while count > 1 and letters.width(" ".join(words[:count])) > width:
        count -= 1
    return " ".join(words[:count]), " ".join(words[count:])


# -- things ----------------------------------------------------------------------------------------


def card(face: Card, width: int) -> Picture:
    """A card's face, its rank above and its suit below."""
    wide, high = width * _FINE, int(width * 1.4) * _FINE
    picture = Image.new("RGBA", (wide, high))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, wide - 1, high - 1), wide * 0.1, GOLD)
    inset = wide * 0.045
    draw.rounded_rectangle((inset, inset, wide - 1 - inset, high - 1 - inset), wide * 0.07, "#fffaf0")
    colour, rank = _SUIT_COLOURS[face[1]], face[0].replace("T", "10")
    letters = Letters(BOLD, int(wide * 0.5))
    letters.write(picture, (wide * 0.09, high * 0.38), rank, colour)
    left, top, size = wide * 0.36, high * 0.47, wide * 0.54
    draw.polygon([(left + size * x / 100, top + size * y / 100) for x, y in suit_outlines()[face[1]]], colour)
    return picture.resize((width, high // _FINE), Image.Resampling.LANCZOS)


def paper(width: int, height: int) -> Picture:
    """A sheet with torn edges."""
    dice = random.Random(3)  # noqa: S311 (torn edges)
    sheet = Image.new("RGBA", (width, height))
    edge = [
        *((x, dice.uniform(2, 9)) for x in range(4, width - 4, 14)),
        *((width - dice.uniform(2, 9), y) for y in range(4, height - 4, 14)),
        *((x, height - dice.uniform(2, 9)) for x in range(width - 4, 4, -14)),
        *((dice.uniform(2, 9), y) for y in range(height - 4, 4, -14)),
    ]
    draw = ImageDraw.Draw(sheet)
    draw.polygon(edge, PAPER_EDGE)
    middle = (width / 2, height / 2)
    draw.polygon([(x + (middle[0] - x) * 0.025, y + (middle[1] - y) * 0.018) for x, y in edge], PAPER_LIGHT)
    return sheet


def laid(on: Picture, thing: Picture, at: tuple[int, int], turn: float = 0) -> None:
    """Lays a thing on the picture, its middle at `at`, turned by so many degrees, with its shadow."""
    turned = thing.rotate(turn, Image.Resampling.BICUBIC, expand=True) if turn else thing
    x, y = at[0] - turned.width // 2, at[1] - turned.height // 2
    margin = 16
    shadow = Image.new("L", (turned.width + 2 * margin, turned.height + 2 * margin))
    shadow.paste(turned.getchannel("A").point(lambda solid: solid * 6 // 10), (margin, margin))
    shadow = shadow.filter(ImageFilter.GaussianBlur(7))
    on.paste(
        "#0c0602",
        (x - margin + 4, y - margin + 7, x + turned.width + margin + 4, y + turned.height + margin + 7),
        shadow,
    )
    on.paste(turned, (x, y), turned)


def photograph(path: Path, side: int) -> Picture:
    """A bot's picture, squared."""
    with Image.open(path, formats=("WEBP",)) as opened:
        flat = Image.new("RGBA", opened.size, "#c7a468")
        flat.alpha_composite(opened.convert("RGBA"))
    return flat.resize((side, side), Image.Resampling.LANCZOS)


def places_of(count: int, width: int, gap: int, middle: int) -> Sequence[int]:
    """The middles of `count` things in a row, each so wide, around `middle`."""
    first = middle - (count - 1) * (width + gap) // 2
    return [first + step * (width + gap) for step in range(count)]

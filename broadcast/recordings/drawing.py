"""Draws text, cards, paper and avatars for the pictures of link previews, with Pillow. The suits look as in the show.

Reads only this program's files, and bots' pictures that `broadcast.media` has made safe.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from server.game.cards import Card
from server.paths import ASSETS, STATIC

Picture = Image.Image
Face = Literal["rye-{}-400-normal", "barlow-condensed-{}-600-normal", "barlow-condensed-{}-700-normal"]
"""The name of a typeface's font files. Each file has its own text in place of `{}`, such as "latin"."""
TITLE: Face = "rye-{}-400-normal"
TEXT: Face = "barlow-condensed-{}-600-normal"
BOLD: Face = "barlow-condensed-{}-700-normal"
Point = tuple[float, float]

INK, CREAM, GOLD = "#24150a", "#fff4d9", "#ffcf5c"
PAPER, PAPER_LIGHT, PAPER_EDGE = "#e9cf9b", "#f1dcae", "#c9a669"
BAND, BAND_LINE = "#1f1209", "#d8a648"
MIN_SIZE = 24
_SUIT_COLOURS = {"s": "#16191f", "h": "#b81d18", "d": "#0b4fb0", "c": "#0f6a2b"}
_PAPER_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_PAPER_PATH = re.compile(r'class="paper__(sheet|light)" d="M([\d. L-]+)Z?"')
_SUIT_OUTLINE = re.compile(r'^  ([cdhs]): "([^"]+)",$', re.MULTILINE)
_PATH_COMMAND = re.compile(r"([MCcHhz])([^MCcHhz]*)")
_LINES_PER_CURVE = 12
_OVERSAMPLING = 3
"""Shapes are drawn larger by this factor and then scaled down, because Pillow draws jagged edges."""


class Font:
    """One of the program's typefaces at a size in pixels. Characters that the typeface lacks are left out."""

    def __init__(self, face: Face, size: int) -> None:
        self._face = face
        self.size = size

    def width(self, text: str) -> float:
        """Returns the width of `text` in pixels."""
        return sum(self._font_of_file(part).getlength(run) for part, run in _runs(text))

    def write(self, picture: Picture, at: Point, text: str, colour: str, *, is_centred: bool = False) -> None:
        """Writes `text` on a baseline that starts at `at`. With `is_centred`, `at` is the middle of the baseline."""
        x, y = at
        x -= self.width(text) / 2 if is_centred else 0
        draw = ImageDraw.Draw(picture)
        for part, run in _runs(text):
            draw.text((x, y), run, colour, self._font_of_file(part), anchor="ls")
            x += self._font_of_file(part).getlength(run)

    def _font_of_file(self, part: str) -> ImageFont.FreeTypeFont:
        return _opened_font(self._face.format(part), self.size)


@lru_cache(maxsize=64)
def _opened_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Opens one of the typefaces' files. The latest files stay open, because unpacking a file takes longer than writing
    a text.
    """
    return ImageFont.truetype(ASSETS / "fonts" / f"{name}.woff2", size)


_BASIC_CHARACTERS = "\u00a0\u00b7\u00bc\u00bd\u00be\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
"""The characters beyond U+007E that the font file "basic" has."""
_LATIN_CHARACTERS = "\u0131\u0152\u0153\u20ac\u2122"
"""The characters beyond U+00FF that the font file "latin" has."""


def _font_file(character: str) -> str:
    """Returns the font file that has `character`, or "" if no file has it."""
    code = ord(character)
    if 0x20 <= code <= 0x7E or character in _BASIC_CHARACTERS:
        return "basic"
    if 0x7F <= code <= 0xFF or character in _LATIN_CHARACTERS:
        return "latin"
    return "latin-ext" if 0x100 <= code <= 0x2BA or 0x1E00 <= code <= 0x1EFF else ""


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Splits a text where the font file changes. Yields (file, piece). Leaves out characters that no file has."""
    for part, run in groupby(filter(_font_file, text), _font_file):
        yield part, "".join(run)


def drawable_text(text: str, default: str) -> str:
    """Returns `text` without the characters that the fonts lack, or `default` if less than half of the text remains."""
    kept = "".join(filter(_font_file, text))
    return kept.strip() if len(kept.strip()) * 2 >= len(text.strip()) > 0 else default


def fit_font(face: Face, text: str, size: int, width: float) -> tuple[Font, str]:
    """Returns the largest font up to `size` in which `text` is at most `width` pixels wide, and the text to write.

    If the text is too wide even at MIN_SIZE, it is cut and ends with an ellipsis.
    """
    font = Font(face, size)
    while font.width(text) > width and font.size > MIN_SIZE:
        font = Font(face, max(MIN_SIZE, min(font.size - 2, int(font.size * width / font.width(text)))))
    while font.width(text) > width and len(text) > 1:
        text = f"{text.rstrip('…')[:-1].rstrip()}…"
    return font, text


def split_in_two_lines(text: str, font: Font, width: float) -> tuple[str, str]:
    """Splits `text` into two lines: the words that fit into `width` pixels, and the rest, which may be ""."""
    words = text.split()
    count = len(words)
    while count > 1 and font.width(" ".join(words[:count])) > width:
        count -= 1
    return " ".join(words[:count]), " ".join(words[count:])


@lru_cache(maxsize=52)
def draw_card(card: Card, width: int) -> Picture:
    """Draws a card face up, `width` pixels wide, with its rank above its suit. The picture is cached, so callers must
    not change it.
    """
    drawn_width, drawn_height = width * _OVERSAMPLING, int(width * 1.4) * _OVERSAMPLING
    picture = Image.new("RGBA", (drawn_width, drawn_height))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, drawn_width - 1, drawn_height - 1), drawn_width * 0.1, GOLD)
    inset = drawn_width * 0.045
    draw.rounded_rectangle(
        (inset, inset, drawn_width - 1 - inset, drawn_height - 1 - inset), drawn_width * 0.07, "#fffaf0"
    )
    colour, rank = _SUIT_COLOURS[card[1]], card[0].replace("T", "10")
    font = Font(BOLD, int(drawn_width * 0.5))
    font.write(picture, (drawn_width * 0.09, drawn_height * 0.38), rank, colour)
    left, top, size = drawn_width * 0.36, drawn_height * 0.47, drawn_width * 0.54
    draw.polygon([(left + size * x / 100, top + size * y / 100) for x, y in suit_outlines()[card[1]]], colour)
    return picture.reduce(_OVERSAMPLING)


def draw_paper(width: int, height: int) -> Picture:
    """Draws a sheet of paper, torn like the posters in reports and in the show. Raises OSError."""
    return _blank_paper(width, height).copy()


@cache
def _blank_paper(width: int, height: int) -> Picture:
    sheet = Image.new("RGBA", (width * _OVERSAMPLING, height * _OVERSAMPLING))
    draw, drawn = ImageDraw.Draw(sheet), (STATIC / "art" / "report-paper.svg").read_text(encoding="utf-8")
    (across, down) = map(int, _PAPER_SIZE.findall(drawn)[0])
    outlines = dict(_PAPER_PATH.findall(drawn))
    for part, colour in (("sheet", PAPER), ("light", PAPER_LIGHT)):
        corners = (map(float, corner.split()) for corner in outlines[part].split("L"))
        draw.polygon([(x * sheet.width / across, y * sheet.height / down) for x, y in corners], colour)
    return sheet.reduce(_OVERSAMPLING)


def paste_with_shadow(picture: Picture, image: Picture, at: tuple[int, int], degrees: float = 0) -> None:
    """Pastes `image` with a shadow, centred at `at` and turned counterclockwise by `degrees` degrees."""
    rotated = image.rotate(degrees, Image.Resampling.BILINEAR, expand=True) if degrees else image
    x, y = at[0] - rotated.width // 2, at[1] - rotated.height // 2
    margin = 16
    shadow = Image.new("L", (rotated.width + 2 * margin, rotated.height + 2 * margin))
    shadow.paste(rotated.getchannel("A").point(lambda solid: solid * 6 // 10), (margin, margin))
    shadow = shadow.filter(ImageFilter.GaussianBlur(7))
    picture.paste(
        "#0c0602",
        (x - margin + 4, y - margin + 7, x + rotated.width + margin + 4, y + rotated.height + margin + 7),
        shadow,
    )
    picture.paste(rotated, (x, y), rotated)


def read_square_avatar(path: Path, side: int) -> Picture:
    """Reads a bot's picture from a WebP file, as a square of `side` pixels. Raises OSError if that fails."""
    with Image.open(path, formats=("WEBP",)) as opened:
        seen = opened.convert("RGBA")
    flat = Image.new("RGB", seen.size, "#c7a468")
    flat.paste(seen, mask=seen)
    return flat.resize((side, side), Image.Resampling.LANCZOS)


def centres_in_row(count: int, width: int, gap: int, middle: int) -> Sequence[int]:
    """Returns the x coordinates of the centres of `count` things, each `width` wide, in a row around `middle` with gaps
    of `gap`.
    """
    first = middle - (count - 1) * (width + gap) // 2
    return [first + step * (width + gap) for step in range(count)]


@cache
def suit_outlines() -> dict[str, list[Point]]:
    """Returns the corners of each suit in a box of 100 by 100, from the paths in the script that draws the show. The
    keys are "c", "d", "h" and "s".

    Understands only the SVG commands that these paths use: M, C, c, H, h and z. Raises OSError.
    """
    source = (STATIC / "js" / "overlay" / "parts" / "suits.js").read_text(encoding="utf-8")
    found = _SUIT_OUTLINE.findall(source)
    return {suit: [(corner.real, corner.imag) for corner in _corners(path)] for suit, path in found}


def _corners(path: str) -> Iterator[complex]:
    """Yields the corners of an outline as complex numbers x + yi. Cubic Bezier curves become straight lines."""
    point = 0j
    for command, text in _PATH_COMMAND.findall(path):
        numbers = [float(number) for number in re.findall(r"-?\d+", text)]
        match command:
            case "M":
                point = complex(*numbers)
                yield point
            case "H":
                point = complex(numbers[0], point.imag)
                yield point
            case "h":
                point += numbers[0]
                yield point
            case "C" | "c":
                for first in range(0, len(numbers), 6):
                    start, origin = point, point if command == "c" else 0j
                    one, two, point = (origin + complex(*numbers[n : n + 2]) for n in range(first, first + 6, 2))
                    for step in range(1, _LINES_PER_CURVE + 1):
                        t, s = step / _LINES_PER_CURVE, 1 - step / _LINES_PER_CURVE
                        yield s**3 * start + 3 * s**2 * t * one + 3 * s * t**2 * two + t**3 * point

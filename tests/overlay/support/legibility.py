"""What is written on a page, and how well it can be read: sizes, contrast to what is behind it, distance to others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.luminance import Floats, colours, contrast, luminance
from tests.overlay.support.screen import Screen

READINGS = (Path(__file__).parents[1] / "readings.js").read_text(encoding="utf-8")
SCREEN_WIDTH = 1920
LEAST = 28
LARGE = 48
"""Twice the usual size of large text, so that it is large even where the stream is watched at half its size."""
NORMAL_RATIO, LARGE_RATIO = 4.5, 3.0
TEXT_GONE = ".stage *, .stage *::before, .stage *::after { color: transparent !important }"
_WITH_STYLE = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}"""
_WITHOUT_IT = "() => { document.adoptedStyleSheets.pop(); }"
Written = list[dict[str, Any]]
Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]
EYES: dict[str, Matrix] = {
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Machado, Oliveira and Fernandes 2009, on linear light, for eyes that lack one kind of cone wholly."""


def written(screen: Screen) -> Written:
    """The texts on a page, each with the pixels `behind` it."""
    screen.page.evaluate(READINGS)
    found: Written = screen.json("window.readings()")
    assert found
    screen.page.evaluate(_WITH_STYLE, TEXT_GONE)
    ground = image_of(screen.picture())
    screen.page.evaluate(_WITHOUT_IT)
    return [{**each, "behind": behind(each["box"], ground)} for each in found]


def behind(box: Sequence[float], ground: Image.Image) -> Floats:
    """The colours of some pixels behind a text."""
    scale = ground.width / SCREEN_WIDTH
    left, top, right, bottom = (side * scale for side in box)
    inset_x, inset_y = (right - left) * 0.15, (bottom - top) * 0.25
    inner = (int(left + inset_x), int(top + inset_y), int(right - inset_x) + 1, int(bottom - inset_y) + 1)
    return colours(ground.crop(inner).resize((16, 8), Image.Resampling.NEAREST))


def faint(found: Written, eyes: Matrix | None = None, least: float = NORMAL_RATIO) -> list[str]:
    """The texts with too little contrast to what is behind them."""
    weak = []
    for each in found:
        wanted = LARGE_RATIO if each["size"] >= LARGE else least
        ratio = worst(each, eyes)
        if not each["exempt"] and ratio < wanted:
            weak.append(f"{each['of']}: {each['text'][:30]}: {ratio:.1f}")
    return weak


def worst(reading: dict[str, Any], eyes: Matrix | None) -> float:
    """The lowest contrast of a text to the pixels behind it; a twentieth of them may have less."""
    ink = [float(part) for part in reading["colour"].removeprefix("rgb(").removesuffix(")").split(",")]
    ground = reading["behind"]
    mixed = np.array(ink) * reading["opacity"] + ground * (1 - reading["opacity"])
    ratios = np.sort(contrast(luminance(mixed, eyes), luminance(ground, eyes)))
    return float(ratios[len(ratios) // 20])


def safe(box: Sequence[float]) -> bool:
    """Whether a text is within the graphics-safe area, and so clear of a player's bar."""
    left, top, right, bottom = box
    return left >= 93 and right <= 1827 and (top + bottom) / 2 >= 54 and (top + bottom) / 2 <= 1026


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether text lies on text. Stamps and speech are meant to lie across posters."""
    if one["above"] or other["above"]:
        return False
    (left, top, right, bottom), (left2, top2, right2, bottom2) = inked(one), inked(other)
    return left < right2 - 2 and left2 < right - 2 and top < bottom2 - 2 and top2 < bottom - 2


def inked(reading: dict[str, Any]) -> tuple[float, float, float, float]:
    """The box of the capitals in a line: its middle."""
    left, top, right, bottom = reading["box"]
    middle, half = (top + bottom) / 2, min(bottom - top, reading["size"] * 0.7) / 2
    return left, middle - half, right, middle + half

"""Compares screenshots with each other or with golden (stored, small) pictures. Measures the contrast of texts."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

from tests.overlay.support.screen import Screen

READINGS_SCRIPT = (Path(__file__).with_name("readings.js")).read_text(encoding="utf-8")
LARGE_FONT_SIZE = 48
"""Text of at least this font size counts as large. WCAG's limit is half this, but some viewers watch at half size."""
_HIDE_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`.stage *, .stage *::before, .stage *::after {
    color: transparent !important; text-decoration-color: transparent !important
  }`);
  document.adoptedStyleSheets.push(sheet);
}"""
Floats = NDArray[np.float64]


def read_texts(screen: Screen) -> list[dict[str, Any]]:
    """Returns all texts that `readings.js` finds on a page. The key "behind" has samples of pixels behind a text."""
    screen.page.evaluate(READINGS_SCRIPT)
    texts: list[dict[str, Any]] = screen.read_json("window.readings()")
    assert texts
    screen.page.evaluate(_HIDE_TEXT)
    background = open_png(screen.picture())
    screen.page.evaluate("() => void document.adoptedStyleSheets.pop()")
    return [{**text, "behind": sample_behind(text["box"], background)} for text in texts]


def sample_behind(box: Sequence[float], background: Image.Image) -> Floats:
    """Returns the red, green and blue (0 to 255) of pixels in `box`, given in pixels of a 1920x1080 screen."""
    scale = background.width / 1920
    left, top, right, bottom = (side * scale for side in box)
    inset_x, inset_y = (right - left) * 0.15, (bottom - top) * 0.25
    inner = (int(left + inset_x), int(top + inset_y), int(right - inset_x) + 1, int(bottom - inset_y) + 1)
    return np.asarray(background.crop(inner).resize((16, 8), Image.Resampling.NEAREST), np.float64).reshape(-1, 3)


def find_faint_texts(texts: list[dict[str, Any]]) -> list[str]:
    """Returns the texts with less contrast than WCAG requires. Texts that may be faint (exempt) are left out."""
    return [
        f"{text['class']}: {text['text'][:30]}: {ratio:.1f}"
        for text in texts
        if not text["exempt"] and (ratio := lowest_contrast(text)) < (3.0 if text["size"] >= LARGE_FONT_SIZE else 4.5)
    ]


def lowest_contrast(text: dict[str, Any]) -> float:
    """Returns a text's lowest contrast (1 to 21) with the pixels behind it. The worst 5 % of pixels do not count."""
    colour = [float(part) for part in text["colour"].removeprefix("rgb(").removesuffix(")").split(",")]
    background = text["behind"]
    mixed = np.array(colour) * text["opacity"] + background * (1 - text["opacity"])
    light, dark = luminance(mixed), luminance(background)
    ratios = np.sort((np.maximum(light, dark) + 0.05) / (np.minimum(light, dark) + 0.05))
    return float(ratios[len(ratios) // 20])


def luminance(colours: Floats) -> Floats:
    """Returns the relative luminance of sRGB colours, 0 to 1, as WCAG defines it."""
    parts = colours / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array((0.2126, 0.7152, 0.0722)))


GOLDEN_SIZE = (480, 270)
"""The width and height in pixels of a golden picture of the wide shape."""
TOLERANCE = 48
"""A pixel counts as changed if it differs by more than this (0 to 255). Each machine smooths edges in its own way."""
SMOOTHING = 16
"""The most by which the red, green or blue (0 to 255) of a pixel may differ between two screenshots.

Chromium smooths lines differently on each layer of a page.
"""
EDGE_PIXELS, EDGE_DIFFERENCE = 8, 48
"""Up to EDGE_PIXELS pixels, such as edges of small parts, may differ by up to EDGE_DIFFERENCE instead of SMOOTHING."""


def open_png(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def is_same_picture(one: bytes, other: bytes) -> bool:
    """Returns whether two screenshots are equal except for the smoothing of edges."""
    channels = [channel.histogram() for channel in ImageChops.difference(open_png(one), open_png(other)).split()]
    return not any(sum(bins[EDGE_DIFFERENCE + 1 :]) or sum(bins[SMOOTHING + 1 :]) > EDGE_PIXELS for bins in channels)


def shrink(png: bytes, size: tuple[int, int] = GOLDEN_SIZE) -> Image.Image:
    """Converts a screenshot to a golden picture: small, with few colours."""
    small = open_png(png).resize(size, Image.Resampling.LANCZOS)
    return small.quantize(192, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def measure_difference(golden: Path, png: bytes) -> float:
    expected = Image.open(golden).convert("RGB")
    difference = ImageChops.difference(expected, shrink(png, expected.size).convert("RGB"))
    changed = difference.convert("L").point(lambda value: 255 if value > TOLERANCE else 0)
    return changed.histogram()[255] / (expected.width * expected.height)

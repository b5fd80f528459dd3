"""Compares screenshots with each other, or with golden pictures, which are stored small."""

import io
from pathlib import Path

from PIL import Image, ImageChops

SIZE = (480, 270)
"""The width and height of golden pictures of the wide picture, in pixels."""
COLOURS = 192
NOTICED = 48
"""Pixels of shrunk pictures that differ by up to this, of 255, count as equal: machines smooth edges differently."""

SMOOTHING = 16
"""Pixels that differ by up to this, of 255, count as equal: Chromium smooths lines differently on different layers."""
EDGE_PIXELS, EDGE_DIFFERENCE = 8, 48
"""How many pixels may differ by more, and by how much: those on the edge of something small and round, like a nail."""


def open_png(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def same_picture(one: bytes, other: bytes) -> bool:
    """Whether two screenshots are equal except for the smoothing of edges."""
    difference = ImageChops.difference(open_png(one), open_png(other))
    channels = [channel.histogram() for channel in difference.split()]
    return not any(sum(each[EDGE_DIFFERENCE + 1 :]) or sum(each[SMOOTHING + 1 :]) > EDGE_PIXELS for each in channels)


def shrink(png: bytes, size: tuple[int, int] = SIZE) -> Image.Image:
    """Converts a screenshot to a golden picture: small, with few colours."""
    small = open_png(png).resize(size, Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def difference_share(golden: Path, png: bytes) -> float:
    was = Image.open(golden).convert("RGB")
    difference = ImageChops.difference(was, shrink(png, was.size).convert("RGB"))
    noticed = difference.convert("L").point(lambda value: 255 if value > NOTICED else 0)
    return noticed.histogram()[255] / (was.width * was.height)

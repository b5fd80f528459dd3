"""Compares screenshots: by their pixels, or with a golden picture, which is kept small."""

import io
from pathlib import Path

from PIL import Image, ImageChops

SIZE = (480, 270)
COLOURS = 192
NOTICED = 48
"""Channels that differ by no more, after shrinking, differ only by another machine's smoothing."""

SMOOTHING = 16
"""Pixels whose channels differ by no more are equal: Chromium smooths lines differently on another layer."""
EDGES, OF_AN_EDGE = 8, 48
"""Up to EDGES pixels may differ by up to OF_AN_EDGE: those on the edge of something small and round, such as a nail."""


def opened(png: bytes) -> Image.Image:
    """A screenshot as an image."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def same_picture(one: bytes, other: bytes) -> bool:
    """Whether two screenshots show the same, however the edges in them are smoothed."""
    difference = ImageChops.difference(opened(one), opened(other))
    channels = [channel.histogram() for channel in difference.split()]
    return not any(sum(each[OF_AN_EDGE + 1 :]) or sum(each[SMOOTHING + 1 :]) > EDGES for each in channels)


def kept(png: bytes, size: tuple[int, int] = SIZE) -> Image.Image:
    """A screenshot as a golden picture: small, with few colours."""
    small = opened(png).resize(size, Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def differing(golden: Path, png: bytes) -> float:
    """The share of pixels that differ noticeably from the golden picture."""
    was = Image.open(golden).convert("RGB")
    difference = ImageChops.difference(was, kept(png, was.size).convert("RGB"))
    noticed = difference.convert("L").point(lambda value: 255 if value > NOTICED else 0)
    return noticed.histogram()[255] / (was.width * was.height)

"""Relative luminance and contrast of colours as WCAG counts them, also for eyes that lack a kind of cone."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

Floats = NDArray[np.float64]
_WEIGHTS = np.array((0.2126, 0.7152, 0.0722))


def colours(image: Image.Image) -> Floats:
    """The pixels of an image, row by row, each with its red, green and blue, 0 to 255."""
    return np.asarray(image.convert("RGB"), np.float64).reshape(-1, 3)


def luminance(shades: ArrayLike, eyes: ArrayLike | None = None) -> Floats:
    """Relative luminance, 0 to 1, of sRGB colours, the last axis of `shades`, as `eyes` see them."""
    parts = np.asarray(shades, np.float64) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    if eyes is not None:
        linear = np.clip(linear @ np.asarray(eyes).T, 0, 1)
    return np.asarray(linear @ _WEIGHTS)


def contrast(one: Floats, other: Floats) -> Floats:
    """The contrast of two luminances, 1 to 21."""
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)

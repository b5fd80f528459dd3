"""Draws the background of link previews: a green poker table on wood, 1200 x 630 pixels."""

import math
import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

SIZE = (1200, 630)
_FELT = (340, 24, 1176, 532)
_OVERSAMPLING = 1.5
"""The table is drawn this many times larger and then scaled down, because Pillow does not smooth edges."""


def draw(assets: Path) -> None:
    """Writes `pictures/link-table.webp`."""
    left, top, right, bottom = _FELT
    table, picture = _felt(right - left, bottom - top), _wood(*SIZE)
    margin = 16
    shadow = Image.new("L", (table.width + 2 * margin, table.height + 2 * margin))
    shadow.paste(table.getchannel("A").point(lambda solid: solid * 6 // 10), (margin, margin))
    shadow = shadow.filter(ImageFilter.GaussianBlur(7))
    picture.paste("#0c0602", (left - margin + 4, top - margin + 7), shadow)
    picture.paste(table, (left, top), table)
    pictures = assets / "pictures"
    pictures.mkdir(exist_ok=True)
    picture.save(pictures / "link-table.webp", lossless=True)


def _wood(width: int, height: int) -> Image.Image:
    """Draws planks that get darker towards the edges of the picture."""
    dice = random.Random(1)  # noqa: S311 (only for the wood's grain)
    picture = Image.new("RGB", (width, height), "#3d2515")
    draw = ImageDraw.Draw(picture)
    plank = 90
    for top in range(0, height, plank):
        draw.rectangle((0, top, width, top + plank), ("#41281a", "#38210f", "#452b1a")[dice.randrange(3)])
        for _ in range(7):
            x, y, long = dice.randrange(-200, width), top + dice.randrange(8, plank - 6), dice.randrange(150, 500)
            draw.line((x, y, x + long, y + dice.randrange(-3, 4)), "#2e1a0d", 2)
        draw.line((0, top, width, top), "#22120a", 4)
    shade = Image.radial_gradient("L").resize((width, height)).point(lambda dark: max(0, dark - 90))
    picture.paste(Image.new("RGB", picture.size, "#0c0602"), (0, 0), shade)
    return picture


def _felt(width: int, height: int) -> Image.Image:
    """Draws a table's green felt, with rays on it and a rail around it."""
    picture = Image.new("RGBA", (int(width * _OVERSAMPLING), int(height * _OVERSAMPLING)))
    wide, high = picture.size
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, wide - 1, high - 1), 60, "#2e170a")
    draw.rounded_rectangle((4, 4, wide - 5, high - 8), 58, "#7c4824")
    draw.rounded_rectangle((20, 20, wide - 21, high - 24), 46, "#0f3427")
    rays = Image.new("RGBA", picture.size, "#17503c")
    inside = ImageDraw.Draw(rays)
    centre, reach = (wide * 0.5, high * 0.46), wide
    for ray in range(0, 36, 2):
        angles = [(math.tau * (ray + side) / 36) for side in (0, 1)]
        ends = [(centre[0] + math.cos(angle) * reach, centre[1] + math.sin(angle) * reach) for angle in angles]
        inside.polygon([centre, *ends], "#1b5a44")
    mask = Image.new("L", picture.size)
    ImageDraw.Draw(mask).rounded_rectangle((26, 26, wide - 27, high - 30), 42, 255)
    picture.paste(rays, (0, 0), mask)
    return picture.resize((width, height), Image.Resampling.LANCZOS)

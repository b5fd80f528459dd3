"""Draws pictures in flat colours, from filled shapes with dark outlines and from tapered strokes.

Draws at four times the size and scales the picture down at the end, so that edges are smooth.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

Point = tuple[float, float]
Path = list[Point]

INK = "#24150d"
OVERSAMPLING = 4
CURVE_STEPS = 24


def oval(x: float, y: float, rx: float, ry: float = 0, turn: float = 0) -> Path:
    """Returns an ellipse around (x, y), turned clockwise by `turn` degrees. If `ry` is 0, returns a circle."""
    ry = ry or rx
    points = [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in (math.tau * i / 96 for i in range(96))]
    return turned(points, turn, (x, y)) if turn else points


def arc(x: float, y: float, radii: Point, start: float, end: float) -> Path:
    """Returns the part of an ellipse around (x, y) from `start` to `end` degrees. 0 degrees is right, and 90 degrees is
    down.
    """
    angles = [math.radians(start + (end - start) * i / 48) for i in range(49)]
    return [(x + radii[0] * math.cos(a), y + radii[1] * math.sin(a)) for a in angles]


def box(left: float, top: float, right: float, bottom: float, radius: float = 0) -> Path:
    """Returns a rectangle with corners rounded by `radius`."""
    if not radius:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    corners = [(right, top, -90), (right, bottom, 0), (left, bottom, 90), (left, top, 180)]
    path: Path = []
    for x, y, start in corners:
        inner_x = x - radius if x == right else x + radius
        inner_y = y - radius if y == bottom else y + radius
        path += arc(inner_x, inner_y, (radius, radius), start, start + 90)
    return path


def star(x: float, y: float, outer: float, inner: float, points: int = 5, *, turn: float = 0) -> Path:
    """Returns a star with one tip up, turned clockwise by `turn` degrees."""
    path: Path = []
    for i in range(2 * points):
        angle = math.radians(turn - 90 + 180 * i / points)
        radius = inner if i % 2 else outer
        path.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return path


def curve(*through: Point, closed: bool = False) -> Path:
    """Returns a smooth line (Catmull-Rom) through the points."""
    before, after = (through[-1:], through[:2]) if closed else (through[:1], through[-1:])
    around = [*before, *through, *after]
    path: Path = []
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        path += [_between(a, b, c, d, step / CURVE_STEPS) for step in range(CURVE_STEPS)]
    return path if closed else [*path, through[-1]]


def blob(*through: Point) -> Path:
    """Returns a smooth closed shape through the points."""
    return curve(*through, closed=True)


def _between(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    def axis(i: int) -> float:
        return 0.5 * (
            2 * b[i]
            + (c[i] - a[i]) * t
            + (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t**2
            + (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t**3
        )

    return axis(0), axis(1)


def turned(path: Path, degrees: float, centre: Point) -> Path:
    """Returns the path, turned clockwise by `degrees` around the point `centre`."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    offsets = [(x - centre[0], y - centre[1]) for x, y in path]
    return [(centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos) for x, y in offsets]


def moved(path: Path, dx: float, dy: float = 0) -> Path:
    """Returns the path, shifted by (dx, dy)."""
    return [(x + dx, y + dy) for x, y in path]


def mirrored(path: Path, axis: float = 256) -> Path:
    """Returns the path, reflected about the vertical line x = `axis`."""
    return [(2 * axis - x, y) for x, y in path]


class Pen:
    """Draws a square picture of `pixels` x `pixels`, in coordinates from 0 to `width`. Colours are CSS hex strings,
    `#rrggbb` or `#rrggbbaa`.
    """

    def __init__(self, width: float, pixels: int) -> None:
        self.width = width
        self.pixels = pixels
        self._scale = pixels * OVERSAMPLING / width
        self._layers = [self._blank()]
        self._zoom = 1.0

    def zoom_in(self, factor: float) -> None:
        """Makes all later drawing `factor` times larger. The middle of the lower edge stays in place."""
        self._zoom = factor

    def fill(self, path: Path, colour: str) -> None:
        """Fills the area inside `path`."""
        self._draw().polygon(self._sized(path), fill=colour)

    def line(
        self, path: Path, width: float, colour: str = INK, *, end: float | None = None, closed: bool = False
    ) -> None:
        """Draws a stroke with round ends. Its width changes from `width` to `end`. `closed` closes the path."""
        points = self._sized([*path, path[0]] if closed else path)
        end = width if end is None else end
        draw = self._draw()
        for i, (a, b) in enumerate(pairwise(points)):
            for share in _shares(a, b):
                x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
                radius = (width + (end - width) * (i + share) / (len(points) - 1)) * self._scale * self._zoom / 2
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def shape(self, path: Path, colour: str, outline: float = 6) -> None:
        """Fills and outlines an area."""
        self.fill(path, colour)
        self.line(path, outline, closed=True)

    @contextmanager
    def within(self, path: Path, colour: str, outline: float = 6) -> Iterator[None]:
        """Fills an area, clips all drawing in the `with` block to the area, and then draws the area's outline."""
        self.fill(path, colour)
        self._layers.append(self._blank())
        yield
        layer = self._layers.pop()
        mask = Image.new("L", layer.size)
        ImageDraw.Draw(mask).polygon(self._sized(path), fill=255)
        layer.putalpha(ImageChops.multiply(layer.getchannel("A"), mask))
        self._layers[-1].alpha_composite(layer)
        if outline:
            self.line(path, outline, closed=True)

    def glaze(self, path: Path, colour: str) -> None:
        """Draws a translucent area (`#rrggbbaa`) over the picture so far."""
        layer = self._blank()
        ImageDraw.Draw(layer).polygon(self._sized(path), fill=colour)
        self._layers[-1].alpha_composite(layer)

    def picture(self) -> Image.Image:
        """Returns the finished picture in RGBA."""
        return self._layers[0].resize((self.pixels, self.pixels), Image.Resampling.LANCZOS)

    def _blank(self) -> Image.Image:
        side = self.pixels * OVERSAMPLING
        return Image.new("RGBA", (side, side))

    def _draw(self) -> ImageDraw.ImageDraw:
        return ImageDraw.Draw(self._layers[-1])

    def _sized(self, path: Path) -> Path:
        zoom = self._scale * self._zoom
        side = self.width * self._scale
        return [(side / 2 + (x - self.width / 2) * zoom, side + (y - self.width) * zoom) for x, y in path]


def _shares(a: Point, b: Point) -> list[float]:
    steps = max(1, int(math.dist(a, b) / 2))
    return [i / steps for i in range(steps + 1)]

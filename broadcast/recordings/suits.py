"""The outlines of the suits as the overlay draws them, read from its module, for pictures drawn in Python.

Of SVG paths it supports only the commands in that module: M, C, c, H, h and z.
"""

import re
from collections.abc import Iterator
from functools import cache

from server.paths import STATIC

Point = tuple[float, float]
STEPS = 12
"""Straight pieces that stand for one curve."""
_SUIT = re.compile(r'^  ([cdhs]): "([^"]+)",$', re.MULTILINE)
_COMMAND = re.compile(r"([MCcHhz])([^MCcHhz]*)")
_NUMBER = re.compile(r"-?\d+")


@cache
def suit_outlines() -> dict[str, list[Point]]:
    """The corners of each suit, "c", "d", "h" and "s", in a box of 100 by 100. Raises OSError."""
    source = (STATIC / "js" / "overlay" / "parts" / "suits.js").read_text()
    return {suit: list(_corners(path)) for suit, path in _SUIT.findall(source)}


def _corners(path: str) -> Iterator[Point]:
    at = (0.0, 0.0)
    for command, text in _COMMAND.findall(path):
        corners = list(_drawn(command, [float(number) for number in _NUMBER.findall(text)], at))
        yield from corners
        at = corners[-1] if corners else at


def _drawn(command: str, numbers: list[float], at: Point) -> Iterator[Point]:
    """The corners of one command that begins at `at`, without `at`."""
    match command:
        case "M":
            yield numbers[0], numbers[1]
        case "H":
            yield numbers[0], at[1]
        case "h":
            yield at[0] + numbers[0], at[1]
        case "C" | "c":
            for first in range(0, len(numbers), 6):
                x, y = at if command == "c" else (0.0, 0.0)
                one, two, end = ((x + numbers[n], y + numbers[n + 1]) for n in range(first, first + 6, 2))
                yield from _curve(at, one, two, end)
                at = end


def _curve(start: Point, one: Point, two: Point, end: Point) -> Iterator[Point]:
    """A cubic Bezier curve as straight pieces, without its start."""
    for step in range(1, STEPS + 1):
        share = step / STEPS
        weights = ((1 - share) ** 3, 3 * (1 - share) ** 2 * share, 3 * (1 - share) * share**2, share**3)
        corners = list(zip(weights, (start, one, two, end), strict=True))
        yield sum(weight * x for weight, (x, _) in corners), sum(weight * y for weight, (_, y) in corners)

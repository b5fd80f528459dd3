"""Drawings on pages without a script, as paths for SVG: torn paper, a sound's wave, a burst that stands still. Pure."""

import math
from collections.abc import Callable, Iterator, Sequence

Point = tuple[float, float]


def torn_paper(width: float, height: float, seed: int, inset: float = 0) -> str:
    """The outline of a sheet with torn edges, as `paperSheet` draws it in the show; the same for the same seed."""
    dice = _dice(seed)
    right, bottom = width - inset, height - inset
    edges: tuple[tuple[float, Callable[[float, float], Point]], ...] = (
        (width - 2 * inset, lambda along, out: (inset + along, inset + out)),
        (height - 2 * inset, lambda along, out: (right - out, inset + along)),
        (width - 2 * inset, lambda along, out: (right - along, bottom - out)),
        (height - 2 * inset, lambda along, out: (inset + out, bottom - along)),
    )
    return _closed([at(along, out) for length, at in edges for along, out in _tears(length, dice)])


def wave(peaks: Sequence[int], width: float, height: float) -> str:
    """A sound's peaks (0 to 100) mirrored about the middle of a box."""
    step, middle = width / max(1, len(peaks)), height / 2
    heights = [max(0.6, peak / 100 * middle) for peak in peaks]
    upper = [((at + 0.5) * step, middle - up) for at, up in enumerate(heights)]
    lower = [((at + 0.5) * step, middle + up) for at, up in reversed(list(enumerate(heights)))]
    return _closed([(0, middle), *upper, (width, middle), *lower])


def burst(count: int, width: float, height: float) -> list[tuple[int, int, int]]:
    """Where particles hang in a burst from the lower middle: x, y and a turn in degrees."""
    dice = _dice(11)
    places = []
    for each in range(count):
        angle = -math.pi / 2 + (each / (count - 1) - 0.5) * 2.1
        reach = 0.08 + 0.4 * math.sqrt(next(dice))
        x = width / 2 + math.cos(angle) * reach * height
        places.append(
            (round(x), round(height * 0.7 + math.sin(angle) * reach * height * 0.85), round(next(dice) * 360))
        )
    return places


def _tears(length: float, dice: Iterator[float]) -> Iterator[Point]:
    along = 0.0
    while along < length - 6:
        yield along, next(dice) * 4.5 + (4 if next(dice) > 0.9 else 0)
        along += 9 + next(dice) * 17


def _closed(points: Sequence[Point]) -> str:
    return f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in points)}Z"


def _dice(seed: int) -> Iterator[float]:
    """Pseudo-random numbers from 0 to 1, the same for the same seed."""
    state = (seed * 2654435761 + 1013904223) % 2**32
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state / 2**32

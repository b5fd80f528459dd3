"""Drawings of the report that depend on a bot's files, as paths for SVG. Pure."""

from collections.abc import Sequence

Point = tuple[float, float]


def wave(peaks: Sequence[int], width: float, height: float) -> str:
    """A sound's peaks (0 to 100) mirrored about the middle of a box."""
    step, middle = width / max(1, len(peaks)), height / 2
    heights = [max(0.6, peak / 100 * middle) for peak in peaks]
    upper = [((at + 0.5) * step, middle - up) for at, up in enumerate(heights)]
    lower = [((at + 0.5) * step, middle + up) for at, up in reversed(list(enumerate(heights)))]
    return _closed([(0, middle), *upper, (width, middle), *lower])


def _closed(points: Sequence[Point]) -> str:
    return f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in points)}Z"

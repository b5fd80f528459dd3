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


def curve(values: Sequence[float], width: float, height: float) -> tuple[str, float]:
    """A line through `values` from left to right in a box, and how high in it 0 lies, from the top.

    The line is empty for fewer than two.
    """
    low, high = min(0.0, *values), max(0.0, *values)
    span = high - low or 1.0
    points = [(at * width / (len(values) - 1), (high - value) / span * height) for at, value in enumerate(values)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if len(values) > 1 else "", high / span * height


def _closed(points: Sequence[Point]) -> str:
    return f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in points)}Z"

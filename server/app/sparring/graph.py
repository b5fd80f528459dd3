"""A line of numbers as a graph of letters, for a terminal. Pure."""

from collections.abc import Iterator, Sequence

ROWS = 8


def graph(values: Sequence[float], title: str) -> Iterator[str]:
    """The lines of a graph of `values`, from left to right; its scale stands beside it. Nothing for fewer than two."""
    if len(values) < 2:
        return
    low, high = min(0.0, *values), max(0.0, *values)
    step = (high - low) / (ROWS - 1) or 1.0
    heights = [round((value - low) / step) for value in values]
    zero = round(-low / step)
    yield f"  {title}"
    for row in range(ROWS - 1, -1, -1):
        line = "".join("*" if height == row else "-" if row == zero else " " for height in heights)
        scale = f"{low + row * step:+10.0f}" if row in (0, zero, ROWS - 1) else " " * 10
        yield f"{scale} {line}".rstrip()

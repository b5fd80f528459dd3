"""The page of a sparring match: who earned what, how sure that is, and how it came, in one file without a script."""

from collections.abc import Sequence

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from broadcast.report.drawings import curve
from broadcast.report.inline import inlined
from server.paths import TEMPLATES

WIDTH, HEIGHT = 900, 300
"""Of the graph, in units of its drawing."""


class MatchLine(Struct, frozen=True):
    """What one bot has won and earned in 100 hands, and the 95 % interval of that in words."""

    name: str
    won: float
    earned: float
    bounds: str


def render_match(
    lines: Sequence[MatchLine], values: Sequence[float], hands: int, *, played: str, verdict: str, seed: str
) -> str:
    """The match as one HTML page: `played` says how much, `verdict` who is better, `seed` which cards were dealt.

    `values` are what the first bot had earned after equal parts of the `hands`, from 0 on, in chips.
    """
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    line, zero = curve(values, WIDTH, HEIGHT)
    about = {
        "lines": lines, "line": line, "zero": zero, "width": WIDTH, "height": HEIGHT, "hands": hands,
        "high": max(0.0, *values), "low": min(0.0, *values), "played": played, "verdict": verdict, "seed": seed,
    }  # fmt: skip
    return environment.get_template("report/match.html").render(about, page=inlined("report/match.css"))

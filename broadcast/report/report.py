"""The report on what a contestant handed in, as one page that needs nothing but itself and can be sent by mail.

Shows what others found; judges nothing. Strangers' text is escaped, their files come from the gallery alone.
"""

from collections.abc import Sequence
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from broadcast.media.findings import Hearing, Portrait
from broadcast.report.drawings import burst, torn_paper, wave
from broadcast.report.inline import in_place, inlined
from server.paths import TEMPLATES

Verdict = Literal["well", "mend", "unfit"]

_STYLES = ("common/tokens.css", "overlay/poster.css", "pages/report.css")
_MODULES = (
    "common/dom.js",
    "common/settings.js",
    "overlay/parts/shapes.js",
    "overlay/effects/sprites.js",
    "overlay/effects/particles.js",
    "report/main.js",
)
_HUNG = 26
"""Particles in the burst that stands still."""


class Finding(Struct, frozen=True):
    """Something to say about a bot: a fault forbids, what is to mend costs a default, a note costs nothing."""

    kind: Literal["fault", "mend", "note"]
    text: str


class Trial(Struct, frozen=True):
    """How a bot's practice game went: lines of what and how much, answer times in milliseconds, what it printed."""

    lines: tuple[tuple[str, str], ...]
    answers_ms: tuple[int, ...] = ()
    printed: str = ""


class Sheet(Struct, frozen=True):
    """One bot of the report. The media are files made safe: WebP, WebP and Ogg; the last may be missing."""

    name: str
    player: str
    label: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    avatar: bytes
    particle: bytes
    size: str = ""
    own_particle: bool = True
    sound: bytes = b""
    portrait: Portrait | None = None
    hearing: Hearing | None = None
    trial: Trial | None = None

    @property
    def name_size(self) -> str:
        """How large the name may stand on the poster."""
        longest = max(map(len, self.name.split()), default=0)
        return "long" if len(self.name) > 24 or longest > 14 else "middle" if len(self.name) > 13 else "short"


def render(sheets: Sequence[Sheet], title: str, made: str) -> str:
    """The page. `title` says what was checked, `made` when."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "in_place": in_place,
        "paper": torn_paper,
        "wave": wave,
        "crop": _crop,
        "answers": _answers,
        "hung": burst(_HUNG, 1920, 1080),
    }
    counts = {verdict: sum(sheet.verdict == verdict for sheet in sheets) for verdict in ("well", "mend", "unfit")}
    page = inlined(_STYLES, _MODULES)
    template = environment.get_template("report/report.html")
    return template.render(sheets=sheets, title=title, made=made, counts=counts, page=page)


def _crop(portrait: Portrait) -> tuple[float, float, float]:
    """Left, top and side of the square that is shown, in the picture's own pixels."""
    side = min(portrait.width, portrait.height)
    return (portrait.width - side) / 2, (portrait.height - side) / 2, side


def _answers(times_ms: Sequence[int], width: float, height: float, most_ms: int) -> list[tuple[str, str, str, str]]:
    """Bars for answer times: left, top, width, height. The scale is a root, so that quick ones can be seen too."""
    step = width / max(12, len(times_ms))
    bars = []
    for at, time in enumerate(times_ms):
        tall = max(1.5, height * (min(time, most_ms) / most_ms) ** 0.5)
        bars.append((f"{at * step + 1:.1f}", f"{height - tall:.1f}", f"{max(1, step - 2):.1f}", f"{tall:.1f}"))
    return bars

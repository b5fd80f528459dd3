"""Makes reports on submissions and on sparring matches. Each report is a page in a single file.

The findings come from other modules. Strangers' text is escaped, and strangers' files were made safe earlier. Only text
from this program's own files is not escaped. Each page has a content security policy that allows only what the page
itself contains.
"""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from markupsafe import Markup
from msgspec import Struct

from broadcast.media.file_kinds import PictureFindings, SoundFindings
from broadcast.web.answers import MEDIA_TYPES
from broadcast.web.brand import Brand
from broadcast.web.bundle import CSS_URL, joined_sources
from broadcast.web.templates import strict_templates
from server.paths import STATIC

_GRAPH_WIDTH, _GRAPH_HEIGHT = 900, 300


class MatchLine(Struct, frozen=True):
    """A bot's result per 100 hands of a sparring match: what it won, and what it earned (its winnings minus the luck of
    the board). `bounds` is the 95 % interval of what it earned, as text.
    """

    name: str
    won: float
    earned: float
    bounds: str


BotVerdict = Literal["well", "mend", "unfit"]
"""Whether a bot needs no change ("well"), should be fixed ("mend"), or cannot play ("unfit")."""


class Finding(Struct, frozen=True):
    """A remark about a bot.

    A "fault" keeps the bot from playing. With a "mend", the bot plays, but the author should fix something. A "note"
    is advice.
    """

    kind: Literal["fault", "mend", "note"]
    text: str


class Trial(Struct, frozen=True):
    """How a bot did in a practice game. `lines` are the facts to list, each with its name. `printed` is the bot's
    output. Peak memory and processor time are 0 if unknown.
    """

    lines: tuple[tuple[str, str], ...]
    answers_ms: tuple[int, ...] = ()
    printed: str = ""
    peak_memory_bytes: int = 0
    cpu_seconds: float = 0.0


class BotSheet(Struct, frozen=True):
    """The part of a report about one bot. `label` says where the bot was found, and `size` is its size in words. The
    avatar and the particle are WebP, and the sound is Ogg. A missing file is b"". All files were made safe earlier.
    """

    name: str
    player: str
    label: str
    verdict: BotVerdict
    findings: tuple[Finding, ...]
    avatar: bytes
    particle: bytes
    size: str = ""
    own_particle: bool = True
    sound: bytes = b""
    picture_findings: PictureFindings | None = None
    sound_findings: SoundFindings | None = None
    trial: Trial | None = None

    @property
    def name_size(self) -> str:
        """How long the name on the poster is: "long", "middle" or "short". The style sheet uses the same words."""
        longest = max(map(len, self.name.split()), default=0)
        return "long" if len(self.name) > 24 or longest > 14 else "middle" if len(self.name) > 13 else "short"


def render_report(sheets: Sequence[BotSheet], title: str, made: str, stack: int, brand: Brand | None = None) -> str:
    """Returns the report as an HTML page, with the `brand` at its top, if any.

    `title` says what was checked, and `made` says when. Every bot starts with `stack` chips.
    """
    environment = strict_templates()
    environment.globals |= {
        "in_place": _data_url,
        "paper": Markup((STATIC / "art" / "report-paper.svg").read_text(encoding="utf-8")),  # noqa: S704 (our own file)
        "wave": _wave,
        "crop": _crop,
        "answers": _answer_bars,
        "hung": msgspec.json.decode((STATIC / "art" / "report-burst.json").read_bytes()),
    }
    counts = {verdict: sum(sheet.verdict == verdict for sheet in sheets) for verdict in ("well", "mend", "unfit")}
    page = _inline_files("report/report.css", "report/main.js", brand)
    template = environment.get_template("report/report.html")
    return template.render(sheets=sheets, title=title, made=made, stack=stack, counts=counts, page=page, branding=brand)


def render_match(
    lines: Sequence[MatchLine], values: Sequence[float], hands: int, *, played: str, verdict: str, seed: str
) -> str:
    """Returns the match as an HTML page. `played` says how much was played, and `verdict` says which bot is better.

    `values` are the chips that the first bot had earned, measured at regular intervals and starting with 0. `hands` is
    the number of all hands. With the `seed`, the same cards can be dealt again.
    """
    line, zero = _curve(values, _GRAPH_WIDTH, _GRAPH_HEIGHT)
    about = {
        "lines": lines, "line": line, "zero": zero, "width": _GRAPH_WIDTH, "height": _GRAPH_HEIGHT, "hands": hands,
        "high": max(0.0, *values), "low": min(0.0, *values), "played": played, "verdict": verdict, "seed": seed,
    }  # fmt: skip
    return strict_templates().get_template("report/match.html").render(about, page=_inline_files("report/match.css"))


def _inline_files(sheet: str, module: str = "", brand: Brand | None = None) -> dict[str, str]:
    """Returns the style, the script and the policy for a page that is a single file. The style is `sheet` from
    static/css with all files that it imports. The script is `module` from static/js with its imports. The policy allows
    only these two.

    With a `brand`, the style includes the style of the branding.
    """
    path = STATIC / "css" / sheet
    style = CSS_URL.sub(lambda found: f'url("{_file_url(path.parent / found[1])}")', joined_sources(path))
    if brand:
        style += (STATIC / "css" / "common" / "branding.css").read_text(encoding="utf-8") + brand.colours
    script = joined_sources(STATIC / "js" / module) if module else ""
    assert "</" not in style + script, "an end tag would end the element"
    policy = (
        f"default-src 'none'; img-src data:; media-src data:; font-src data:; style-src {_csp_hash(style)}; "
        f"script-src {_csp_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return {
        "style": Markup(f"<style>{style}</style>"),  # noqa: S704 (our own files)
        "script": Markup(f'<script type="module">{script}</script>'),  # noqa: S704 (our own files)
        "policy": policy,
    }


def _data_url(content: bytes, kind: str) -> str:
    """Returns a `data:` address with `content` of the media type `kind`."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _file_url(path: Path) -> str:
    return _data_url(path.read_bytes(), MEDIA_TYPES[path.suffix])


def _csp_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _crop(picture_findings: PictureFindings) -> tuple[float, float, float]:
    """Returns the left edge, the top edge and the side of the visible square, in the picture's pixels."""
    side = min(picture_findings.width, picture_findings.height)
    return (picture_findings.width - side) / 2, (picture_findings.height - side) / 2, side


def _answer_bars(times_ms: Sequence[int], width: float, height: float, most_ms: int) -> list[tuple[str, str, str, str]]:
    """Returns a bar for each answer time: left, top, width, height. A square-root scale keeps quick answers visible."""
    step = width / max(12, len(times_ms))
    bars = []
    for index, time in enumerate(times_ms):
        bar_height = max(1.5, height * (min(time, most_ms) / most_ms) ** 0.5)
        bars.append(
            (f"{index * step + 1:.1f}", f"{height - bar_height:.1f}", f"{max(1, step - 2):.1f}", f"{bar_height:.1f}")
        )
    return bars


def _wave(peaks: Sequence[int], width: float, height: float) -> str:
    """Returns the outline of a sound in a box: its peaks (0 to 100), mirrored about the middle."""
    step, middle = width / max(1, len(peaks)), height / 2
    heights = [max(0.6, peak / 100 * middle) for peak in peaks]
    upper = [((index + 0.5) * step, middle - up) for index, up in enumerate(heights)]
    lower = [((index + 0.5) * step, middle + up) for index, up in reversed(list(enumerate(heights)))]
    return f"{_svg_path([(0, middle), *upper, (width, middle), *lower])}Z"


def _curve(values: Sequence[float], width: float, height: float) -> tuple[str, float]:
    """Returns a line through `values` across a box, and the distance of the value 0 from the top of the box. The line
    is "" if there are fewer than two values.
    """
    low, high = min(0.0, *values), max(0.0, *values)
    span = high - low or 1.0
    points = [(index * width / (len(values) - 1), (high - value) / span * height) for index, value in enumerate(values)]
    return _svg_path(points) if len(values) > 1 else "", high / span * height


def _svg_path(points: Sequence[tuple[float, float]]) -> str:
    return f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in points)}"

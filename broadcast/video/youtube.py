"""Text for YouTube: the chapters of a video, and the description below it. Pure."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.timeline import MARKED, OUT, Moment, Timeline

SHORTEST_MS = 10_000
FEWEST = 3
LONGEST_TITLE = 100
BEFORE = "Before the show"


def chapters_of(timeline: Timeline) -> tuple[Moment, ...]:
    """The chapters of a video, in order; none where it is too short to have three. Titles are fit for YouTube."""
    told = [moment for moment in timeline.moments if moment.weight > MARKED]
    chosen = _placed(told, timeline.length_ms)
    if len(chosen) < FEWEST:
        chosen = _placed(timeline.moments, timeline.length_ms)
    return tuple(chosen) if len(chosen) >= FEWEST else ()


def chapter_lines(chapters: Iterable[Moment]) -> list[str]:
    """The lines of a description that make chapters: "0:00 Line-up"."""
    return [f"{clock(each.at_ms)} {fit_for_youtube(each.title)[:LONGEST_TITLE]}" for each in chapters]


def clock(ms: int) -> str:
    """A moment of a film as players write it: "3:07", "1:02:03"."""
    seconds = ms // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def fit_for_youtube(text: str) -> str:
    """`text` in one line without the angle brackets that YouTube refuses in titles and descriptions."""
    return " ".join(text.replace("<", "\u2039").replace(">", "\u203a").split())


def _placed(moments: Iterable[Moment], length_ms: int) -> list[Moment]:
    """As many as have room beside those that are worth more; the video begins with what was on then."""
    told = sorted(moments, key=lambda each: each.at_ms)
    begun = [each for each in told if each.at_ms <= 0] or [each for each in told[:1] if each.at_ms < SHORTEST_MS]
    chosen = [Moment(0, begun[-1].title if begun else BEFORE, 0)]
    later = [each for each in told if 0 < each.at_ms <= length_ms - SHORTEST_MS]
    for moment in sorted(later, key=lambda each: (-each.weight, each.at_ms)):
        near = [at for at, other in enumerate(chosen) if abs(moment.at_ms - other.at_ms) < SHORTEST_MS]
        if not near:
            chosen.append(moment)
        elif moment.weight == OUT and chosen[near[0]].at_ms <= moment.at_ms:
            chosen[near[0]] = _joined(chosen[near[0]], moment)
    return sorted(chosen, key=lambda each: each.at_ms)


def _joined(chapter: Moment, moment: Moment) -> Moment:
    """One chapter of both, if its title has room for that."""
    title = f"{chapter.title} \u00b7 {moment.title}"
    return replace(chapter, title=title) if len(title) <= LONGEST_TITLE else chapter


MOST_BYTES = 5000
"""The longest description that YouTube takes, in characters."""
_LICENCE = """\
Table, cards, graphics and sounds were made for High Noon (MIT licence); its fonts stand under the SIL Open Font \
License 1.1. The bots' own pictures and sounds are their players'."""


class Told(Struct, frozen=True):
    """What a description is made of. `table` are the lines of the final table, `proof` says how to verify it."""

    title: str
    about: str
    table: Sequence[str]
    chapters: Sequence[str]
    proof: str


def description(told: Told) -> str:
    """The description. Where there is too much to tell the end of the table is left out, then chapters."""
    table, chapters = list(told.table), list(told.chapters)
    while len((text := _text(told, table, chapters)).encode()) > MOST_BYTES:
        if len(table) > 3:
            table = [*table[:-2], "…"]
        elif chapters:
            chapters = []
        else:
            return text.encode()[:MOST_BYTES].decode(errors="ignore")
    return text


def _text(told: Told, table: Sequence[str], chapters: Sequence[str]) -> str:
    parts = [
        fit_for_youtube(told.title)[:LONGEST_TITLE],
        told.about,
        "\n".join(["The final table", *map(fit_for_youtube, table)]) if table else "",
        "\n".join(["Chapters", *chapters]) if chapters else "",
        told.proof,
        _LICENCE,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"

"""Writes text for YouTube: the chapters of a video, and the description below it. No I/O."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from broadcast.film.timeline import MARKED_WEIGHT, OUT_WEIGHT, Chapter, Timeline

MIN_CHAPTER_MS = 10_000
"""YouTube shows no chapters if any chapter is shorter than this."""
MIN_CHAPTERS = 3
"""YouTube shows no chapters if a video has fewer chapters than this."""
MIN_TITLE_CHARACTERS, MAX_TITLE_CHARACTERS = 20, 100
"""The minimum length of a shortened title, and the maximum length that YouTube allows, in characters."""
_NEW_PHRASE = ("; ", ": ", " with ", " \u00b7 ")
"""A title can be cut before any of these texts."""
FIRST_CHAPTER = "Before the show"


def chapters_of(timeline: Timeline) -> tuple[Chapter, ...]:
    """Returns the chapters of a video, in order. Marked hands, such as bluffs, become chapters only if there are too
    few other moments. Returns () if fewer than MIN_CHAPTERS fit into the video.
    """
    important = [moment for moment in timeline.chapter_candidates if moment.weight > MARKED_WEIGHT]
    chosen = _choose_chapters(important, timeline.length_ms)
    if len(chosen) < MIN_CHAPTERS:
        chosen = _choose_chapters(timeline.chapter_candidates, timeline.length_ms)
    return tuple(chosen) if len(chosen) >= MIN_CHAPTERS else ()


def chapter_lines(chapters: Iterable[Chapter]) -> list[str]:
    """Returns the lines that define chapters in a description, such as "0:00 Line-up"."""
    return [f"{time_text(each.at_ms)} {_whole_phrases(fit_for_youtube(each.title))}" for each in chapters]


def _whole_phrases(title: str) -> str:
    """Cuts the last phrases off a title that is too long, or its last words if the rest would be too short."""
    if len(title) <= MAX_TITLE_CHARACTERS:
        return title
    end = max(title.rfind(each, MIN_TITLE_CHARACTERS, MAX_TITLE_CHARACTERS + len(each)) for each in _NEW_PHRASE)
    words = title[:MAX_TITLE_CHARACTERS].rpartition(" ")[0] or title[: MAX_TITLE_CHARACTERS - 1]
    return title[:end] if end > 0 else f"{words}\u2026"


def time_text(ms: int) -> str:
    """Returns a time in a film as video players show it, such as "3:07" or "1:02:03"."""
    seconds = ms // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def fit_for_youtube(text: str) -> str:
    """Puts `text` on one line and replaces angle brackets, which YouTube refuses in titles and descriptions."""
    return " ".join(text.replace("<", "\u2039").replace(">", "\u203a").split())


def _choose_chapters(moments: Iterable[Chapter], length_ms: int) -> list[Chapter]:
    """Chooses moments that are at least `MIN_CHAPTER_MS` apart, preferably those with large weights. If an elimination
    comes too soon after a chosen moment, adds it to that chapter's title. The first chapter is always at 0.
    """
    ordered = sorted(moments, key=lambda each: each.at_ms)
    first = [each for each in ordered if each.at_ms <= 0] or [
        each for each in ordered[:1] if each.at_ms < MIN_CHAPTER_MS
    ]
    chosen = [Chapter(0, first[-1].title if first else FIRST_CHAPTER, 0)]
    later_moments = [each for each in ordered if 0 < each.at_ms <= length_ms - MIN_CHAPTER_MS]
    for moment in sorted(later_moments, key=lambda each: (-each.weight, each.at_ms)):
        near = [at for at, other in enumerate(chosen) if abs(moment.at_ms - other.at_ms) < MIN_CHAPTER_MS]
        if not near:
            chosen.append(moment)
        elif moment.weight == OUT_WEIGHT and (before := chosen[near[0]]).at_ms <= moment.at_ms:
            title = f"{before.title} \u00b7 {moment.title}"
            chosen[near[0]] = replace(before, title=title) if len(title) <= MAX_TITLE_CHARACTERS else before
    return sorted(chosen, key=lambda each: each.at_ms)


MAX_BYTES = 5000
"""YouTube's limit for a description, in bytes."""
_LICENCE = """\
Table, cards, graphics and sounds were made for High Noon (MIT licence); its fonts are under the SIL Open Font \
License 1.1. The bots' own pictures and sounds belong to their players."""


def video_description(title: str, about: str, table: Sequence[str], chapters: Sequence[str], proof: str) -> str:
    """Returns the text below a video. If the text is too long, leaves out the end of the `table` (the lines of the
    final results), then the chapters. `proof` says how to verify the recording.
    """
    while True:
        sections = (
            fit_for_youtube(title)[:MAX_TITLE_CHARACTERS],
            about,
            "\n".join(["The final results", *map(fit_for_youtube, table)]) if table else "",
            "\n".join(["Chapters", *chapters]) if chapters else "",
            proof,
            _LICENCE,
        )
        text = "\n\n".join(section for section in sections if section) + "\n"
        if len(text.encode()) <= MAX_BYTES:
            return text
        if len(table) > 3:
            table = [*table[:-2], "…"]
        elif chapters:
            chapters = []
        else:
            return text.encode()[:MAX_BYTES].decode(errors="ignore")

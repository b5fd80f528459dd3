"""Chooses the part of a thought that is shown: the sentence that gives the reason, or a sentence that is not true.

Pure. The part is at most `MAX_CHARACTERS` long, so that viewers can read it, and ends with a sentence, a clause or a
word. Reasons are recognised by English words. For a thought in another language, its beginning is shown.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from server.text.characters import clipped

MAX_CHARACTERS = 140
"""The most characters of a part, with the dots where it was cut."""
FILLED = 70
"""A part with fewer characters than this is extended by the next sentences, or else by those before, if they fit."""
_ENDS, _QUOTES = r".!?…\u3002\uff01\uff1f", r"\"'\u201d\u2019)"
"""Matches the end of a sentence, also in Chinese and Japanese, with the quotes and brackets that may follow."""
_PAUSES = r",;:—\u2013"
_WIDE_PAUSES = r"\uff0c\uff1b\uff1a\u3001"
_SENTENCE = re.compile(rf"(?:[^{_ENDS}]|[.!?…](?![\s{_QUOTES}]|$))*(?:[{_ENDS}]+[{_QUOTES}]*|$)\s*")
_CLAUSE = re.compile(
    rf"(?<=[{_PAUSES}])\s+|(?<=[{_WIDE_PAUSES}])|\s+(?=(?:because|since|so|but|and|while|although|if)\b)", re.I
)
_TRAILING = re.compile(rf"[\s{_PAUSES}{_WIDE_PAUSES}]+$")
_BECAUSE = re.compile(
    r"\b(?:because|since|therefore|hence|otherwise|hoping|so (?:I|that|we)|in order to|which means|to (?:deny|protect|"
    r"build|induce|represent|see|get)|makes? sense|worth|reason)\b",
    re.I,
)
_POKER = re.compile(
    r"\b(?:odds|outs?|draws?|equity|pair|trips|sets?|straight|flush|full house|quads|kicker|nuts|bluff\w*|value|range|"
    r"fold equity|overcards?|blockers?|suited|pocket|ahead|behind|beats?|\d+ ?%)",
    re.I,
)


class Excerpt(Struct, frozen=True):
    """A part of a thought, from `start` to `end`. `text` has dots where the part begins or ends within a sentence.

    To get a position in `text`, add `shift` to the position in the thought.
    """

    start: int
    end: int
    text: str
    shift: int


def excerpt(thought: str, untrue: Sequence[tuple[int, int]] = ()) -> Excerpt:
    """Returns the part of `thought` to show. If there are `untrue` claims, the part contains the first of them that
    fits.
    """
    if len(thought) <= MAX_CHARACTERS:
        return Excerpt(0, len(thought), thought, 0)
    sentences = list(_spans(thought, _SENTENCE))
    for start, end in untrue:
        around = [at for at, (begin, stop) in enumerate(sentences) if begin <= start and end <= stop]
        if around and end - start <= MAX_CHARACTERS - 2:
            return _from(thought, sentences, around[0], start, end)
    chosen = max(range(len(sentences)), key=lambda at: (_reason(thought[slice(*sentences[at])]), -at))
    start, end = sentences[chosen]
    because = _BECAUSE.search(thought, start, end)
    start = because.start() if because else start
    return _from(thought, sentences, chosen, start, start)


def _from(thought: str, sentences: Sequence[tuple[int, int]], chosen: int, first: int, last: int) -> Excerpt:
    """Returns the part from sentence number `chosen` on, or from an earlier one if that is only "So I call."."""
    begin, end = chosen, sentences[-1][1]
    while begin and end - sentences[begin][0] < FILLED and end - sentences[begin - 1][0] <= MAX_CHARACTERS:
        begin -= 1
    if begin == chosen:
        return _part(thought, sentences[chosen:], first, last)
    start = sentences[begin][0]
    return Excerpt(start, end, thought[start:end], -start)


def _reason(sentence: str) -> int:
    """Returns how much a sentence tells about the reason: whether it says why, and whether it is about cards and
    odds.
    """
    return 2 * bool(_BECAUSE.search(sentence)) + bool(_POKER.search(sentence))


def _part(thought: str, sentences: Sequence[tuple[int, int]], first: int, last: int) -> Excerpt:
    """Returns the part with the characters `first` to `last` of the first sentence, and as much else as fits."""
    begin, end = sentences[0]
    if end - begin <= MAX_CHARACTERS:
        for _, later in sentences[1:]:
            if end - begin >= FILLED or later - begin > MAX_CHARACTERS:
                break
            end = later
        return Excerpt(begin, end, thought[begin:end], -begin)
    clauses = list(_clauses(thought, begin, end))
    start = begin
    if last - begin > MAX_CHARACTERS - 1 or first >= clauses[0][1]:
        # from this clause on, unless everything from the start of the sentence to the end of the clause fits
        ends = next(stop for _, stop in clauses if stop >= last)
        if ends - begin > MAX_CHARACTERS - 1:
            start = next(start for start, stop in clauses if first < stop)
            start = start if last - start <= MAX_CHARACTERS - 2 else first
    room = MAX_CHARACTERS - (start > begin) - 1
    if end - start <= room + 1:
        return _dotted(thought, start, end, begin, end)
    stops = [stop for _, stop in clauses if max(last, start) <= stop <= start + room]
    if stops and stops[-1] - start >= FILLED // 2:
        return _dotted(thought, start, stops[-1], begin, end)
    return _dotted(thought, start, max(last, _at_word(thought, start, room)), begin, end)


def _dotted(thought: str, start: int, end: int, begin: int, stop: int) -> Excerpt:
    words = _TRAILING.sub("", thought[start:end]) if end < stop else thought[start:end]
    dots = ("…" if start > begin else "", "…" if end < stop and not words.endswith("…") else "")
    return Excerpt(start, start + len(words), f"{dots[0]}{words}{dots[1]}", len(dots[0]) - start)


def _at_word(thought: str, start: int, room: int) -> int:
    """The end of the last whole word that fits, or of the last whole letter if there is no space."""
    window = thought[start : start + room + 1]
    space = window.rfind(" ")
    return start + (space if space > room // 2 else len(clipped(window, room + 1)) - 1)


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yields where each match begins and where its words end."""
    for found in pattern.finditer(text):
        if words := found[0].rstrip():
            yield found.start(), found.start() + len(words)


def _clauses(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the clauses of the sentence from `begin` to `end`."""
    start = begin
    for found in _CLAUSE.finditer(text, begin, end):
        yield start, found.start()
        start = found.end()
    yield start, end

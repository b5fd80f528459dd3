"""Captions of a video as files: what the show says, in lines that can be read, as WebVTT and as SubRip. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from broadcast.film.timeline import Spoken
from server.text.grammar import breadth

WIDEST = 42
"""Letters of a line; letters of Chinese and the like count twice."""
MOST_LINES = 2
SHORTEST_MS, LONGEST_MS = 1000, 7000
LETTER_MS = 45
"""Somebody who reads along needs so long for each letter."""
LATE_MS = 2500
"""So long after its moment something comes up at most, so that what stood before can be read."""
TRIFLE_MS, TRIFLE_LATE_MS = 1000, 500
"""What held the screen for less, a fold or a check, is left out if it cannot come up that soon."""


class Subtitle(Struct, frozen=True):
    """What stands below the picture from one moment to another."""

    at_ms: int
    until_ms: int
    lines: tuple[str, ...]


class _Part(Struct):
    """As much as there is room for at one time. `whole`: it is all of a caption."""

    at_ms: int
    hold_ms: int
    text: str
    whole: bool = True
    trifle: bool = False

    @property
    def read_ms(self) -> int:
        """How long it takes to read."""
        return min(max(SHORTEST_MS, LETTER_MS * len(self.text)), LONGEST_MS)


def subtitles_of(spoken: Sequence[Spoken], length_ms: int) -> list[Subtitle]:
    """What is said, none over another: what follows too quickly is joined, or comes a little later, or not at all."""
    parts = _in_time(part for each in _latest(spoken) for part in _parted(each))
    found = []
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        until = part.at_ms + min(max(part.hold_ms, part.read_ms), LONGEST_MS)
        until = min(until, after.at_ms if after else length_ms)
        if until > part.at_ms:
            found.append(Subtitle(part.at_ms, until, tuple(wrapped(part.text))))
    return found


def vtt(subtitles: Iterable[Subtitle]) -> str:
    """A WebVTT file."""
    blocks = (f"{_stamp(each.at_ms, '.')} --> {_stamp(each.until_ms, '.')}\n{_escaped(each)}\n" for each in subtitles)
    return "\n".join(["WEBVTT\n", *blocks])


def srt(subtitles: Iterable[Subtitle]) -> str:
    """A SubRip file. It knows no escape for what looks like a tag: angle brackets become others."""
    return "\n".join(
        f"{number}\n{_stamp(each.at_ms, ',')} --> {_stamp(each.until_ms, ',')}\n{_untagged(each)}\n"
        for number, each in enumerate(subtitles, 1)
    )


def wrapped(text: str) -> list[str]:
    """`text` in lines that are not too wide; a word that is gets cut."""
    lines = [""]
    for word in text.split():
        for piece in _pieces(word):
            joined = f"{lines[-1]} {piece}".strip()
            if breadth(joined) <= WIDEST:
                lines[-1] = joined
            else:
                lines.append(piece)
    return [line for line in lines if line]


def _pieces(word: str) -> Iterator[str]:
    piece = ""
    for letter in word:
        if breadth(piece + letter) > WIDEST:
            yield piece
            piece = ""
        piece += letter
    yield piece


def _latest(spoken: Sequence[Spoken]) -> list[Spoken]:
    """Of what came up at the same moment the last, which is what could be read."""
    return [
        each for each, after in zip(spoken, [*spoken[1:], None], strict=True) if not after or after.at_ms > each.at_ms
    ]


def _parted(spoken: Spoken) -> Iterator[_Part]:
    """In parts of two lines, each for its share of the time."""
    texts = _halved(spoken.text)
    at, letters = spoken.at_ms, max(1, len(spoken.text))
    for text in texts:
        hold = spoken.hold_ms * len(text) // letters
        yield _Part(at, hold, text, whole=len(texts) == 1, trifle=spoken.hold_ms < TRIFLE_MS)
        at += hold


def _halved(text: str) -> list[str]:
    """`text`, or the parts it has to be told in: cut where it breathes, as near to the middle as may be."""
    if len(wrapped(text)) <= MOST_LINES:
        return [text]
    for breath in ("; ", ": ", ", ", " "):
        cuts = [at + len(breath) for at in range(len(text)) if text.startswith(breath, at)]
        halves = [
            (text[:cut].strip(), text[cut:].strip()) for cut in sorted(cuts, key=lambda cut: abs(2 * cut - len(text)))
        ]
        for first, second in halves:
            if max(len(wrapped(first)), len(wrapped(second))) <= MOST_LINES:
                return [first, second]
    lines = wrapped(text)
    return [" ".join(lines[at : at + MOST_LINES]) for at in range(0, len(lines), MOST_LINES)]


def _in_time(parts: Iterable[_Part]) -> list[_Part]:
    """Each for long enough to be read, as far as there is time; trifles make room for the rest."""
    found: list[_Part] = []
    for part in parts:
        while found and found[-1].trifle and not part.trifle and _free(found) > part.at_ms:
            found.pop()
        if found and _join(found[-1], part):
            continue
        late = _free(found) - part.at_ms if found else 0
        if late > TRIFLE_LATE_MS and part.trifle:
            continue
        if late > 0:
            part.at_ms = max(part.at_ms + min(late, LATE_MS), found[-1].at_ms + SHORTEST_MS)
        if late > LATE_MS:
            found[-1].text = _brief(found[-1].text)
        found.append(part)
    return found


def _brief(text: str) -> str:
    """What happened, without what it was done with or comes to."""
    first = min((text.find(rest) for rest in ("; ", " with ", ", ") if rest in text), default=-1)
    return f"{text[:first]}." if first > 0 else text


def _free(found: Sequence[_Part]) -> int:
    """When the last of them has been read."""
    return found[-1].at_ms + found[-1].read_ms


def _join(before: _Part, part: _Part) -> bool:
    """Has two trifles stand together, if there is room."""
    joined = f"{before.text} {part.text}"
    fits = before.trifle and part.trifle and before.whole and part.whole and len(wrapped(joined)) <= MOST_LINES
    if fits:
        before.text, before.hold_ms = joined, part.at_ms + part.hold_ms - before.at_ms
    return fits


def _stamp(ms: int, point: str) -> str:
    seconds, rest = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"


def _escaped(subtitle: Subtitle) -> str:
    text = "\n".join(subtitle.lines)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _untagged(subtitle: Subtitle) -> str:
    return "\n".join(subtitle.lines).replace("<", "\u2039").replace(">", "\u203a")

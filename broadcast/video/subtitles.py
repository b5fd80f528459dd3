"""Makes readable subtitles for a video from the captions of the show, as WebVTT and as SubRip. No I/O."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct

from broadcast.film.timeline import TimedCaption
from server.text.grammar import text_width

MAX_LINE_WIDTH = 42
"""The most characters in a line. Wide characters, such as Chinese characters, count twice."""
MAX_LINES = 2
MIN_SUBTITLE_MS, MAX_SUBTITLE_MS = 1000, 7000
"""The shortest and the longest time for which a subtitle is shown, in milliseconds."""
CHARACTER_MS = 45
"""The milliseconds that it takes to read one character."""
MAX_DELAY_MS = 2500
"""By how many milliseconds a subtitle may be delayed, to leave time for reading the previous subtitle."""
MINOR_MS, MAX_MINOR_DELAY_MS = 1000, 500
"""A caption that is shown for less than MINOR_MS, such as the caption of a check, is minor. A minor caption is left out
if it would be more than MAX_MINOR_DELAY_MS late.
"""


class Subtitle(Struct, frozen=True):
    """Lines of text, and when they are shown, in milliseconds of the video."""

    at_ms: int
    until_ms: int
    lines: tuple[str, ...]


class _Part(Struct):
    """A caption (`is_whole_caption`) or a part of a caption, in one or two lines. If `is_minor`, it may be left out."""

    at_ms: int
    hold_ms: int
    text: str
    is_whole_caption: bool = True
    is_minor: bool = False

    @property
    def read_ms(self) -> int:
        return min(max(MIN_SUBTITLE_MS, CHARACTER_MS * len(self.text)), MAX_SUBTITLE_MS)


def subtitles_of(captions: Sequence[TimedCaption], length_ms: int) -> list[Subtitle]:
    """Returns the subtitles of a video of `length_ms`, without overlaps.

    Captions that follow one another quickly are joined, delayed or left out.
    """
    following = zip(captions, [*captions[1:], None], strict=True)
    # a caption with the same time as the next caption is replaced at once
    visible = [each for each, after in following if not after or after.at_ms > each.at_ms]
    parts = _with_time_to_read(part for each in visible for part in _parts_of(each))
    found = []
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        until = part.at_ms + min(max(part.hold_ms, part.read_ms), MAX_SUBTITLE_MS)
        until = min(until, after.at_ms if after else length_ms)
        if until > part.at_ms:
            found.append(Subtitle(part.at_ms, until, tuple(wrap_lines(part.text))))
    return found


def vtt_text(subtitles: Iterable[Subtitle]) -> str:
    blocks = ["WEBVTT\n"]
    for each in subtitles:
        text = escape("\n".join(each.lines), quote=False)
        blocks.append(f"{_format_time(each.at_ms, '.')} --> {_format_time(each.until_ms, '.')}\n{text}\n")
    return "\n".join(blocks)


def srt_text(subtitles: Iterable[Subtitle]) -> str:
    """Returns the text of a SubRip file. The format cannot escape tags, so angle brackets become guillemets."""
    blocks = []
    for number, each in enumerate(subtitles, 1):
        text = "\n".join(each.lines).replace("<", "\u2039").replace(">", "\u203a")
        blocks.append(f"{number}\n{_format_time(each.at_ms, ',')} --> {_format_time(each.until_ms, ',')}\n{text}\n")
    return "\n".join(blocks)


def wrap_lines(text: str) -> list[str]:
    """Splits `text`, even within long words, into lines of at most `MAX_LINE_WIDTH` characters."""
    lines = [""]
    for word in text.split():
        for piece in _pieces(word):
            joined = f"{lines[-1]} {piece}".strip()
            if text_width(joined) <= MAX_LINE_WIDTH:
                lines[-1] = joined
            else:
                lines.append(piece)
    return [line for line in lines if line]


def _pieces(word: str) -> Iterator[str]:
    piece = ""
    for character in word:
        if text_width(piece + character) > MAX_LINE_WIDTH:
            yield piece
            piece = ""
        piece += character
    yield piece


def _parts_of(caption: TimedCaption) -> Iterator[_Part]:
    """Yields the parts of a caption, each of at most two lines and with its share of the time."""
    texts = _split(caption.text)
    at, length = caption.at_ms, max(1, len(caption.text))
    for text in texts:
        hold = caption.hold_ms * len(text) // length
        is_whole_caption = len(texts) == 1
        yield _Part(at, hold, text, is_whole_caption, is_minor=is_whole_caption and caption.hold_ms < MINOR_MS)
        at += hold


def _split(text: str) -> list[str]:
    """Splits a text that is too long for two lines, preferably after punctuation and near the middle."""
    if len(wrap_lines(text)) <= MAX_LINES:
        return [text]
    for separator in ("; ", ": ", ", ", " "):
        cuts = [at + len(separator) for at in range(len(text)) if text.startswith(separator, at)]
        halves = [
            (text[:cut].strip(), text[cut:].strip()) for cut in sorted(cuts, key=lambda cut: abs(2 * cut - len(text)))
        ]
        for first, second in halves:
            if max(len(wrap_lines(first)), len(wrap_lines(second))) <= MAX_LINES:
                return [first, second]
    lines = wrap_lines(text)
    return [" ".join(lines[at : at + MAX_LINES]) for at in range(0, len(lines), MAX_LINES)]


def _with_time_to_read(parts: Iterable[_Part]) -> list[_Part]:
    """Makes time for reading: joins, delays and shortens parts, and leaves out minor parts."""
    found: list[_Part] = []
    for part in parts:
        while found and found[-1].is_minor and not part.is_minor and _read_until_ms(found) > part.at_ms:
            found.pop()
        if found and _join(found[-1], part):
            continue
        late = _read_until_ms(found) - part.at_ms if found else 0
        if late > MAX_MINOR_DELAY_MS and part.is_minor:
            continue
        if late > 0:
            part.at_ms = max(part.at_ms + min(late, MAX_DELAY_MS), found[-1].at_ms + MIN_SUBTITLE_MS)
        if late > MAX_DELAY_MS and found[-1].is_whole_caption:
            found[-1].text = _shortened(found[-1].text)
        found.append(part)
    return found


def _shortened(text: str) -> str:
    """Cuts a text at its first "; " or " with ". So "Ada wins 40 with a pair." becomes "Ada wins 40."."""
    first = min((text.find(rest) for rest in ("; ", " with ") if rest in text), default=-1)
    return f"{text[:first]}." if first > 0 else text


def _read_until_ms(found: Sequence[_Part]) -> int:
    return found[-1].at_ms + found[-1].read_ms


def _join(before: _Part, part: _Part) -> bool:
    """Joins two minor captions into one subtitle if they fit. Returns whether they were joined."""
    joined = f"{before.text} {part.text}"
    fits = (
        before.is_minor
        and part.is_minor
        and before.is_whole_caption
        and part.is_whole_caption
        and len(wrap_lines(joined)) <= MAX_LINES
    )
    if fits:
        before.text, before.hold_ms = joined, part.at_ms + part.hold_ms - before.at_ms
    return fits


def _format_time(ms: int, point: str) -> str:
    seconds, rest = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"

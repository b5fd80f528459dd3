"""Finds emojis and invisible characters. Removes accents and other marks if a letter has too many of them. No I/O.

Unicode's data come from the `regex` package, which is updated sooner than Python.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import regex

_CURSIVE = r"[\p{Joining_Type=D}\p{Joining_Type=L}\p{Joining_Type=R}]"
_PICTURE = r"\p{Extended_Pictographic}"
_JOINERS = (  # joiners between cursive letters, after viramas and before viramas (UAX 31, 2.3.1)
    rf"(?<={_CURSIVE}\p{{M}}{{0,4}})[\u200c\u200d](?={_CURSIVE})",
    r"(?<=\p{L}\p{M}{0,4}\p{ccc=9}\p{M}{0,4})[\u200c\u200d]",
    r"(?<=\p{L}\p{M}{0,4})[\u200c\u200d](?=\p{ccc=9})",
)
_VARIANTS = (
    r"(?<=\p{Mongolian})[\u180b-\u180f]",
    r"(?<=\p{Han})[\ufe00-\ufe0f\U000e0100-\U000e01ef]",
    r"(?<=\p{Emoji})[\ufe0e\ufe0f]",
)
_SEQUENCES = (  # UTS 51: emojis joined into one, such as families, and flags of regions, such as Scotland's
    rf"(?<={_PICTURE}[\ufe0f\p{{Emoji_Modifier}}]?)\u200d(?={_PICTURE})",
    r"(?<=\U0001f3f4[\U000e0030-\U000e007a]{0,6})[\U000e0030-\U000e007a](?=[\U000e0030-\U000e007a]{0,6}\U000e007f)",
    r"(?<=\U0001f3f4[\U000e0030-\U000e007a]{1,6})\U000e007f",
)
_INVISIBLE = (
    r"[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]"
)

HIDDEN_CHARACTER = regex.compile(f"(?!{'|'.join((*_JOINERS, *_VARIANTS, *_SEQUENCES))}){_INVISIBLE}")
"""Matches an invisible character that does not affect its neighbours, such as a control character or a stray joiner."""
EMOJI = regex.compile(r"[\p{Emoji_Presentation}\p{Emoji_Modifier}]|\p{Emoji}\ufe0f|\u20e3")
"""Matches a coloured picture. Card suits and stars match only if an emoji selector follows."""
VISIBLE = regex.compile(rf"(?!{_INVISIBLE})[^\s\p{{M}}]")
MARK = regex.compile(r"\p{M}")
_CLUSTER = regex.compile(r"\X")

_LIMITS: Mapping[str, int] = {"above": 2, "below": 2, "top": 2, "bottom": 4, "virama": 4, "stacker": 2}
"""The maximum number of marks of each kind that fonts can draw on one letter. Fonts can draw one mark of any kind that
is not listed.

"above" and "below" are accents. "top", "bottom" and "virama" are Indic signs. A "stacker" puts the next letter below
the letter that it marks.
"""
_MAX_ACCENTS = 3
_MAX_MARKS = 6


def drop_surplus_marks(text: str) -> str:
    """Returns `text` without the marks that fonts cannot draw because a letter has too many."""
    if text.isascii():
        return text
    kept: list[str] = []
    marks_on_letter: Counter[str] = Counter()
    for char in text:
        kinds = _mark_kinds(char)
        if not MARK.match(char):
            last_char = next((char for char in reversed(kept[-3:]) if char not in "\u200c\u200d"), "")
            is_chained = marks_on_letter.total() and _mark_kinds(last_char) in (("virama",), ("stacker",))
            marks_on_letter = Counter(
                {kind: marks_on_letter[kind] for kind in ("virama", "stacker")} if is_chained else ()
            )
        elif not _fits(marks_on_letter + Counter(kinds)):
            continue
        marks_on_letter.update(kinds)
        kept.append(char)
    return "".join(kept)


def clip_text(text: str, max_characters: int) -> str:
    """Cuts `text` to at most `max_characters` characters. A cut text ends with "…". Never cuts through an emoji, or
    between a letter and its marks.
    """
    if len(text) <= max_characters:
        return text
    kept = ""
    for cluster in _CLUSTER.finditer(text[:max_characters]):
        if cluster.end() >= max_characters:
            break
        kept = text[: cluster.end()]
    return f"{kept.rstrip()}…"


def printable(text: str) -> str:
    """Returns `text` with question marks for characters that control a terminal or are not shown there."""
    return text if text.isprintable() else HIDDEN_CHARACTER.sub("?", text)


def _fits(marks: Counter[str]) -> bool:
    return (
        all(count <= _LIMITS.get(kind, 1) for kind, count in marks.items())
        and marks["above"] + marks["below"] <= _MAX_ACCENTS
        and marks.total() - marks["virama"] - marks["stacker"] <= _MAX_MARKS
    )


@lru_cache(4096)
def _mark_kinds(char: str) -> tuple[str, ...]:
    """Returns the kinds of the marks that a character contains."""
    return tuple(kind for mark in unicodedata.normalize("NFD", char) if (kind := _mark_kind(mark)))


def _mark_kind(mark: str) -> str:
    """Returns the kind of a mark, or "" for a character that takes up space."""
    if regex.match(r"\p{InSC=Invisible_Stacker}", mark):
        return "stacker"
    if regex.match(r"\p{InSC=Virama}", mark):
        return "virama"
    position = unicodedata.combining(mark)
    if position >= 200:
        return "below" if position in (202, 218, 220, 222, 233, 240) else "above"
    if position:
        return str(position)
    if not regex.match(r"[\p{Mn}\p{Me}--\p{Variation_Selector}]", mark, regex.V1):
        return ""
    return "bottom" if regex.match(r"\p{InPC=Bottom}", mark) else "top"

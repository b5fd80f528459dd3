"""Speaks one sentence so that it fits into the time there is: plainly, a little faster, or without its last clauses."""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from broadcast.voice.program import WORDS, wav_of

MOST_LETTERS = 300
_WORDS = {
    "SB": "small blind", "BB": "big blind", "vs": "versus", "%": " percent", "&": " and ",
    "♠": " spades ", "♥": " hearts ", "♦": " diamonds ", "♣": " clubs ", "·": ", ",
}  # fmt: skip
_SIGNS = re.compile(r"\b(?:SB|BB|vs)\b|[%&♠♥♦♣·]")
_END = re.compile(r"pot of [\d,]+(?= with )|(?=; )|(?=\. \w)|(?=, \d+% to )|(?=, [\w ]+ kicker)")
"""Where a caption may end without becoming untrue; lists of names and cards stay whole."""


MOST_PACE = 1.3
"""Faster than this people no longer follow."""
_MARGIN = 1.03
"""Programs keep their pace only roughly."""


class Speech(Struct, frozen=True):
    """A spoken sentence: an Ogg Vorbis, and how many milliseconds it takes."""

    sound: bytes
    ms: int


class Speaker:
    """Speaks through a program of the organiser's. Its methods may take seconds: they are for a thread."""

    def __init__(self, program: Sequence[str], sayings: Mapping[str, str]) -> None:
        """`program` is a command as `wav_of` takes it; `sayings` has how names are said, if not as written."""
        self._program = program
        self._sayings = sayings
        self._ms_a_letter = math.inf
        """The least that any sentence took."""

    def fitting(self, text: str, room_ms: float) -> Speech | None:
        """`text`, or its beginning, spoken within `room_ms`; None where it does not fit. Raises NoSpeech."""
        for form in (speakable(each, self._sayings) for each in shorter_forms(text)):
            least = len(form) * self._ms_a_letter / self._most_pace
            if (least <= room_ms or math.isinf(least)) and (speech := self._paced(form, room_ms)):
                return speech
        return None

    @property
    def _most_pace(self) -> float:
        return MOST_PACE if any(WORDS in word for word in self._program) else 1.0

    def _paced(self, text: str, room_ms: float) -> Speech | None:
        # They bring NumPy, which a studio is not to wait for at its start.
        from broadcast.voice.levels import trimmed, vorbis  # noqa: PLC0415

        samples, rate = trimmed(wav_of(self._program, text))
        ms = len(samples) * 1000 // rate
        self._ms_a_letter = min(self._ms_a_letter, ms / len(text))
        pace = ms / room_ms * _MARGIN
        if ms > room_ms and pace <= self._most_pace:
            samples, rate = trimmed(wav_of(self._program, text, pace=pace))
            ms = len(samples) * 1000 // rate
        return Speech(vorbis(samples, rate), ms) if ms <= room_ms else None


def speakable(text: str, sayings: Mapping[str, str]) -> str:
    """`text` in words, at most `MOST_LETTERS` letters; each name in `sayings` becomes what it stands for.

    Brackets go: some programs take what stands in them for commands.
    """
    names = sorted((name for name in sayings if name), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)", text) if names else [text]
    said = "".join(sayings[part] if part in sayings else _in_words(part) for part in parts)
    plain = "".join(" " if unicodedata.category(letter)[0] == "C" else letter for letter in said)
    plain = plain.translate(dict.fromkeys(map(ord, "[]<>{}|\\")))
    return " ".join(plain.split())[:MOST_LETTERS]


def shorter_forms(text: str) -> Iterator[str]:
    """`text` itself, then without what it adds last, and so on: what is left is a true sentence still."""
    yield text
    for end in reversed(list(_END.finditer(text))):
        yield f"{text[: end.end()]}."


def _in_words(text: str) -> str:
    return _SIGNS.sub(lambda found: _WORDS[found[0]], text)

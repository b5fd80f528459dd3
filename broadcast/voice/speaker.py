"""Speaks one sentence by a program of the organiser's: it goes in on standard input, a WAV comes out, within limits.

It is made to fit into the time there is: spoken plainly, a little faster, or without its last clauses.
"""

import math
import os
import re
import selectors
import signal
import subprocess
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile

from msgspec import Struct

from server.environment import environment

WORDS = "{words}"
"""Stands in the command for the words a minute."""
MOST_BYTES = 4_000_000
"""Of a WAV: 20 s at 48 kHz and two channels."""
SECONDS = 10.0
_WORDS_A_MINUTE = 165
_PIECE = 1 << 16
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


class NoSpeech(Exception):
    """A sentence cannot be spoken; the message says why: "it takes more than 10 seconds"."""


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
    said = "".join(
        sayings[part] if part in sayings else _SIGNS.sub(lambda found: _WORDS[found[0]], part) for part in parts
    )
    plain = "".join(" " if unicodedata.category(letter)[0] == "C" else letter for letter in said)
    plain = plain.translate(dict.fromkeys(map(ord, "[]<>{}|\\")))
    return " ".join(plain.split())[:MOST_LETTERS]


def shorter_forms(text: str) -> Iterator[str]:
    """`text` itself, then without what it adds last, and so on: what is left is a true sentence still."""
    yield text
    for end in reversed(list(_END.finditer(text))):
        yield f"{text[: end.end()]}."


def wav_of(program: Sequence[str], text: str, *, pace: float = 1.0, seconds: float = SECONDS) -> bytes:
    """What `program` says of `text` at `pace` times its usual speed, as it wrote it. Raises NoSpeech.

    No shell reads the program's words; one that has no `WORDS` always speaks at its usual speed.
    """
    words = [word.replace(WORDS, str(round(_WORDS_A_MINUTE * pace))) for word in program]
    try:
        with TemporaryFile() as sentence:
            sentence.write(text.encode())
            sentence.seek(0)
            spoken = subprocess.Popen(  # noqa: S603  (the organiser's own program; text goes in on standard input)
                words,
                stdin=sentence,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=environment(),
            )
    except OSError as error:
        raise NoSpeech(f"it cannot be started: {error.strerror}") from None
    return _output(spoken, seconds)


def _output(spoken: "subprocess.Popen[bytes]", seconds: float) -> bytes:
    """What it writes until it ends. Its whole session is ended with it."""
    assert spoken.stdout
    heard, until = bytearray(), time.monotonic() + seconds
    try:
        with selectors.DefaultSelector() as waiting:
            waiting.register(spoken.stdout, selectors.EVENT_READ)
            while waiting.select(max(0.0, until - time.monotonic())):
                piece = os.read(spoken.stdout.fileno(), _PIECE)
                if not piece:
                    return bytes(heard)
                heard += piece
                if len(heard) > MOST_BYTES:
                    raise NoSpeech(f"it writes more than {MOST_BYTES:,} bytes")
        raise NoSpeech(f"it takes more than {seconds:g} seconds")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(spoken.pid, signal.SIGKILL)
        spoken.stdout.close()
        spoken.wait()

"""Speaks sentences with the organiser's program, within limits. The program reads text from standard input, and writes
a WAV.

A sentence that is too long for its time is spoken a little faster, or without its last clauses.
"""

import math
import os
import re
import selectors
import subprocess
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryFile

from msgspec import Struct

from server.child_environment import environment_for_child
from server.system.processes import KILL, UNIX, own_group_arguments, signal_group

RATE_PLACEHOLDER = "{words}"
"""The placeholder in a command for the number of words per minute."""
MAX_WAV_BYTES = 4_000_000
"""The largest WAV: 20 s at 48 kHz and two channels."""
MAX_SPEAKING_SECONDS = 10.0
_WORDS_PER_MINUTE = 165
_READ_BYTES = 1 << 16
MAX_CHARACTERS = 300
_SPOKEN_FORMS = {
    "SB": "small blind", "BB": "big blind", "vs": "versus", "%": " percent", "&": " and ",
    "♠": " spades ", "♥": " hearts ", "♦": " diamonds ", "♣": " clubs ", "·": ", ",
}  # fmt: skip
_SPOKEN_SIGN = re.compile(r"\b(?:SB|BB|vs)\b|[%&♠♥♦♣·]")
_CUT_POINT = re.compile(
    r"(?:wins|takes) [\d,]+(?= with )|split [\d,]+(?=: )|(?=; )|(?=, (?:and|but|drawing dead) )"
    r"|(?=\. \w)|(?=, \d+% to )|(?=, [\w ]+ (?:kicker|next))"
)
"""Where a caption can be cut so that what remains is still true. Lists of names and cards are never cut."""
MAX_PACE = 1.3
"""The fastest pace that listeners can follow. Pace 1 means _WORDS_PER_MINUTE words per minute."""
_PACE_MARGIN = 1.03
"""Programs are asked for a pace that is higher by this factor, because they may speak more slowly than asked."""


class NoSpeech(Exception):
    """A sentence cannot be spoken. The message says why, such as "it takes more than 10 seconds"."""


class Speech(Struct, frozen=True):
    """A spoken sentence as Ogg Vorbis, and its length in milliseconds."""

    sound: bytes
    ms: int


class Speaker:
    """Speaks with the organiser's program. Its methods may run for seconds, so call them in a thread."""

    def __init__(self, program: Sequence[str], pronunciations: Mapping[str, str], *, quiet: bool = False) -> None:
        """`program` is the organiser's command. `pronunciations` has names, each with a spelling that the program
        pronounces correctly.

        A `quiet` speaker is for bots' thoughts, which are quieter than captions.
        """
        self._program = program
        self._quiet = quiet
        self._pronunciations = pronunciations
        self._max_pace = MAX_PACE if any(RATE_PLACEHOLDER in word for word in program) else 1.0
        self._ms_per_character = math.inf
        """The milliseconds per character of the fastest sentence so far."""

    def speak_within(self, text: str, room_ms: float) -> Speech | None:
        """Speaks `text`, or the part of its beginning that fits into `room_ms`. Returns None if nothing fits.

        Raises NoSpeech.
        """
        for spoken_text in (prepare_text(each, self._pronunciations) for each in shorter_forms(text)):
            least_ms = len(spoken_text) * self._ms_per_character / self._max_pace
            if (least_ms <= room_ms or math.isinf(least_ms)) and (speech := self._speak(spoken_text, room_ms)):
                return speech
        return None

    def _speak(self, text: str, room_ms: float) -> Speech | None:
        # Imported only here, because `speech_encoding` imports NumPy, which would delay the start of a studio.
        from broadcast.voice.speech_encoding import TARGET_LUFS, THOUGHT_LUFS, encode_vorbis, trim_silence  # noqa: PLC0415

        samples, rate = trim_silence(run_speech_program(self._program, text))
        ms = len(samples) * 1000 // rate
        self._ms_per_character = min(self._ms_per_character, ms / len(text))
        pace = ms / room_ms * _PACE_MARGIN
        if ms > room_ms and pace <= self._max_pace:
            samples, rate = trim_silence(run_speech_program(self._program, text, pace=pace))
            ms = len(samples) * 1000 // rate
        lufs = THOUGHT_LUFS if self._quiet else TARGET_LUFS
        return Speech(encode_vorbis(samples, rate, lufs), ms) if ms <= room_ms else None


def prepare_text(text: str, pronunciations: Mapping[str, str]) -> str:
    """Prepares `text` for speaking: replaces names with their `pronunciations`, and spells out signs.

    Removes brackets, which a program may take for commands, and keeps at most `MAX_CHARACTERS`.
    """
    names = sorted((name for name in pronunciations if name), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)", text) if names else [text]
    spoken = "".join(
        pronunciations[part]
        if part in pronunciations
        else _SPOKEN_SIGN.sub(lambda found: _SPOKEN_FORMS[found[0]], part)
        for part in parts
    )
    plain = "".join(" " if unicodedata.category(each)[0] == "C" else each for each in spoken)
    plain = plain.translate(dict.fromkeys(map(ord, "[]<>{}|\\")))
    return " ".join(plain.split())[:MAX_CHARACTERS]


def shorter_forms(text: str) -> Iterator[str]:
    """Yields `text`, then ever shorter forms of the text without its last clauses. All forms are true."""
    yield text
    for end in reversed(list(_CUT_POINT.finditer(text))):
        yield f"{text[: end.end()]}."


def run_speech_program(
    program: Sequence[str], text: str, *, pace: float = 1.0, seconds: float = MAX_SPEAKING_SECONDS
) -> bytes:
    """Runs `program` on `text` without a shell, and returns its output. Raises NoSpeech.

    `pace` has an effect only if the command contains `RATE_PLACEHOLDER`.
    """
    if not UNIX:
        raise NoSpeech("it needs Linux or macOS")
    words = [word.replace(RATE_PLACEHOLDER, str(round(_WORDS_PER_MINUTE * pace))) for word in program]
    try:
        with TemporaryFile() as sentence:
            sentence.write(text.encode())
            sentence.seek(0)
            process = subprocess.Popen(  # noqa: S603  (the organiser's own program, which gets text on standard input)
                words,
                stdin=sentence,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **own_group_arguments(session=True),
                env=environment_for_child(),
            )
    except OSError as error:
        raise NoSpeech(f"it cannot be started: {error.strerror}") from None
    return read_output(process, seconds)


def read_output(process: "subprocess.Popen[bytes]", seconds: float) -> bytes:
    """Reads a program's output to its end, and then kills the program's whole session. Raises NoSpeech if the output is
    too long or takes more than `seconds`.
    """
    assert process.stdout
    output, deadline = bytearray(), time.monotonic() + seconds
    try:
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            while waiting.select(max(0.0, deadline - time.monotonic())):
                piece = os.read(process.stdout.fileno(), _READ_BYTES)
                if not piece:
                    return bytes(output)
                output += piece
                if len(output) > MAX_WAV_BYTES:
                    raise NoSpeech(f"it writes more than {MAX_WAV_BYTES:,} bytes")
        raise NoSpeech(f"it takes more than {seconds:g} seconds")
    finally:
        signal_group(process.pid, KILL)
        process.stdout.close()
        process.wait()

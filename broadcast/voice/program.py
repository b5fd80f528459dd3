"""Runs the program that speaks: a sentence goes in on standard input, a WAV comes out, within limits."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryFile

from server.environment import environment

WORDS = "{words}"
"""Stands in the command for the words a minute."""
MOST_BYTES = 4_000_000
"""Of a WAV: 20 s at 48 kHz and two channels."""
SECONDS = 10.0
_WORDS_A_MINUTE = 165
_PIECE = 1 << 16


class NoSpeech(Exception):
    """A sentence cannot be spoken; the message says why: "it takes more than 10 seconds"."""


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

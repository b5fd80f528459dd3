"""Gives damaged files to everything that reads files. Each function returns how many inputs broke the reader.

An input breaks the reader if it is neither accepted nor refused with a message, or if a good file is refused later.
"""

import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import indexed
from broadcast.archive.worker import make_film
from broadcast.film.film import open_film
from broadcast.media import images, sound_encoding
from server.config.event_file import read_event
from server.errors import EventFaults
from server.hand_histories.import_hands import import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.phh_writer import phhs
from server.submissions.read import read_submissions
from server.verify.published_hands import prove_published
from tests.bench.promised.network_inputs import alter
from tests.hand_histories.recordings import BEGUN, USUAL, damaged_files, dice_hands
from tests.journal.test_journal import mutate_lines
from tests.support.recordings import seal, small_contest, write
from tests.support.source_files import ROOT
from tests.support.submission import write_bot

PUBLISHED = sorted((ROOT / "tests" / "data" / "phh").glob("*.phh"))
LONGEST_SECONDS = 5.0
"""The longest time that reading a recording or hand history may take."""
LONGEST_FAULT = 400
"""The longest acceptable message, in characters."""
ENTRIES = 150
"""How many entries of a contest are damaged: two complete hands and everything before them."""
CHECKSUM_AT = -34
"""The index at which a line's checksum begins, counted from the end."""


def recordings(inputs: int, dice: random.Random) -> int:
    """Damages recordings for the archive's index and films; most have valid checksums."""
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name) / "damaged.jsonl", small_contest()[:ENTRIES])
        lines = path.read_bytes().split(b"\n")[:-1]
        bodies = [line[:CHECKSUM_AT] + b"}" for line in lines]
        for number in range(inputs):
            changed = mutate_lines(dice, bodies if number % 4 else lines)
            path.write_bytes(seal(*changed) if number % 4 else b"\n".join(changed))
            begun = time.perf_counter()
            broken += not _shown_or_refused(path)
            broken += time.perf_counter() - begun > LONGEST_SECONDS
    return broken


def _shown_or_refused(path: Path) -> bool:
    """Whether the archive can make a film of the recording, or says in a sentence what is wrong with it."""
    kept = indexed(path, path.stem)
    assert kept is not None, "the archive must find the file"
    film = path.with_suffix(".film")
    fault = kept.fault if kept.state != "shown" else make_film(path, film, 1)
    if fault:
        return "\n" not in fault and len(fault) < LONGEST_FAULT
    return kept.state != "shown" or bool(open_film(film, stamp_of(path)))


def hand_histories(inputs: int, dice: random.Random) -> int:
    """Damages published hands and some of our own, which must be refused or proved."""
    contents = [path.read_bytes() for path in PUBLISHED]
    contents.append("\n".join(phhs(dice_hands(random.Random(1), USUAL["antes"], 3), BEGUN)).encode())
    broken = 0
    for content in damaged_files(dice, contents, inputs):
        begun = time.perf_counter()
        broken += not _is_accepted_or_refused(lambda: prove_published(import_hands(content).entries), BadHistory)  # noqa: B023
        broken += time.perf_counter() - begun > LONGEST_SECONDS
    return broken


def event_files(inputs: int, dice: random.Random) -> int:
    good = (ROOT / "assets" / "event.toml").read_bytes() + b'\n[[entries]]\nplayer = "Ada"\nfolder = "ada"\n'
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "event.toml"
        (path.parent / "ada").mkdir()
        for _ in range(inputs):
            path.write_bytes(alter(dice, good))
            broken += not _is_accepted_or_refused(lambda: read_event(path), EventFaults)
        path.write_bytes(good)
        read_event(path)
    return broken


def archives(inputs: int, dice: random.Random) -> int:
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_bot(folder / "bots" / "abe")
        good = Path(shutil.make_archive(str(folder / "good"), "zip", folder / "bots")).read_bytes()
        sent = folder / "alice.zip"
        for _ in range(inputs):
            sent.write_bytes(alter(dice, good))
            broken += not _is_accepted_or_refused(lambda: read_submissions(sent, folder / "work"))
            shutil.rmtree(folder / "work", ignore_errors=True)
        sent.write_bytes(good)
        broken += any(found.faults for found in read_submissions(sent, folder / "work"))
    return broken


def pictures(inputs: int, dice: random.Random) -> int:
    return _try_media(inputs, dice, "mugshot.png", images.avatar)


def sound_effects(inputs: int, dice: random.Random) -> int:
    return _try_media(inputs, dice, "yeehaw.wav", sound_encoding.win_sound)


def _try_media(inputs: int, dice: random.Random, file: str, decode: Callable[[bytes], object]) -> int:
    """Damages a bot's media file, and decodes it in this process instead of a child process."""
    with tempfile.TemporaryDirectory() as name:
        good = (write_bot(Path(name) / "abe", extras=True) / file).read_bytes()
    broken = sum(not _is_accepted_or_refused(lambda: decode(alter(dice, good)), ValueError) for _ in range(inputs))
    return broken + (not decode(good))


def _is_accepted_or_refused(read: Callable[[], object], *refusals: type[Exception]) -> bool:
    """Whether `read` returns, or raises one of `refusals` with a message."""
    try:
        read()
    except refusals as refusal:
        return bool(str(refusal)) and len(str(refusal)) < 10_000
    except Exception as crash:
        print(f"{type(crash).__name__}: {crash}")
        return False
    return True

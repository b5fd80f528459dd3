"""Damaged recordings for the index and the film: most with corrected checksums."""

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import indexed
from broadcast.archive.worker import make_film
from broadcast.film.film import found_film
from tests.journal.test_journal import mutated, summed

ENTRIES = 150
"""Of the contest that is damaged: two whole hands and what comes before them."""
FORGED = -34
"""Where a line's sum begins, from its end."""
STRANGE: tuple[Any, ...] = (
    0, 1, -1, 2, 5, 7, 99, 10**6, 10**9, 2**31, 10**18, True, None, "", "x", "As", [], {}, [1, 1], ["As", "As"],
)  # fmt: skip
LONGEST = 400
"""The most characters of a refusal."""


def spoil(path: Path, lines: list[bytes], files: int) -> tuple[Counter[str], float]:
    """What became of `files` damaged files, and how many seconds the slowest took."""
    dice, seen, slowest = random.Random(16), Counter[str](), 0.0
    bodies = [line[:FORGED] + b"}" for line in lines]
    for number in range(files):
        if number % 4 == 0:
            path.write_bytes(b"\n".join(mutated(dice, lines)))
        else:
            path.write_bytes(summed(*(mutated(dice, bodies) if number % 4 == 1 else forged(dice, bodies))))
        begun = time.perf_counter()
        seen[became(path)] += 1
        slowest = max(slowest, time.perf_counter() - begun)
    return seen, slowest


def forged(dice: random.Random, bodies: list[bytes]) -> list[bytes]:
    """Entries of the right form and number with other contents: values changed, entries moved or left out."""
    entries = [json.loads(body) for body in bodies[1:]]
    for _ in range(dice.randint(1, 3)):
        at, other = dice.randrange(len(entries)), dice.randrange(len(entries))
        match dice.randrange(6):
            case 0:
                del entries[at]
            case 1:
                entries[at], entries[other] = entries[other], entries[at]
            case 2:
                entries.insert(at, dict(entries[other]))
            case _:
                change(dice, entries[at])
    return [bodies[0], *(json.dumps({**entry, "seq": seq}).encode() for seq, entry in enumerate(entries, 1))]


def change(dice: random.Random, part: Any) -> None:
    """Changes one value somewhere in `part`."""
    keys = [key for key in (part if isinstance(part, dict) else range(len(part))) if key != "type"]
    if not keys:
        return
    key = dice.choice(keys)
    if isinstance(part[key], dict | list) and dice.random() < 0.7:
        change(dice, part[key])
    elif isinstance(part[key], int) and dice.random() < 0.5:
        part[key] += dice.choice((-100, -1, 1, 100))
    else:
        part[key] = dice.choice(STRANGE)


def became(path: Path) -> str:
    """What the archive makes of a file."""
    kept = indexed(path, path.stem)
    assert kept is not None, "the file is there"
    assert "\n" not in kept.fault, kept.fault
    assert len(kept.fault) < LONGEST, kept.fault
    if kept.state != "shown":
        return f"refused by the index: {kept.state}"
    film = path.with_suffix(".film")
    fault = make_film(path, film)
    if not fault:
        assert found_film(film, stamp_of(path)), "the film is there"
        return "shown"
    assert "\n" not in fault, fault
    return "refused by the film"

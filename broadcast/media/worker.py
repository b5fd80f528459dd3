"""`python -m broadcast.media.worker KIND < theirs > ours`: decodes one file of a stranger within limits.

KIND is avatar, particle or sound for what is served, picture_findings or sound_findings for what a report shows. Exits
with 0, or with 3 and one line on standard error that says what is wrong with the file. A server imports its constants.
"""

import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

Kind = Literal["avatar", "particle", "sound"]

REFUSED = 3
MEMORY_BYTES = 1 << 30
CPU_SECONDS = 10


def main(kind: str) -> int:
    """Reads a file from standard input and writes what it becomes to standard output; gives back the exit status."""
    _limit()
    try:
        prepared = _preparation(kind)(sys.stdin.buffer.read())
    except MemoryError:
        return _refuse("it takes too much memory to read")
    except ValueError as refusal:
        return _refuse(str(refusal))
    sys.stdout.buffer.write(prepared)
    return 0


def _limit() -> None:
    """Hard limits of this process; it may write no file at all."""
    for what, amount in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(ValueError):  # macOS knows some limits by name only
            resource.setrlimit(what, (amount, amount))


def _preparation(kind: str) -> Callable[[bytes], bytes]:
    """The function that makes a file of this kind safe. Loads no more libraries than it needs: that takes the time."""
    if kind in ("sound", "sound_findings"):
        from broadcast.media import win_sounds  # noqa: PLC0415

        return {"sound": win_sounds.win_sound, "sound_findings": win_sounds.sound_findings}[kind]
    from broadcast.media import images  # noqa: PLC0415

    return {"avatar": images.avatar, "particle": images.particle, "picture_findings": images.picture_findings}[kind]


def _refuse(reason: str) -> int:
    sys.stderr.write(reason + "\n")
    return REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

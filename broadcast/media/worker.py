"""`python -m broadcast.media.worker KIND [report] < ORIGINAL > RESULT`: decodes a stranger's file within limits.

KIND is avatar, particle (a picture that flies when a bot wins), sound or logo. Writes the safe file or, with "report",
an `ExaminedFile` (the safe file and findings about the original) as JSON. Exits with 0. If the file is bad, exits with
3 after a line on standard error that says what is wrong. Other modules import only the constants of this module.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from server.system.processes import limit_usage

Kind = Literal["avatar", "particle", "sound", "logo"]

REFUSED_STATUS = 3
MEMORY_BYTES = 1 << 30
CPU_SECONDS = 10
"""The processor time for converting the file, in seconds. A report may take the same time in addition."""


def main(kind: str, *, report: bool = False, convert: Callable[[bytes], bytes] | None = None) -> int:
    """Makes the file on standard input safe. Writes the result or, with `report`, an `ExaminedFile` as JSON.

    `convert`, if given, makes the file safe instead of the usual function for this `kind`. Returns the exit status.
    """
    limit_usage(MEMORY_BYTES, CPU_SECONDS * (1 + report), writes=False)
    try:
        content = sys.stdin.buffer.read()
        prepared = (convert or _converter(kind))(content)
        output = _report(kind, content, prepared) if report else prepared
    except MemoryError:
        return _refuse("it takes too much memory to read")
    except ValueError as refusal:
        return _refuse(str(refusal))
    sys.stdout.buffer.write(output)
    return 0


def _converter(kind: str) -> Callable[[bytes], bytes]:
    """Returns the function that makes a file of this kind safe.

    Imports only the libraries for that kind, because they load slowly.
    """
    if kind == "sound":
        from broadcast.media.sound_encoding import make_win_sound  # noqa: PLC0415

        return make_win_sound
    from broadcast.media import images  # noqa: PLC0415

    return {"avatar": images.make_avatar, "particle": images.make_particle, "logo": images.make_logo}[kind]


def _report(kind: str, content: bytes, prepared: bytes) -> bytes:
    """Returns the `ExaminedFile` as JSON, without findings if none can be made."""
    from msgspec import json  # noqa: PLC0415

    from broadcast.media.file_kinds import ExaminedFile  # noqa: PLC0415

    with suppress(ValueError, MemoryError):
        if kind == "sound":
            from broadcast.media.sound_encoding import sound_findings  # noqa: PLC0415

            return json.encode(ExaminedFile(prepared, sound=sound_findings(content, prepared)))
        if kind == "avatar":
            from broadcast.media.images import picture_findings  # noqa: PLC0415

            return json.encode(ExaminedFile(prepared, picture=picture_findings(content)))
    return json.encode(ExaminedFile(prepared))


def _refuse(reason: str) -> int:
    sys.stderr.write(reason + "\n")
    return REFUSED_STATUS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], report="report" in sys.argv[2:]))

"""The two pipes between us and a bot that plays over its standard input and output."""

import contextlib
import os
from collections.abc import Iterator

from msgspec import Struct


class Ends(Struct, frozen=True):
    """The ends of two pipes, the bot's input first: we write to the first of ours and read the second."""

    ours: tuple[int, int]
    theirs: tuple[int, int]


@contextlib.contextmanager
def two_pipes() -> Iterator[Ends]:
    """Two new pipes. The bot's ends are closed at the end, for it has its own copies; ours only if it did not start."""
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    try:
        yield Ends((ours_in, ours_out), (theirs_in, theirs_out))
    except BaseException:
        os.close(ours_in)
        os.close(ours_out)
        raise
    finally:
        os.close(theirs_in)
        os.close(theirs_out)

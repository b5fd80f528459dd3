"""What processes of this program do at their start: they seldom search for garbage, and end with their parent."""

import contextlib
import ctypes
import gc
import signal

PR_SET_PDEATHSIG = 1
"""As in linux/prctl.h."""
SEARCHED_AFTER = (10_000, 2, 1)
"""Thresholds of the three generations: new objects until the youngest is searched, then searches of one until the next.

Python's own 700 would search all connections all the time, while everybody waits. But a finished game's objects, some
600 of 36 kB, refer to one another and stay until all generations are searched. Here that is after some 100 games, and
takes 0.1 s: with more games it would be done less often, but hold everybody up for longer.
"""


def search_seldom() -> None:
    """Sets the thresholds, and takes what has been imported so far out of every search. For the whole process.

    Python puts off a whole search until a quarter has come to what the last one went through, so one is made now that
    goes through nothing.
    """
    gc.freeze()
    gc.collect()
    gc.set_threshold(*SEARCHED_AFTER)


def spare_from_searches() -> None:
    """Searches what is new for garbage, and takes the rest out of every later search. For the whole process.

    For much that comes to stay: ten thousand viewers are 750,000 objects, and each search of them all holds everybody
    up for 0.4 s. What is taken out is freed as soon as nothing refers to it; `search_everything` finds the rest.
    """
    gc.collect()
    gc.freeze()


def search_everything() -> None:
    """Searches for garbage in what was taken out of the searches, too. For the whole process."""
    gc.unfreeze()
    spare_from_searches()


def end_with_parent() -> None:
    """Has the kernel end this process with its parent, even if it hangs. Only Linux can; elsewhere it does nothing."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

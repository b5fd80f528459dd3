"""How often Python searches for garbage in a program that runs for days and has thousands of connections."""

import gc

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

"""A worker whose clock is wrong: it starts again with a library that shifts the clock, which its boxes do not get."""

import os
import sys
from pathlib import Path

from server.__main__ import main

FAKE_TIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
YEARS_LATE = {
    "LD_PRELOAD": str(FAKE_TIME),
    "FAKETIME": "-9y",
    "DONT_FAKE_MONOTONIC": "1",
    "NO_FAKE_STAT": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""With the true times of files, or Python would compile all that it reads, and so would the next process; and without
the threads of NumPy, which would read the shifted clock without a pause for as long as the worker lives.
"""

if __name__ == "__main__":
    if "LD_PRELOAD" not in os.environ:
        again = (sys.executable, "-m", "tests.workers.late_worker", *sys.argv[1:])
        os.execve(sys.executable, again, {**os.environ, **YEARS_LATE})  # noqa: S606
    del os.environ["LD_PRELOAD"]
    sys.exit(main())

"""A worker with a wrong clock: it restarts itself with a library that shifts its clock, but not that of its boxes."""

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
"""Files keep their true times, because Python would otherwise compile every module again. NumPy gets only one thread,
because further threads would poll the shifted clock without pausing."""

if __name__ == "__main__":
    if "LD_PRELOAD" not in os.environ:
        again = (sys.executable, "-m", "tests.workers.late_worker", *sys.argv[1:])
        os.execve(sys.executable, again, {**os.environ, **YEARS_LATE})  # noqa: S606
    del os.environ["LD_PRELOAD"]
    sys.exit(main())

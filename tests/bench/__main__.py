"""`python -m tests.bench PATTERN [ARGS]`: runs benchmarks one after the other, each in its own process.

At the end, the program describes the machine, and prints each benchmark's figures, duration and outcome. The exit
status is 1 if a benchmark crashed or missed a goal, and 2 if no benchmark's name matches PATTERN.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.common.scales import print_machine

HERE = Path(__file__).parent
FIGURE = re.compile(r"^\| |goal|peer|\d(?:\.\d+)?x\b|\d times|\d ?%|\d MB")
"""Matches lines of output that contain a result. The program prints these lines again at the end."""


def run(path: Path, arguments: list[str]) -> tuple[int, list[str]]:
    """Runs one benchmark and prints its output, including standard error. Returns the exit status and the lines."""
    print(f"==> {path.relative_to(HERE.parents[1])}", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUNBUFFERED": "1"}
    command, lines = [sys.executable, str(path), *arguments], list[str]()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    return process.returncode, lines


def main(pattern: str, *arguments: str) -> int:
    """Runs the benchmarks whose names match `pattern`, all with the same arguments. Returns the exit status."""
    benchmarks = sorted((*HERE.glob("speed/*.py"), *HERE.glob("quality/*.py")), key=lambda path: path.stem)
    paths = [path for path in benchmarks if path.match(f"{pattern}.py")]
    if not paths:
        print(f"There is no benchmark {pattern}; there are {', '.join(path.stem for path in benchmarks)}")
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)  # otherwise a background job would ignore SIGINT
    figures, outcomes, failed = list[str](), list[str](), False
    for path in paths:
        started = time.monotonic()
        status, lines = run(path, list(arguments))
        has_crashed = status != 1 or "Traceback (most recent call last):" in lines
        outcome = "done" if not status else "CRASHED" if has_crashed else "MISSED A GOAL"
        figures += [f"{path.stem:16} {line}" for line in lines if FIGURE.search(line)]
        outcomes.append(f"{path.stem:16} {time.monotonic() - started:6.0f} s   {outcome}")
        failed |= status != 0
    print("\n==> all figures")
    print_machine()
    print("\n".join([*figures, "\n==> all benchmarks", *outcomes]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

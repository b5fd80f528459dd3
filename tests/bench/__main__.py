"""`python -m tests.bench PATTERN [ARGS]`: runs benchmarks one after the other, each in a process of its own.

At the end it prints one table: what each has said in figures, with the machine. Its status is 1 if one of them has
failed or missed a goal that must hold, 2 if there is none of that name.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import print_machine

HERE = Path(__file__).parent
FIGURE = re.compile(r"goal|peer|\d(?:\.\d+)?x\b|\d times|\d ?%|\d MB")


def run(path: Path, arguments: list[str]) -> tuple[int, list[str]]:
    """Passes on what a benchmark prints; returns its status, and the lines for the table."""
    print(f"==> {path.relative_to(HERE.parents[1])}", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, str(path), *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = []
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line.rpartition("\r")[2].rstrip())
    return process.returncode, [line for line in said if FIGURE.search(line)]


def main(pattern: str, *arguments: str) -> int:
    """Runs the benchmarks whose names fit `pattern`, each with the same arguments; returns the status."""
    paths = sorted(path for path in HERE.glob(f"{pattern}.py") if not path.name.startswith("__"))
    if not paths:
        there = ", ".join(sorted(path.stem for path in HERE.glob("[!_]*.py")))
        print(f"There is no benchmark {pattern}; there are {there}")
        return 2
    failed, table = False, []
    for path in paths:
        status, lines = run(path, list(arguments))
        failed = failed or status != 0
        table += [f"{path.stem:16} {line}" for line in lines]
    print("\n==> all figures")
    print_machine()
    print("\n".join(table))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

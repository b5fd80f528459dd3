"""The real program in a process of its own, for tests of the front door."""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 180
"""Nothing here takes as long: on a machine with other work a minute was not enough for a check with its pictures."""


_PAGE = re.compile(r"(http://\S+)/(?:projector|recordings)")


def highnoon(*words: str, largest_file: int | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end in the folder `cwd`; it can write no file beyond `largest_file` bytes."""

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    return subprocess.run(
        [sys.executable, "-m", "server", *words],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
        preexec_fn=limit,
    )


def environment() -> dict[str, str]:
    """The program is found from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def hear_interrupts() -> None:
    """Whoever runs the tests in the background of a script has Ctrl-C ignored, and so would the program."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Running:
    """A command that serves until it is interrupted."""

    def __init__(self, process: subprocess.Popen[str], base: str, said: str) -> None:
        self.process = process
        self.base = base
        self.said = said
        """What it printed until it said where it serves."""
        self.port = int(base.rpartition(":")[2])

    def hears(self, words: str) -> str:
        """The next line with `words` in it, as soon as it is printed."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return line
        raise AssertionError(f"it never said {words!r}, but:\n{self.said}")

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C: its exit status and what it still had to say."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, said


@contextmanager
def serving_program(
    *words: str,
    cwd: Path = ROOT,
    ports: Sequence[str] = ("--port", "0"),
    program: Sequence[str] = (sys.executable, "-m", "server"),
    env: Mapping[str, str] | None = None,
) -> Iterator[Running]:
    """A command that serves on a free port, once it has said where; stopped at the end, whatever happens."""
    process = subprocess.Popen(
        [*program, *words, *ports],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env=env or environment(),
        preexec_fn=hear_interrupts,  # noqa: PLW1509 (it sets a signal, nothing more)
    )
    assert process.stdout is not None
    try:
        base = said = ""
        for line in process.stdout:
            said += line
            if found := _PAGE.search(line):
                base = found[1]
                break
        assert base, "it ended before it said where it serves"
        yield Running(process, base, said)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=SECONDS)

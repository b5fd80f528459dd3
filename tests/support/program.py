"""Runs the real program in its own process."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
"""A timeout that no test reaches, however busy the machine is."""
POLL_SECONDS = 0.002
"""The pause between two checks of what a program has done."""
FAKETIME_LIBRARY = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
SHIFTED_CLOCK = {
    "LD_PRELOAD": str(FAKETIME_LIBRARY), "NO_FAKE_STAT": "1", "DONT_FAKE_MONOTONIC": "1", "OPENBLAS_NUM_THREADS": "1"
}  # fmt: skip
"""The environment variables of a program whose wall clock is wrong. A further variable, such as FAKETIME, must say by
how much.

Files keep their true times, because Python would otherwise compile every module again. NumPy gets only one thread,
because more threads would poll the shifted clock without pausing.
"""
Result = TypeVar("Result")
_PAGE_ADDRESS = re.compile(r"(http://\S+)/(?:projector|recordings)")


def wait_until(condition: Callable[[], Result], describe_failure: Callable[[], object], pause: float = 0.02) -> Result:
    """Polls until `condition()` returns something true, and returns it. Fails after SECONDS."""
    deadline = time.monotonic() + SECONDS
    while not (result := condition()):
        assert time.monotonic() < deadline, describe_failure()
        time.sleep(pause)
    return result


def highnoon(
    *words: str, module: str = "server", cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `highnoon` (or another Python module) until it ends, with `env` added to the environment."""
    return subprocess.run(
        [sys.executable, "-m", module, *words], cwd=cwd, env=_environment(env), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


class Program(subprocess.Popen[str]):
    def __init__(
        self,
        *words: str,
        command: Sequence[str] = (),
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        output: TextIO | None = None,
        session: bool = False,
    ) -> None:
        """Starts `highnoon` or `command`, followed by `words`, with `env` added to the environment.

        The program prints to the file `output` or, if there is none, to the pipe `stdout`. With `session`, it runs in a
        new session.
        """
        super().__init__(
            [*(command or (sys.executable, "-m", "server")), *words], cwd=cwd, env=_environment(env), text=True,
            stdin=subprocess.DEVNULL, stdout=output or subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=session,
        )  # fmt: skip

    def poll_until(self, happened: Callable[[], bool]) -> None:
        """Polls until `happened()` is true or the program has ended."""
        while not happened() and self.poll() is None:
            time.sleep(POLL_SECONDS)

    def close(self) -> None:
        """Kills the program if it still runs, and closes the pipe `stdout`."""
        self.kill()
        self.wait(SECONDS)
        if self.stdout:
            self.stdout.close()


def _environment(variables: Mapping[str, str] | None) -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})}


def files_below(folder: Path) -> list[Path]:
    """Returns the paths of all files below `folder`, even while a program adds, renames and removes files there."""
    return [Path(parent, name) for parent, _, names in os.walk(folder) for name in names]


def command_of(pid: int) -> bytes:
    """Returns the command line of a process, or b"" if the process has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


class Running:
    """A running command whose pages are at the address `base`. `output` has the lines that have been read so far."""

    def __init__(self, process: Program) -> None:
        self.process = process
        self.output = ""
        while not (page := _PAGE_ADDRESS.search(self.wait_for_output("http://"))):
            pass
        self.base = page[1]
        self.port = int(self.base.rpartition(":")[2])

    def wait_for_output(self, words: str) -> str:
        """Reads up to the next line that contains `words`. Returns this line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if words in line:
                return line
        raise AssertionError(f"the command never printed {words!r}, but:\n{self.output}")

    def interrupt(self) -> tuple[int, str]:
        """Interrupts the command, as Ctrl-C does. Returns the exit status and the rest of the output."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        output = self.process.stdout.read()
        return self.process.wait(SECONDS), output


@contextmanager
def serving_program(
    *words: str,
    cwd: Path = ROOT,
    ports: Sequence[str] = ("--port", "0"),
    command: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> Iterator[Running]:
    """Runs `highnoon` or `command`, followed by `words` and `ports`. Yields the command once it serves pages."""
    with closing(Program(*words, *ports, command=command, cwd=cwd, env=env)) as process:
        yield Running(process)

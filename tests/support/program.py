"""The real program in its own process: runs a command to its end, or starts one that serves pages."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
"""A limit that no test reaches, however busy the machine."""
POLL_SECONDS = 0.002
"""The pause between two checks of what a program has done."""
Result = TypeVar("Result")
_PAGE = re.compile(r"(http://\S+)/(?:projector|recordings)")


def wait_until(condition: Callable[[], Result], describe_failure: Callable[[], object], pause: float = 0.02) -> Result:
    """Polls until `condition()` returns something true, and returns it. Fails at the timeout."""
    ends = time.monotonic() + SECONDS
    while not (result := condition()):
        assert time.monotonic() < ends, describe_failure()
        time.sleep(pause)
    return result


def highnoon(
    *words: str,
    module: str = "server",
    largest_file: int | None = None,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, like `python -m server`, in the folder `cwd`, with `env` added to the environment.

    The command cannot write a file larger than `largest_file` bytes. Another `module` may replace the program.
    """
    limits = ("prlimit", f"--fsize={largest_file}") if largest_file else ()
    return subprocess.run(
        [*limits, *_python(module), *words],
        cwd=cwd,
        env=_environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


class Program(subprocess.Popen[str]):
    """A run of the program. Its output and errors are read from `stdout`."""

    def __init__(
        self,
        *words: str,
        command: Sequence[str] = (),
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        output: TextIO | None = None,
        errors: TextIO | None = None,
        session: bool = False,
    ) -> None:
        """Starts the program, or the command that begins with `command`, with `env` added to the environment.

        `output` and `errors` are files for what it prints, which is otherwise read from `stdout`. With `session`, it
        runs in a new session.
        """
        super().__init__(
            [*(command or _python("server")), *words],
            cwd=cwd,
            env=_environment(env),
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=output or subprocess.PIPE,
            stderr=errors or subprocess.STDOUT,
            start_new_session=session,
        )

    def runs_until(self, happened: Callable[[], bool]) -> None:
        """Polls until `happened()` is true or the program has ended."""
        while not happened() and self.poll() is None:
            time.sleep(POLL_SECONDS)

    def close(self) -> None:
        """Kills the program if it still runs, and closes every file."""
        self.kill()
        self.wait(SECONDS)
        if self.stdout:
            self.stdout.close()


def _python(module: str) -> tuple[str, ...]:
    return (sys.executable, "-m", module)


def _environment(variables: Mapping[str, str] | None) -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})}


def command_of(pid: int) -> bytes:
    """The command line of a process; b"" once the process has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


class Running:
    """A command that serves until it is interrupted."""

    def __init__(self, process: Program, base: str, output: str) -> None:
        self.process = process
        self.base = base
        self.output = output
        """What the command printed up to its address."""
        self.port = int(base.rpartition(":")[2])

    def wait_for_output(self, words: str) -> str:
        """Reads up to the next line that contains `words`, and returns it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if words in line:
                return line
        raise AssertionError(f"the command never printed {words!r}, but:\n{self.output}")

    def interrupt(self) -> tuple[int, str]:
        """Sends Ctrl-C; returns the exit status and the rest of the output."""
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
    """Runs a command that serves on a free port; yields it once it has printed its address, and always stops it.

    The command is `highnoon` or `command`, followed by `words` and `ports`; `env` is added to the environment.
    """
    process = Program(*words, *ports, command=command, cwd=cwd, env=env)
    assert process.stdout is not None
    try:
        base = output = ""
        for line in process.stdout:
            output += line
            if match := _PAGE.search(line):
                base = match[1]
                break
        assert base, f"the command ended before it printed its address:\n{output}"
        yield Running(process, base, output)
    finally:
        process.close()

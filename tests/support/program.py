"""The real program in a process of its own: run a command to its end, or start one that serves and ask its pages."""

import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from server.bots.transports import tcp
from tests.support.forks import ROOT, SECONDS, Fork, Order, run

GAPLESS = {f"{tcp.__name__}.GAP_SECONDS": 0.0}
"""For bots that read line by line: no pause between two messages."""
_PAGE = re.compile(r"(http://\S+)/(?:projector|recordings)")


def highnoon(
    *words: str, largest_file: int | None = None, cwd: Path = ROOT, seconds: Mapping[str, float] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end in the folder `cwd`; it can write no file beyond `largest_file` bytes.

    `seconds` are values for constants of the program, as those of an Order.
    """
    return run(Order(words, str(cwd), largest_file=largest_file, seconds=seconds or {}))


def command_of(pid: int) -> bytes:
    """The command of any process; b"" once it has ended, which may be at any time."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def hear_interrupts() -> None:
    """Restores Ctrl-C: tests that run in the background of a script inherit that it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class _Installed(subprocess.Popen[str]):
    """A program that is installed elsewhere, used like a Fork."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str] | None) -> None:
        super().__init__(
            command,
            cwd=cwd,
            env=env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=hear_interrupts,
        )

    def close(self) -> None:
        """Kills it if it still runs, and closes every file."""
        self.kill()
        self.communicate(timeout=SECONDS)


class Running:
    """A command that serves until it is interrupted."""

    def __init__(self, process: Fork | _Installed, base: str, output: str) -> None:
        self.process = process
        self.base = base
        self.output = output
        """What it printed until it said where it serves."""
        self.port = int(base.rpartition(":")[2])

    def hears(self, words: str) -> str:
        """The next line with `words` in it, as soon as it is printed."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if words in line:
                return line
        raise AssertionError(f"it never said {words!r}, but:\n{self.output}")

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C: its exit status and what it still had to say."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        output = self.process.stdout.read()
        return self.process.wait(SECONDS), output


@contextmanager
def serving_program(
    *words: str,
    cwd: Path = ROOT,
    ports: Sequence[str] = ("--port", "0"),
    seconds: Mapping[str, float] | None = None,
    program: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> Iterator[Running]:
    """A command that serves on a free port, once it has printed its address; always stopped at the end.

    It is this program, with `seconds` as in an Order; or an installed one, whose command begins with `program`.
    """
    order = Order((*words, *ports), str(cwd), seconds=seconds or {})
    process = _Installed([*program, *order.words], cwd, env) if program else Fork(order)
    assert process.stdout is not None
    try:
        base = output = ""
        for line in process.stdout:
            output += line
            if found := _PAGE.search(line):
                base = found[1]
                break
        assert base, "it ended before it said where it serves"
        yield Running(process, base, output)
    finally:
        process.close()

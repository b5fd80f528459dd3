"""Runs a program as a process without a box; it plays over pipes as bots in boxes do. Never for strangers' bots."""

import contextlib
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from server.bots.sandbox.output_log import OutputLog, keep_log
from server.bots.sandbox.process import WatchedProcess, two_pipes
from server.bots.sandbox.runner import PIPED_LOG_BYTES, Exit, Limits, exit_of
from server.environment import OUR_PYTHON, environment
from server.paths import ROOT


class LocalProcess(WatchedProcess):
    """A running program; its standard error is kept in `log`. What it uses is not measured."""

    def __init__(self, command: Sequence[str], log: Path, folder: Path = ROOT, *needs: str) -> None:
        """It runs in `folder`, with an `environment` that has what it `needs`. Raises OSError if it cannot start."""
        self._log = OutputLog(log, PIPED_LOG_BYTES)
        with two_pipes() as ends:
            self.stdin, self.stdout = ends.ours
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=ends.theirs[0],
                stdout=ends.theirs[1],
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment(*(needs or OUR_PYTHON)),
                process_group=0,  # Ctrl-C in the terminal is for us alone; we end the program.
            )
        super().__init__("process")

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def _attend(self) -> Exit:
        output = self._process.stderr
        assert output is not None, "it is a pipe"
        with output:
            keep_log(output.fileno(), self._log, self._over)
            status = self._process.wait()
        self._over.set()
        self._log.close()
        return exit_of(status, False, Limits(), self._cause)

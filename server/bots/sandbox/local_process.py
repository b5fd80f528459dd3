"""Runs a program as a process without a box; it plays over pipes as bots in boxes do. Never for strangers' bots."""

import asyncio
import contextlib
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from server.bots.sandbox.output_log import OutputLog, keep_log
from server.bots.sandbox.pipes import two_pipes
from server.bots.sandbox.runner import PIPED_LOG_BYTES, Exit, Limits, Usage, exit_of
from server.bots.sandbox.threads import in_thread
from server.environment import OUR_PYTHON, environment
from server.paths import ROOT

_GRACE_SECONDS = 2.0


class LocalProcess:
    """A running program; its standard error is kept in `log`."""

    box = "process"

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
        self._over = threading.Event()
        self._attended = asyncio.ensure_future(in_thread(self._attend))

    async def ended(self) -> Exit:
        """Waits until the program has ended."""
        return await asyncio.shield(self._attended)

    async def usage(self) -> Usage:
        """Always zeros: a house bot's use is not measured."""
        return Usage()

    async def stop(self) -> None:
        """Ends the program: SIGTERM, and SIGKILL two seconds later. Never raises."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)
            if (await asyncio.wait([self._attended], timeout=_GRACE_SECONDS))[0]:
                return

    def _attend(self) -> Exit:
        output = self._process.stderr
        assert output is not None, "it is a pipe"
        with output:
            keep_log(output.fileno(), self._log, self._over)
            status = self._process.wait()
        self._log.close()
        return exit_of(status, False, Limits())

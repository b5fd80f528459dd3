"""One bot in a bubblewrap box, from the moment it was started: its log, its end, what it uses. Starts nothing."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

from msgspec.structs import replace

from server.bots.sandbox.bubblewrap.meters import Meter, ProcessMeter
from server.bots.sandbox.output_log import OutputLog, keep_log
from server.bots.sandbox.process_tree import descendants, send_signal
from server.bots.sandbox.runner import WEAK_BOX, Exit, Limits, Usage, exit_of
from server.bots.sandbox.threads import in_thread

_GRACE_SECONDS = 2.0
_KILL_SECONDS = 10.0
_LOOK_SECONDS = 0.05
_FIRST_LOOK_SECONDS = 0.001
"""From here the pause between two looks doubles: a bot may start, play a short game and end within one long pause."""


class BubblewrapProcess:
    """A running program. `init` is the first process of its namespace: with it, all others end.

    What it prints goes to the file `log`; only its standard error where standard output is a pipe. `meter` measures
    what it uses.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        init: int,
        *,
        meter: Meter,
        limits: Limits,
        log: Path,
        hint: str = "",
    ) -> None:
        self.box = WEAK_BOX if isinstance(meter, ProcessMeter) else "light"
        self._process = process
        self._hint = hint
        self._init = init
        self._meter = meter
        self._limits = limits
        self._log = OutputLog(log, limits.log_bytes)
        self._usage = Usage()
        self._spent = 0.0
        """Seconds of processor time that all its processes took, once they have ended."""
        self._cause = ""
        """Why we ended it; "" if we did not."""
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._attended = asyncio.ensure_future(in_thread(self._attend))

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._over.is_set()

    async def ended(self) -> Exit:
        """Waits until the bot has ended by itself or was stopped."""
        return await asyncio.shield(self._attended)

    async def usage(self) -> Usage:
        """What it uses now; after its end, what was measured last, with all its processor time."""
        return replace(self._usage, cpu_seconds=max(self._usage.cpu_seconds, self._spent))

    async def stop(self) -> None:
        """Ends the bot: SIGTERM, and SIGKILL two seconds later. Never raises."""
        self._cause = self._cause or "was stopped"
        if not self._over.is_set():
            send_signal((pid for pid in descendants(self._process.pid) if pid != self._init), signal.SIGTERM)
            if not await self._ends_within(_GRACE_SECONDS):
                self._kill()
                await self._ends_within(_KILL_SECONDS)

    # -- in threads of their own ---------------------------------------------------------------------

    def _attend(self) -> Exit:
        """Keeps the log while the bot runs, then says how it ended."""
        output = self._process.stdout or self._process.stderr
        assert output is not None, "one of them is a pipe"
        try:
            keep_log(output.fileno(), self._log, self._over)
            status = self._reaped()
        finally:
            too_much = self._meter.is_over()
            self._over.set()
            self._log.close()
            output.close()
            self._watcher.join()
            self._meter.close()
        return exit_of(status, too_much, self._limits, self._cause, self._hint)

    def _reaped(self) -> int:
        """Waits until all has ended; returns the status, and takes the processor time as the kernel has counted it."""
        _, status, spent = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._spent = spent.ru_utime + spent.ru_stime
        return self._process.returncode

    def _watch(self) -> None:
        seconds = _FIRST_LOOK_SECONDS
        while not self._over.is_set():
            now, before = self._meter.look(), self._usage
            peak = max(now.peak_memory_bytes, before.peak_memory_bytes)
            self._usage = Usage(now.memory_bytes, peak, max(now.cpu_seconds, before.cpu_seconds))
            if self._meter.is_over():
                self._cause = self._cause or f"used more memory than the {self._limits.memory_bytes >> 20} MB it may"
                self._kill()
            self._meter.wait(self._over, seconds)
            seconds = min(2 * seconds, _LOOK_SECONDS)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._init, signal.SIGKILL)

    # ------------------------------------------------------------------------------------------------

    async def _ends_within(self, seconds: float) -> bool:
        return bool((await asyncio.wait([self._attended], timeout=seconds))[0])


class BubblewrapBox(BubblewrapProcess):
    """A bot that connects to two sockets that listen in its box: `register` and `game`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        init: int,
        sockets: tuple[socket.socket, socket.socket],
        *,
        meter: Meter,
        limits: Limits,
        log: Path,
        hint: str,
    ) -> None:
        self.register, self.game = sockets
        super().__init__(process, init, meter=meter, limits=limits, log=log, hint=hint)

    async def stop(self) -> None:
        """Ends the bot: SIGTERM, and SIGKILL two seconds later. Never raises."""
        await super().stop()
        self.register.close()
        self.game.close()


class BubblewrapPipedBox(BubblewrapProcess):
    """A bot that plays over its standard input and output; the two pipes belong to whoever talks to it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        init: int,
        pipes: tuple[int, int],
        *,
        meter: Meter,
        limits: Limits,
        log: Path,
    ) -> None:
        self.stdin, self.stdout = pipes
        super().__init__(process, init, meter=meter, limits=limits, log=log)

"""A running bot in a bubblewrap box: keeps its log, measures its usage, and reports how it ended."""

import contextlib
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

from msgspec import Struct

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.meters import Meter, ProcessMeter
from server.bots.sandbox.output_log import OutputLog, copy_to_log
from server.bots.sandbox.process import WatchedProcess
from server.bots.sandbox.process_tree import descendants
from server.bots.sandbox.runner import WEAK_BOX, Exit, Usage, exit_of

_MAX_PAUSE_SECONDS = 0.05
_FIRST_PAUSE_SECONDS = 0.001
"""The first pause between two measurements. It is short so that even short games are measured. Each later pause is
twice as long as the pause before it, up to _MAX_PAUSE_SECONDS.
"""


class StartedProgram(Struct, frozen=True):
    """A program that has just started in its box.

    `init_pid` is the first process of the box's namespace. When that process ends, the kernel ends all others in the
    box. The file `log` gets the output. If standard output is a pipe, `log` gets only standard error. `meter` measures
    the usage of the box. `hint` says why the program might fail to start.
    """

    process: subprocess.Popen[bytes]
    init_pid: int
    meter: Meter
    limits: Limits
    log: Path
    hint: str = ""


class BubblewrapProcess(WatchedProcess):
    """A program running in a bubblewrap box. Without control groups, the box is weak: it limits only some memory."""

    def __init__(self, started: StartedProgram) -> None:
        self._started = started
        self._meter = started.meter
        self._log = OutputLog(started.log, started.limits.log_bytes)
        super().__init__(WEAK_BOX if isinstance(started.meter, ProcessMeter) else "light")

    def _signal(self, number: int) -> None:
        if number == signal.SIGKILL:
            self._kill()
            return
        for pid in list(descendants(self._started.process.pid)):
            if pid != self._started.init_pid:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)

    def _supervise(self) -> Exit:
        process = self._started.process
        output = process.stdout or process.stderr
        assert output is not None, "standard output or standard error must be a pipe"
        watcher = threading.Thread(target=self._watch, daemon=True)
        watcher.start()
        try:
            copy_to_log(output.fileno(), self._log, self._ended_event)
            _, status, resource_usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            has_exceeded_limit = self._meter.exceeds_limit()
            self._ended_event.set()
            self._log.close()
            output.close()
            watcher.join()
            self._meter.close()
        # The kernel has added up the processor time of all processes in the box.
        seconds = resource_usage.ru_utime + resource_usage.ru_stime
        self._usage = self._usage.updated_with(Usage(self._usage.memory_bytes, cpu_seconds=seconds))
        return exit_of(
            process.returncode, has_exceeded_limit, self._started.limits, self._stop_reason, self._started.hint
        )

    def _watch(self) -> None:
        seconds = _FIRST_PAUSE_SECONDS
        while not self._ended_event.is_set():
            self._usage = self._usage.updated_with(self._meter.measure())
            if self._meter.exceeds_limit():
                max_bytes = self._started.limits.memory_bytes
                self._stop_reason = self._stop_reason or f"used more memory than the {max_bytes >> 20} MB allowed"
                self._kill()
            self._ended_event.wait(seconds)
            seconds = min(2 * seconds, _MAX_PAUSE_SECONDS)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._started.init_pid, signal.SIGKILL)


class BubblewrapBox(BubblewrapProcess):
    """A bot in its box. The bot connects to two sockets there: `register_socket` and `game_socket`."""

    def __init__(self, started: StartedProgram, sockets: tuple[socket.socket, socket.socket]) -> None:
        self.register_socket, self.game_socket = sockets
        super().__init__(started)

    async def stop(self) -> None:
        await super().stop()
        self.register_socket.close()
        self.game_socket.close()


class BubblewrapPipedBox(BubblewrapProcess):
    """A bot that plays over its standard input and output. The caller owns the two pipes."""

    def __init__(self, started: StartedProgram, pipes: tuple[int, int]) -> None:
        self.stdin, self.stdout = pipes
        super().__init__(started)

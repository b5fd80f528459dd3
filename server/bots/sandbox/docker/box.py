"""A running bot in its container: keeps its log, measures its usage, and reports how it ended."""

import contextlib
import os
import socket
import threading
import time
from typing import IO, Any

from docker import APIClient
from msgspec import Struct

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.docker import engine as engine_api
from server.bots.sandbox.docker.network import BotNetwork, close_network
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.process import PipeEnds, WatchedProcess
from server.bots.sandbox.runner import CannotRun, Exit, Usage, exit_of
from server.bots.sandbox.threads import run_in_thread
from server.system.processes import KILL

_DISK_CHECK_SECONDS = 1.0
_MAX_LIVE_LOG_SIZES = 8
"""A bot's output is read live until its size is this many times the maximum size of a log. After that, only the last
lines are read, once the bot has ended.
"""
_TAIL_LINES = 200
_SIGKILL_STATUS = 128 + KILL
_OOM_CHECKS = 10
_OOM_SECONDS = 0.2
"""How many seconds pass before Docker is asked again whether a bot ran out of memory."""
_READ_BYTES = 1 << 16
_PIPE_BYTES = 4096
"""The maximum number of bytes in one write to a pipe."""
_STDOUT = 1
_FLOOD_PAUSE_SECONDS = 0.05


class StartedContainer(Struct, frozen=True):
    """A container that has just started, and the log of its output. `hint` says why the bot might fail to start."""

    engine: APIClient
    container: str
    limits: Limits
    log: OutputLog
    hint: str = ""


class DockerProcess(WatchedProcess):
    """A bot that runs in its container. `box_name` is the kind of box, such as "docker, strict".

    Call `watch_disk` if the bot's disk is not read-only.
    """

    def __init__(self, started: StartedContainer, box_name: str) -> None:
        self._engine = started.engine
        self._container = started.container
        self._limits = started.limits
        self._log = started.log
        self._hint = started.hint
        self._is_removed = False
        super().__init__(box_name)

    @property
    def has_ended(self) -> bool:
        return self._is_removed and super().has_ended

    def watch_disk(self) -> None:
        """Kills the bot once it has written more bytes or files to disk than it may."""
        threading.Thread(target=self._watch_disk, daemon=True).start()

    async def usage(self) -> Usage:
        with contextlib.suppress(*engine_api.ENGINE_FAULTS):
            if not self._ended_event.is_set():
                stats = await run_in_thread(lambda: self._engine.stats(self._container, stream=False, one_shot=True))
                self._usage = self._usage.updated_with(_read_usage(stats))
        return self._usage

    async def stop(self) -> None:
        if not self._is_removed:
            self._is_removed = True
            await super().stop()
            await run_in_thread(self._remove)

    # -- these methods run in threads of their own --------------------------------------------------------

    def _supervise(self) -> Exit:
        try:
            is_all_logged = self._follow_log()
            status = int(self._engine.wait(self._container, timeout=None)["StatusCode"])
            out_of_memory = self._ran_out_of_memory(status)
            if not is_all_logged:
                self._log.write(self._engine.logs(self._container, tail=_TAIL_LINES))
        except engine_api.ENGINE_FAULTS as error:
            return Exit(-1, self._stop_reason or f"Docker can no longer see it ({engine_api.describe_error(error)})")
        finally:
            self._ended_event.set()
            self._log.close()
        return exit_of(status, out_of_memory, self._limits, self._stop_reason, self._hint)

    def _ran_out_of_memory(self, status: int) -> bool:
        """Returns whether the kernel killed the bot for its memory. Asks Docker several times, because Docker may see
        that a bot has ended before it learns why.
        """
        for _ in range(_OOM_CHECKS):
            state = self._engine.inspect_container(self._container)["State"]
            if state["OOMKilled"] or self._stop_reason or status != _SIGKILL_STATUS:
                return bool(state["OOMKilled"])
            time.sleep(_OOM_SECONDS)
        return False

    def _follow_log(self) -> bool:
        """Logs the output live. Returns whether it has logged all output.

        Stops at a flood of output, which would slow down other bots.
        """
        bytes_left = _MAX_LIVE_LOG_SIZES * self._limits.log_bytes
        with engine_api.follow_output(self._engine, self._container) as pieces:
            for piece in pieces:
                self._log.write(piece)
                bytes_left -= len(piece)
                if bytes_left < 0:
                    return False
        return True

    def _watch_disk(self) -> None:
        max_bytes, max_files = self._limits.disk_bytes, self._limits.disk_files
        folder = engine_api.folder_on_disk(self._engine)
        files_before = engine_api.disk_usage(folder)[1]
        while not self._ended_event.wait(_DISK_CHECK_SECONDS):
            # Counting a container's files takes long. It is done only if Docker's disk has gained too many files.
            if engine_api.written_bytes(self._engine, self._container) > max_bytes or (
                engine_api.disk_usage(folder)[1] - files_before > max_files
                and engine_api.written_files(self._engine, self._container, max_files) > max_files
            ):
                self._stop_reason = f"wrote more than the {max_bytes >> 20} MB or {max_files} files allowed"
                self._signal(KILL)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(*engine_api.ENGINE_FAULTS):
            self._engine.kill(self._container, signal=number)

    def _remove(self) -> None:
        engine_api.remove_container(self._engine, self._container)


def _read_usage(stats: dict[str, Any]) -> Usage:
    """Counts memory without cached files, as `docker stats` does."""
    memory = stats.get("memory_stats", {})
    details = memory.get("stats", {})
    cached = details.get("total_inactive_file", details.get("inactive_file", 0))
    used = max(int(memory.get("usage", 0)) - int(cached), 0)
    return Usage(used, used, stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0) / 1e9)


class DockerBox(DockerProcess):
    """A bot that connects to `register_socket` and `game_socket`, two sockets in its network."""

    def __init__(self, started: StartedContainer, network: BotNetwork, box_name: str) -> None:
        self.register_socket = network.register_socket
        self.game_socket = network.game_socket
        self._network = network
        super().__init__(started, box_name)

    def _remove(self) -> None:
        super()._remove()
        close_network(self._engine, self._network)


_NAMED_PIPE = (
    "Bots cannot play through Docker's named pipe: run High Noon in WSL 2, or set DOCKER_HOST to a TCP port of Docker"
    " Desktop. Beware: through such a port, every program on this machine can control Docker."
)


def attach_streams(engine: APIClient, container: str) -> socket.socket:
    """Returns a socket for the standard streams of a container that has not started yet. Raises ENGINE_FAULTS."""
    query = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    answer = engine.attach_socket(container, params=query)
    # The library closes its own socket too early or never. So we close it here and return a duplicate.
    with contextlib.closing(getattr(answer, "_sock", answer)) as original, contextlib.closing(answer):
        if not isinstance(original, socket.socket):
            raise CannotRun(_NAMED_PIPE)
        stream = original.dup()
        getattr(answer, "_response", answer).close()
    stream.settimeout(None)
    return stream


class DockerPipedBox(DockerProcess):
    """A bot that plays over its standard input and output. The Docker Engine sends both standard output and standard
    error in `stream`.

    The caller writes to `stdin`, reads from `stdout`, and closes both. These are the `own_ends` of two pipes, whose
    other ends are `bot_ends`.
    """

    def __init__(
        self, started: StartedContainer, stream: socket.socket, own_ends: PipeEnds, bot_ends: PipeEnds
    ) -> None:
        self.stdin, self.stdout = own_ends
        self._stream = stream
        self._input, self._output = (os.dup(end) for end in bot_ends)
        super().__init__(started, "docker, strict")
        threading.Thread(target=self._copy_input, daemon=True).start()

    def _copy_input(self) -> None:
        """Copies to the bot what the caller writes to `stdin`. When `stdin` is closed, closes the bot's input."""
        with contextlib.suppress(OSError):
            while piece := os.read(self._input, _READ_BYTES):
                self._stream.sendall(piece)
            self._stream.shutdown(socket.SHUT_WR)
        os.close(self._input)

    def _follow_log(self) -> bool:
        """Copies the bot's standard output to `stdout` and its standard error to the log until both end."""
        try:
            with self._stream.makefile("rb") as output:
                self._copy_output(output)
        finally:
            os.close(self._output)
        return True

    def _copy_output(self, output: IO[bytes]) -> None:
        is_caller_reading, logged_bytes = True, 0
        for descriptor, piece in engine_api.read_frames(output):
            if descriptor == _STDOUT:
                is_caller_reading = is_caller_reading and self._pass_on(piece)
                continue
            self._log.write(piece)
            logged_bytes += len(piece)
            # A flood of standard error is read slowly. This delays the bot's answers, too, because they come in the
            # same stream.
            if self._log.is_head_full and logged_bytes > _READ_BYTES:
                self._ended_event.wait(_FLOOD_PAUSE_SECONDS)
                logged_bytes = 0

    def _pass_on(self, piece: bytes) -> bool:
        """Writes to `stdout`. Returns whether the caller still reads `stdout`."""
        with contextlib.suppress(OSError):
            for offset in range(0, len(piece), _PIPE_BYTES):
                os.write(self._output, piece[offset : offset + _PIPE_BYTES])
            return True
        return False

    def _remove(self) -> None:
        super()._remove()
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)
        self._stream.close()

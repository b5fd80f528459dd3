"""One bot in a bubblewrap box, from the moment it was started: its log, its end, what it uses. Starts nothing."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import IO

from server.bots.runners.log_file import LogFile
from server.bots.runners.process_tree import descendants, shared_out, tell, used
from server.bots.runners.runner import Exit, Limits, Usage
from server.bots.runners.threads import in_thread
from server.bots.runners.words import exit_of

_GRACE_SECONDS = 2.0
_KILL_SECONDS = 10.0
_LOOK_SECONDS = 0.05
_READ_BYTES = 1 << 16
_SLOW_SECONDS = 0.05
"""Between two reads from a bot whose log is full: it waits then, instead of costing the others' time."""


class LightBox:
    """A running bot. `init` is the first process of its namespace: with it, all others end."""

    box = "light"

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        init: int,
        sockets: tuple[socket.socket, socket.socket],
        *,
        limits: Limits,
        log: Path,
    ) -> None:
        self.register, self.game = sockets
        self._process = process
        self._init = init
        self._limits = limits
        self._log = LogFile(log, limits.log_bytes)
        self._usage = Usage()
        self._cause = ""
        """Why we ended it, if we did."""
        self._over = threading.Event()
        self._attended = asyncio.ensure_future(in_thread(self._attend))
        threading.Thread(target=self._watch_memory, daemon=True).start()

    async def ended(self) -> Exit:
        """Returns once the bot has ended by itself or was stopped."""
        return await asyncio.shield(self._attended)

    async def usage(self) -> Usage:
        """What it uses now; after its end, what was known last. The time of processes long gone is not all there."""
        return self._usage

    async def stop(self) -> None:
        """SIGTERM, two seconds, SIGKILL. Never raises."""
        self._cause = self._cause or "was stopped"
        if not self._over.is_set():
            tell((pid for pid in descendants(self._process.pid) if pid != self._init), signal.SIGTERM)
            if not await self._ends_within(_GRACE_SECONDS):
                self._kill()
                await self._ends_within(_KILL_SECONDS)
        self.register.close()
        self.game.close()

    # -- in threads of their own ---------------------------------------------------------------------

    def _attend(self) -> Exit:
        """Keeps the log while the bot runs, then says how it ended."""
        assert self._process.stdout is not None, "it is a pipe"
        try:
            self._keep_log(self._process.stdout)
            status = self._process.wait()
        finally:
            self._over.set()
            self._log.close()
            self._process.stdout.close()
        return exit_of(status, False, self._limits, self._cause)

    def _keep_log(self, said: IO[bytes]) -> None:
        while piece := os.read(said.fileno(), _READ_BYTES):
            self._log.write(piece)
            if self._log.full:
                self._over.wait(_SLOW_SECONDS)

    def _watch_memory(self) -> None:
        most = self._limits.memory_bytes
        while not self._over.wait(_LOOK_SECONDS):
            now = used(self._process.pid)
            memory = now.memory_bytes
            if memory > most:
                memory = shared_out(self._process.pid) or memory
            before = self._usage
            peak = max(memory, before.peak_memory_bytes)
            self._usage = Usage(memory, peak, max(now.cpu_seconds, before.cpu_seconds))
            if memory > most:
                self._cause = self._cause or f"used more memory than the {most >> 20} MB it may"
                self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._init, signal.SIGKILL)

    # ------------------------------------------------------------------------------------------------

    async def _ends_within(self, seconds: float) -> bool:
        return bool((await asyncio.wait([self._attended], timeout=seconds))[0])

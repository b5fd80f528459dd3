"""One bot in its container, from the moment it was started: its log, its end, what it uses. Starts nothing."""

import asyncio
import contextlib
import signal
import threading
import time
from typing import Any

from docker import APIClient

from server.bots.sandbox.docker.engine import ENGINE_FAULTS, in_words
from server.bots.sandbox.docker.network import BotNetwork, close_network
from server.bots.sandbox.docker.stream import frames, streamed
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.runner import Exit, Limits, Usage, exit_of
from server.bots.sandbox.threads import in_thread

_GRACE_SECONDS = 2.0
_KILL_SECONDS = 10.0
_LOOK_SECONDS = 1.0
_FOLLOWED = 8
"""How many times the log's limit is read as it comes; for a bot that prints more, the end is fetched when it ends."""
_TAIL_LINES = 200
_KILLED = 128 + signal.SIGKILL
_OOM_LOOKS = 10
_OOM_SECONDS = 0.2
"""Between two looks whether it was killed for its memory."""


class DockerProcess:
    """A running bot in its container. Call `watch_disk` where nothing else limits what it writes to disk."""

    def __init__(
        self, engine: APIClient, container: str, *, limits: Limits, log: OutputLog, box: str, hint: str = ""
    ) -> None:
        self.box = box
        self._hint = hint
        self._engine = engine
        self._container = container
        self._limits = limits
        self._log = log
        self._usage = Usage()
        self._cause = ""
        """Why we ended it; "" if we did not."""
        self._over = threading.Event()
        self._cleared = False
        self._attended = asyncio.ensure_future(in_thread(self._attend))

    @property
    def over(self) -> bool:
        """Whether it has ended and is cleared away."""
        return self._cleared and self._over.is_set()

    def watch_disk(self) -> None:
        """Ends the bot when it has written more than it may."""
        threading.Thread(target=self._watch_disk, daemon=True).start()

    async def ended(self) -> Exit:
        """Waits until the bot has ended by itself or was stopped."""
        return await asyncio.shield(self._attended)

    async def usage(self) -> Usage:
        """What it uses now; after its end, what was measured last. The peak is the highest of all calls."""
        with contextlib.suppress(*ENGINE_FAULTS):
            if not self._over.is_set():
                self._measured(
                    await in_thread(lambda: self._engine.stats(self._container, stream=False, one_shot=True))
                )
        return self._usage

    async def stop(self) -> None:
        """Ends the bot: SIGTERM, and SIGKILL two seconds later; removes its container. Never raises."""
        if self._cleared:
            return
        self._cleared = True
        self._cause = self._cause or "was stopped"
        await in_thread(lambda: self._kill(signal.SIGTERM))
        if not await self._ends_within(_GRACE_SECONDS):
            await in_thread(lambda: self._kill(signal.SIGKILL))
            await self._ends_within(_KILL_SECONDS)
        await in_thread(self._clear)

    # -- in threads of their own ---------------------------------------------------------------------

    def _attend(self) -> Exit:
        """Keeps the log while the bot runs, then says how it ended."""
        try:
            followed = self._follow_log()
            status = int(self._engine.wait(self._container, timeout=None)["StatusCode"])
            out_of_memory = self._ran_out_of_memory(status)
            if not followed:
                self._log.write(self._engine.logs(self._container, tail=_TAIL_LINES))
        except ENGINE_FAULTS as error:
            return Exit(-1, self._cause or f"Docker lost sight of it ({in_words(error)})")
        finally:
            self._over.set()
            self._log.close()
        return exit_of(status, out_of_memory, self._limits, self._cause, self._hint)

    def _ran_out_of_memory(self, status: int) -> bool:
        """Docker hears of the end and of what caused it by two messages, which come in either order."""
        for _ in range(_OOM_LOOKS):
            state = self._engine.inspect_container(self._container)["State"]
            if state["OOMKilled"] or self._cause or status != _KILLED:
                return bool(state["OOMKilled"])
            time.sleep(_OOM_SECONDS)
        return False

    def _follow_log(self) -> bool:
        """Whether the log was followed to its end; too much of it would cost the other bots' time."""
        room = _FOLLOWED * self._limits.log_bytes
        query = {"stdout": 1, "stderr": 1, "follow": 1}
        path = f"/containers/{self._container}/logs"
        with streamed(self._engine, "GET", path, params=query, timeout=None) as response:
            for piece in frames(response):
                self._log.write(piece)
                room -= len(piece)
                if room < 0:
                    return False
        return True

    def _watch_disk(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            with contextlib.suppress(*ENGINE_FAULTS):
                found = self._engine.containers(size=True, filters={"id": self._container})
                if any(container.get("SizeRw", 0) > self._limits.disk_bytes for container in found):
                    self._cause = f"wrote more than the {self._limits.disk_bytes >> 20} MB it may"
                    self._kill(signal.SIGKILL)

    def _kill(self, number: signal.Signals) -> None:
        with contextlib.suppress(*ENGINE_FAULTS):
            self._engine.kill(self._container, signal=number.value)

    def _clear(self) -> None:
        with contextlib.suppress(*ENGINE_FAULTS):
            self._engine.remove_container(self._container, force=True, v=True)

    # ------------------------------------------------------------------------------------------------

    async def _ends_within(self, seconds: float) -> bool:
        return bool((await asyncio.wait([self._attended], timeout=seconds))[0])

    def _measured(self, stats: dict[str, Any]) -> None:
        """Memory without files that are only cached, as `docker stats` counts it."""
        memory = stats.get("memory_stats", {})
        details = memory.get("stats", {})
        cached = details.get("total_inactive_file", details.get("inactive_file", 0))
        used = max(int(memory.get("usage", 0)) - int(cached), 0)
        cpu_seconds = stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0) / 1e9
        before = self._usage
        self._usage = Usage(used, max(used, before.peak_memory_bytes), max(cpu_seconds, before.cpu_seconds))


class DockerBox(DockerProcess):
    """A bot that connects to two sockets in its network: `register` and `game`."""

    def __init__(
        self,
        engine: APIClient,
        container: str,
        network: BotNetwork,
        *,
        limits: Limits,
        log: OutputLog,
        box: str,
        hint: str,
    ) -> None:
        self.register = network.register
        self.game = network.game
        self._network = network
        super().__init__(engine, container, limits=limits, log=log, box=box, hint=hint)

    def _clear(self) -> None:
        super()._clear()
        close_network(self._engine, self._network)

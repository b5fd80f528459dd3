"""Builds each bot only once, even if several matches need it at the same time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from server.bots.sandbox.runner import Runner


class SharedRunner:
    """A runner (which builds and starts bots) with the results of its builds."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self._builds: dict[str, asyncio.Task[str]] = {}

    async def build_once(self, bot: str, build: Callable[[], Coroutine[Any, Any, str]]) -> str:
        """Returns what `build` returns for `bot`. Calls `build` only once for each bot. If that call raises, every
        caller gets the error.
        """
        if bot not in self._builds:
            self._builds[bot] = asyncio.create_task(build())
        return await asyncio.shield(self._builds[bot])

"""Connects to workers (other machines that play games) through a Dask scheduler. The address of the scheduler comes
from a command or an event file. Imports Dask, an optional package, only if needed.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from server.bots.sandbox.runner import Say
from server.config.event_file import EveningPlan
from server.console import say
from server.errors import Refusal
from server.season.files import SeasonFiles

if TYPE_CHECKING:
    from server.workers.work_dispatcher import WorkDispatcher
    from server.workers.worker_games import WorkerGames

NOT_INSTALLED = "work on other machines needs Dask, which is not installed: pip install 'highnoon[workers]'"


@asynccontextmanager
async def connect_to_workers(
    scheduler: str, certificates: Path | None, say: Say = say
) -> AsyncIterator["WorkDispatcher"]:
    """Connects to a scheduler's workers during the `async with`. Reports through `say` which workers join or leave.

    Raises Refusal if the scheduler's address or the certificates cannot be used, or if Dask is not installed.
    """
    try:
        from server.workers.certificates import cluster_at  # noqa: PLC0415
        from server.workers.connection import Connection  # noqa: PLC0415
        from server.workers.work_dispatcher import WorkDispatcher  # noqa: PLC0415 - Dask is optional
    except ModuleNotFoundError:
        raise Refusal(NOT_INSTALLED) from None
    connection = Connection(cluster_at(scheduler, certificates), say)
    connection_task = asyncio.create_task(connection.run())
    try:
        yield WorkDispatcher(connection, say)
    finally:
        connection_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await connection_task


@asynccontextmanager
async def games_on_workers(plan: EveningPlan, store: SeasonFiles, sandbox: str) -> AsyncIterator["WorkerGames | None"]:
    """Yields an object that plays a season's games on the event file's workers, or None if the file has no workers.

    The bots run in sandboxes of the kind `sandbox`, as in their test games. Raises the same errors as
    `connect_to_workers`.
    """
    if not plan.workers_scheduler:
        yield None
        return
    async with connect_to_workers(plan.workers_scheduler, plan.workers_certificates) as dispatcher:
        from server.workers.worker_games import WorkerGames  # noqa: PLC0415 - Dask is installed

        say(f"  games are played by the workers of {plan.workers_scheduler}")
        yield WorkerGames(dispatcher, store, sandbox)

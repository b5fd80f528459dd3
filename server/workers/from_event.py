"""Opens the workers of a season, where its event file names a scheduler."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from server.config.event_file import EventPlan
from server.console import say
from server.errors import Refusal
from server.season.files import Store

if TYPE_CHECKING:
    from server.workers.worker_games import WorkerGames

NOT_INSTALLED = "games are played on other machines by Dask, which is not installed: pip install 'highnoon[workers]'"


@asynccontextmanager
async def games_on_workers(plan: EventPlan, store: Store, sandbox: str) -> AsyncIterator["WorkerGames | None"]:
    """What plays a season's games on the workers of the event file, for the length of the `async with`; None without.

    `sandbox` is the kind of boxes that its bots were tested in. Raises Refusal where the scheduler's address or the
    certificates cannot be used, or Dask is not installed.
    """
    if not plan.workers_scheduler:
        yield None
        return
    try:
        from server.workers.cluster import cluster_at  # noqa: PLC0415 - only who uses workers has Dask
        from server.workers.connection import Connection  # noqa: PLC0415
        from server.workers.worker_games import WorkerGames  # noqa: PLC0415
    except ModuleNotFoundError:
        raise Refusal(NOT_INSTALLED) from None
    connection = Connection(cluster_at(plan.workers_scheduler, plan.workers_certificates))
    say(f"  games are played by the workers of {plan.workers_scheduler}")
    running = asyncio.create_task(connection.run())
    try:
        yield WorkerGames(connection, store, sandbox)
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

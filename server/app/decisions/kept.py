"""Decisions that visitors of pages look at: so many games are worked out in a minute, and kept for who looks again."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence

from fastapi.responses import PlainTextResponse, Response

from broadcast.web.a_minute import AMinute
from broadcast.web.private_pages import PRIVATE
from server.app.decisions.decisions import Decision

MOST_A_MINUTE = 60
"""Games whose decisions are worked out in a minute; each takes a tenth of a second, which running games lack."""
KEPT = 64
"""Games whose decisions are kept in memory, the latest."""
AT_ONCE = 2
"""Games whose decisions are worked out, or whose pages are made, at a time."""
_BUSY = "The decisions of too many games are being worked out. Try again in a minute.\n"


class KeptDecisions:
    """The decisions of bots in games, each by a key of the caller's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._budget = AMinute(MOST_A_MINUTE, clock)
        self._working = asyncio.Semaphore(AT_ONCE)
        self._telling = asyncio.Semaphore(AT_ONCE)
        self._kept: OrderedDict[Hashable, Sequence[Decision]] = OrderedDict()

    async def of(self, key: Hashable, work: Callable[[], Iterable[Decision]]) -> Sequence[Decision] | None:
        """What `work` gives, which runs in a thread; None where the budget of this minute is spent.

        Raises what `work` raises.
        """
        found = self._kept.get(key)
        if found is not None or not self._budget.take():
            return found
        async with self._working:
            found = self._kept[key] = await asyncio.to_thread(lambda: list(work()))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    async def told(self, make: Callable[[], Response]) -> Response:
        """The page that `make` gives, which runs in a thread: a game has many hands, and nobody else is to wait."""
        async with self._telling:
            return await asyncio.to_thread(make)


def busy() -> Response:
    """What a visitor is told where the budget of this minute is spent."""
    return PlainTextResponse(_BUSY, 429, {"Retry-After": "60", **PRIVATE})

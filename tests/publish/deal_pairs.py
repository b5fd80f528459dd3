"""Pairs of shows of one deal that differ only at the deal's other tables: what does each show before the comparison?

The real showrunner knows all tables from the start, and the real publisher writes to a folder whenever an index is due.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.publish.live_files import EVERY_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from server.game.events import DealEnded, Event, HandEnded
from server.journal.journal import Entry
from tests.publish.published_pairs import MEMORY, WORLD
from tests.support.deals import play_deals
from tests.support.published import files_in
from tests.support.recordings import one_by_one

SEATS = 4


def pair_of_deals(seed: int, seats: int = SEATS, hands: int = 1, minutes: int = 0) -> tuple[list[Entry], list[Entry]]:
    """Two contests of one deal that differ only in what the bots at the other tables decide."""
    others = 1_000_000 + seed, 2_000_000 + seed
    one, other = (
        play_deals(seats, 1, main=seed, others=each, hands=hands, minutes=minutes, decided_by="earned")
        for each in others
    )
    return one, other


def tells_nothing_early(one: Sequence[Entry], other: Sequence[Entry], phase: float = 0.0) -> bool:
    """Whether viewers of two shows of a deal get the same bytes before the comparison of its tables.

    The first index is published after `phase` seconds.
    """
    return before_comparison(one, phase) == before_comparison(other, phase)


def before_comparison(entries: Sequence[Entry], phase: float) -> list[str]:
    """Returns digests of all that viewers get before the comparison.

    These are each message with the picture after it and, whenever an index is due, what `/watch` gets and all published
    files. The last index is due just before the comparison.
    """
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        return asyncio.run(_run_show(Path(name), entries, phase))


async def _run_show(folder: Path, entries: Sequence[Entry], phase: float) -> list[str]:
    air = AirLog("main", 1.0)
    air.epoch = "0" * 16
    odds, now, due = OddsCalculator(), 0.0, phase
    live = LiveChannel(air, lambda: now, KEPT_BYTES, lambda: WORLD + now)
    publisher = LivePublisher(str(folder), live, "friday", clock=lambda: now, world=lambda: WORLD + now)
    seen: list[str] = []
    is_played = over = False

    def look(*texts: bytes) -> None:
        seen.extend(hashlib.sha256(text).hexdigest() for text in texts)

    async def publish() -> None:
        await publisher.publish()
        look(live.index().plain, live.open_segment().plain)
        look(*(path.encode() + content for path, content in sorted(files_in(folder).items())))

    async def advance_clock(seconds: float, _woken: asyncio.Event) -> None:
        nonlocal now, due
        if over:
            running.cancel()
            await asyncio.sleep(0)  # the show ends here
        await odds.done()  # a show would leave out odds that are not ready
        until = now + seconds
        while due < until:
            now, due = due, due + EVERY_SECONDS
            await publish()
        now = until
        if is_played:
            await publish()

    def follow(event: Event) -> None:
        nonlocal is_played, over
        is_played, over = is_played or isinstance(event, HandEnded), over or isinstance(event, DealEnded)

    def listen(text: bytes) -> None:
        if not over:
            look(text, air.snapshot())

    air.recorders.add(lambda entry, _before, _after: follow(entry.event))
    air.listeners.add(listen)
    show = Showrunner(air, clock=lambda: now, wait=advance_clock, odds=odds)
    running = asyncio.ensure_future(show.run(one_by_one(entries)))
    with suppress(asyncio.CancelledError):
        await running
    assert over, "the show must reach the comparison"
    return seen

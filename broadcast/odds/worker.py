"""Works the chances of whole hands out in a thread before they go on air, and gives each out when its moment has come.

What is not ready then is left out: the show never waits for it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

from broadcast.odds.situations import Spot, Spots, in_tenths
from broadcast.on_air.events import Chance, EquitiesChanged
from server.game.events import Event

Book = dict[Spot, EquitiesChanged]
KEPT_HANDS = 2
"""The one on air and the one after it, in the order in which they were to be worked out."""


class Bookmaker:
    """The chances of one show. What it says of a moment is looked up by the cards that are on air at that moment."""

    def __init__(self) -> None:
        self._on_air = Spots()
        self._books: deque[Book] = deque(maxlen=KEPT_HANDS)
        self._latest: Event | None = None
        self._work: asyncio.Future[Book] | None = None

    def study(self, hand: Sequence[Event]) -> None:
        """Begins to work out the chances of `hand`: its events from the first on, as far as they are known."""
        if hand and hand[-1] is not self._latest:
            self._latest = hand[-1]
            book: Book = {}
            self._books.append(book)
            self._work = asyncio.get_running_loop().run_in_executor(None, book_of, hand)
            self._work.add_done_callback(partial(_fill, book))

    async def done(self) -> None:
        """Returns when nothing is being worked out."""
        if self._work and not self._work.done():
            await asyncio.wait([self._work])

    def after(self, event: Event) -> list[EquitiesChanged]:
        """What goes on air right after `event`, at the same moment."""
        spot = self._on_air.after(event)
        return [book[spot] for book in self._books if spot in book][:1] if spot else []

    def ahead(self, hand: Sequence[Event]) -> dict[int, EquitiesChanged]:
        """What will be told during `hand`, as far as it is worked out: by the place of the event it follows."""
        follow = Spots()
        spots = {at: spot for at, event in enumerate(hand) if (spot := follow.after(event))}
        return {at: book[spot] for at, spot in spots.items() for book in self._books if spot in book}


def _fill(book: Book, work: asyncio.Future[Book]) -> None:
    if work.cancelled():
        return
    if error := work.exception():  # a forged recording: whatever else it shows, there are no chances to tell
        logging.getLogger(__name__).warning("the chances of a hand cannot be told: %s", error)
    else:
        book.update(work.result())


def book_of(hand: Iterable[Event]) -> Book:
    """What goes on air at every spot of a hand."""
    follow = Spots()
    spots = [spot for event in hand if (spot := follow.after(event))]
    return {spot: equities_of(spot) for spot in spots}


def equities_of(spot: Spot) -> EquitiesChanged:
    """How everybody stands who is still in. A hand that is alone has won: there is nothing to say."""
    from broadcast.odds.equity import equities  # noqa: PLC0415  brings NumPy, which a studio is not to wait for at its start

    if len(spot.live) < 2:
        return EquitiesChanged(())
    told = equities([held.cards for held in spot.live], spot.board, spot.dead)
    return EquitiesChanged(
        tuple(
            Chance(held.seat, in_tenths(equity.wins, equity.boards), in_tenths(equity.ties, equity.boards))
            for held, equity in zip(spot.live, told, strict=True)
        )
    )

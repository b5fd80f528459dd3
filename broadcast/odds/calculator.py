"""Computes the odds of a whole hand in a thread before the hand goes on air. The show looks the odds up entry by entry.

Chances depend only on cards that viewers already see. The show never waits for odds. It leaves out odds that are not
ready in time.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct

from broadcast.on_air.events import Chance, EquitiesChanged
from broadcast.on_air.table_state import TableEntry, TableState
from server.game.cards import Card
from server.game.events import ActionTaken, HoleDealt, StreetDealt

MAX_HANDS = 12
"""If more than this many bots are still in a hand, the table is shown without chances."""
KEPT_HANDS = 2
"""The odds of this many hands are kept: the hand on air and the next hand."""


class Situation(Struct, frozen=True):
    """The facts on which chances depend: the seats still in the hand, their cards, the board, and the folded cards."""

    seats: tuple[int, ...]
    hands: tuple[tuple[Card, Card], ...]
    board: tuple[Card, ...]
    dead: tuple[Card, ...]


Odds = dict[Situation, EquitiesChanged]


class OddsCalculator:
    """Computes and looks up the odds of one show. Needs a running event loop."""

    def __init__(self) -> None:
        self._computations: deque[asyncio.Future[Odds]] = deque(maxlen=KEPT_HANDS)

    def prepare(self, hand: Sequence[TableEntry]) -> None:
        """Starts computing the odds of all situations in `hand`, in a thread."""
        self._computations.append(asyncio.get_running_loop().run_in_executor(None, _odds_or_none, hand))

    async def wait_until_done(self) -> None:
        """Waits until the odds of the last hand are computed."""
        if self._computations and not self._computations[-1].done():
            await asyncio.wait([self._computations[-1]])

    def odds_after(self, entry: TableEntry) -> list[EquitiesChanged]:
        """Returns the odds to put on air right after `entry`, as at most one event."""
        if not (situation := situation_after(entry)):
            return []
        finished = (work.result() for work in self._computations if work.done() and not work.cancelled())
        return [odds[situation] for odds in finished if situation in odds][:1]

    def computed_odds(self, hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
        """Returns the odds of `hand` that are already computed, keyed by the index of the entry that they follow."""
        return {index: change for index, entry in enumerate(hand) for change in self.odds_after(entry)}


def _odds_or_none(hand: Iterable[TableEntry]) -> Odds:
    try:
        return odds_of(hand)
    except Exception as error:  # a forged recording is shown without chances
        logging.getLogger(__name__).warning("the chances of a hand cannot be computed: %s", error)
        return {}


def odds_of(hand: Iterable[TableEntry]) -> Odds:
    """Returns the odds of every situation of a hand. Raises ValueError if a card appears twice."""
    return {situation: equities_of(situation) for entry in hand if (situation := situation_after(entry))}


def equities_of(situation: Situation) -> EquitiesChanged:
    """Returns the chances of all live seats, or no chances if only one seat is live. Raises ValueError if a card
    appears twice.
    """
    from server.equity.equity import equities  # noqa: PLC0415  NumPy would delay a studio's start

    if len(situation.seats) < 2:
        return EquitiesChanged(())
    results = equities(situation.hands, situation.board, situation.dead)
    chances = (
        Chance(seat, share_in_permille(result.wins, result.boards), share_in_permille(result.ties, result.boards))
        for seat, result in zip(situation.seats, results, strict=True)
    )
    return EquitiesChanged(tuple(chances))


def situation_after(entry: TableEntry) -> Situation | None:
    """Returns the situation after `entry`. Returns None if `entry` changes no chances, or if a live seat's cards are
    unknown.
    """
    match entry.event:
        case HoleDealt() if entry.table.is_all_dealt:
            return _situation(entry.table)
        case StreetDealt() | ActionTaken(act="fold"):
            return _situation(entry.table)
    return None


def _situation(table: TableState) -> Situation | None:
    seats = [index for index, seat in enumerate(table.seats) if seat.is_in_hand]
    hands = [(cards[0], cards[1]) for index in seats if len(cards := table.seats[index].cards) == 2]
    dead = [card for seat in table.seats if seat.folded for card in seat.cards]
    is_known = len(hands) == len(seats) and 1 <= len(seats) <= MAX_HANDS
    return Situation(tuple(seats), tuple(hands), table.board, tuple(dead)) if is_known else None


def share_in_permille(part: int, whole: int) -> int:
    """Returns `part` as a share of `whole`, in tenths of a percent, rounded. The share is 0 only for an impossible
    result, and 1000 only for a sure result.
    """
    if part in (0, whole):
        return 1000 * (part > 0)
    return min(999, max(1, (2000 * part + whole) // (2 * whole)))

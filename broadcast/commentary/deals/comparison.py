"""Compares the tables that played the same deal: where bots did different things, and what this changed. No I/O."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from broadcast.commentary.deals.positions import position_of
from broadcast.on_air.deal_tables import DealTable
from broadcast.on_air.shared_types import DealComparison, SeatAct, SeatHeld, TableOfDeal
from server.game.cards import Card
from server.game.events import ActionTaken, Event, HandStarted, HoleDealt, Street, StreetDealt

ActionAndBet = tuple[str, int]
"""An action, and the total bet of its seat on the street after the action."""
Betting = tuple[tuple[int, ActionAndBet], ...]
"""All actions at one table of a deal before a certain moment, each with its seat."""


class _Decision(Struct, frozen=True):
    """A decision at one table: the hand, the seat, all betting before it, and what the bot did."""

    hand: int
    seat: int
    street: Street
    betting_before: Betting
    action: ActionAndBet


class _DecidingPoint(Struct, frozen=True):
    """The deciding point of a deal: the decision where different actions made the largest difference in chips.

    `best` and `worst` are the indices of the two tables where these actions had the best and the worst result.
    """

    point: _Decision
    best: int
    worst: int
    difference: int
    """How many more chips the bot at table `best` won than the bot at table `worst`. If luck is taken out of the
    results, these are chips earned, not chips won.
    """


def compare_tables(deal: int, tables: Sequence[DealTable]) -> DealComparison:
    """Returns the comparison of deal number `deal`. `tables` are its tables. The first table was on air."""
    shown = tuple(TableOfDeal(table.game, table.seats, table.won, table.luck) for table in tables)
    decisions_by_table = [list(_decisions_at(table.events)) for table in tables]
    found = _find_deciding_point(tables, decisions_by_table)
    if found is None:
        return DealComparison(deal, shown)
    hand, seat = found.point.hand, found.point.seat
    seat_results = []
    for table, here in zip(tables, decisions_by_table, strict=True):
        acts = [each for each in here if (each.hand, each.seat) == (hand, seat)]
        deciding_index = next(
            (at for at, each in enumerate(acts) if each.betting_before == found.point.betting_before), -1
        )
        shown_acts = tuple(SeatAct(each.street, each.action[0], each.action[1]) for each in acts)  # type: ignore[arg-type]
        luck = table.won[seat] - table.scores[seat]
        seat_results.append(SeatHeld(table.seats[seat], table.game, shown_acts, table.won[seat], deciding_index, luck))
    seat_results.sort(key=lambda each: (each.at < 0, -each.score))
    return DealComparison(
        deal,
        shown,
        alike=False,
        hand=hand,
        seat=seat,
        position=position_of(tables[found.best].events, hand, seat),
        street=found.point.street,
        cards=_cards(tables[found.best].events, hand, seat),
        board=max((_board(table.events, hand) for table in tables), key=len),
        held=tuple(seat_results),
        best=tables[found.best].seats[seat],
        worst=tables[found.worst].seats[seat],
    )


def _find_deciding_point(
    tables: Sequence[DealTable], decisions_by_table: Sequence[Sequence[_Decision]]
) -> _DecidingPoint | None:
    """Finds the decision that made the largest difference between bots in the same seat and after the same betting.

    If several decisions made the same difference, returns the first. Returns None if no decision made a difference.
    `decisions_by_table` are the decisions at each of the `tables`.
    """
    reached: dict[tuple[int, Betting], list[tuple[int, _Decision]]] = {}
    for number, here in enumerate(decisions_by_table):
        for point in here:
            reached.setdefault((point.seat, point.betting_before), []).append((number, point))
    found: _DecidingPoint | None = None
    for there in sorted(reached.values(), key=lambda each: len(each[0][1].betting_before)):
        for (one, point), (other, elsewhere) in combinations(there, 2):
            if point.action == elsewhere.action:
                continue
            best, worst = sorted((one, other), key=lambda table: -tables[table].scores[point.seat])
            difference = tables[best].scores[point.seat] - tables[worst].scores[point.seat]
            if difference > (found.difference if found else 0):
                found = _DecidingPoint(point, best, worst, difference)
    return found


def _decisions_at(events: Sequence[Event]) -> Iterator[_Decision]:
    """Yields all decisions at a table. The betting before a decision includes the betting in earlier hands."""
    before: Betting = ()
    hand = 0
    street: Street = "preflop"
    for event in events:
        match event:
            case HandStarted(hand=hand):
                street = "preflop"
            case StreetDealt(street=street):
                pass
            case ActionTaken(seat=seat, act=act, bet=bet):
                yield _Decision(hand, seat, street, before, (act, bet))
                before = (*before, (seat, (act, bet)))


def _cards(events: Sequence[Event], hand: int, seat: int) -> tuple[Card, ...]:
    """The cards that a seat was dealt in a hand."""
    current_hand = 0
    for event in events:
        current_hand = event.hand if isinstance(event, HandStarted) else current_hand
        if isinstance(event, HoleDealt) and (current_hand, event.seat) == (hand, seat):
            return event.cards
    return ()


def _board(events: Sequence[Event], hand: int) -> tuple[Card, ...]:
    """The community cards that a table saw in a hand."""
    current_hand, board = 0, tuple[Card, ...]()
    for event in events:
        current_hand = event.hand if isinstance(event, HandStarted) else current_hand
        if isinstance(event, StreetDealt) and current_hand == hand:
            board += event.cards
    return board

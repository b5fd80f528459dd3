"""What each seat did in one hand, and how often it could have, by the definitions of poker trackers. Pure.

A raise is whatever the table calls one, an all-in for less than a whole raise too. A seat could raise where its turn
says so; one that is all in is asked in some contests, and counts for nothing.
"""

from collections import Counter

from broadcast.on_air.table_state import TableState
from server.game.events import ActionTaken, Event, HandStarted, StreetDealt, TurnStarted

Counts = Counter[str]
"""How often, by the field of `BotStatistics` that counts it."""


class HandCounts:
    """The counts of one hand after the other, by seat."""

    def __init__(self) -> None:
        self._by_seat: dict[int, Counts] = {}
        self._turn: TurnStarted | None = None
        self._raises: list[int] = []
        """Who raised before the flop, in order."""
        self._flop_bets: list[int] = []

    def take(self, event: Event, before: TableState) -> None:
        """Counts `event`; the table was such before it."""
        match event:
            case HandStarted():
                self._by_seat, self._turn, self._raises, self._flop_bets = {}, None, [], []
            case TurnStarted():
                self._turn = event
            case ActionTaken():
                self._act(event, before)
            case StreetDealt(street="flop"):
                for seat in before.live:
                    self.of(seat)["flops"] = 1
            case _:
                pass

    def showdown(self, table: TableState) -> None:
        """Counts who was in to the end with others; the hand is over and the table as it leaves it."""
        live = table.live
        for seat in live if len(live) > 1 else ():
            self.of(seat).update(showdowns=1, showdowns_won=int(table.seats[seat].won > 0))

    def of(self, seat: int) -> Counts:
        """What is counted of a seat in this hand."""
        return self._by_seat.setdefault(seat, Counter())

    def _act(self, event: ActionTaken, before: TableState) -> None:
        turn = self._turn
        if turn is None or turn.seat != event.seat or turn.blind or not before.seats[event.seat].stack:
            return
        counts, bold = self.of(event.seat), event.act in ("bet", "raise")
        counts.update(bets=int(bold), calls=int(event.act == "call"))
        if before.street == "preflop":
            self._act_preflop(event, counts, bold=bold, could_raise=turn.max_raise_to > 0)
            return
        if before.street == "flop":
            self._act_on_flop(event, counts, bold=bold, could_bet=turn.max_raise_to > 0)
        counts.update(aggressive=int(bold), aggressive_chances=int(event.act != "check"))

    def _act_preflop(self, event: ActionTaken, counts: Counts, *, bold: bool, could_raise: bool) -> None:
        counts["vpip_chances"] = 1
        counts["vpip"] |= int(event.amount > 0)
        counts["pfr_chances"] |= int(could_raise)
        counts["pfr"] |= int(bold)
        match self._raises:
            case [opener] if opener != event.seat and could_raise:
                counts.update(three_bet_chances=1, three_bets=int(bold))
            case [opener, _] if opener == event.seat:
                counts.update(three_bet_fold_chances=1, three_bet_folds=int(event.act == "fold"))
        if bold:
            self._raises.append(event.seat)

    def _act_on_flop(self, event: ActionTaken, counts: Counts, *, bold: bool, could_bet: bool) -> None:
        aggressor = self._raises[-1] if self._raises else None
        match self._flop_bets:
            case [] if event.seat == aggressor and could_bet:
                counts.update(c_bet_chances=1, c_bets=int(bold))
            case [bettor] if bettor == aggressor:
                counts.update(c_bet_fold_chances=1, c_bet_folds=int(event.act == "fold"))
        if bold:
            self._flop_bets.append(event.seat)

"""Counts what a hand adds to the statistics: what each seat did and could have done, and who took chips from whom.

The definitions are those of poker trackers. An all-in for less than a full raise is a raise. A seat had a chance to
raise if the rules allowed a raise. Turns of seats that are all in are ignored. No I/O.
"""

from collections import Counter
from collections.abc import Mapping

from broadcast.on_air.table_state import TableState
from server.game import events
from server.game.events import Event

Counts = Counter[str]
"""Numbers, keyed by the name of a field of `BotStatistics`."""
Pair = tuple[int, int]
"""The seat that took chips, and the seat that lost them."""


class HandCounts:
    """The counts of the current hand. They start again from 0 with each new hand.

    In each pot, the losers' chips are divided among the winners in proportion to their winnings. So what a seat takes
    from all others is exactly what it wins in the hand.
    """

    def __init__(self) -> None:
        self._by_seat: dict[int, Counts] = {}
        self._turn: events.TurnStarted | None = None
        self._raises: list[int] = []
        """The seats that raised before the flop, in order."""
        self._flop_bets: list[int] = []
        """The seats that bet or raised on the flop, in order."""
        self._ante_is_dead = False
        """Whether antes are dead chips, which go into the main pot but are no part of a seat's bet."""
        self._dead_antes: dict[int, int] = {}
        """The dead ante that each seat has posted."""
        self._pots: list[events.PotAwarded] = []

    def apply(self, event: Event, before: TableState) -> None:
        """Counts `event`. `before` is the table before the event."""
        match event:
            case events.TournamentOpened(rules=rules):
                self._ante_is_dead = rules.ante_from == "big_blind"
            case events.HandStarted():
                self._by_seat, self._turn, self._raises, self._flop_bets = {}, None, [], []
                self._dead_antes, self._pots = {}, []
            case events.BlindPosted(seat=seat, blind="ante", amount=amount) if self._ante_is_dead:
                self._dead_antes[seat] = amount
            case events.PotAwarded():
                self._pots.append(event)
            case events.TurnStarted():
                self._turn = event
            case events.ActionTaken():
                self._count_action(event, before)
            case events.StreetDealt(street="flop"):
                for seat in before.seats_in_hand:
                    self.counts_of(seat)["flops"] = 1

    def count_showdown(self, table: TableState) -> None:
        """Counts the seats that reached the showdown. `table` is the table after the hand."""
        live = table.seats_in_hand
        for seat in live if len(live) > 1 else ():
            self.counts_of(seat).update(showdowns=1, showdowns_won=int(table.seats[seat].won > 0))

    def counts_of(self, seat: int) -> Counts:
        """The counts of a seat in this hand."""
        return self._by_seat.setdefault(seat, Counter())

    def _count_action(self, event: events.ActionTaken, before: TableState) -> None:
        turn = self._turn
        if turn is None or turn.seat != event.seat or turn.blind or not before.seats[event.seat].stack:
            return
        counts, is_aggressive = self.counts_of(event.seat), event.act in ("bet", "raise")
        counts.update(bets=int(is_aggressive), calls=int(event.act == "call"))
        if before.street == "preflop":
            self._count_preflop_action(event, counts, is_aggressive=is_aggressive, could_raise=turn.max_raise_to > 0)
            return
        if before.street == "flop":
            self._count_flop_action(event, counts, is_aggressive=is_aggressive, could_bet=turn.max_raise_to > 0)
        counts.update(aggressive=int(is_aggressive), aggressive_chances=int(event.act != "check"))

    def _count_preflop_action(
        self, event: events.ActionTaken, counts: Counts, *, is_aggressive: bool, could_raise: bool
    ) -> None:
        counts["vpip_chances"] = 1
        counts["vpip"] |= int(event.amount > 0)
        counts["pfr_chances"] |= int(could_raise)
        counts["pfr"] |= int(is_aggressive)
        match self._raises:
            case [opener] if opener != event.seat and could_raise:
                counts.update(three_bet_chances=1, three_bets=int(is_aggressive))
            case [opener, _] if opener == event.seat:
                counts.update(three_bet_fold_chances=1, three_bet_folds=int(event.act == "fold"))
        if is_aggressive:
            self._raises.append(event.seat)

    def _count_flop_action(
        self, event: events.ActionTaken, counts: Counts, *, is_aggressive: bool, could_bet: bool
    ) -> None:
        aggressor = self._raises[-1] if self._raises else None
        match self._flop_bets:
            case [] if event.seat == aggressor and could_bet:
                counts.update(c_bet_chances=1, c_bets=int(is_aggressive))
            case [bettor] if bettor == aggressor:
                counts.update(c_bet_fold_chances=1, c_bet_folds=int(event.act == "fold"))
        if is_aggressive:
            self._flop_bets.append(event.seat)

    def chips_taken(self, table: TableState) -> dict[Pair, int]:
        """Returns the chips that the first seat of each pair took from the second seat. `table` is the table after the
        hand.
        """
        found = Counter[Pair]()
        for pot, paid in zip(self._pots, _paid_by_pot(table, self._dead_antes), strict=False):
            change = Counter({seat: -chips for seat, chips in paid.items()})
            for award in pot.awards:
                change[award.seat] += award.amount
            found.update(divide_chips(change))
        return found


def divide_chips(change: Mapping[int, int]) -> dict[Pair, int]:
    """Divides the losers' chips among the winners. Returns the chips that the first seat of each pair takes from the
    second seat.

    `change` has the change in each seat's stack, in chips. The changes add up to 0. Each share is rounded down. The
    chips left over go to winners that have not yet got all they won. The shares that lost most by rounding come first.
    """
    won = {seat: chips for seat, chips in change.items() if chips > 0}
    total_won = sum(won.values())
    shares = {(by, of): divmod(-change[of] * won[by], total_won) for of in change if change[of] < 0 for by in won}
    found = {pair: chips for pair, (chips, _) in shares.items()}
    still_to_get = {by: won[by] - sum(chips for pair, chips in found.items() if pair[0] == by) for by in won}
    still_to_pay = {of: -change[of] - sum(chips for pair, chips in found.items() if pair[1] == of) for _, of in shares}
    by_remainder = sorted(shares, key=lambda pair: (-shares[pair][1], pair))
    # The first round gives each pair at most one chip. The second round gives any number.
    for pairs, most in ((by_remainder, 1), ([*found], total_won)):
        for by, of in pairs:
            chips = min(most, still_to_get[by], still_to_pay[of])
            found[by, of] += chips
            still_to_get[by] -= chips
            still_to_pay[of] -= chips
    return found


def _paid_by_pot(table: TableState, dead_antes: Mapping[int, int]) -> list[dict[int, int]]:
    """Returns the chips that each seat has put into each pot, the main pot first.

    The bets of the live seats decide how the chips are divided into pots. The main pot also gets `dead_antes`, the dead
    ante of each seat.
    """
    bets = [seat.committed - dead_antes.get(index, 0) for index, seat in enumerate(table.seats)]
    bet_levels = sorted({bets[index] for index in table.seats_in_hand})
    pots: list[dict[int, int]] = []
    for low, high in zip([0, *bet_levels], bet_levels, strict=False):
        top = max(bets) if high == bet_levels[-1] else high
        paid = {index: min(bet, top) - min(bet, low) for index, bet in enumerate(bets) if bet > low}
        if not pots:
            paid |= {index: paid.get(index, 0) + chips for index, chips in dead_antes.items()}
        if any(paid.values()):
            pots.append(paid)
    return pots

"""A hand of poker at one moment, and how an event changes it (`evolve`).

Only events change it, so replaying a journal gives the same hand. The module `betting` works out what follows from a
decision. No clock, no bots, no dice here. Bets are totals for the street.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from server.game import events
from server.game.cards import Card, Deck
from server.game.rules import Rules


class Seat(Struct, frozen=True):
    """A seat during a hand; amounts in chips, `bet` on this street, `committed` in this hand."""

    stack: int
    bet: int = 0
    committed: int = 0
    cards: tuple[Card, ...] = ()
    dealt_in: bool = False
    folded: bool = False
    act: events.Act | Literal[""] = ""
    """The last act on this street; "" before the first."""
    acted: bool = False
    """Whether it has acted since the betting last reopened."""
    shown: bool = False
    """Whether the table has seen its cards."""

    @property
    def live(self) -> bool:
        """Whether it can still win the pot."""
        return self.dealt_in and not self.folded

    @property
    def all_in(self) -> bool:
        return self.live and self.stack == 0


class Hand(Struct, frozen=True):
    """A hand as it stands after some event."""

    rules: Rules
    number: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    seats: tuple[Seat, ...]
    order: tuple[int, ...]
    """All seats in betting order before the flop, from under the gun to the big blind, busted ones included."""
    live: tuple[int, ...]
    """The seats that can still win the pot, in seat order."""
    street: events.Street = "preflop"
    board: tuple[Card, ...] = ()
    current_bet: int = 0
    last_raise: int = 0
    lap: int = 1
    last_actor: int = -1
    aggressor: int = -1
    """The seat that raised last; -1: nobody has."""
    due: Literal["", "small", "big"] = ""
    """The next blind to ask for, if blinds are asked for."""
    passed: int = -1
    """The seat last asked for a blind."""
    dead: int = 0
    """Chips in the pot that are nobody's bet: an ante paid for all."""
    vacated: int = 0
    """Chips that left the table with unseated bots."""
    forfeited: int = -1
    """The seat that lost the game by a fault, if the rules say so."""
    fault: events.Fault = ""
    """The kind of that fault; "" while there is none."""
    turn: events.TurnStarted | None = None
    pots: tuple[events.Pot, ...] = ()
    awarded: tuple[events.PotAwarded, ...] = ()
    over: bool = False
    behind: tuple[int, ...] = ()
    """Each seat's chips beyond what it may put into this hand; () if there is no cap."""
    deck: Deck = Deck()
    """Secret; empty in hands replayed from a journal or shown to a bot."""

    def dealt_order(self) -> list[int]:
        """The seats dealt in, in dealing order: from the button's left."""
        return [at for at in circle(self.button + 1, len(self.seats)) if self.seats[at].dealt_in]

    def big_blind_of(self, due: int) -> int:
        """The seat from which the big blind moves on after this hand; at its start the blind was due from seat `due`.

        It is the seat that posted the blind, or `due` if none could, and always in recordings of the first edition.
        """
        return self.order[-1] if self.rules.edition else due

    def next_poster(self) -> int | None:
        """The seat to ask for the blind that is due: the next with chips and without a blind, or None."""
        seats, start = self.seats, self.passed + 1
        if self.passed < 0:
            start, _ = blind_seats(self.rules, self.button, [seat.dealt_in for seat in seats])
        ready = (at for at in circle(start, len(seats)) if seats[at].live and seats[at].stack and not seats[at].bet)
        return next(ready, None)

    def first_to_act(self) -> int:
        """The seat that starts the present street's circle of turns, busted or not."""
        if self.street == "preflop" or self.rules.later_streets_from == "big_blind":
            return self.order[0]
        return (self.button + 1) % len(self.seats)

    def lap_of(self, at: int) -> int:
        """The lap of this street, from 1, to which a turn of seat `at` would belong now."""
        last = self.last_actor
        if last < 0:
            return 1
        first, count = self.first_to_act(), len(self.seats)
        return self.lap + 1 if (at - first) % count <= (last - first) % count else self.lap

    def runout(self) -> tuple[Card, ...]:
        """The five board cards, dealt or not. Needs the deck."""
        used = 2 * sum(seat.dealt_in for seat in self.seats)
        return self.deck.cards[used : used + 5]


def open_hand(rules: Rules, started: events.HandStarted) -> Hand:
    """The hand right after `started`, before any blind."""
    cap = max(started.stacks) if rules.hand_cap is UNSET else rules.hand_cap
    seats = tuple([Seat(min(stack, cap), dealt_in=stack > 0) for stack in started.stacks])
    _, big = blind_seats(rules, started.button, started.stacks)
    return Hand(
        rules=rules,
        number=started.hand,
        button=started.button,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
        seats=seats,
        order=circle(big + 1, len(seats)),
        due="small" if rules.blinds == "asked" else "",
        live=tuple([at for at, seat in enumerate(seats) if seat.dealt_in]),
        current_bet=started.big_blind if rules.edition else 0,
        last_raise=started.big_blind,
        behind=() if rules.hand_cap is UNSET else tuple([max(0, stack - cap) for stack in started.stacks]),
    )


@cache
def circle(first: int, count: int) -> tuple[int, ...]:
    """All `count` seats, clockwise from seat `first`, which may be counted past the last seat."""
    return tuple((first + step) % count for step in range(count))


def blind_seats(rules: Rules, button: int, stacks: Sequence[int]) -> tuple[int, int]:
    """The seats that post the small and the big blind: the first two with chips after the button."""
    after = [at for at in circle(button + 1, len(stacks)) if stacks[at] > 0]
    if len(after) == 2 and rules.heads_up_button_posts == "small" and after[-1] == button:
        after.reverse()
    return after[0], after[1]


def next_blind(rules: Rules, big: int, stacks: Sequence[int]) -> tuple[int, int]:
    """Button and big blind of the next hand, after seat `big` in the last one (see `Hand.big_blind_of`).

    The big blind moves to the next seat with chips, so nobody skips it or pays it twice, whoever drops out.
    """
    after = [at for at in circle(big + 1, len(stacks)) if stacks[at] > 0]
    if len(after) == 2 and rules.heads_up_button_posts == "small":
        return after[1], after[0]
    return after[-2], after[0]


def evolve(hand: Hand, event: events.Event) -> Hand:
    """The hand after `event`. Never raises, since the event has happened; events outside hands change nothing."""
    change = _CHANGES.get(type(event))
    return change(hand, event) if change else hand


def _posted(hand: Hand, event: events.BlindPosted) -> Hand:
    seat, amount = hand.seats[event.seat], event.amount
    if event.blind == "ante" and hand.rules.ante_from == "big_blind":
        mine = replace(seat, stack=seat.stack - amount)
        return replace(hand, seats=_with(hand, event.seat, mine), dead=hand.dead + amount)
    bet = 0 if event.blind == "ante" else amount
    mine = replace(seat, stack=seat.stack - amount, bet=seat.bet + bet, committed=seat.committed + amount)
    # "the current highest bid, which will be 100 if no bets have been made yet": in full, even if posted short.
    hand = replace(hand, seats=_with(hand, event.seat, mine), current_bet=hand.big_blind if bet else hand.current_bet)
    if not (hand.due and bet):
        return hand
    if event.blind == "small":
        return replace(hand, due="big", passed=event.seat, turn=None)
    order = circle(event.seat + 1, len(hand.seats))  # after the big blind the betting starts
    return replace(hand, due="", passed=event.seat, turn=None, order=order, lap=1, last_actor=-1)


def _vacated(hand: Hand, event: events.SeatVacated) -> Hand:
    """ "If the small blind fails, the next player is asked for the big blind and nobody posts the small one"."""
    seat = hand.seats[event.seat]
    seats = _with(hand, event.seat, replace(seat, stack=seat.stack - event.amount, folded=True))
    return replace(hand, seats=seats, due="big", passed=event.seat, vacated=hand.vacated + event.amount)


def _shown(hand: Hand, event: events.HandShown) -> Hand:
    return replace(hand, seats=_with(hand, event.seat, replace(hand.seats[event.seat], shown=True)))


def _hole_dealt(hand: Hand, event: events.HoleDealt) -> Hand:
    return replace(hand, seats=_with(hand, event.seat, replace(hand.seats[event.seat], cards=event.cards)))


def asked(hand: Hand, event: events.TurnStarted) -> Hand:
    """As `evolve`."""
    return replace(hand, turn=event, lap=hand.lap_of(event.seat))


def acted(hand: Hand, event: events.ActionTaken) -> Hand:
    """As `evolve`."""
    at, folded, raised_by = event.seat, event.act == "fold", event.bet - hand.current_bet
    seat = hand.seats[at]
    mine = replace(
        seat,
        stack=seat.stack - event.amount,
        bet=event.bet,
        committed=seat.committed + event.amount,
        folded=folded,
        act=event.act,
        acted=True,
    )
    if event.fault and hand.rules.fault_costs == "game":
        hand = replace(hand, forfeited=at, fault=event.fault)
    if raised_by > 0:
        return _raised(hand, at, mine, raised_by)
    if folded:
        hand = replace(hand, live=tuple([other for other in hand.live if other != at]))
    return replace(hand, seats=_with(hand, at, mine), turn=None, last_actor=at)


def _raised(hand: Hand, at: int, mine: Seat, raised_by: int) -> Hand:
    full = hand.rules.min_raise == "one_chip" or raised_by >= hand.last_raise
    seats = list(hand.seats)
    if full:
        seats = [replace(other, acted=False) if other.acted else other for other in seats]
    seats[at] = mine
    return replace(
        hand,
        seats=tuple(seats),
        turn=None,
        last_actor=at,
        aggressor=at,
        current_bet=mine.bet,
        last_raise=max(hand.last_raise, raised_by),
    )


def _returned(hand: Hand, event: events.BetReturned) -> Hand:
    seat, amount = hand.seats[event.seat], event.amount
    mine = replace(seat, stack=seat.stack + amount, bet=seat.bet - amount, committed=seat.committed - amount)
    return replace(hand, seats=_with(hand, event.seat, mine))


def _collected(hand: Hand, event: events.BetsCollected) -> Hand:
    seats = tuple([replace(seat, bet=0) if seat.bet else seat for seat in hand.seats])
    return replace(hand, seats=seats, pots=event.pots, current_bet=0)


def _street_dealt(hand: Hand, event: events.StreetDealt) -> Hand:
    seats = [replace(seat, acted=False, act="" if seat.stack and not seat.folded else seat.act) for seat in hand.seats]
    return replace(
        hand,
        seats=tuple(seats),
        street=event.street,
        board=hand.board + event.cards,
        due="",
        current_bet=0,
        last_raise=hand.big_blind,
        lap=1,
        last_actor=-1,
    )


def _awarded(hand: Hand, event: events.PotAwarded) -> Hand:
    seats = list(hand.seats)
    for award in event.awards:
        seats[award.seat] = replace(seats[award.seat], stack=seats[award.seat].stack + award.amount)
    return replace(hand, seats=tuple(seats), awarded=(*hand.awarded, event))


def _ended(hand: Hand, event: events.HandEnded) -> Hand:
    if not hand.behind:
        return replace(hand, over=True, turn=None)
    seats = tuple([replace(seat, stack=stack) for seat, stack in zip(hand.seats, event.stacks, strict=True)])
    return replace(hand, seats=seats, behind=(), over=True, turn=None)


def _with(hand: Hand, at: int, mine: Seat) -> tuple[Seat, ...]:
    seats = list(hand.seats)
    seats[at] = mine
    return tuple(seats)


_CHANGES: Mapping[type[events.Event], Callable[[Hand, Any], Hand]] = {
    events.BlindPosted: _posted,
    events.HoleDealt: _hole_dealt,
    events.TurnStarted: asked,
    events.ActionTaken: acted,
    events.SeatVacated: _vacated,
    events.BetReturned: _returned,
    events.BetsCollected: _collected,
    events.StreetDealt: _street_dealt,
    events.HandShown: _shown,
    events.PotAwarded: _awarded,
    events.HandEnded: _ended,
}

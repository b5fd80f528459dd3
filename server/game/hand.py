"""The state of a hand of poker, and how each event changes it (`evolve`).

Only events change a hand, so the same events always give the same hand. The module `betting` computes the events from a
decision. Neither module uses a clock, bots or random numbers. Bets are totals for the street.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from server.game import events
from server.game.cards import Card, Deck
from server.game.rules import Rules


class Seat(Struct, frozen=True):
    """A seat during a hand. Amounts are in chips: `bet` on this street, and `committed` in the whole hand."""

    stack: int
    bet: int = 0
    committed: int = 0
    cards: tuple[Card, ...] = ()
    dealt_in: bool = False
    folded: bool = False
    act: events.Act | Literal[""] = ""
    """The seat's latest action on this street, or "" if the seat has not acted yet."""
    acted: bool = False
    """Whether the seat has acted on this street since the betting last reopened."""
    shown: bool = False
    """Whether the seat's cards were shown to the table."""
    bank_ms: int = 0
    """In an exhibition (an evening with time banks), the milliseconds in the seat's bank. If the seat thinks for longer
    than the rules' `think_ms`, the extra time is taken out of the bank.
    """

    @property
    def is_live(self) -> bool:
        """Whether the seat can still win the pot."""
        return self.dealt_in and not self.folded

    @property
    def all_in(self) -> bool:
        return self.is_live and self.stack == 0


class Hand(Struct, frozen=True):
    """The state of a hand after some event."""

    rules: Rules
    number: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    seats: tuple[Seat, ...]
    preflop_order: tuple[int, ...]
    """All seats, even empty ones, in betting order before the flop: from under the gun to the big blind."""
    live: tuple[int, ...]
    """The seats that can still win the pot, in seat order."""
    street: events.Street = "preflop"
    board: tuple[Card, ...] = ()
    current_bet: int = 0
    last_raise: int = 0
    lap: int = 1
    """The current lap around the table on this street, from 1."""
    last_actor: int = -1
    aggressor: int = -1
    """The seat that raised last in this hand, or -1."""
    due_blind: Literal["", "small", "big"] = ""
    """The blind that a bot must post next, or "" if no blind is due. Always "" if the dealer posts the blinds."""
    last_seat_asked: int = -1
    """The last seat that was asked for a blind, or -1."""
    dead_money: int = 0
    """Chips in the pot that are nobody's bet: the ante, if the big blind pays it for all."""
    vacated_chips: int = 0
    """The chips of bots that lost their seats because they did not post a blind. These chips have left the table."""
    forfeiting_seat: int = -1
    """The seat whose fault ended the game, or -1. Only some contests end a game because of a fault."""
    fault: events.Fault = ""
    """The kind of the fault that ended the game, or ""."""
    turn: events.TurnStarted | None = None
    pots: tuple[events.Pot, ...] = ()
    pot_awards: tuple[events.PotAwarded, ...] = ()
    over: bool = False
    chips_behind: tuple[int, ...] = ()
    """In a cap game, each seat's chips above the cap, which stay out of this hand. Empty in other games."""
    deck: Deck = Deck()
    """The deck, which is secret. Empty in a bot's view, and in hands replayed from a journal."""

    def dealt_order(self) -> list[int]:
        """Returns the seats that get cards, in dealing order: clockwise from the button's left."""
        return [seat for seat in seats_clockwise(self.button + 1, len(self.seats)) if self.seats[seat].dealt_in]

    def big_blind_seat(self, due_seat: int) -> int:
        """Returns the seat from which the big blind moves to the left after this hand.

        This is the seat that posted the big blind. If no seat posted the big blind, this is `due_seat`, the seat that
        should have posted it. In recordings of the first edition of the rules, this is always `due_seat`.
        """
        return self.preflop_order[-1] if self.rules.edition else due_seat

    def next_poster(self) -> int | None:
        """Returns the seat that must post a blind now: the next seat with chips that has not posted a blind. Returns
        None if no such seat is left.
        """
        seats, start = self.seats, self.last_seat_asked + 1
        if self.last_seat_asked < 0:
            start, _ = blind_seats(self.rules, self.button, [seat.dealt_in for seat in seats])
        candidates = (
            index
            for index in seats_clockwise(start, len(seats))
            if seats[index].is_live and seats[index].stack and not seats[index].bet
        )
        return next(candidates, None)

    def action_starts_at(self) -> int:
        """Returns the seat with which the action begins on this street. The seat may be empty."""
        if self.street == "preflop" or self.rules.later_streets_from == "big_blind":
            return self.preflop_order[0]
        return (self.button + 1) % len(self.seats)

    def lap_of(self, seat: int) -> int:
        """Returns the lap around the table in which `seat` would act now. Each street begins with lap 1."""
        last = self.last_actor
        if last < 0:
            return 1
        first, count = self.action_starts_at(), len(self.seats)
        return self.lap + 1 if (seat - first) % count <= (last - first) % count else self.lap

    def full_board(self) -> tuple[Card, ...]:
        """Returns all five board cards, even those not yet dealt. Needs the deck, which is secret."""
        used = 2 * sum(seat.dealt_in for seat in self.seats)
        return self.deck.cards[used : used + 5]


def open_hand(rules: Rules, started: events.HandStarted) -> Hand:
    """Returns the hand right after `started`, before any blind."""
    cap = max(started.stacks) if rules.hand_cap is UNSET else rules.hand_cap
    seats = tuple([Seat(min(stack, cap), dealt_in=stack > 0) for stack in started.stacks])
    if started.banks_ms is not UNSET:
        seats = tuple([replace(seat, bank_ms=ms) for seat, ms in zip(seats, started.banks_ms, strict=True)])
    _, big = blind_seats(rules, started.button, started.stacks)
    return Hand(
        rules=rules,
        number=started.hand,
        button=started.button,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
        seats=seats,
        preflop_order=seats_clockwise(big + 1, len(seats)),
        due_blind="small" if rules.blinds == "asked" else "",
        live=tuple([index for index, seat in enumerate(seats) if seat.dealt_in]),
        current_bet=started.big_blind if rules.edition else 0,
        last_raise=started.big_blind,
        chips_behind=() if rules.hand_cap is UNSET else tuple([max(0, stack - cap) for stack in started.stacks]),
    )


def next_banks_ms(rules: Rules, seat_count: int, last_hand: Hand | None) -> tuple[int, ...] | UnsetType:
    """Returns the milliseconds in the time banks of `seat_count` seats before a hand, or UNSET outside exhibitions.
    `last_hand` is the game's previous hand, or None.
    """
    if rules.exhibition_bank_ms is UNSET:
        return UNSET
    return tuple([seat.bank_ms for seat in last_hand.seats]) if last_hand else (rules.exhibition_bank_ms,) * seat_count


@cache
def seats_clockwise(first: int, count: int) -> tuple[int, ...]:
    """Returns all `count` seats, clockwise from seat `first` (modulo `count`)."""
    return tuple((first + step) % count for step in range(count))


def blind_seats(rules: Rules, button: int, stacks: Sequence[int]) -> tuple[int, int]:
    """Returns the seats of the small and the big blind: the first two with chips after the button.

    Heads-up, the button posts the small blind if the rules say so.
    """
    in_play = [seat for seat in seats_clockwise(button + 1, len(stacks)) if stacks[seat] > 0]
    if len(in_play) == 2 and rules.heads_up_button_posts == "small" and in_play[-1] == button:
        in_play.reverse()
    return in_play[0], in_play[1]


def next_button_and_blind(rules: Rules, last_big_blind: int, stacks: Sequence[int]) -> tuple[int, int]:
    """Returns the next hand's button and big blind. `last_big_blind` is the last hand's `big_blind_seat`.

    The big blind moves to the next seat with chips. So no bot misses the big blind, or posts it twice in a row, when
    other bots drop out.
    """
    in_play = [seat for seat in seats_clockwise(last_big_blind + 1, len(stacks)) if stacks[seat] > 0]
    if len(in_play) == 2 and rules.heads_up_button_posts == "small":
        return in_play[1], in_play[0]
    return in_play[-2], in_play[0]


def evolve(hand: Hand, event: events.Event) -> Hand:
    """Returns the hand after `event`, which must be legal. Events that do not belong to a hand change nothing."""
    apply = _APPLIERS.get(type(event))
    return apply(hand, event) if apply else hand


def _apply_blind(hand: Hand, event: events.BlindPosted) -> Hand:
    seat, amount = hand.seats[event.seat], event.amount
    if event.blind == "ante" and hand.rules.ante_from == "big_blind":
        new_seat = replace(seat, stack=seat.stack - amount)
        return replace(hand, seats=_replace_seat(hand, event.seat, new_seat), dead_money=hand.dead_money + amount)
    bet = 0 if event.blind == "ante" else amount
    new_seat = replace(seat, stack=seat.stack - amount, bet=seat.bet + bet, committed=seat.committed + amount)
    # Even if a bot has posted only part of a blind, the bet to match is the whole big blind: "the current highest bid,
    # which will be 100 if no bets have been made yet".
    hand = replace(
        hand, seats=_replace_seat(hand, event.seat, new_seat), current_bet=hand.big_blind if bet else hand.current_bet
    )
    if not (hand.due_blind and bet):
        return hand
    if event.blind == "small":
        return replace(hand, due_blind="big", last_seat_asked=event.seat, turn=None)
    order = seats_clockwise(event.seat + 1, len(hand.seats))  # the betting starts after the big blind
    return replace(hand, due_blind="", last_seat_asked=event.seat, turn=None, preflop_order=order, lap=1, last_actor=-1)


def _apply_vacated(hand: Hand, event: events.SeatVacated) -> Hand:
    """Removes a bot that was unseated. The rules say: "If the small blind fails, the next player is asked for the big
    blind and nobody posts the small one".
    """
    seat = hand.seats[event.seat]
    seats = _replace_seat(hand, event.seat, replace(seat, stack=seat.stack - event.amount, folded=True))
    return replace(
        hand, seats=seats, due_blind="big", last_seat_asked=event.seat, vacated_chips=hand.vacated_chips + event.amount
    )


def _apply_shown(hand: Hand, event: events.HandShown) -> Hand:
    return replace(hand, seats=_replace_seat(hand, event.seat, replace(hand.seats[event.seat], shown=True)))


def _apply_hole(hand: Hand, event: events.HoleDealt) -> Hand:
    return replace(hand, seats=_replace_seat(hand, event.seat, replace(hand.seats[event.seat], cards=event.cards)))


def apply_turn(hand: Hand, event: events.TurnStarted) -> Hand:
    """Applies the start of a turn, as `evolve` does."""
    return replace(hand, turn=event, lap=hand.lap_of(event.seat))


def apply_action(hand: Hand, event: events.ActionTaken) -> Hand:
    """Applies an action, as `evolve` does."""
    index, folded, raised_by = event.seat, event.act == "fold", event.bet - hand.current_bet
    seat = hand.seats[index]
    new_seat = replace(
        seat,
        stack=seat.stack - event.amount,
        bet=event.bet,
        committed=seat.committed + event.amount,
        folded=folded,
        act=event.act,
        acted=True,
        bank_ms=seat.bank_ms and max(0, min(seat.bank_ms, seat.bank_ms + hand.rules.think_ms - event.think_ms)),
    )
    if event.fault and hand.rules.fault_costs == "game":
        hand = replace(hand, forfeiting_seat=index, fault=event.fault)
    if raised_by > 0:
        return _apply_raise(hand, index, new_seat, raised_by)
    if folded:
        hand = replace(hand, live=tuple([other for other in hand.live if other != index]))
    return replace(hand, seats=_replace_seat(hand, index, new_seat), turn=None, last_actor=index)


def _apply_raise(hand: Hand, index: int, new_seat: Seat, raised_by: int) -> Hand:
    reopens_betting = hand.rules.min_raise == "one_chip" or raised_by >= hand.last_raise
    seats = list(hand.seats)
    if reopens_betting:
        seats = [replace(other, acted=False) if other.acted else other for other in seats]
    seats[index] = new_seat
    return replace(
        hand,
        seats=tuple(seats),
        turn=None,
        last_actor=index,
        aggressor=index,
        current_bet=new_seat.bet,
        last_raise=max(hand.last_raise, raised_by),
    )


def _apply_returned(hand: Hand, event: events.BetReturned) -> Hand:
    seat, amount = hand.seats[event.seat], event.amount
    new_seat = replace(seat, stack=seat.stack + amount, bet=seat.bet - amount, committed=seat.committed - amount)
    return replace(hand, seats=_replace_seat(hand, event.seat, new_seat))


def _apply_collected(hand: Hand, event: events.BetsCollected) -> Hand:
    seats = tuple([replace(seat, bet=0) if seat.bet else seat for seat in hand.seats])
    return replace(hand, seats=seats, pots=event.pots, current_bet=0)


def _apply_street(hand: Hand, event: events.StreetDealt) -> Hand:
    seats = [replace(seat, acted=False, act="" if seat.stack and not seat.folded else seat.act) for seat in hand.seats]
    return replace(
        hand,
        seats=tuple(seats),
        street=event.street,
        board=hand.board + event.cards,
        due_blind="",
        current_bet=0,
        last_raise=hand.big_blind,
        lap=1,
        last_actor=-1,
    )


def _apply_awarded(hand: Hand, event: events.PotAwarded) -> Hand:
    seats = list(hand.seats)
    for award in event.awards:
        seats[award.seat] = replace(seats[award.seat], stack=seats[award.seat].stack + award.amount)
    return replace(hand, seats=tuple(seats), pot_awards=(*hand.pot_awards, event))


def _apply_ended(hand: Hand, event: events.HandEnded) -> Hand:
    if not hand.chips_behind:
        return replace(hand, over=True, turn=None)
    seats = tuple([replace(seat, stack=stack) for seat, stack in zip(hand.seats, event.stacks, strict=True)])
    return replace(hand, seats=seats, chips_behind=(), over=True, turn=None)


def _replace_seat(hand: Hand, index: int, new_seat: Seat) -> tuple[Seat, ...]:
    seats = list(hand.seats)
    seats[index] = new_seat
    return tuple(seats)


_APPLIERS: Mapping[type[events.Event], Callable[[Hand, Any], Hand]] = {
    events.BlindPosted: _apply_blind,
    events.HoleDealt: _apply_hole,
    events.TurnStarted: apply_turn,
    events.ActionTaken: apply_action,
    events.SeatVacated: _apply_vacated,
    events.BetReturned: _apply_returned,
    events.BetsCollected: _apply_collected,
    events.StreetDealt: _apply_street,
    events.HandShown: _apply_shown,
    events.PotAwarded: _apply_awarded,
    events.HandEnded: _apply_ended,
}

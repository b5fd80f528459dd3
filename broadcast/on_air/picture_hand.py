"""Applies the events of a hand to the picture, which is the state shown on screen. `static/js/overlay/reducer-hand.js`
does the same in the browser.

No I/O. After each event of a hand, `picture.reduce` also makes the table the current scene.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from broadcast.on_air import picture_state
from broadcast.on_air.events import EquitiesChanged, FocusChanged, HandNamed, StakesShown
from broadcast.on_air.picture_state import FRESH_TABLE, Seat, State, WinSize, with_seat, with_stacks
from server.game import events
from server.game.events import Event

LARGE_WIN_DIVISOR, SMALL_WIN_DIVISOR = 10, 40
"""The limits of large and small wins. A win of at least a tenth of all chips at the table is a "burst", or fills the
whole screen. An uncontested win of less than a fortieth of these chips is a "nod".
"""
LONG_THOUGHT_MS = 10_000
"""In an exhibition, the picture shows a bot's thinking time if it is at least this long, in milliseconds."""


def _hand_started(state: State, event: events.HandStarted) -> State:
    hand = picture_state.Hand(event.hand, event.button, event.small_blind, event.big_blind, event.ante)
    none: tuple[int | UnsetType, ...] = (UNSET,) * len(event.stacks)
    banks_ms = none if event.banks_ms is UNSET else event.banks_ms
    seats = tuple(
        Seat(seat.bot, stack, dealt_in=stack > 0, place=seat.place, bank_ms=bank_ms)
        for seat, stack, bank_ms in zip(state.seats, event.stacks, banks_ms, strict=False)
    )
    # `kept` is the view that the operator holds, which lasts until the next hand.
    desk = replace(state.desk, kept=picture_state.Focus()) if state.desk.kept else state.desk
    return replace(state, **FRESH_TABLE, hand=hand, caption="", seats=seats, desk=desk)


def _blind_posted(state: State, event: events.BlindPosted) -> State:
    seat = state.seats[event.seat]
    paid: dict[str, Any] = {"stack": seat.stack - event.amount, "committed": seat.committed + event.amount}
    if event.blind != "ante":
        paid |= {"bet": seat.bet + event.amount, "street_bet": event.amount, "blind": event.blind}
    seats = with_seat(state, event.seat, **paid, all_in=event.all_in)
    return replace(state, turn=None, pot=state.pot + event.amount, seats=seats)


def _hole_dealt(state: State, event: events.HoleDealt) -> State:
    return replace(state, seats=with_seat(state, event.seat, cards=event.cards))


def _turn_started(state: State, event: events.TurnStarted) -> State:
    turn = picture_state.Turn(event.seat, event.to_call, event.min_raise_to, event.max_raise_to, event.think_ms)
    return replace(state, turn=turn)


def _action_taken(state: State, event: events.ActionTaken) -> State:
    seat = state.seats[event.seat]
    seats = with_seat(
        state,
        event.seat,
        stack=seat.stack - event.amount,
        bet=event.bet,
        street_bet=event.bet,
        committed=seat.committed + event.amount,
        folded=event.act == "fold",
        all_in=event.all_in,
        act=event.act,
        fault=event.fault,
        **_clock_changes(seat, state.turn, event.think_ms),
    )
    return replace(state, turn=None, stakes=None, pot=state.pot + event.amount, seats=seats)


def _clock_changes(seat: Seat, turn: picture_state.Turn | None, think_ms: int) -> dict[str, Any]:
    """Returns what changes at a seat once its bot has thought for `think_ms`, or {} if the seat has no clock. A bot
    uses up the time for one decision first, and then its seat's time bank.
    """
    bank_ms = seat.bank_ms
    if bank_ms is UNSET or turn is None:
        return {}
    left_ms = max(0, min(bank_ms, turn.think_ms - think_ms))
    return {"bank_ms": left_ms, "thought_ms": think_ms if think_ms >= LONG_THOUGHT_MS else UNSET}


def _seat_vacated(state: State, event: events.SeatVacated) -> State:
    stack = state.seats[event.seat].stack - event.amount
    return replace(state, seats=with_seat(state, event.seat, stack=stack, folded=True, unseated=True))


def _bet_returned(state: State, event: events.BetReturned) -> State:
    seat = state.seats[event.seat]
    seats = with_seat(
        state,
        event.seat,
        stack=seat.stack + event.amount,
        bet=seat.bet - event.amount,
        street_bet=0,
        committed=seat.committed - event.amount,
        all_in=seat.all_in and event.amount == 0,
    )
    return replace(state, pot=state.pot - event.amount, seats=seats)


def _bets_collected(state: State, event: events.BetsCollected) -> State:
    seats = tuple(replace(seat, bet=0) if seat.bet else seat for seat in state.seats)
    return replace(state, pots=event.pots, seats=seats)


def _street_dealt(state: State, event: events.StreetDealt) -> State:
    hand = state.hand and replace(state.hand, street=event.street)
    return replace(state, hand=hand, board=state.board + event.cards, seats=tuple(map(_on_next_street, state.seats)))


def _on_next_street(seat: Seat) -> Seat:
    if seat.folded:
        return replace(seat, away=True)
    return seat if seat.all_in else replace(seat, street_bet=0, act="", fault="", thought_ms=UNSET)


def _hand_shown(state: State, event: events.HandShown) -> State:
    seats = with_seat(state, event.seat, cards=event.cards, ranking=event.ranking, best=event.best)
    return replace(state, turn=None, seats=seats)


def _hand_named(state: State, event: HandNamed) -> State:
    return replace(state, seats=with_seat(state, event.seat, ranking=event.ranking))


def _equities_changed(state: State, event: EquitiesChanged) -> State:
    chances = {chance.seat: chance for chance in event.chances}
    seats = tuple(
        replace(seat, win=chances[index].win, tie=chances[index].tie) if index in chances else _without_chance(seat)
        for index, seat in enumerate(state.seats)
    )
    return replace(state, seats=seats)


def _stakes_shown(state: State, event: StakesShown) -> State:
    return replace(state, stakes=picture_state.Stakes(event.seat, event.outcomes))


def _focus_changed(state: State, event: FocusChanged) -> State:
    return replace(state, focus=picture_state.Focus(event.near, event.seats, event.seat, event.role))


def _pot_awarded(state: State, event: events.PotAwarded) -> State:
    won: dict[int, int] = {}
    winning_cards: dict[str, None] = {}
    for award in event.awards:
        won[award.seat] = won.get(award.seat, 0) + award.amount
        winning_cards |= dict.fromkeys(state.seats[award.seat].best)
    seats = tuple(_pay_seat(_without_chance(seat), won.get(index, 0)) for index, seat in enumerate(state.seats))
    pot = state.pot - event.amount
    return replace(
        state,
        turn=None,
        pot=pot,
        awards=(*state.awards, picture_state.PotAward(event.pot, event.amount, event.awards)),
        lit=tuple(winning_cards),
        seats=seats,
        win=win_size(state, seats, pot),
        wins=state.wins + 1,
    )


def _hand_ended(state: State, event: events.HandEnded) -> State:
    return replace(
        state,
        turn=None,
        hand=state.hand and replace(state.hand, over=True),
        bots=with_stacks(state.bots, state.seated_bots, event.stacks),
        seats=tuple(replace(seat, stack=stack) for seat, stack in zip(state.seats, event.stacks, strict=False)),
    )


def _without_chance(seat: Seat) -> Seat:
    return seat if seat.win is None else replace(seat, win=None, tie=None)


def _pay_seat(seat: Seat, amount: int) -> Seat:
    return replace(seat, stack=seat.stack + amount, won=seat.won + amount) if amount else seat


def win_size(state: State, seats: Sequence[Seat], pot: int) -> WinSize:
    """Returns the size of a win.

    `state` is the picture before the win. `seats` and `pot` are the seats and the pot after the win. A win fills the
    whole screen if it takes a bot's last chips. In the last stage, a large win also fills the screen if it gives the
    winner the lead.
    """
    chips = pot + sum(seat.stack for seat in seats)
    amount = sum(seat.won for seat in seats)
    if pot == 0 and any(seat.committed and not seat.stack for seat in seats):
        return "screen"
    if amount * LARGE_WIN_DIVISOR >= chips:
        return "screen" if pot == 0 and _lead_changed(state, seats) else "burst"
    is_contested = sum(seat.dealt_in and not seat.folded for seat in seats) > 1
    is_walk = all(seat.act in ("", "fold") for seat in seats)
    return "nod" if is_nod(amount, chips, is_walk=is_walk, is_contested=is_contested) else "win"


def is_nod(amount: int, chips: int, *, is_walk: bool, is_contested: bool) -> bool:
    """Whether a win of `amount` chips is only a "nod": a walk, or a small pot that was won before a showdown.

    `chips` are all chips at the table. `is_walk` says whether every action was a fold. `is_contested` says whether two
    or more bots stayed in to the end.
    """
    return not is_contested and (is_walk or amount * SMALL_WIN_DIVISOR < chips) and amount * LARGE_WIN_DIVISOR < chips


def _lead_changed(state: State, seats: Sequence[Seat]) -> bool:
    """Whether this hand has changed the chip leader of the stage that decides the title."""
    if not state.stage or state.stage.advance:
        return False
    before = [state.bots[seat.bot].stack if seat.bot in state.bots else seat.stack for seat in seats]
    after = [seat.stack for seat in seats]
    leader = after.index(max(after))
    return before[leader] < max(before) and after.count(after[leader]) == 1


HAND_STEPS: dict[type[Event], Callable[[State, Any], State]] = {
    events.HandStarted: _hand_started,
    events.BlindPosted: _blind_posted,
    events.HoleDealt: _hole_dealt,
    events.TurnStarted: _turn_started,
    events.ActionTaken: _action_taken,
    events.SeatVacated: _seat_vacated,
    events.BetReturned: _bet_returned,
    events.BetsCollected: _bets_collected,
    events.StreetDealt: _street_dealt,
    events.HandShown: _hand_shown,
    HandNamed: _hand_named,
    EquitiesChanged: _equities_changed,
    StakesShown: _stakes_shown,
    FocusChanged: _focus_changed,
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
}

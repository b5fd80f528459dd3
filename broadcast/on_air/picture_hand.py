"""What a hand's events change in the picture: the twin of `static/js/overlay/reducer-hand.js`, field by field. Pure.

Each step takes the picture before an event and gives what is different after it.
"""

from collections.abc import Callable
from typing import Any

from broadcast.on_air.events import EquitiesChanged, HandNamed, StakesShown
from broadcast.on_air.picture_state import State, no_chance, plain, seat_of, sitting, swept, with_stacks
from broadcast.on_air.picture_win import win_size
from server.game import events
from server.game.events import Event


def _hand_started(state: State, event: events.HandStarted) -> State:
    return {
        **swept(),
        "scene": "replay" if state["replay"] else "table",
        "hand": {
            "hand": event.hand,
            "button": event.button,
            "small_blind": event.small_blind,
            "big_blind": event.big_blind,
            "ante": event.ante,
            "street": "preflop",
            "over": False,
        },
        "caption": "",
        "seats": [
            {**seat_of(seat["bot"], stack), "dealt_in": stack > 0, "place": seat["place"]}
            for seat, stack in zip(state["seats"], event.stacks, strict=False)
        ],
    }


def _blind_posted(state: State, event: events.BlindPosted) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] - event.amount,
        "committed": seat["committed"] + event.amount,
        "all_in": event.all_in,
    }
    if event.blind != "ante":
        changes |= {"bet": seat["bet"] + event.amount, "street_bet": event.amount, "blind": event.blind}
    return {"turn": None, "pot": state["pot"] + event.amount, "seats": _with_seat(state, event.seat, changes)}


def _hole_dealt(state: State, event: events.HoleDealt) -> State:
    return {"seats": _with_seat(state, event.seat, {"cards": list(event.cards)})}


def _turn_started(_state: State, event: events.TurnStarted) -> State:
    return {
        "turn": {
            "seat": event.seat,
            "to_call": event.to_call,
            "min_raise_to": event.min_raise_to,
            "max_raise_to": event.max_raise_to,
            "think_ms": event.think_ms,
        }
    }


def _action_taken(state: State, event: events.ActionTaken) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] - event.amount,
        "bet": event.bet,
        "street_bet": event.bet,
        "committed": seat["committed"] + event.amount,
        "folded": event.act == "fold",
        "all_in": event.all_in,
        "act": event.act,
        "fault": event.fault,
    }
    pot, seats = state["pot"] + event.amount, _with_seat(state, event.seat, changes)
    return {"turn": None, "stakes": None, "pot": pot, "seats": seats}


def _seat_vacated(state: State, event: events.SeatVacated) -> State:
    stack = state["seats"][event.seat]["stack"] - event.amount
    return {"seats": _with_seat(state, event.seat, {"stack": stack, "folded": True, "unseated": True})}


def _bet_returned(state: State, event: events.BetReturned) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] + event.amount,
        "bet": seat["bet"] - event.amount,
        "committed": seat["committed"] - event.amount,
        "all_in": seat["all_in"] and event.amount == 0,
    }
    return {"pot": state["pot"] - event.amount, "seats": _with_seat(state, event.seat, changes)}


def _bets_collected(state: State, event: events.BetsCollected) -> State:
    return {
        "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in event.pots],
        "seats": [{**seat, "bet": 0} if seat["bet"] else seat for seat in state["seats"]],
    }


def _street_dealt(state: State, event: events.StreetDealt) -> State:
    return {
        "hand": state["hand"] and {**state["hand"], "street": event.street},
        "board": [*state["board"], *event.cards],
        "seats": [
            seat if seat["all_in"] or seat["folded"] else {**seat, "street_bet": 0, "act": "", "fault": ""}
            for seat in state["seats"]
        ],
    }


def _hand_shown(state: State, event: events.HandShown) -> State:
    changes = {"cards": list(event.cards), "ranking": event.ranking, "best": list(event.best)}
    return {"turn": None, "seats": _with_seat(state, event.seat, changes)}


def _hand_named(state: State, event: HandNamed) -> State:
    return {"seats": _with_seat(state, event.seat, {"ranking": event.ranking})}


def _equities_changed(state: State, event: EquitiesChanged) -> State:
    known = {chance.seat: {"win": chance.win, "tie": chance.tie} for chance in event.chances}
    return {"seats": [{**seat, **known.get(at, no_chance())} for at, seat in enumerate(state["seats"])]}


def _stakes_shown(_state: State, event: StakesShown) -> State:
    return {"stakes": {"seat": event.seat, "outcomes": [plain(outcome) for outcome in event.outcomes]}}


def _pot_awarded(state: State, event: events.PotAwarded) -> State:
    won: dict[int, int] = {}
    lit: dict[str, None] = {}
    for award in event.awards:
        won[award.seat] = won.get(award.seat, 0) + award.amount
        lit |= dict.fromkeys(state["seats"][award.seat]["best"])
    seats = [{**_paid(seat, won.get(at, 0)), **no_chance()} for at, seat in enumerate(state["seats"])]
    pot = state["pot"] - event.amount
    share = {"pot": event.pot, "amount": event.amount, "awards": [plain(award) for award in event.awards]}
    return {
        "turn": None,
        "pot": pot,
        "awards": [*state["awards"], share],
        "lit": list(lit),
        "seats": seats,
        "win": win_size(state, seats, pot),
        "wins": state["wins"] + 1,
    }


def _hand_ended(state: State, event: events.HandEnded) -> State:
    return {
        "turn": None,
        "hand": state["hand"] and {**state["hand"], "over": True},
        "bots": with_stacks(state["bots"], sitting(state), event.stacks),
        "seats": [{**seat, "stack": stack} for seat, stack in zip(state["seats"], event.stacks, strict=False)],
    }


# -- pieces ----------------------------------------------------------------------------------------


def _with_seat(state: State, at: int, changes: State) -> list[State]:
    seats = list(state["seats"])
    seats[at] = {**seats[at], **changes}
    return seats


def _paid(seat: State, amount: int) -> State:
    return {**seat, "stack": seat["stack"] + amount, "won": seat["won"] + amount} if amount else seat


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
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
}

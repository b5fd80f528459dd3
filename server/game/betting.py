"""Computes the events that follow when a hand starts or a bot decides, such as a bet or a dealt card. All functions are
pure. The module `hand` applies these events.

Each contest's rules (`server/contests/*/rules.py`) say what happens to a raise that is too small or too large.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from server.game import events
from server.game.cards import Deck
from server.game.decisions import Action, AllIn, Call, Decision, Fold, IllegalAction, PostBlind, RaiseTo
from server.game.hand import Hand, apply_action, apply_turn, blind_seats, evolve, open_hand, seats_clockwise
from server.game.rules import Rules, level_of
from server.game.showdown import closing_events, split_pots

HandAndEvents = tuple[Hand, list[events.Event]]
"""The current state of a hand, and the events that have just led to it."""


def start_hand(
    rules: Rules,
    number: int,
    button: int,
    stacks: Iterable[int],
    deck: Deck,
    *,
    banks_ms: tuple[int, ...] | UnsetType = UNSET,
) -> HandAndEvents:
    """Posts antes, and blinds if the dealer posts them. Deals hand `number` of a game to the seats with chips.

    Hands are numbered from 1. The number decides the blind level. In an exhibition, `banks_ms` is the time in each
    seat's time bank, in milliseconds. Raises ValueError if fewer than two seats have chips.
    """
    chips = tuple(stacks)
    if sum(1 for stack in chips if stack > 0) < 2:
        raise ValueError(f"a hand needs at least two seats with chips, got the stacks {chips}")
    level = level_of(rules, number)
    started = events.HandStarted(number, button, level.small, level.big, level.ante, chips, deck.commitment, banks_ms)
    hand = replace(open_hand(rules, started), deck=deck)
    new_events: list[events.Event] = [started]
    for event in _forced_bets(hand):
        hand = _add_event(hand, new_events, event)
    for position, seat in enumerate(hand.dealt_order()):
        hand = _add_event(hand, new_events, events.HoleDealt(seat, deck.cards[2 * position : 2 * position + 2]))
    return _continue(hand, new_events), new_events


def _forced_bets(hand: Hand) -> list[events.BlindPosted]:
    stacks = [seat.stack for seat in hand.seats]
    small, big = blind_seats(hand.rules, hand.button, tuple(stacks))
    posted: list[events.BlindPosted] = []

    def post(seat: int, blind: Literal["ante", "small", "big"], full_amount: int) -> None:
        amount = min(full_amount, stacks[seat])
        if amount:
            stacks[seat] -= amount
            posted.append(events.BlindPosted(seat, blind, amount, stacks[seat] == 0))

    if hand.ante:
        for seat in hand.dealt_order() if hand.rules.ante_from == "everyone" else (big,):
            post(seat, "ante", hand.ante)
    if not hand.due_blind:
        post(small, "small", hand.small_blind)
        post(big, "big", hand.big_blind)
    return posted


def take_turn(hand: Hand, decision: Decision, *, think_ms: int = 0, fault: events.Fault = "") -> HandAndEvents:
    """Carries out the acting seat's `decision`, and plays on to the next turn or the end of the hand.

    Raises IllegalAction if the rules forbid the decision.
    """
    return carry_out(hand, resolve(hand, decision), think_ms, fault)


def carry_out(hand: Hand, action: Action, think_ms: int = 0, fault: events.Fault = "") -> HandAndEvents:
    """Carries out an action from `resolve`, and plays on like `take_turn`."""
    seat, bet = action.seat, action.bet
    before = hand.seats[seat]
    paid = bet - before.bet
    is_all_in = paid > 0 and paid == before.stack
    if action.posts_blind and hand.due_blind:
        posted = events.BlindPosted(seat, hand.due_blind, paid, is_all_in)
        new_events: list[events.Event] = [posted]
        return _continue(evolve(hand, posted), new_events), new_events
    taken = events.ActionTaken(seat, action.act, paid, bet, is_all_in, think_ms, fault, action.declared)
    hand, new_events = apply_action(hand, taken), [taken]
    if hand.due_blind:  # The rules say: "If you fail to post exactly these blinds, you will be unseated".
        hand = _add_event(hand, new_events, events.SeatVacated(seat, hand.seats[seat].stack))
    return _continue(hand, new_events), new_events


def is_decision(rules: Rules, event: events.Event) -> bool:
    """Whether `event` records a bot's decision, which a replay can repeat without asking the bot."""
    if isinstance(event, events.BlindPosted):
        return rules.blinds == "asked" and event.blind != "ante"
    return isinstance(event, events.ActionTaken)


def repeat_turn(hand: Hand, event: events.Event) -> HandAndEvents:
    """Repeats the turn that `event` recorded, with the same decision. `is_decision(event)` must be true.

    Raises IllegalAction if the rules forbid the decision.
    """
    if isinstance(event, events.BlindPosted):
        return take_turn(hand, PostBlind(event.amount))
    assert isinstance(event, events.ActionTaken), "`is_decision(event)` must be true"
    return take_turn(hand, decision_from_action(event), think_ms=event.think_ms, fault=event.fault)


def decision_from_action(event: events.ActionTaken) -> Decision:
    """Returns a decision that leads to a recorded action. `declared` is set if the bot called its action "all_in"."""
    if event.declared:
        return AllIn()
    match event.act:
        case "fold":
            return Fold()
        case "check" | "call":
            return Call()
        case _:
            return RaiseTo(event.bet)


def fault_decision(hand: Hand, fault: events.Fault) -> Decision:
    """Returns what the acting seat does after a fault: a check if that is possible and the rules want it, otherwise a
    fold. The rules decide separately for a refused action (`refused_checks`) and for other faults, such as a timeout.
    """
    can_check = hand.turn is not None and hand.turn.to_call == 0 and not hand.due_blind
    should_check = hand.rules.refused_checks if fault == "illegal" else hand.rules.silence_checks is True
    return Call() if should_check and can_check else Fold()


def resolve(hand: Hand, decision: Decision) -> Action:
    """Returns the action that the acting seat's `decision` means. Raises IllegalAction if the decision is forbidden."""
    turn = hand.turn
    if turn is None:
        raise IllegalAction("it is nobody's turn")
    seat = hand.seats[turn.seat]
    if isinstance(decision, Call) and not turn.blind:  # tested first, because calls are the most frequent
        return Action(turn.seat, "call" if turn.to_call else "check", seat.bet + turn.to_call)
    if isinstance(decision, Fold):
        return Action(turn.seat, "fold", seat.bet)
    if isinstance(decision, AllIn) and not turn.blind:
        equivalent = RaiseTo(seat.bet + seat.stack) if turn.max_raise_to else Call()
        return replace(resolve(hand, equivalent), declared="all_in")
    if turn.blind or not isinstance(decision, RaiseTo):
        return Action(turn.seat, "call", _blind_amount(turn, decision), posts_blind=True)
    bet = min(_raise_total(hand, turn, decision.raise_to), seat.bet + seat.stack)
    if bet <= hand.current_bet:
        return Action(turn.seat, "call" if bet > seat.bet else "check", max(bet, seat.bet))
    return Action(turn.seat, "raise" if hand.current_bet else "bet", bet)


def _blind_amount(turn: events.TurnStarted, decision: Decision) -> int:
    """Returns the chips of the blind that is due. Raises IllegalAction for any other decision than to post this blind.
    The rules say: "You MUST return action=blind, amount=minimum_bet".
    """
    if not turn.blind:
        raise IllegalAction("no blind is due")
    if decision != PostBlind(turn.to_call):
        raise IllegalAction(f"the {turn.blind} blind of exactly {turn.to_call} must be posted, and nothing else")
    return turn.to_call


def _raise_total(hand: Hand, turn: events.TurnStarted, raise_to: int) -> int:
    """Returns the bot's total for the street after a raise to `raise_to`. A total outside the allowed range is changed
    or refused, as the contest's rules demand.
    """
    low, high = turn.min_raise_to, turn.max_raise_to
    match hand.rules.raise_out_of_range:
        case "clamp":
            return min(max(raise_to, hand.current_bet), high) if high else hand.current_bet
        case "refuse_low":
            # The rules say: "This MUST be at least the current highest bid, or else will be considered an invalid
            # action."
            if raise_to < hand.current_bet:
                raise IllegalAction(f"a raise to {raise_to} is below the highest bet, {hand.current_bet}")
            # Bots may raise only in the first laps around the table. In later laps, `high` is 0, and the rules say:
            # "any raises after this point will be considered a call".
            return max(low, min(raise_to, high)) if raise_to > hand.current_bet and high else hand.current_bet
        case "refuse":
            if not high:
                raise IllegalAction("no raise is possible now")
            if not low <= raise_to <= high:
                raise IllegalAction(f"a raise must be to {low}..{high}, not {raise_to}")
            return raise_to


def _continue(hand: Hand, new_events: list[events.Event]) -> Hand:
    """Adds the events up to the next turn or the end of the hand. Returns the hand after these events."""
    while True:
        seat = _next_actor(hand)
        if seat is not None:
            turn = _start_turn(hand, seat)
            new_events.append(turn)
            return apply_turn(hand, turn)
        hand = _close_street(hand, new_events)
        if len(hand.live) == 1 or hand.street == "river":
            for event in closing_events(hand):
                hand = _add_event(hand, new_events, event)
            return hand
        street = _NEXT_STREET[hand.street]
        first, last = _BOARD_SLICES[street]
        hand = _add_event(hand, new_events, events.StreetDealt(street, hand.full_board()[first:last]))


def _add_event(hand: Hand, new_events: list[events.Event], event: events.Event) -> Hand:
    new_events.append(event)
    return evolve(hand, event)


def _next_actor(hand: Hand) -> int | None:
    seats, live, current_bet, ask_anyway = hand.seats, hand.live, hand.current_bet, hand.rules.ask_when_all_in
    if len(live) == 1:
        return None
    if hand.due_blind and (poster := hand.next_poster()) is not None:
        return poster
    start = hand.last_actor + 1 if hand.last_actor >= 0 else hand.action_starts_at()
    for index in seats_clockwise(start, len(seats)):
        seat = seats[index]
        must_act = (not seat.acted or seat.bet < current_bet) if seat.stack else (ask_anyway and not seat.acted)
        if must_act and index in live:
            return index if ask_anyway or _has_a_choice(hand, index) else None
    return None


def _has_a_choice(hand: Hand, index: int) -> bool:
    """Whether a seat with chips has a decision to make, because another seat has bet more or can still bet."""
    seats = hand.seats
    own_bet = seats[index].bet
    for other in hand.live:
        seat = seats[other]
        if seat.bet > own_bet or (seat.stack and other != index):
            return True
    return False


def _start_turn(hand: Hand, index: int) -> events.TurnStarted:
    seat = hand.seats[index]
    think_ms = hand.rules.think_ms + seat.bank_ms
    if hand.due_blind:
        blind = hand.small_blind if hand.due_blind == "small" else hand.big_blind
        return events.TurnStarted(index, min(blind, seat.stack), 0, 0, think_ms, hand.due_blind)
    to_call = hand.current_bet - seat.bet
    low, high = _raise_range(hand, index)
    return events.TurnStarted(index, to_call if to_call < seat.stack else seat.stack, low, high, think_ms)


def _raise_range(hand: Hand, index: int) -> tuple[int, int]:
    """Returns the lowest and highest total of a raise by this seat, or (0, 0) if the seat cannot raise."""
    rules, seats, current_bet = hand.rules, hand.seats, hand.current_bet
    seat, is_one_chip_enough = seats[index], rules.min_raise == "one_chip"
    high = seat.bet + seat.stack
    # An all-in below a full raise does not reopen the betting for seats that have acted. Where bots may raise by one
    # chip, every raise reopens the betting.
    may_raise = is_one_chip_enough or not seat.acted or current_bet - seat.bet >= hand.last_raise
    if high <= current_bet or not may_raise or (rules.raise_laps and hand.lap_of(index) > rules.raise_laps):
        return 0, 0
    if rules.bet_cap == "shortest_stack":
        high = min([seats[other].bet + seats[other].stack for other in hand.live])
    if high <= current_bet or not _can_be_called(hand, index):
        return 0, 0
    low = current_bet + (1 if is_one_chip_enough else hand.last_raise)
    return low if low < high else high, high


def _can_be_called(hand: Hand, index: int) -> bool:
    """Whether another seat has chips beyond the current bet."""
    seats, current = hand.seats, hand.current_bet
    for other in hand.live:
        seat = seats[other]
        if seat.bet + seat.stack > current and other != index:
            return True
    return False


def _close_street(hand: Hand, new_events: list[events.Event]) -> Hand:
    if not hand.current_bet and hand.pots and hand.pots[0].seats == hand.live:
        return hand  # nobody has bet or folded since the bets were last collected
    committed = [seat.committed for seat in hand.seats]
    *_, second, top = sorted(committed)
    if top > second:
        hand = _add_event(hand, new_events, events.BetReturned(committed.index(top), top - second))
        committed[committed.index(top)] = second
    pots = split_pots(committed, hand.live, hand.dead_money)
    return _add_event(hand, new_events, events.BetsCollected(pots)) if pots != hand.pots else hand


_NEXT_STREET: dict[events.Street, Literal["flop", "turn", "river"]] = {
    "preflop": "flop",
    "flop": "turn",
    "turn": "river",
}
_BOARD_SLICES = {"flop": (0, 3), "turn": (3, 4), "river": (4, 5)}

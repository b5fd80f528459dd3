"""Why readers who know only the usual rules refuse a recorded hand: it is played again by these. Pure."""

from collections.abc import Iterator

from server.game.decide import decision_behind, start_hand, take_turn
from server.game.decisions import IllegalAction
from server.game.events import ActionTaken, PotAwarded, SeatVacated
from server.game.hand import Hand
from server.game.rules import Rules
from server.hand_histories.from_recording import Recorded
from server.hand_histories.replay import Cards, deck_for


def unusual(hand: Recorded) -> tuple[str, ...]:
    """In words, what in `hand` differs from the usual rules or notation; () where every reader should accept it."""
    return tuple(dict.fromkeys(_by_form(hand))) or _by_playing(hand)


def _by_form(hand: Recorded) -> Iterator[str]:
    """The reasons that lie in what the format cannot express."""
    if any(isinstance(event, SeatVacated) for event in hand.events):
        yield "somebody left the table for a blind that was not posted"
    if any(event.blind == "big" and event.amount < hand.started.big_blind for event in hand.blinds):
        yield "the big blind was posted short, and the bet to match was the full one"
    if _is_short_of_ante(hand):
        yield "an ante was paid short"
    if _is_shared_pot_by_pot(hand):
        yield "chips of several pots do not divide, and some readers put such pots together"


def _is_short_of_ante(hand: Recorded) -> bool:
    return any(event.blind == "ante" and event.amount < hand.started.ante for event in hand.blinds)


def _is_shared_pot_by_pot(hand: Recorded) -> bool:
    """Whether pots with the same winners leave other odd chips one by one than all together."""
    pots: dict[frozenset[int], list[int]] = {}
    for event in hand.events:
        if isinstance(event, PotAwarded):
            pots.setdefault(frozenset(award.seat for award in event.awards), []).append(event.amount)
    return any(sum(pot % len(to) for pot in amounts) != sum(amounts) % len(to) for to, amounts in pots.items())


def _by_playing(recorded: Recorded) -> tuple[str, ...]:
    hand = _begun(recorded)
    for act in recorded.acts:
        if reason := _against(hand, act):
            return (reason,)
        try:
            hand, _ = take_turn(hand, decision_behind(act))
        except IllegalAction:
            return ("a raise that is usually too small, too large or not possible any more",)
    if not hand.over:
        return ("the betting ended sooner than usual",)
    same = [seat.stack for seat in hand.seats] == [*recorded.ended.stacks]
    return () if same else ("chips that do not divide went to another player than usual",)


def _begun(recorded: Recorded) -> Hand:
    """The hand by the usual rules after the deal."""
    started, hole = recorded.started, recorded.hole
    usual = Rules(levels=recorded.rules.levels, ante_from=recorded.rules.ante_from)
    button = started.button
    if len(recorded.players) == 2:
        _, button = recorded.players
    board = tuple(card for street in recorded.board for card in street)
    folded = frozenset(act.seat for act in recorded.acts if act.act == "fold")
    deck = deck_for(button, started.stacks, Cards(hole, board, folded))
    return start_hand(usual, 1, button, started.stacks, deck)[0]


def _against(hand: Hand, act: ActionTaken) -> str:
    """Why this act, at this moment, is not as usual; "" if it may be."""
    turn = hand.turn
    if turn is None:
        return "somebody was asked although nobody can bet any more"
    if turn.seat != act.seat:
        return "the order of acting on the later streets is not the usual one"
    if act.act == "fold" and not turn.to_call:
        return "somebody folded where a check was free"
    seat = hand.seats[act.seat]
    if act.act in ("check", "call") and act.bet != seat.bet + turn.to_call:
        return "a call of another amount than usual"
    return ""

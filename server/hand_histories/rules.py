"""Finds the rules of hands in hand histories, and how recorded hands differ from the usual rules. All functions are
pure.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from server.game.betting import decision_from_action, start_hand, take_turn
from server.game.decisions import IllegalAction
from server.game.events import ActionTaken, PotAwarded, SeatVacated
from server.game.hand import Hand
from server.game.rules import Level, Rules
from server.hand_histories.engine_replay import cards_in, deck_for
from server.hand_histories.from_recording import HandRecord
from server.hand_histories.phh_reader import BadHistory, PublishedHand

_PHH_FIELDS = ("levels", "hands_per_level", "ante_from", "hand_cap")
_OMITTED_FIELDS = (*_PHH_FIELDS, "exhibition_bank_ms")  # a time bank lasts a whole game, but PHH describes single hands


def house_rules(rules: Rules) -> dict[str, Any]:
    """Returns the fields of `rules` with unusual values. Leaves out fields that PHH itself has."""
    usual_values = msgspec.to_builtins(Rules())
    values = msgspec.to_builtins(rules).items()
    return {name: value for name, value in values if value != usual_values.get(name) and name not in _OMITTED_FIELDS}


def rules_of(hand: PublishedHand, scale: int) -> Rules:
    """Returns the rules of a hand. Multiplies amounts by `scale`, so that they are whole numbers. Raises BadHistory if
    High Noon does not support the rules.
    """
    try:
        rules = msgspec.convert(_check_rules(hand.rules), Rules)
    except msgspec.ValidationError as error:
        raise BadHistory(f"{hand.where}: '_rules': {str(error)[:200]}") from None
    small, big = _read_blinds(hand)
    ante, big_blind_pays = _read_ante(hand)
    level = Level(int(small * scale), int(big * scale), int(ante * scale))
    return replace(rules, levels=(level,), ante_from="big_blind" if big_blind_pays else "everyone")


def merge_rules(earlier_rules: Rules | None, rules: Rules, where: str) -> Rules:
    """Merges the rules of the earlier hands (`earlier_rules`) and of the next hand (`rules`). Keeps the blinds of the
    first hand. Raises BadHistory if the rules contradict each other.
    """
    if earlier_rules is None:
        return rules
    if _without_blinds(rules) != _without_blinds(earlier_rules):
        raise BadHistory(f"{where}: it was played by different rules from the first hand")
    if not rules.levels[0].ante or rules.ante_from == earlier_rules.ante_from:
        return earlier_rules
    if earlier_rules.levels[0].ante:
        raise BadHistory(f"{where}: the ante is not paid in the same way as in the first hand")
    return replace(earlier_rules, ante_from=rules.ante_from)


def _without_blinds(rules: Rules) -> Rules:
    return replace(rules, levels=(), ante_from="everyone")


def _check_rules(recorded_rules: Mapping[str, Any]) -> dict[str, Any]:
    unknown = {*recorded_rules} - {*Rules.__struct_fields__}
    if unknown:
        raise msgspec.ValidationError(f"there is no rule {min(unknown)[:40]!r}")
    rules = {name: value for name, value in recorded_rules.items() if name not in _OMITTED_FIELDS}
    for name in ("think_ms", "raise_laps"):
        if isinstance(rules.get(name), int) and not 0 <= rules[name] <= 10**6:
            raise msgspec.ValidationError(f"{name} is out of range")
    return rules


def _read_blinds(hand: PublishedHand) -> tuple[Any, Any]:
    small, big, *others = hand.blinds
    if any(others):
        raise BadHistory(f"{hand.where}: somebody straddles, or posts out of turn, which High Noon does not support")
    if not 0 <= small <= big or not big:
        raise BadHistory(f"{hand.where}: the blinds {small} and {big} are impossible")
    if hand.min_bet != big:
        raise BadHistory(f"{hand.where}: the smallest bet is {hand.min_bet}, but in High Noon it is the big blind")
    return small, big


def _read_ante(hand: PublishedHand) -> tuple[Any, bool]:
    """Returns the ante, and whether the big blind pays it for all."""
    first_ante, *others = hand.antes
    if all(ante == first_ante for ante in others):
        return first_ante, False
    if not first_ante and not any(others[1:]):  # Even if two play, the big blind's ante is second.
        return others[0], True
    raise BadHistory(f"{hand.where}: some pay an ante and some do not; all must pay it, or the big blind alone")


def unusual_reasons(hand: HandRecord) -> tuple[str, ...]:
    """Describes how `hand` differs from the usual rules or notation. Returns () if every program should accept the
    hand.

    Other programs know only the usual rules, so this function replays the hand under the usual rules.
    """
    return tuple(dict.fromkeys(_check_notation(hand))) or _check_play(hand)


def _check_notation(hand: HandRecord) -> Iterator[str]:
    """Describes what PHH cannot express about this hand."""
    if any(isinstance(event, SeatVacated) for event in hand.events):
        yield "somebody left the table because of a blind that was not posted"
    if any(event.blind == "big" and event.amount < hand.started.big_blind for event in hand.blinds):
        yield "the big blind was posted short, but the bet to match was the full big blind"
    if any(event.blind == "ante" and event.amount < hand.started.ante for event in hand.blinds):
        yield "an ante was paid short"
    if _loses_odd_chips_if_merged(hand):
        yield "the chips of several pots do not divide evenly, and some readers merge such pots"


def _loses_odd_chips_if_merged(hand: HandRecord) -> bool:
    """Whether pots with the same winners leave fewer odd chips if they are merged into one pot and then divided."""
    pots: dict[frozenset[int], list[int]] = {}
    for event in hand.events:
        if isinstance(event, PotAwarded):
            pots.setdefault(frozenset(award.seat for award in event.awards), []).append(event.amount)
    return any(
        sum(pot % len(winners) for pot in amounts) != sum(amounts) % len(winners) for winners, amounts in pots.items()
    )


def _check_play(recorded: HandRecord) -> tuple[str, ...]:
    hand = _start_usual_hand(recorded)
    for act in recorded.acts:
        if reason := _check_act(hand, act):
            return (reason,)
        try:
            hand, _ = take_turn(hand, decision_from_action(act))
        except IllegalAction:
            return ("a raise that the usual rules forbid: too small, too large, or not possible any more",)
    if not hand.over:
        return ("the betting ended sooner than usual",)
    are_stacks_equal = [seat.stack for seat in hand.seats] == [*recorded.ended.stacks]
    return () if are_stacks_equal else ("odd chips went to a different player than usual",)


def _start_usual_hand(recorded: HandRecord) -> Hand:
    stacks, button = recorded.started.stacks, recorded.started.button
    usual_rules = Rules(levels=recorded.rules.levels, ante_from=recorded.rules.ante_from)
    if len(recorded.dealt_seats) == 2:
        _, button = recorded.dealt_seats
    return start_hand(usual_rules, 1, button, stacks, deck_for(button, stacks, cards_in(recorded.events)))[0]


def _check_act(hand: Hand, act: ActionTaken) -> str:
    """Describes what is unusual about this action at this point. Returns "" if nothing is unusual."""
    turn = hand.turn
    if turn is None:
        return "somebody was asked to act although nobody can bet any more"
    if turn.seat != act.seat:
        return "the order of acting on the later streets differs from the usual order"
    if act.act == "fold" and not turn.to_call:
        return "somebody folded where a check was free"
    seat = hand.seats[act.seat]
    if act.act in ("check", "call") and act.bet != seat.bet + turn.to_call:
        return "a call of an unusual amount"
    return ""

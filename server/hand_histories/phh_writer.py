"""Writes recorded hands as PHH (Poker Hand History). Fields that only High Noon uses begin with "_". All functions are
pure.

Players are in PHH's order: from the small blind or, if two play, from the big blind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from server.game.cards import Card
from server.game.events import ActionTaken, SeatVacated, StreetDealt, TurnStarted
from server.hand_histories.from_recording import HandRecord
from server.hand_histories.rules import house_rules, unusual_reasons

Fields = dict[str, Any]


def phh_text(hand: HandRecord, start_time: str) -> str:
    """Returns the text of a .phh file. `start_time` is the start time of the recording, from its header."""
    return "\n".join(f"{name} = {toml_value(value)}" for name, value in phh_fields(hand, start_time).items())


def phhs_texts(hands: Iterable[HandRecord], start_time: str) -> Iterator[str]:
    """Yields the text of a .phhs file, one hand after the other."""
    for hand in hands:
        yield f"[{hand.number}]\n{phh_text(hand, start_time)}\n"


def phh_fields(hand: HandRecord, start_time: str) -> Fields:
    """Returns all fields of a hand, in the order of the file."""
    return {**_standard_fields(hand), **_time_fields(start_time, hand.at_ms), **_own_fields(hand)}


def _standard_fields(hand: HandRecord) -> Fields:
    started, players, names, think_ms = hand.started, hand.dealt_seats, hand.names, hand.rules.think_ms
    zeros = [0] * (len(players) - 2)
    limit = {"time_limit": think_ms / 1000 if think_ms % 1000 else think_ms // 1000}
    is_paid_for_all = hand.rules.ante_from == "big_blind"
    return {
        "variant": "NT",
        "ante_trimming_status": not is_paid_for_all,
        "antes": [0, started.ante, *zeros] if is_paid_for_all else [started.ante] * len(players),
        "blinds_or_straddles": [started.small_blind, started.big_blind, *zeros],
        "min_bet": started.big_blind,
        "starting_stacks": [started.stacks[seat] for seat in players],
        "actions": [*_action_lines(hand)],
        "event": hand.opened.title,
        "hand": hand.number,
        "table": hand.game.game,
        "seat_count": len(hand.started.stacks),
        "seats": [seat + 1 for seat in players],
        "players": [names.get(seat, "") for seat in players],
        "finishing_stacks": [hand.ended.stacks[seat] for seat in players],
        **(limit if hand.opened.seed_commitment else {}),  # published hands have no known time limit
    }


def _time_fields(start_time: str, at_ms: int) -> Fields:
    """Returns the fields that say when the hand started, or {} if `start_time` is not a valid time."""
    try:
        moment = datetime.fromisoformat(start_time) + timedelta(milliseconds=at_ms)
    except (ValueError, OverflowError):
        return {}
    zone = {"time_zone": "UTC"} if moment.tzinfo else {}
    day = {"day": moment.day, "month": moment.month, "year": moment.year}
    return {"time": moment.replace(microsecond=0, tzinfo=None).time(), **zone, **day}


def _own_fields(hand: HandRecord) -> Fields:
    reasons, acts = unusual_reasons(hand), hand.acts
    player_numbers = {seat: number for number, seat in enumerate(hand.dealt_seats, 1)}
    seat_of = {bot: seat for seat, bot in enumerate(hand.game.seats)}
    names = {entrant.bot: entrant.name for entrant in hand.opened.entrants}
    optional = {
        "_unusual": [*reasons],
        "_rules": house_rules(hand.rules),
        "_think_ms": [act.think_ms for act in acts] if any(act.think_ms for act in acts) else [],
        "_faults": [act.fault for act in acts] if any(act.fault for act in acts) else [],
        "_noted": [
            f"p{player_numbers.get(seat_of.get(noted.bot, -1), 0)} {noted.fault}: {noted.detail}"
            for noted in hand.minor_faults
        ],
        "_chat": [{"name": names.get(chat.bot, ""), "text": chat.text} for chat in hand.chats],
        "_seed_commitment": hand.opened.seed_commitment,
        "_deck_commitment": hand.started.deck_commitment,
        "_deck_key": hand.ended.deck_key,
    }
    return {
        "_contest": hand.opened.contest,
        "_stage": hand.stage.title,
        "_game": hand.game.game,
        "_hand": hand.started.hand,
        **{name: value for name, value in optional.items() if value},
    }


def _action_lines(hand: HandRecord) -> Iterator[str]:
    player_numbers = {seat: number for number, seat in enumerate(hand.dealt_seats, 1)}
    for seat, cards in sorted(hand.hole_cards.items(), key=lambda dealt: player_numbers[dealt[0]]):
        yield f"d dh p{player_numbers[seat]} {_card_text(cards)}"
    showdown_hands = _showdown_hands(hand)
    for index, event in enumerate(hand.events):
        match event:
            case ActionTaken(seat=seat):
                act = {"fold": "f", "check": "cc", "call": "cc"}.get(event.act, f"cbr {event.bet}")
                yield f"p{player_numbers[seat]} {act}"
            case StreetDealt(cards=cards):
                if showdown_hands and not any(
                    isinstance(following_event, TurnStarted) for following_event in hand.events[index:]
                ):
                    # if nobody can bet any more, hands are shown before the rest of the board is dealt
                    yield from _show_lines(showdown_hands, player_numbers)
                    showdown_hands = {}
                yield f"d db {_card_text(cards)}"
    yield from _show_lines(showdown_hands, player_numbers)


def _showdown_hands(hand: HandRecord) -> dict[int, tuple[Card, ...]]:
    """Returns the cards of each seat at the showdown, or {} if there is no showdown. Unknown cards are ()."""
    folded = {act.seat for act in hand.acts if act.act == "fold"}
    seats_out = folded | {event.seat for event in hand.events if isinstance(event, SeatVacated)}
    seats_left = [seat for seat in hand.dealt_seats if seat not in seats_out]
    if len(seats_left) < 2:
        return {}
    return {seat: hand.hole_cards.get(seat, ()) for seat in seats_left}


def _show_lines(showdown_hands: Mapping[int, tuple[Card, ...]], player_numbers: Mapping[int, int]) -> Iterator[str]:
    for seat, cards in showdown_hands.items():
        yield f"p{player_numbers[seat]} sm {''.join(cards)}".rstrip()


def _card_text(cards: Sequence[Card]) -> str:
    return "".join(cards) or "????"


def toml_value(value: Any) -> str:
    """Writes a TOML value: a string, a number, true or false, a list, or an inline table."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{"".join(map(_escape, value))}"'
        case list():
            return f"[{', '.join(map(toml_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{name} = {toml_value(item)}' for name, item in value.items())}}}"
        case _:
            return str(value)


def _escape(char: str) -> str:
    """Writes one character of a TOML string, escaped if it cannot be printed."""
    if char in ('"', "\\"):
        return f"\\{char}"
    if "\ud800" <= char <= "\udfff":
        return "?"
    return char if char.isprintable() else f"\\U{ord(char):08X}"

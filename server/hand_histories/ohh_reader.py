"""Reads Open Hand History: JSON objects `{"ohh": {...}}` of no-limit hold'em, one after the other. All functions are
pure.

The format is described at https://hh-specs.handhistory.org. The amount of an action is how many chips the action adds
to the pot.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct

from server.hand_histories.phh_reader import MAX_ACTIONS, MAX_HAND_BYTES, MAX_PLAYERS, BadHistory, PublishedHand
from server.hand_histories.site_hand import Blind, SeatedPlayer, SiteHand, parse_chips

_SEPARATORS = re.compile(r"[\s,\[\]]*")
"""Matches the characters that may separate two objects. Some programs write the objects as a list."""
_HAND_BEGINNING = re.compile(r'\{\s*"ohh"\s*:')
_BLINDS_BY_ACTION: dict[str, Blind] = {"Post Ante": "ante", "Post SB": "small", "Post BB": "big"}
_UNSUPPORTED_POSTS = ("Straddle", "Post Dead", "Post Extra Blind")
_STREETS = ("Flop", "Turn", "River")


class _Player(Struct):
    id: int | str
    seat: int
    starting_stack: Any
    name: str | None = None
    is_sitting_out: bool = False


class _Action(Struct):
    player_id: int | str = ""
    action: str = ""
    amount: Any = 0
    cards: list[str] = []


class _Round(Struct):
    street: str
    actions: list[_Action] = []
    cards: list[str] | str = []


class _Win(Struct):
    player_id: int | str
    win_amount: Any = 0


class _Pot(Struct):
    rake: Any = 0
    player_wins: list[_Win] = []


class _Limit(Struct):
    bet_type: str = ""


class _Hand(Struct):
    """The fields that are read, with their types. All other fields are ignored."""

    game_type: str
    bet_limit: _Limit
    small_blind_amount: Any
    big_blind_amount: Any
    players: list[_Player]
    rounds: list[_Round]
    pots: list[_Pot] = []
    game_number: Any = ""
    table_name: str = ""
    start_date_utc: str = ""


def read_ohh(text: str) -> Iterator[PublishedHand | BadHistory]:
    """Yields the hands of a file. For a hand that cannot be shown, yields a BadHistory instead."""
    starts = (match.start() for match in _HAND_BEGINNING.finditer(text))
    position, number, next_start = _skip_separators(text, 0), 0, 0
    while position < len(text):
        number += 1
        while next_start <= position:
            next_start = next(starts, len(text))
        try:
            value, length = _DECODER.raw_decode(text[position : min(next_start, position + MAX_HAND_BYTES)])
        except (ValueError, RecursionError) as error:
            is_longer = next_start - position > MAX_HAND_BYTES
            more = f", or longer than the {MAX_HAND_BYTES:,} characters allowed for a hand" if is_longer else ""
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
            yield BadHistory(f"hand {number}: it is not valid JSON{more}: {reason}")
            position = next_start
        else:
            yield _read_hand(f"hand {number}", value)
            position = _skip_separators(text, position + length)


def _parse_number(text: str) -> Decimal | str:
    """Parses and rounds a number with a fraction or an exponent. Some programs write 0.30000000000000004."""
    try:
        return round(Decimal(text), 9)
    except ArithmeticError:
        return text


_DECODER = json.JSONDecoder(
    object_hook=lambda fields: {key: value for key, value in fields.items() if value is not None},
    parse_float=_parse_number,
    parse_int=lambda digits: int(digits) if len(digits) < 20 else digits,
    parse_constant=str,
)
"""Decodes JSON. A field with the value null is treated as missing."""


def _skip_separators(text: str, end: int) -> int:
    separators = _SEPARATORS.match(text, end)
    return separators.end() if separators else end


def _read_hand(where: str, value: Any) -> PublishedHand | BadHistory:
    try:
        fields = msgspec.convert(value.get("ohh", value) if isinstance(value, dict) else value, _Hand)
        return _to_published(f"{where} (#{str(fields.game_number)[:20]})" if fields.game_number else where, fields)
    except (ValueError, RecursionError) as error:
        return BadHistory(f"{where}: {str(error)[:200]}")


def _to_published(where: str, fields: _Hand) -> PublishedHand:
    if fields.game_type != "Holdem" or fields.bet_limit.bet_type != "NL":
        raise BadHistory("it is not no-limit hold'em, the only game that can be shown")
    if len(fields.players) > MAX_PLAYERS:
        raise BadHistory(f"{len(fields.players)} players (at most {MAX_PLAYERS})")
    if sum(len(betting_round.actions) for betting_round in fields.rounds) > MAX_ACTIONS:
        raise BadHistory(f"more than {MAX_ACTIONS:,} actions")
    players = {
        player.id: SeatedPlayer(player.seat, player.name or "", parse_chips(player.starting_stack))
        for player in fields.players
        if not player.is_sitting_out
    }
    small, big = parse_chips(fields.small_blind_amount), parse_chips(fields.big_blind_amount)
    hand: SiteHand[int | str] = SiteHand(where, players, small, big)  # collects the hand, action by action
    for betting_round in fields.rounds:
        if betting_round.street in _STREETS:
            hand.deals_board(betting_round.cards)
        for action in betting_round.actions:
            _apply_action(hand, action, players)
    for pot in fields.pots:
        hand.pays_rake(parse_chips(pot.rake))
        for win in pot.player_wins:
            if win.player_id in players:
                hand.receives(win.player_id, parse_chips(win.win_amount))
    return hand.to_published(fields.table_name, _parse_time(fields.start_date_utc))


def _apply_action(hand: SiteHand[int | str], action: _Action, players: dict[int | str, SeatedPlayer]) -> None:
    player, amount = action.player_id, parse_chips(action.amount)
    if player not in players:
        raise BadHistory(f"{action.action[:20]!r} is by player {str(player)[:20]!r}, who is not seated")
    if blind := _BLINDS_BY_ACTION.get(action.action):
        hand.posts(player, blind, amount)
    elif action.action in _UNSUPPORTED_POSTS:
        raise BadHistory(f"somebody posts out of turn ({action.action}), which High Noon does not support")
    elif action.action in ("Dealt Cards", "Shows Cards", "Mucks Cards"):
        hand.holds(player, action.cards)
    elif action.action == "Fold":
        hand.folds(player)
    elif action.action in ("Check", "Call"):
        hand.calls(player, amount)
    elif action.action in ("Bet", "Raise"):
        hand.raises_by(player, amount)


def _parse_time(text: str) -> str:
    """Returns when the hand started, in ISO 8601, or "" if the file does not say."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()

"""The messages of the contest Arena: the requests to a bot, and the meaning of its answers. No I/O.

`ArenaDialect` keeps the actions of the current hand, because each request lists all of them.
"""

import json
import re
from collections.abc import Mapping, Sequence

from server.bots.dialects.http_calls import OK, Refused, Reply, Request, describe_bad_status, json_fault
from server.bots.dialects.messages import DecisionMessage, Malformed, account_of, note_of, quoted, whole_number_fault
from server.game.decisions import AllIn, Call, Decision, Fold, RaiseTo
from server.game.events import ActionTaken, BlindPosted, Entrant, Event, HandStarted, Street, StreetDealt, TurnStarted
from server.game.hand import Hand, Seat, blind_seats
from server.game.view import View
from server.text.strict_json import MAX_DIGITS, JsonObject

_BLIND_ACTIONS = {"small": "small_blind", "big": "big_blind", "ante": "ante"}
HistoryEntry = tuple[Street, BlindPosted | ActionTaken]
"""An entry in the hand's history: the street and the action."""


def game_state(view: View, history: Sequence[HistoryEntry], ids: Sequence[str]) -> bytes:
    """Returns the body of `POST /action`. `ids` are the players' ids by seat.

    Players are in seat order. The contest's original server sorted players by id, so its `dealer_index` was wrong.
    """
    hand, turn = view.hand, view.turn
    small, big = blind_seats(hand.rules, hand.button, [seat.dealt_in for seat in hand.seats])
    role_indices = {"is_dealer": hand.button, "is_small_blind": small, "is_big_blind": big}
    state = {
        "game_id": f"holdem_{view.game:06x}",
        "phase": hand.street,
        "hand_number": hand.number,
        "pot": sum(seat.committed for seat in hand.seats),
        "community_cards": list(hand.board),
        "current_bet": hand.current_bet,
        "min_raise": hand.last_raise,
        "current_player": ids[turn.seat],
        "players": {ids[index]: _player(view, index, ids[index], role_indices) for index in range(len(hand.seats))},
        "action_history": [_history_entry(entry, ids) for entry in history],
        "dealer_index": dealer_index(hand),
        "small_blind": hand.small_blind,
        "big_blind": hand.big_blind,
        "valid_actions": valid_actions(hand, turn),
    }
    return json.dumps(state).encode()


def valid_actions(hand: Hand, turn: TurnStarted) -> list[JsonObject]:
    """Returns the legal moves. The rule book calls them "a crucial list of all legal moves your AI can make".

    Includes `raise` if the bot can afford a full raise. Includes `all_in` if the bot may raise, or if a call takes
    the bot's whole stack.
    """
    chips = hand.seats[turn.seat].stack
    call: JsonObject = {"action": "call", "amount": turn.to_call} if turn.to_call else {"action": "check", "amount": 0}
    actions: list[JsonObject] = [{"action": "fold", "amount": 0}, call]
    min_raise_to, max_raise_to = hand.current_bet + hand.last_raise, turn.max_raise_to
    if min_raise_to <= max_raise_to:
        actions.append({"action": "raise", "amount": {"min": min_raise_to, "max": max_raise_to}})
    if chips <= turn.to_call or max_raise_to:
        actions.append({"action": "all_in", "amount": chips})
    return actions


def dealer_index(hand: Hand) -> int:
    """Returns the dealer's index among the players with chips."""
    return sum(seat.dealt_in for seat in hand.seats[: hand.button])


def _player(view: View, index: int, player_id: str, role_indices: Mapping[str, int]) -> JsonObject:
    seat = view.hand.seats[index]
    return {
        "player_id": player_id,
        "name": view.entrants[index].name,
        "chips": seat.stack,
        "hole_cards": list(seat.cards),
        "state": _player_state(seat),
        "current_bet": seat.bet,
        "hand_bet": seat.committed,
        **{role: seat.dealt_in and role_index == index for role, role_index in role_indices.items()},
    }


def _player_state(seat: Seat) -> str:
    if not seat.dealt_in:
        return "out"
    if seat.folded:
        return "folded"
    return "all_in" if seat.all_in else "active"


def _history_entry(entry: HistoryEntry, ids: Sequence[str]) -> JsonObject:
    """Returns an action as JSON. For a raise, the amount is the bot's total for the street. For other actions, the
    amount is the number of chips that the bot adds.
    """
    street, event = entry
    match event:
        case BlindPosted(seat=seat, blind=blind, amount=amount):
            action = _BLIND_ACTIONS[blind]
        case ActionTaken(seat=seat, declared="all_in", amount=amount):
            action = "all_in"
        case ActionTaken(seat=seat, act="bet" | "raise", bet=amount):
            action = "raise"
        case ActionTaken(seat=seat, act=action, amount=amount):
            pass
    return {"player_id": ids[seat], "action": action, "amount": amount, "phase": street}


class ArenaDialect:
    """Writes the requests to one bot, and reads its answers."""

    notified_events: tuple[type[Event], ...] = (HandStarted, BlindPosted, ActionTaken, StreetDealt)
    """The events that `notify` records. Bots get no news: "your AI should be stateless"."""

    def __init__(self, ids: Mapping[int, str]) -> None:
        """`ids` is the result of `player_ids`."""
        self._ids = ids
        self._street: Street = "preflop"
        self._history: list[HistoryEntry] = []

    def ask(self, view: View) -> Request:
        ids = [self._ids[entrant.bot] for entrant in view.entrants]
        return Request("POST", "/action", game_state(view, self._history, ids), "application/json")

    def read(self, reply: Reply, view: View) -> DecisionMessage | Refused | Malformed:
        """Reads `action`, `note`, what the bot says it has spent and, for a raise, `amount`. Does not check whether the
        raise is legal.
        """
        if reply.status != OK:
            return Malformed(describe_bad_status(reply.status))
        try:
            answer = json.loads(reply.body)
        except (ValueError, RecursionError):
            return Malformed(json_fault(reply.body) or "the answer is not JSON in UTF-8")
        if not isinstance(answer, dict):
            return Malformed("the answer is not a JSON object")
        decision = _read_decision(answer.get("action", "fold"), answer.get("amount"), view.turn)
        if isinstance(decision, str):
            return Refused(decision)
        return DecisionMessage(decision, note_of(answer), account_of(answer))

    def notify(self, event: Event, view: View) -> list[Request]:
        """Records what the next request needs. Returns [], because bots get no news."""
        match event:
            case HandStarted():
                self._history, self._street = [], "preflop"
            case StreetDealt(street=street):
                self._street = street
            case BlindPosted() | ActionTaken():
                self._history.append((self._street, event))
        return []


def player_ids(entrants: Sequence[Entrant]) -> dict[int, str]:
    """Returns a `player_id` for each bot, keyed by bot number.

    If every player has exactly one bot, the id is the player's name. Otherwise the id is made from the bot's name.
    """
    players = [entrant.player for entrant in entrants]
    if all(players) and len(set(players)) == len(players):
        return {entrant.bot: entrant.player for entrant in entrants}
    ids: dict[int, str] = {}
    for entrant in entrants:
        plain_name = "_".join(re.findall(r"[a-z0-9]+", entrant.name.lower())) or "bot"
        ids[entrant.bot] = f"{plain_name}_{entrant.bot}" if plain_name in ids.values() else plain_name
    return ids


def _read_decision(action: object, amount: object, turn: TurnStarted) -> Decision | str:
    """Returns the decision, or the reason why the action is invalid."""
    match action:
        case "fold":
            return Fold()
        case "check":
            return f"a check with {turn.to_call} to call" if turn.to_call else Call()
        case "call":
            return Call() if turn.to_call else "a call with nothing to call"
        case "raise":
            return _read_raise(amount)
        case "all_in":
            return AllIn()
        case _:
            return f"the action{quoted(action)} is not one of fold, check, call, raise, all_in"


def _read_raise(amount: object) -> RaiseTo | str:
    """Reads the amount: "Amounts are ints, always". Checks `type`, because `isinstance` takes `True` for an int."""
    if amount is None:
        return "a raise without an amount"
    if type(amount) is int and abs(amount) < 10**MAX_DIGITS:
        return RaiseTo(amount)
    return whole_number_fault("amount", amount)

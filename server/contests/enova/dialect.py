"""The messages of the contest Enova: the requests to a bot, and the meaning of its answers. No I/O.

`EnovaDialect` remembers the actions on the street and the uncalled bets in the hand, because later messages contain
them.
"""

from collections.abc import Mapping

from server.bots.dialects.http_calls import OK, Reply, Request, describe_bad_status, json_fault
from server.bots.dialects.messages import (
    DecisionMessage,
    Malformed,
    account_of,
    note_of,
    quoted,
    whole_number,
    whole_number_fault,
)
from server.contests.enova.writer import Action, Form, action_form, asked_blind, encode_form, hand_ended_form, seat_form
from server.game import events
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.view import View
from server.text.strict_json import BadJson, JsonObject, read_object

READY_REQUEST = Request("GET", "/player/ready")
"""Asks a bot whether it is ready: "your bot *must* respond to this with a 200 status code"."""


def seat_request(game: int) -> Request:
    """Returns the request that seats a bot at the table of this game."""
    return _post_request("/player/seat", seat_form(game))


class EnovaDialect:
    """Writes the requests to one bot, and reads its answers."""

    notified_events: tuple[type[events.Event], ...] = (
        events.HandStarted,
        events.BlindPosted,
        events.ActionTaken,
        events.SeatVacated,
        events.BetReturned,
        events.StreetDealt,
        events.HandEnded,
    )

    def __init__(self) -> None:
        self._actions: list[Action] = []
        self._returned_bets: dict[int, int] = {}
        self._is_seated = False

    def ask(self, view: View) -> Request:
        return _post_request("/player/action", action_form(view, self._actions))

    def read(self, reply: Reply, view: View) -> DecisionMessage | Malformed:
        """Returns the decision in a reply. The decision may be illegal.

        A fold is accepted with any HTTP status, because one real bot folds with status 403 when it cannot afford the
        minimum bet.
        """
        answer = read_object(reply.body)
        if not isinstance(answer, BadJson) and answer.get("action") == "fold":
            return DecisionMessage(Fold(), note_of(answer), account_of(answer))
        if reply.status != OK:
            return Malformed(describe_bad_status(reply.status))
        if isinstance(answer, BadJson):
            return Malformed(json_fault(reply.body) or answer.reason)
        return _read_answer(answer, view)

    def notify(self, event: events.Event, view: View) -> list[Request]:
        """Returns the requests that report `event`. A bot is told when a game starts or a hand ends, and when it folds,
        wins or leaves the table.
        """
        match event:
            case events.HandStarted():
                return self._begin(view)
            case events.BlindPosted(seat=seat, blind=blind, amount=amount) if blind != "ante":
                self._actions.append(Action(seat, "blind", amount))
            case events.ActionTaken():
                return self._record(event, view)
            case events.SeatVacated(seat=seat) if seat == view.seat:
                self._is_seated = False
                return [_notify_request("unseated")]
            case events.BetReturned(seat=seat, amount=amount):
                self._returned_bets[seat] = self._returned_bets.get(seat, 0) + amount
            case events.StreetDealt():
                self._actions.clear()
            case events.HandEnded():
                return self._end(view)
        return []

    def _begin(self, view: View) -> list[Request]:
        self._actions.clear()
        self._returned_bets.clear()
        self._is_seated = view.hand.seats[view.seat].dealt_in
        return [seat_request(view.game)] if self._is_seated and view.hand.number == 1 else []

    def _record(self, event: events.ActionTaken, view: View) -> list[Request]:
        """Records an action. Returns the notice to send if this bot folds: "You have folded (or made an invalid action
        and were forced to fold)".
        """
        if event.act != "fold":
            self._actions.append(Action(event.seat, "bet", event.bet))
            return []
        self._actions.append(Action(event.seat, "fold"))
        return [_notify_request("folded")] if event.seat == view.seat else []

    def _end(self, view: View) -> list[Request]:
        """Returns the last messages of a hand: "Winner gets `won_chips`, then every seated player `hand_ended`". If the
        bot has no chips left, it is also told that it leaves the table.
        """
        if not self._is_seated:
            return []
        won = self._won(view)
        calls = [_post_request("/player/notify", hand_ended_form(view, won))]
        if view.seat in won:
            calls.insert(0, _notify_request("won_chips", amount=won[view.seat]))
        if not view.hand.seats[view.seat].stack:
            calls.append(_notify_request("unseated"))
        return calls

    def _won(self, view: View) -> Mapping[int, int]:
        """Returns the chips that each winner gets, by seat. They include an uncalled bet, because no other message
        reports its return.
        """
        awards = [award for pot in view.hand.pot_awards for award in pot.awards if award.amount]
        won: dict[int, int] = {}
        for award in awards:
            won[award.seat] = won.get(award.seat, self._returned_bets.get(award.seat, 0)) + award.amount
        return won


def _notify_request(event: str, **parameters: int) -> Request:
    return _post_request("/player/notify", {"event": event, **parameters})


def _post_request(path: str, form: Form) -> Request:
    return Request("POST", path, encode_form(form), "application/x-www-form-urlencoded")


def _read_answer(answer: JsonObject, view: View) -> DecisionMessage | Malformed:
    action, sent_amount = answer.get("action"), answer.get("amount")
    if action not in ("blind", "bet"):
        return Malformed(f"the action{quoted(action)} is not one of blind, bet, fold" if action else "no action")
    if sent_amount is None:
        return Malformed(f"a {action} without an amount")
    amount = whole_number(sent_amount)  # "`amount` may be a string"
    if amount is None:
        return Malformed(whole_number_fault("amount", sent_amount))
    if action == "blind":
        return DecisionMessage(_blind_decision(view, amount), note_of(answer), account_of(answer))
    # "We don't distinguish between raising and calling". An amount equal to the current bet is a call, or a check.
    return DecisionMessage(
        Call() if amount == view.hand.current_bet else RaiseTo(amount), note_of(answer), account_of(answer)
    )


def _blind_decision(view: View, amount: int) -> Decision:
    """Returns the decision to post a blind. A bot with too few chips names the full blind, but posts what it has."""
    is_right_amount = view.turn.blind != "" and amount == asked_blind(view.hand, view.turn)
    return PostBlind(view.turn.to_call if is_right_amount else amount)

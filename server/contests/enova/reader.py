"""Reads what an Enova bot answers, `{"action": …, "amount": …}`, into a decision. Pure."""

from server.bots.dialects.http_calls import OK, not_json, other_status
from server.bots.dialects.messages import Decided, Malformed, no_whole_number, note_of, quoted, whole_number
from server.contests.enova.writer import asked_blind
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.view import View
from server.text.strict_json import BadJson, JsonObject, read_object


def read_answer(status: int, body: bytes, view: View) -> Decided | Malformed:
    """What the bot of `view` decided by a reply of that status and body. The decision need not be legal.

    A real bot says 403 when it cannot afford the minimum, with a fold in the body: that is a fold like any other.
    """
    answer = read_object(body)
    if isinstance(answer, BadJson):
        return Malformed((not_json(body) or answer.reason) if status == OK else other_status(status))
    if answer.get("action") == "fold":
        return Decided(Fold(), note_of(answer))
    if status != OK:
        return Malformed(other_status(status))
    return _decided(answer, view)


def _decided(answer: JsonObject, view: View) -> Decided | Malformed:
    action, asked = answer.get("action"), answer.get("amount")
    if action not in ("blind", "bet"):
        return Malformed(f"the action{quoted(action)} is none of blind, bet, fold" if action else "no action")
    if asked is None:
        return Malformed(f"a {action} without amount")
    amount = whole_number(asked)  # "`amount` may be a string"
    if amount is None:
        return Malformed(no_whole_number("amount", asked))
    return Decided(_blind(view, amount) if action == "blind" else _bet(view, amount), note_of(answer))


def _blind(view: View, amount: int) -> Decision:
    """Who cannot pay the blind in full posts what there is, by asking for what it was asked for."""
    turn = view.hand.turn
    asked = turn is not None and turn.blind != "" and amount == asked_blind(view.hand, turn)
    return PostBlind(turn.to_call if turn and asked else amount)


def _bet(view: View, raise_to: int) -> Decision:
    """ "We don't distinguish between raising and calling": equal to the current bet is a call, of nothing a check."""
    return Call() if raise_to == view.hand.current_bet else RaiseTo(raise_to)

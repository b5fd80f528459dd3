"""Reads what an Enova bot answers, `{"action": …, "amount": …}`, into a decision. Pure."""

from server.bots.dialects.enova_writer import asked_blind
from server.bots.dialects.messages import Decided, Malformed, note_of
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.view import View
from server.text.strict_json import MOST_INT, BadJson, JsonObject, read_object

OK = 200


def read_answer(status: int, body: bytes, view: View) -> Decided | Malformed:
    """What the bot of `view` decided by a reply of that status and body. The decision need not be legal.

    A real bot says 403 when it cannot afford the minimum, with a fold in the body: that is a fold like any other.
    """
    answer = read_object(body)
    if isinstance(answer, BadJson):
        return Malformed(answer.reason if status == OK else f"answered with status {status}")
    if answer.get("action") == "fold":
        return Decided(Fold(), note_of(answer))
    if status != OK:
        return Malformed(f"answered with status {status}")
    return _decided(answer, view)


def _decided(answer: JsonObject, view: View) -> Decided | Malformed:
    action = answer.get("action")
    if action not in ("blind", "bet"):
        return Malformed("an action other than blind, bet or fold" if action else "no action")
    amount = _amount(answer.get("amount"))
    if amount is None:
        return Malformed(f"a {action} whose amount is no whole number")
    return Decided(_blind(view, amount) if action == "blind" else _bet(view, amount), note_of(answer))


def _amount(amount: object) -> int | None:
    """ "`amount` may be a string". Chips are whole: 2.0 and true are no amounts."""
    match amount:
        case bool():
            return None
        case int():
            return amount
        case str() as digits if digits.isascii() and digits.isdigit() and len(digits) <= 10 and int(digits) <= MOST_INT:
            return int(digits)
        case _:
            return None


def _blind(view: View, amount: int) -> Decision:
    """Who cannot pay the blind in full posts what there is, by asking for what it was asked for."""
    turn = view.hand.turn
    asked = turn is not None and turn.blind != "" and amount == asked_blind(view.hand, turn)
    return PostBlind(turn.to_call if turn and asked else amount)


def _bet(view: View, raise_to: int) -> Decision:
    """ "We don't distinguish between raising and calling": equal to the current bet is a call, of nothing a check."""
    return Call() if raise_to == view.hand.current_bet else RaiseTo(raise_to)

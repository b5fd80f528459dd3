"""What an Arena bot answers: one JSON object with an action in it. Pure.

"A body that is no object: fold. A refused action: check if free, else fold." An object without an action folds, too.
"""

import json

from server.bots.dialects.http_calls import OK, Refused, Reply, not_json, other_status
from server.bots.dialects.messages import Decided, Malformed, no_whole_number, note_of, quoted
from server.game.decisions import AllIn, Call, Decision, Fold, RaiseTo
from server.game.events import TurnStarted
from server.text.strict_json import MOST_DIGITS


def read_answer(reply: Reply, turn: TurnStarted) -> Decided | Refused | Malformed:
    """What the answer means now. Whether a raise is within its limits is for the rules to say.

    Only `action` is looked at, for a raise `amount`, and a `note`; whatever else stands there is the bot's own affair.
    """
    if reply.status != OK:
        return Malformed(other_status(reply.status))
    try:
        answer = json.loads(reply.body)
    except (ValueError, RecursionError):
        return Malformed(not_json(reply.body) or "the answer is not JSON in UTF-8")
    if not isinstance(answer, dict):
        return Malformed("the answer is not a JSON object")
    meant = _meant(answer.get("action", "fold"), answer.get("amount"), turn)
    return Refused(meant) if isinstance(meant, str) else Decided(meant, note_of(answer))


def _meant(action: object, amount: object, turn: TurnStarted) -> Decision | str:
    """The decision, or a sentence that says why there is none."""
    match action:
        case "fold":
            return Fold()
        case "check":
            return f"a check with {turn.to_call} to call" if turn.to_call else Call()
        case "call":
            return Call() if turn.to_call else "a call with nothing to call"
        case "raise":
            return _raise(amount)
        case "all_in":
            return AllIn()
        case _:
            return f"the action{quoted(action)} is none of fold, check, call, raise, all_in"


def _raise(amount: object) -> RaiseTo | str:
    """ "Amounts are ints, always". Python counts `true` as one."""
    if amount is None:
        return "a raise without amount"
    if type(amount) is int and abs(amount) < 10**MOST_DIGITS:
        return RaiseTo(amount)
    return no_whole_number("amount", amount)

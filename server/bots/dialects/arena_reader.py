"""What an Arena bot answers: one JSON object with an action in it. Pure.

"A body that is no object: fold. A refused action: check if free, else fold." An object without an action folds, too.
"""

import json
from typing import TypeGuard

from server.bots.dialects.http_calls import Refused, Reply
from server.bots.dialects.messages import Decided, Malformed, note_of
from server.game.decisions import AllIn, Call, Decision, Fold, RaiseTo
from server.game.events import TurnStarted
from server.text.strict_json import MOST_INT


def read_answer(reply: Reply, turn: TurnStarted) -> Decided | Refused | Malformed:
    """What the answer means now. Whether a raise is within its limits is for the rules to say.

    Only `action` is looked at, for a raise `amount`, and a `note`; whatever else stands there is the bot's own affair.
    """
    if reply.status != 200:
        return Malformed(f"status {reply.status} instead of 200")
    try:
        answer = json.loads(reply.body)
    except (ValueError, RecursionError):
        return Malformed("the answer is not JSON")
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
            return RaiseTo(amount) if _is_chips(amount) else "a raise whose amount is no whole number of chips"
        case "all_in":
            return AllIn()
        case _:
            return "another action than fold, check, call, raise and all_in"


def _is_chips(amount: object) -> TypeGuard[int]:
    """Whether it is a whole number of a sensible size: "amounts are ints, always". Python counts `true` as one."""
    return type(amount) is int and abs(amount) <= MOST_INT

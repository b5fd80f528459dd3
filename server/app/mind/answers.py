"""Reads a language model's answer. Takes only a legal move and the model's thought from it, and ignores other text."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec import UNSET

from server.app.mind.failure import IN_PUBLIC, Kind
from server.bots.dialects.agent import Move, Name, move_fault
from server.bots.dialects.messages import whole_number
from server.bots.dialects.wire import LONGEST_NOTE, Choice
from server.text.json_stream import JsonStream

_ACTION_NAMES: Mapping[str, Name] = {name: name for name in get_args(Name)}
_ALSO: Mapping[str, Name] = {"bet": "raise", "all-in": "all_in", "allin": "all_in", "all in": "all_in"}
"""Other words that models use for these actions."""


class Unusable(Exception):
    """The answer cannot be used. The message says why, in a sentence for the model."""


def schema_of(legal: Sequence[Move]) -> Mapping[str, Any]:
    """Returns the JSON Schema of an answer. The thought comes before the action, so that the model thinks first."""
    properties = {
        "thought": {"type": "string"},
        "action": {"type": "string", "enum": [move.action for move in legal]},
        "amount": {"type": "integer"},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_choice(text: str, legal: Sequence[Move]) -> Choice:
    """Returns the choice in the last JSON object in `text` that has an action. Ignores all other text. Raises Unusable
    if there is no such object, or if its action is not in `legal`.
    """
    found = [each.value for each in JsonStream("action").feed(text.encode(errors="replace"))]
    answers = [each for each in found if isinstance(each, dict) and "action" in each]
    if not answers:
        raise Unusable("there is no JSON object with an action in it")
    answer = answers[-1]
    action, said = answer["action"], answer.get("thought")
    word = action.strip().lower() if isinstance(action, str) else ""
    name = _ACTION_NAMES.get(word) or _ALSO.get(word)
    if name is None:
        raise Unusable(f"the action must be one of {', '.join(move.action for move in legal)}")
    amount = whole_number(answer.get("amount"))
    if fault := move_fault(legal, name, amount):
        raise Unusable(fault)
    thought = " ".join(said.split())[:LONGEST_NOTE] if isinstance(said, str) else ""
    return Choice(name, (amount or 0) if name == "raise" else _cost(name, legal), thought)


def give_up(legal: Sequence[Move], kind: Kind) -> Choice:
    """Returns the move that costs no more chips: a check or, if a check is not allowed, a fold. The choice's thought
    tells viewers that the model did not decide.
    """
    free: Name = "check" if any(move.action == "check" for move in legal) else "fold"
    return Choice(free, 0, f"No answer: {IN_PUBLIC[kind]}.")


def _cost(name: Name, legal: Sequence[Move]) -> int:
    costs = [move.amount for move in legal if move.action == name and move.amount is not UNSET]
    return costs[0] if costs else 0

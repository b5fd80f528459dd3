"""Reads a language model's answer. Takes only a legal move and the model's thought from the answer."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec import UNSET

from server.app.mind.failure import PUBLIC_REASONS, FailureKind
from server.bots.dialects.agent import ActionName, Move, move_fault
from server.bots.dialects.messages import whole_number
from server.bots.dialects.wire import MAX_NOTE_CHARACTERS, Choice
from server.text.json_stream import JsonStream

_ACTION_NAMES: Mapping[str, ActionName] = {name: name for name in get_args(ActionName)}
_ACTION_SYNONYMS: Mapping[str, ActionName] = {"bet": "raise", "all-in": "all_in", "allin": "all_in", "all in": "all_in"}
"""The right names of actions, keyed by words that models use instead."""


class UnusableAnswer(Exception):
    """The answer cannot be used. The message says why, in a sentence for the model."""


def answer_schema(legal: Sequence[Move]) -> Mapping[str, Any]:
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
    """Returns the choice in `text`: the last JSON object that has an action. Ignores all other text. Raises
    UnusableAnswer if no object has an action, or if the move is not in `legal`.
    """
    values = [item.value for item in JsonStream("action").feed(text.encode(errors="replace"))]
    answers = [value for value in values if isinstance(value, dict) and "action" in value]
    if not answers:
        raise UnusableAnswer("there is no JSON object with an action in it")
    answer = answers[-1]
    action, thought = answer["action"], answer.get("thought")
    action_text = action.strip().lower() if isinstance(action, str) else ""
    name = _ACTION_NAMES.get(action_text) or _ACTION_SYNONYMS.get(action_text)
    if name is None:
        raise UnusableAnswer(f"the action must be one of {', '.join(move.action for move in legal)}")
    amount = whole_number(answer.get("amount"))
    if fault := move_fault(legal, name, amount):
        raise UnusableAnswer(fault)
    note = " ".join(thought.split())[:MAX_NOTE_CHARACTERS] if isinstance(thought, str) else ""
    return Choice(name, (amount or 0) if name == "raise" else _cost_of(name, legal), note)


def default_choice(legal: Sequence[Move], kind: FailureKind) -> Choice:
    """Returns the move that costs nothing: a check if a check is legal, otherwise a fold. `kind` says why the model did
    not decide. Viewers read this reason as the bot's thought.
    """
    free_action: ActionName = "check" if any(move.action == "check" for move in legal) else "fold"
    return Choice(free_action, 0, f"No answer: {PUBLIC_REASONS[kind]}.")


def _cost_of(name: ActionName, legal: Sequence[Move]) -> int:
    costs = [move.amount for move in legal if move.action == name and move.amount is not UNSET]
    return costs[0] if costs else 0

"""Reads what a Quick Draw bot says: a JSON object in, its meaning out. Pure. Both spellings are accepted."""

from server.bots.dialects.messages import (
    Chatted,
    Decided,
    Malformed,
    Said,
    WantsLogs,
    no_whole_number,
    note_of,
    quoted,
    whole_number,
)
from server.game.decisions import Call, Fold, RaiseTo
from server.text.names_and_chat import shows_something
from server.text.strict_json import JsonObject

_FORBIDDEN = frozenset("{}\n\r")


def read_message(message: JsonObject) -> Said:
    """The meaning of `message`, or Malformed with one of the document's error codes."""
    match message.get("command"):
        case "take_action":
            said = _action(message)
            return Decided(said.decision, note_of(message)) if isinstance(said, Decided) else said
        case "send_chat":
            return _chat(message)
        case "get_logs":
            return WantsLogs()
        case None:
            return Malformed("no command")
        case str() as command:
            return Malformed(f"the command{quoted(command)} is none of take_action, send_chat, get_logs")
        case _:
            return Malformed("the command is no string", "BAD_VALUE")


def _action(message: JsonObject) -> Said:
    """The document says `action`, the sample bot `action_type`."""
    match message.get("action", message.get("action_type")):
        case "fold":
            return Decided(Fold())
        case "call":
            return Decided(Call())
        case "raise":
            return _raise(message)
        case None:
            return Malformed("a take_action without action")
        case str() as action:
            return Malformed(f"the action{quoted(action)} is none of call, raise, fold", "BAD_ACTION_TYPE")
        case _:
            return Malformed("the action is no string", "BAD_VALUE")


def _raise(message: JsonObject) -> Said:
    """The document wants an int; the sample bot "always sends a numeric string". Nothing else is a number here."""
    asked = message.get("raise_amount")
    if asked is None:
        return Malformed("a raise without raise_amount")
    raise_to = whole_number(asked)
    return (
        Malformed(no_whole_number("raise_amount", asked), "BAD_VALUE")
        if raise_to is None
        else Decided(RaiseTo(raise_to))
    )


def _chat(message: JsonObject) -> Said:
    """No "Curly Braces, Unescaped Double Quotes, Newlines": an escaped quote is fine, and JSON holds no other."""
    match message.get("message"):
        case None:
            return Malformed("a chat without message")
        case str() as text if not _FORBIDDEN.isdisjoint(text):
            return Malformed("a chat with a curly brace or a newline", "BAD_VALUE")
        case str() as text:
            return Chatted(text) if shows_something(text) else Malformed("a chat that shows nothing", "BAD_VALUE")
        case _:
            return Malformed("the chat is no string", "BAD_VALUE")

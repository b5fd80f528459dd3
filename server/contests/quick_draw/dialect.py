"""The messages of the contest Quick Draw: what to send a bot after an event, and what the bot's bytes mean. No I/O."""

from collections.abc import Mapping, Sequence

from msgspec import UnsetType

from server.bots.dialects import messages
from server.contests.quick_draw.writer import encode_line, hand_result, log_data, receive_chat, request_action
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import Account, ChatSent, Event, HandEnded
from server.game.view import View
from server.text.json_stream import JsonStream
from server.text.names_and_chat import has_visible_text
from server.text.strict_json import BadJson, JsonObject

_FORBIDDEN_CHARACTERS = frozenset("{}\n\r")
_ERROR_CODES = {"accepted": "", "not expected": "NOT_EXPECTED", "illegal": "INVALID_RAISE_AMOUNT"}
"""The error code that a bot gets for each outcome of its message. The only illegal action is a raise that is too small:
"a raise amount less than the current highest bid".
"""

_COMMANDS_WITHOUT_FIELDS: Mapping[str, messages.MessageContent] = {
    "get_logs": messages.LogRequest(),
    "no_answer": messages.NoAnswer(),
}
"""The messages that have only a command."""


class QuickDrawDialect:
    """Translates one bot's messages into decisions, and events into messages. Each message to the bot is one line of
    less than 4096 bytes.
    """

    notified_events = (HandEnded, ChatSent)
    allows_retry = True
    """A bot may try again after a refusal: "The server will use the first valid take_action message"."""

    def __init__(self) -> None:
        self._stream = JsonStream("command")

    def ask(self, view: View) -> bytes:
        return request_action(view)

    def notify(self, event: Event, view: View) -> bytes | None:
        """Returns `hand_result` at the end of a hand, or the message that passes on a chat. For all other events,
        returns None.
        """
        match event:
            case HandEnded():
                return hand_result(view)
            case ChatSent(bot=bot, text=text):
                return receive_chat(view, bot, text)
            case _:
                return None

    def receive(self, received: bytes) -> list[messages.BotMessage]:
        return [messages.BotMessage(piece.raw, _read_value(piece.value)) for piece in self._stream.feed(received)]

    @property
    def unfinished(self) -> bytes:
        return self._stream.unfinished

    def answer(self, outcome: messages.Outcome) -> bytes:
        """Returns `confirm_action`, the reply to "ANY take_action message, or ANY invalid message"."""
        error = outcome.code if isinstance(outcome, messages.Malformed) else _ERROR_CODES[outcome]
        result = {"result": "error", "error": error} if error else {"result": "success"}
        return encode_line({"command": "confirm_action", **result})

    def logs(self, transcript: Sequence[str]) -> bytes:
        """Returns `log_data` with the newest lines of `transcript`, at most 2,000 bytes."""
        return log_data(transcript)


def _read_value(value: JsonObject | BadJson) -> messages.MessageContent:
    return messages.Malformed(value.reason) if isinstance(value, BadJson) else _read_message(value)


def _read_message(message: JsonObject) -> messages.MessageContent:
    """Reads `message`. If it is invalid, returns Malformed with one of the rule book's error codes."""
    match message.get("command"):
        case "take_action":
            return _action(message)
        case "send_chat":
            return _chat(message)
        case "get_logs" | "no_answer" as command:
            return _COMMANDS_WITHOUT_FIELDS[command]
        case None:
            return messages.Malformed("no command")
        case str() as command:
            return messages.Malformed(
                f"the command{messages.quoted(command)} is not one of take_action, send_chat, get_logs"
            )
        case _:
            return messages.Malformed("the command is not a string", "BAD_VALUE")


def _action(message: JsonObject) -> messages.MessageContent:
    """Reads `action`, as in the rule book, or `action_type`, as the sample bot writes it."""
    note_and_account = messages.note_of(message), messages.account_of(message)
    match message.get("action", message.get("action_type")):
        case "fold":
            return messages.DecisionMessage(Fold(), *note_and_account)
        case "call":
            return messages.DecisionMessage(Call(), *note_and_account)
        case "raise":
            return _read_raise(message, *note_and_account)
        case None:
            return messages.Malformed("a take_action without an action")
        case str() as action:
            return messages.Malformed(
                f"the action{messages.quoted(action)} is not one of call, raise, fold", "BAD_ACTION_TYPE"
            )
        case _:
            return messages.Malformed("the action is not a string", "BAD_VALUE")


def _read_raise(message: JsonObject, note: str, account: Account | UnsetType) -> messages.MessageContent:
    """Accepts an int, as the rule book requires. Also accepts digits, because the sample bot "always sends a numeric
    string".
    """
    sent_amount = message.get("raise_amount")
    if sent_amount is None:
        return messages.Malformed("a raise without a raise_amount")
    raise_to = messages.whole_number(sent_amount)
    if raise_to is None:
        return messages.Malformed(messages.whole_number_fault("raise_amount", sent_amount), "BAD_VALUE")
    return messages.DecisionMessage(RaiseTo(raise_to), note, account)


def _chat(message: JsonObject) -> messages.MessageContent:
    """Refuses "Curly Braces, Unescaped Double Quotes, Newlines". Double quotes need no check, because JSON escapes
    them.
    """
    match message.get("message"):
        case None:
            return messages.Malformed("a chat without a message")
        case str() as text if not _FORBIDDEN_CHARACTERS.isdisjoint(text):
            return messages.Malformed("a chat with a curly brace or a newline", "BAD_VALUE")
        case str() as text if has_visible_text(text):
            return messages.ChatMessage(text)
        case str():
            return messages.Malformed("a chat without any visible characters", "BAD_VALUE")
        case _:
            return messages.Malformed("the chat is not a string", "BAD_VALUE")

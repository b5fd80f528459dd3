"""Quick Draw's take_action: both spellings, and the document's code for every mistake."""

import pytest

from server.bots.dialects.messages import Decided, Malformed
from server.game.decisions import Call, Fold, RaiseTo
from tests.contests.quick_draw.quickdraw_messages import received


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ('{"command":"take_action","action":"call"}', Call()),
        ('{"command":"take_action","action":"fold","raise_amount":0}', Fold()),
        ('{"command":"take_action","action":"raise","raise_amount":150}', RaiseTo(150)),
        # The original's sample bot, as it was seen on the connection.
        ('{"command": "take_action", "action_type": "raise", "raise_amount": "250"}', RaiseTo(250)),
        ('{"command": "take_action", "action_type": "call", "raise_amount": "0"}', Call()),
        # "Does nothing if the action type is not raise".
        ('{"command":"take_action","action":"call","raise_amount":"plenty"}', Call()),
        ('{"command":"take_action","action":"fold","raise_amount":-1.5}', Fold()),
        # Less than the current bet is for the rules to refuse.
        ('{"command":"take_action","action":"raise","raise_amount":-5}', RaiseTo(-5)),
        # So is more than the bot has, up to a language's largest number: it is all-in.
        ('{"command":"take_action","action":"raise","raise_amount":2147483647}', RaiseTo(2**31 - 1)),
        ('{"command":"take_action","action":"raise","raise_amount":18446744073709551615}', RaiseTo(2**64 - 1)),
        ('{"command":"take_action","action":"raise","raise_amount":"9223372036854775807"}', RaiseTo(2**63 - 1)),
        ('{"command":"take_action","action":"raise","raise_amount":"0250"}', RaiseTo(250)),
        ('{"command":"take_action","action":"fold","action_type":"call"}', Fold()),
        ('{"command":"take_action","action":"call","at":1764130000000,"sheriff":{"mood":[1.5,null]}}', Call()),
    ],
)
def test_take_action_in_both_spellings(text: str, decision: Call | Fold | RaiseTo) -> None:
    assert received(text) == [Decided(decision)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # "Your message was malformed (forgot an argument, or was not proper JSON)".
        ("call", "INVALID_INPUT"),
        ('{"command":"take_action","action":call}', "INVALID_INPUT"),
        ('{"action":"call"}', "INVALID_INPUT"),
        ('{"command":"take_action"}', "INVALID_INPUT"),
        ('{"command":"take_action","action":null}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise"}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise","raise_amount":null}', "INVALID_INPUT"),
        (f'{{"command":"take_action","action":"raise","raise_amount":{10**40}}}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise","raise_amount":NaN}', "INVALID_INPUT"),
        ('{"command":"draw"}', "INVALID_INPUT"),
        ('{"command":"send_chat"}', "INVALID_INPUT"),
        # "An action other than call, raise, or fold".
        ('{"command":"take_action","action":"check"}', "BAD_ACTION_TYPE"),
        ('{"command":"take_action","action":"Call"}', "BAD_ACTION_TYPE"),
        ('{"command":"take_action","action_type":""}', "BAD_ACTION_TYPE"),
        # "The wrong type for an argument (such as a string instead of an integer for raise_amount)"; but bots that
        # played in the original send strings of digits.
        ('{"command":"take_action","action":"raise","raise_amount":150.0}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":true}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":[150]}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"a lot"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":" 150"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":""}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"٢٥٠"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"%s"}' % ("9" * 41), "BAD_VALUE"),
        ('{"command":"take_action","action":1}', "BAD_VALUE"),
        ('{"command":["take_action"]}', "BAD_VALUE"),
        ('{"command":"send_chat","message":7}', "BAD_VALUE"),
    ],
)
def test_mistakes_have_the_documents_codes(text: str, code: str) -> None:
    (piece,) = received(text + "\n")
    assert isinstance(piece, Malformed)
    assert piece.code == code


def test_reasons_never_repeat_strangers_text() -> None:
    """Nothing a stranger sent may appear in a log, except a plain word."""
    for text in ('{"command":"\\u001b[31mred"}', '{"command":"take_action","action":"<script>"}', "\x1b[31mred\n"):
        (piece,) = received(text)
        assert isinstance(piece, Malformed)
        assert "red" not in piece.reason
        assert "script" not in piece.reason
    for sent, expected in (
        ('{"command":"take_action","action":"check"}', 'the action "check" is none of call, raise, fold'),
        ('{"command":"take_action","action":"go on"}', "the action is none of call, raise, fold"),
        ('{"command":"play"}', 'the command "play" is none of take_action, send_chat, get_logs'),
        (
            '{"command":"take_action","action":"raise","raise_amount":150.5}',
            "the raise_amount 150.5 must be a whole number, such as 60",
        ),
    ):
        (piece,) = received(sent)
        assert isinstance(piece, Malformed)
        assert piece.reason == expected

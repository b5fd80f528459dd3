"""Quick Draw's messages and actions mean what its rule book says. `tests/judge` checks the contest's other rules."""

import json
from typing import Any

import pytest

from server.bots.dialects.messages import DecisionMessage, Malformed, MessageContent
from server.bots.house.styles import Situation
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.venue.house import situation_in
from server.game.decisions import Call, Fold, IllegalAction, RaiseTo
from server.game.events import ChatSent, HandEnded
from tests.bots.views import NAMES, table_view, words
from tests.game.table import Table, deal

HANDS = "As Kd, 7h 7c, 2c 3d"
BOARD = "Ah 9s 4d Jc 2s"
TWO, THREE = "5000 5000", "5000 5000 5000"
WIDEST_NAMES = tuple("𠮷" * 29 + chr(0x4E00 + seat) for seat in range(12))


def read_messages(text: str) -> list[MessageContent]:
    return [heard.content for heard in QuickDrawDialect().receive(text.encode())]


def read_malformed(text: str) -> Malformed:
    (said,) = read_messages(text)
    assert isinstance(said, Malformed)
    return said


def request_at(table: Table) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(QuickDrawDialect().ask(table_view(table)))
    return message


def result_of(table: Table, seat: int = 0) -> dict[str, Any]:
    line = QuickDrawDialect().notify(HandEnded((), ""), table_view(table, seat))
    assert line is not None
    message: dict[str, Any] = json.loads(line)
    return message


@pytest.mark.parametrize(
    ("stacks", "script", "states"),
    [
        ("5000 5000 700 5000 5000", "fold raise:300 all-in call", "folded raised all_in called not_played"),
        ("5000 5000 5000 5000", "raise:300 call fold call / check", "called not_played folded not_played"),
        ("5000 300 5000", "raise:300 call call /", "not_played all_in not_played"),
        ("5000 0 5000 5000", "", "not_played folded not_played not_played"),
    ],
)
def test_states_are_the_last_action_of_the_street(stacks: str, script: str, states: str) -> None:
    table = deal(stacks, "", BOARD).play(script)
    players = request_at(table)["players"]
    assert [player["State"] for player in players] == [player["state"] for player in players] == states.split()
    assert [player["bank"] for player in players] == table.stacks


def test_house_bot_reads_a_request_as_a_situation() -> None:
    table = deal("5000 0 5000 5000", "As Kd, -, 7h 7c, 2c 3d", BOARD).play("raise:300 call fold / raise:200")
    situation = situation_in(request_at(table))
    assert situation == Situation(("7h", "7c"), ("Ah", "9s", "4d"), 0, 4700, 200, 900, 1)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ('{"command":"take_action","action":"fold","raise_amount":0}', Fold()),
        ('{"command":"take_action","action":"raise","raise_amount":150}', RaiseTo(150)),
        # What the original contest's sample bot sends.
        ('{"command": "take_action", "action_type": "raise", "raise_amount": "250"}', RaiseTo(250)),
        ('{"command": "take_action", "action_type": "call", "raise_amount": "0"}', Call()),
        # "Does nothing if the action type is not raise".
        ('{"command":"take_action","action":"call","raise_amount":"plenty"}', Call()),
        ('{"command":"take_action","action":"fold","raise_amount":-1.5}', Fold()),
        # The rules, not the dialect, refuse an amount below the current bet.
        ('{"command":"take_action","action":"raise","raise_amount":-5}', RaiseTo(-5)),
        # An amount above the bot's chips, up to the largest integer of a language, is an all-in.
        ('{"command":"take_action","action":"raise","raise_amount":18446744073709551615}', RaiseTo(2**64 - 1)),
        ('{"command":"take_action","action":"raise","raise_amount":"0250"}', RaiseTo(250)),
        ('{"command":"take_action","action":"call","at":1764130000000,"sheriff":{"mood":[1.5,null]}}', Call()),
    ],
)
def test_take_action_in_both_spellings(text: str, decision: Call | Fold | RaiseTo) -> None:
    assert read_messages(text) == [DecisionMessage(decision)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # "Your message was malformed (forgot an argument, or was not proper JSON)".
        ('{"command":"take_action","action":call}', "INVALID_INPUT"),
        (f'{{"command":"take_action","action":"raise","raise_amount":{10**40}}}', "INVALID_INPUT"),
        ('{"command":"send_chat"}', "INVALID_INPUT"),
        # "An action other than call, raise, or fold".
        ('{"command":"take_action","action_type":""}', "BAD_ACTION_TYPE"),
        # "The wrong type for an argument (such as a string instead of an integer for raise_amount)"; but bots from the
        # original contest send strings of digits.
        ('{"command":"take_action","action":"raise","raise_amount":true}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"a lot"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"٢٥٠"}', "BAD_VALUE"),
        ('{"command":["take_action"]}', "BAD_VALUE"),
        ('{"command":"send_chat","message":7}', "BAD_VALUE"),
    ],
)
def test_mistakes_have_the_documents_codes(text: str, code: str) -> None:
    assert read_malformed(text + "\n").code == code


def test_reasons_never_repeat_strangers_text() -> None:
    """A log may quote only plain words of a bot's message."""
    for text in ('{"command":"\\u001b[31mred"}', '{"command":"take_action","action":"<script>"}', "\x1b[31mred\n"):
        reason = read_malformed(text).reason
        assert "red" not in reason
        assert "script" not in reason
    for sent, expected in (
        ('{"command":"take_action","action":"check"}', 'the action "check" is not one of call, raise, fold'),
        ('{"command":"take_action","action":"go on"}', "the action is not one of call, raise, fold"),
        ('{"command":"play"}', 'the command "play" is not one of take_action, send_chat, get_logs'),
        (
            '{"command":"take_action","action":"raise","raise_amount":150.5}',
            "the raise_amount 150.5 must be a whole number, such as 60",
        ),
    ):
        assert read_malformed(sent).reason == expected


def test_hand_result_has_the_same_hands_for_all_and_the_whole_board_even_if_the_hand_ended_early() -> None:
    table = deal(THREE, HANDS, BOARD).play("fold fold")
    message = result_of(table)
    assert message == result_of(table, seat=2)
    assert words(message["center_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [words(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5000, 4950, 5050]


def test_each_pot_names_all_its_winners() -> None:
    table = deal("500 250 750", "As Ad, Ks Kd, 7s 2d", "Ah 9c 4d Jc 2s").play("all-in all-in call")
    message = result_of(table)
    assert [(pot["pot_amount"], [winner["name"] for winner in pot["winners"]]) for pot in message["pots"]] == [
        (750, ["Ann"]),
        (500, ["Ann"]),
    ]
    assert [(player["state"], player["bank"]) for player in message["players"]] == [
        ("all_in", 1250),
        ("all_in", 0),
        ("not_played", 250),  # the state on the river, where the bot had no opponent to bet against
    ]
    message = result_of(deal("500 500", "As Ks, Ad Kd", "Ah Kc 4d Jc 2s").play("all-in call"))
    assert [winner["name"] for winner in message["pots"][0]["winners"]] == ["Ann", "Bob"]
    assert [player["bank"] for player in message["players"]] == [500, 500]


def test_receive_chat_has_its_author_as_a_player_at_the_table() -> None:
    table = deal(THREE, HANDS).play("call")
    message = json.loads(QuickDrawDialect().notify(ChatSent(11, 'Howdy, "Señor"'), table_view(table, 2)) or b"")
    assert (message["command"], message["message"]) == ("receive_chat", 'Howdy, "Señor"')
    author = {"id": 11, "name": "Ann", "hand": [], "State": "called", "state": "called"}
    assert message["author"] == {**author, "round_bet": 100, "hand_bet": 100, "bank": 4900}
    assert QuickDrawDialect().notify(ChatSent(99, "Howdy"), table_view(table, 2)) is None, (
        "a bot must not get chats from other tables"
    )


def test_log_data_holds_the_newest_lines_that_fit_into_2000_bytes() -> None:
    lines = [f'{number} > {{"é":"♠"}}' for number in range(200)]
    line = QuickDrawDialect().logs(lines)
    logs = json.loads(line)["logs"]
    assert line.endswith(b"\n")
    assert len(line) <= 2000
    assert logs == lines[-len(logs) :]
    assert len(QuickDrawDialect().logs(lines[-len(logs) - 1 :])) == len(line)
    assert json.loads(QuickDrawDialect().logs([])) == {"command": "log_data", "logs": []}
    assert json.loads(QuickDrawDialect().logs(["x" * 5000])) == {"command": "log_data", "logs": []}


def tie_with_most_pots(seats: int) -> Table:
    """A hand that all bots win, each all in for a different amount, with as many pots and winners as possible."""
    stacks = " ".join(str(10_001 + 1000 * seat) for seat in range(seats))
    table = deal(stacks, "", "Th Jh Qh Kh Ah")
    return table.play("all-in " * seats)


@pytest.mark.parametrize("seats", [2, 6, 12])
def test_every_message_is_one_line_of_less_than_4096_bytes(seats: int) -> None:
    names = WIDEST_NAMES
    table = deal(" ".join(["99999"] * seats), "", BOARD)
    table.play("call " * seats + "/ " + "call " * seats + "/ " + "call")
    tied = tie_with_most_pots(seats)
    dialect = QuickDrawDialect()
    lines = [
        dialect.ask(table_view(table, names=names, game=1000)),
        dialect.notify(HandEnded((), ""), table_view(tied, 0, 1000, names)),
        dialect.notify(ChatSent(11, "𠮷" * 200), table_view(tied, 0, 1000, names)),
        dialect.notify(ChatSent(11, '"' * 200), table_view(tied, 0, 1000, ('"' * 30,) * 12)),
    ]
    for line in lines:
        assert line is not None
        assert len(line) < 4096
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        json.loads(line)
    assert len(json.loads(lines[0] or b"")["players"]) == seats


def test_long_message_leaves_out_repetitions_first() -> None:
    """Six bots tie for six amounts.

    Only the entries of winners lose fields. They keep the id, and also the name if it needs no escapes.
    """
    names = tuple(name * 10 for name in NAMES)
    message = json.loads(
        QuickDrawDialect().notify(HandEnded((), ""), table_view(tie_with_most_pots(6), 0, 1, names)) or b""
    )
    assert all(len(player["hand"]) == 2 and len(player["name"]) == 30 for player in message["players"])
    winners = [winner for pot in message["pots"] for winner in pot["winners"]]
    assert len(message["pots"]) == 5
    assert all(winner["name"] in names for winner in winners)


@pytest.mark.parametrize(
    ("stacks", "script", "last_act"),
    [
        pytest.param(TWO, "call call", "1 check 100", id="a call of a bet that you have already made does nothing"),
        pytest.param(THREE, "raise:100", "0 call 100", id="a raise to the big blind is a call"),
        pytest.param(TWO, "call check / raise:0", "0 check 0", id="a raise to nothing when nobody bet is a check"),
        pytest.param(TWO, "call check / bet:1", "0 bet 1", id="the first bet of a later street may be 1 chip"),
        pytest.param("700 5000 5000", "raise:1000000", "0 raise 700", id="more than you have is an all-in"),
        pytest.param("5000 200 5000 5000", "raise:1000 raise:3000", "1 call 200",
                     id="a raise is an all-in call if you have less than the highest bet"),
        pytest.param("5000 300 5000 5000", "fold all-in fold raise:4000", "3 call 300",
                     id="a raise that nobody could match is a call"),
    ],
)  # fmt: skip
def test_action_becomes_the_expected_act(stacks: str, script: str, last_act: str) -> None:
    assert deal(stacks).play(script).last_act == last_act


@pytest.mark.parametrize("amount", [299, 0, -5000])
def test_raise_below_the_highest_bet_is_invalid_and_changes_nothing(amount: int) -> None:
    table = deal(THREE).play("raise:300")
    before, events = table.hand, len(table.events)
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        table.take(RaiseTo(amount))
    assert table.hand == before
    assert len(table.events) == events
    table.play("call call / check check check")

"""Quick Draw's messages: each example of its document, and what its original server and bots did beyond it."""

import json
from typing import Any

import pytest

from server.bots.dialects.messages import (
    Chatted,
    Decided,
    Illegal,
    Malformed,
    NotExpected,
    Outcome,
    Said,
    Taken,
    WantsLogs,
)
from server.bots.dialects.quickdraw import QuickDraw
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import ChatSent, HandEnded, TurnStarted
from tests.bots.views import NAMES, seen, words
from tests.game.table import Table, deal

HANDS = "As Kd, 7h 7c, 2c 3d"
BOARD = "Ah 9s 4d Jc 2s"


def said(text: str) -> list[Said]:
    return QuickDraw().receive(text.encode())


def asked(table: Table) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(QuickDraw().ask(seen(table)))
    return message


def result(table: Table, seat: int = 0) -> dict[str, Any]:
    line = QuickDraw().tell(HandEnded((), ""), seen(table, seat))
    assert line is not None
    message: dict[str, Any] = json.loads(line)
    return message


# -- request_action --------------------------------------------------------------------------------


def test_request_action_before_the_flop() -> None:
    assert asked(deal("5000 5000 5000", HANDS, BOARD)) == {
        "command": "request_action",
        "hand": [{"value": "A", "suit": "S"}, {"value": "K", "suit": "D"}],
        "community_cards": [],
        "center_cards": [],
        "game_number": 0,
        "hand_number": 0,
        "round_number": 0,
        "players": [
            {
                "id": 11,
                "name": "Ann",
                "hand": [{"value": "A", "suit": "S"}, {"value": "K", "suit": "D"}],
                "State": "not_played",
                "state": "not_played",
                "round_bet": 0,
                "hand_bet": 0,
                "bank": 5000,
            },
            {
                "id": 12,
                "name": "Bob",
                "hand": [],
                "State": "not_played",
                "state": "not_played",
                "round_bet": 50,
                "hand_bet": 50,
                "bank": 4950,
            },
            {
                "id": 13,
                "name": "Cid",
                "hand": [],
                "State": "not_played",
                "state": "not_played",
                "round_bet": 100,
                "hand_bet": 100,
                "bank": 4900,
            },
        ],
        "highest_bid_value": 100,
        "total_pot_value": 150,
    }


def test_rounds_count_from_0_to_3_and_the_board_grows() -> None:
    table = deal("5000 5000 5000", HANDS, BOARD)
    seen_rounds = []
    for script in ("", "call call call", "call call call", "call call call"):
        table.play(script)
        message = asked(table)
        seen_rounds.append((message["round_number"], words(message["community_cards"])))
        assert message["community_cards"] == message["center_cards"]
    board = ("Ah", "9s", "4d", "Jc", "2s")
    assert seen_rounds == [(0, ()), (1, board[:3]), (2, board[:4]), (3, board)]


def test_round_bet_is_of_the_street_and_hand_bet_of_the_hand() -> None:
    message = asked(deal("5000 5000 5000").play("raise:300 call call / raise:200"))
    ann, bob, cid = message["players"]
    assert [(player["round_bet"], player["hand_bet"], player["bank"]) for player in (ann, bob, cid)] == [
        (200, 500, 4500),
        (0, 300, 4700),
        (0, 300, 4700),
    ]
    assert (message["highest_bid_value"], message["total_pot_value"]) == (200, 1100)


def test_states_are_the_last_action_of_the_street() -> None:
    table = deal("5000 5000 700 5000 5000", "", BOARD).play("fold raise:300 all-in call")
    states = ["folded", "raised", "all_in", "called", "not_played"]
    assert [player["State"] for player in asked(table)["players"]] == states
    table = deal("5000 5000 5000 5000", "", BOARD).play("raise:300 call fold")
    assert [player["State"] for player in asked(table)["players"]] == ["raised", "called", "folded", "not_played"]
    table.play("call / check")
    assert [player["State"] for player in asked(table)["players"]] == ["called", "not_played", "folded", "not_played"]


def test_players_keep_betting_order_on_every_street() -> None:
    """ "The first player in the list is 'under the gun', and the last person in the list is the big blind"."""
    table = deal("5000 5000 5000 5000")
    for script in ("", "call call call call", "call call call call"):
        table.play(script)
        players = asked(table)["players"]
        assert [player["name"] for player in players] == ["Ann", "Bob", "Cid", "Dot"]
        assert table.turn.seat == 0


def test_busted_bots_stay_in_the_list_with_nothing() -> None:
    players = asked(deal("5000 0 5000 5000"))["players"]
    assert [(player["name"], player["State"], player["bank"]) for player in players] == [
        ("Ann", "not_played", 5000),
        ("Bob", "folded", 0),
        ("Cid", "not_played", 4950),
        ("Dot", "not_played", 4900),
    ]


def test_an_all_in_bot_stays_all_in_on_later_streets() -> None:
    table = deal("5000 300 5000", "", BOARD).play("raise:300 call call /")
    assert {player["name"]: player["state"] for player in asked(table)["players"]}["Bob"] == "all_in"


def test_games_and_hands_are_indexes() -> None:
    message = json.loads(QuickDraw().ask(seen(deal("5000 5000", number=3), game=4)))
    assert (message["game_number"], message["hand_number"]) == (3, 2)


# -- hand_result -----------------------------------------------------------------------------------


def test_hand_result_reveals_each_players_hand_and_the_winners() -> None:
    table = deal("5000 5000 5000", HANDS, BOARD).play("raise:300 call fold / check check / check check / check check")
    message = result(table)
    assert list(message) == [
        "command", "game_number", "hand_number", "community_cards", "center_cards", "players", "pots",
    ]  # fmt: skip
    assert message["command"] == "hand_result"
    assert words(message["community_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [words(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5400, 4700, 4900]
    assert message["pots"] == [{"pot_amount": 700, "winners": [message["players"][0]]}]
    assert message == result(table, seat=2)


def test_five_board_cards_are_shown_even_when_everybody_folded_early() -> None:
    message = result(deal("5000 5000 5000", HANDS, BOARD).play("fold fold"))
    assert words(message["center_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [words(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5000, 4950, 5050]


def test_side_pots_come_with_their_own_winners() -> None:
    table = deal("500 250 750", "As Ad, Ks Kd, 7s 2d", "Ah 9c 4d Jc 2s").play("all-in all-in call")
    message = result(table)
    assert [(pot["pot_amount"], [winner["name"] for winner in pot["winners"]]) for pot in message["pots"]] == [
        (750, ["Ann"]),
        (500, ["Ann"]),
    ]
    assert [(player["state"], player["bank"]) for player in message["players"]] == [
        ("all_in", 1250),
        ("all_in", 0),
        ("not_played", 250),  # on the river, where nobody was left to bet against
    ]


def test_a_split_pot_names_all_who_split_it() -> None:
    message = result(deal("500 500", "As Ks, Ad Kd", "Ah Kc 4d Jc 2s").play("all-in call"))
    assert [winner["name"] for winner in message["pots"][0]["winners"]] == ["Ann", "Bob"]
    assert [player["bank"] for player in message["players"]] == [500, 500]


def test_other_events_are_not_sent() -> None:
    assert QuickDraw().tell(TurnStarted(0, 0, 0, 0, 3000), seen(deal("500 500"))) is None


# -- confirm_action --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Taken(), {"command": "confirm_action", "result": "success"}),
        (Malformed("?"), {"command": "confirm_action", "result": "error", "error": "INVALID_INPUT"}),
        (NotExpected(), {"command": "confirm_action", "result": "error", "error": "NOT_EXPECTED"}),
        (Illegal(), {"command": "confirm_action", "result": "error", "error": "INVALID_RAISE_AMOUNT"}),
        (Malformed("?", "BAD_VALUE"), {"command": "confirm_action", "result": "error", "error": "BAD_VALUE"}),
    ],
)
def test_confirm_action_says_success_or_which_error(outcome: Outcome, message: dict[str, str]) -> None:
    assert json.loads(QuickDraw().answer(outcome)) == message


# -- take_action -----------------------------------------------------------------------------------


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
        ('{"command":"take_action","action":"raise","raise_amount":"0250"}', RaiseTo(250)),
        ('{"command":"take_action","action":"fold","action_type":"call"}', Fold()),
        ('{"command":"take_action","action":"call","sheriff":{"mood":[1.5,null]}}', Call()),
    ],
)
def test_take_action_in_both_spellings(text: str, decision: Call | Fold | RaiseTo) -> None:
    assert said(text) == [Decided(decision)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # "Your message was malformed (forgot an argument, or was not proper JSON)".
        ("call", "INVALID_INPUT"),
        ('{"command":"take_action","action":call}', "INVALID_INPUT"),
        ("{}", "INVALID_INPUT"),
        ('{"action":"call"}', "INVALID_INPUT"),
        ('{"command":"take_action"}', "INVALID_INPUT"),
        ('{"command":"take_action","action":null}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise"}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise","raise_amount":null}', "INVALID_INPUT"),
        ('{"command":"take_action","action":"raise","raise_amount":1000000001}', "INVALID_INPUT"),
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
        ('{"command":"take_action","action":"raise","raise_amount":1e2}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":true}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":[150]}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"a lot"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"150.0"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"-150"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":" 150"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":""}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"٢٥٠"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"99999999999999999999"}', "BAD_VALUE"),
        ('{"command":"take_action","action":1}', "BAD_VALUE"),
        ('{"command":["take_action"]}', "BAD_VALUE"),
        ('{"command":"send_chat","message":7}', "BAD_VALUE"),
    ],
)
def test_what_is_wrong_has_one_of_the_documents_codes(text: str, code: str) -> None:
    (piece,) = said(text + "\n")
    assert isinstance(piece, Malformed)
    assert piece.code == code


def test_reasons_are_in_our_own_words() -> None:
    """What a stranger sent must not come out in a log, unless it is a plain word."""
    for text in ('{"command":"\\u001b[31mred"}', '{"command":"take_action","action":"<script>"}', "\x1b[31mred\n"):
        (piece,) = said(text)
        assert isinstance(piece, Malformed)
        assert "red" not in piece.reason
        assert "script" not in piece.reason
    for sent, told in (
        ('{"command":"take_action","action":"check"}', 'the action "check" is none of call, raise, fold'),
        ('{"command":"take_action","action":"go on"}', "the action is none of call, raise, fold"),
        ('{"command":"play"}', 'the command "play" is none of take_action, send_chat, get_logs'),
        (
            '{"command":"take_action","action":"raise","raise_amount":150.5}',
            'the raise_amount "150.5" is no whole number',
        ),
    ):
        (piece,) = said(sent)
        assert isinstance(piece, Malformed)
        assert piece.reason == told


def test_an_action_and_a_chat_glued_together() -> None:
    assert said('{"command":"take_action","action_type":"call"}{"command":"send_chat","message":"Howdy"}') == [
        Decided(Call()),
        Chatted("Howdy"),
    ]


# -- chat ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["a {brace", "a brace}", "a\\nnewline", "a\\rreturn", "", "   ", "\\u200b\\u202e"])
def test_chats_with_forbidden_characters_are_refused(text: str) -> None:
    (piece,) = said(f'{{"command":"send_chat","message":"{text}"}}')
    assert isinstance(piece, Malformed)


def test_an_escaped_double_quote_is_allowed_in_a_chat() -> None:
    assert said('{"command":"send_chat","message":"Say \\"draw\\"!"}') == [Chatted('Say "draw"!')]
    (piece, *_) = said('{"command":"send_chat","message":"Say "draw"!"}')
    assert isinstance(piece, Malformed)


def test_what_cannot_be_shown_is_stripped_from_a_chat() -> None:
    assert said('{"command":"send_chat","message":"\\u202eHow\\u200bdy \\t \\u0007Se\\u00f1or\\u2066"}') == [
        Chatted("Howdy Señor")
    ]


def test_receive_chat_carries_the_author_as_a_player() -> None:
    table = deal("5000 5000 5000", HANDS).play("call")
    line = QuickDraw().tell(ChatSent(11, 'Howdy, "Señor"'), seen(table, 2))
    assert line is not None
    assert json.loads(line) == {
        "command": "receive_chat",
        "message": 'Howdy, "Señor"',
        "author": {
            "id": 11,
            "name": "Ann",
            "hand": [],
            "State": "called",
            "state": "called",
            "round_bet": 100,
            "hand_bet": 100,
            "bank": 4900,
        },
    }


def test_the_chat_command_can_be_the_documents_other_name() -> None:
    line = QuickDraw(chat_command="receive_message").tell(ChatSent(11, "Howdy"), seen(deal("500 500")))
    assert line is not None
    assert json.loads(line)["command"] == "receive_message"


def test_chat_of_a_bot_that_is_not_at_the_table_is_not_sent() -> None:
    assert QuickDraw().tell(ChatSent(99, "Howdy"), seen(deal("500 500"))) is None


# -- logs ------------------------------------------------------------------------------------------


def test_get_logs_is_understood() -> None:
    assert said('{"command": "get_logs"}') == [WantsLogs()]


def test_log_data_holds_the_newest_lines_that_fit_into_2000_bytes() -> None:
    lines = [f'{number} > {{"é":"♠"}}' for number in range(200)]
    line = QuickDraw().logs(lines)
    logs = json.loads(line)["logs"]
    assert line.endswith(b"\n")
    assert len(line) <= 2000
    assert logs == lines[-len(logs) :]
    assert len(QuickDraw().logs(lines[-len(logs) - 1 :])) == len(line)
    assert json.loads(QuickDraw().logs([])) == {"command": "log_data", "logs": []}
    assert json.loads(QuickDraw().logs(["x" * 5000])) == {"command": "log_data", "logs": []}


# -- size ------------------------------------------------------------------------------------------

WIDE = tuple("𠮷" * 29 + chr(0x4E00 + seat) for seat in range(12))
assert all(len(name) == 30 for name in (*WIDE, *("x" * 30,)))


def fattest_tie(seats: int) -> Table:
    """Everybody all-in for another sum, and all tied: as many pots as there can be, with as many winners."""
    stacks = " ".join(str(10_001 + 1000 * seat) for seat in range(seats))
    table = deal(stacks, "", "Th Jh Qh Kh Ah")
    return table.play("all-in " * seats)


@pytest.mark.parametrize("seats", range(2, 13))
def test_every_message_is_one_line_of_less_than_4096_bytes(seats: int) -> None:
    names = WIDE
    table = deal(" ".join(["99999"] * seats), "", BOARD).play("call " * seats + "/ " + "call " * seats + "/ " + "call")
    tied = fattest_tie(seats)
    dialect = QuickDraw()
    lines = [
        dialect.ask(seen(table, names=names, game=1000)),
        dialect.tell(HandEnded((), ""), seen(tied, 0, 1000, names)),
        dialect.tell(ChatSent(11, "𠮷" * 200), seen(tied, 0, 1000, names)),
        dialect.tell(ChatSent(11, '"' * 200), seen(tied, 0, 1000, ('"' * 30,) * 12)),
    ]
    for line in lines:
        assert line is not None
        assert len(line) < 4096
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        json.loads(line)
    assert len(json.loads(lines[0] or b"")["players"]) == seats


def test_messages_to_six_players_are_complete_but_for_the_rarest_hands() -> None:
    table = deal("9999 " * 5 + "9999", "", "Th Jh Qh Kh Ah").play("all-in " * 6)
    message = json.loads(QuickDraw().tell(HandEnded((), ""), seen(table, 0, 1000, WIDE)) or b"")
    assert [player["name"] for player in message["players"]] == list(WIDE[:6])
    message = json.loads(QuickDraw().tell(HandEnded((), ""), seen(fattest_tie(3), 0, 1000, WIDE)) or b"")
    assert message["pots"][0]["winners"] == message["players"]


def test_what_does_not_fit_gives_up_what_is_said_twice_first() -> None:
    """Six tied for six sums, plain names: winners keep id and name; the players above them keep everything."""
    names = tuple(name * 10 for name in NAMES)
    message = json.loads(QuickDraw().tell(HandEnded((), ""), seen(fattest_tie(6), 0, 1, names)) or b"")
    assert all(len(player["hand"]) == 2 and len(player["name"]) == 30 for player in message["players"])
    winners = [winner for pot in message["pots"] for winner in pot["winners"]]
    assert len(message["pots"]) == 5
    assert all(winner["name"] in names for winner in winners)

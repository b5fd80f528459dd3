"""Quick Draw's messages and `POST /register` are as in the rule book. `tests/judge` checks the other rules."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.bots.dialects.messages import DecisionMessage, Malformed, MessageContent
from server.bots.house.ladder import LADDER
from server.bots.house.styles import Situation
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.venue.house import situation_in
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import ChatSent, HandEnded
from server.registration.register import CheckedIn, Registration, read_registration, register_router
from tests.bots.views import NAMES, cards_of, table_view
from tests.game.table import Table, deal

HANDS = "As Kd, 7h 7c, 2c 3d"
BOARD = "Ah 9s 4d Jc 2s"
TWO_STACKS, THREE_STACKS = "5000 5000", "5000 5000 5000"


def read_messages(text: str) -> list[MessageContent]:
    return [message.content for message in QuickDrawDialect().receive(text.encode())]


def read_malformed(text: str) -> Malformed:
    (content,) = read_messages(text)
    assert isinstance(content, Malformed)
    return content


def read_request(table: Table) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(QuickDrawDialect().ask(table_view(table)))
    return message


def read_result(table: Table, seat: int = 0) -> dict[str, Any]:
    line = QuickDrawDialect().notify(HandEnded((), ""), table_view(table, seat))
    assert line is not None
    message: dict[str, Any] = json.loads(line)
    return message


def test_state_of_a_player_is_its_last_action_on_the_street() -> None:
    for stacks, script, states in (
        ("5000 5000 700 5000 5000", "fold raise:300 all-in call", "folded raised all_in called not_played"),
        ("5000 5000 5000 5000", "raise:300 call fold call / check", "called not_played folded not_played"),
        ("5000 300 5000", "raise:300 call call /", "not_played all_in not_played"),
        ("5000 0 5000 5000", "", "not_played folded not_played not_played"),
    ):
        table = deal(stacks, "", BOARD).play(script)
        players = read_request(table)["players"]
        assert [player["State"] for player in players] == [player["state"] for player in players] == states.split()
        assert [player["bank"] for player in players] == table.stacks


def test_house_bot_understands_a_request() -> None:
    table = deal("5000 0 5000 5000", "As Kd, -, 7h 7c, 2c 3d", BOARD).play("raise:300 call fold / raise:200")
    assert situation_in(read_request(table)) == Situation(("7h", "7c"), ("Ah", "9s", "4d"), 0, 4700, 200, 900, 1)


def test_action_is_read_in_both_spellings() -> None:
    for text, decision in (
        ('{"command":"take_action","action":"fold","raise_amount":0}', Fold()),
        # The original contest's sample bot sends the key `action_type`, and amounts as strings.
        ('{"command": "take_action", "action_type": "raise", "raise_amount": "250"}', RaiseTo(250)),
        ('{"command": "take_action", "action_type": "call", "raise_amount": "0"}', Call()),
        # The rule book on the amount: "Does nothing if the action type is not raise".
        ('{"command":"take_action","action":"call","raise_amount":"plenty"}', Call()),
        ('{"command":"take_action","action":"fold","raise_amount":-1.5}', Fold()),
        # An amount below the current bet is refused later, by the rules of the game.
        ('{"command":"take_action","action":"raise","raise_amount":-5}', RaiseTo(-5)),
        # Any amount above the bot's chips, up to the largest unsigned 64-bit integer, is an all-in.
        ('{"command":"take_action","action":"raise","raise_amount":18446744073709551615}', RaiseTo(2**64 - 1)),
        ('{"command":"take_action","action":"raise","raise_amount":"0250"}', RaiseTo(250)),
        ('{"command":"take_action","action":"call","at":1764130000000,"sheriff":{"mood":[1.5,null]}}', Call()),
    ):
        assert read_messages(text) == [DecisionMessage(decision)]


def test_each_mistake_has_the_error_code_of_the_rule_book() -> None:
    for text, code in (
        # The rule book on INVALID_INPUT: "Your message was malformed (forgot an argument, or was not proper JSON)".
        (f'{{"command":"take_action","action":"raise","raise_amount":{10**40}}}', "INVALID_INPUT"),
        ('{"command":"send_chat"}', "INVALID_INPUT"),
        # On BAD_ACTION_TYPE: "An action other than call, raise, or fold".
        ('{"command":"take_action","action_type":""}', "BAD_ACTION_TYPE"),
        # On BAD_VALUE: "The wrong type for an argument (such as a string instead of an integer for raise_amount)".
        # But strings of digits are accepted, because bots of the original contest send them.
        ('{"command":"take_action","action":"raise","raise_amount":true}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"a lot"}', "BAD_VALUE"),
        ('{"command":"take_action","action":"raise","raise_amount":"٢٥٠"}', "BAD_VALUE"),
        ('{"command":["take_action"]}', "BAD_VALUE"),
        ('{"command":"send_chat","message":7}', "BAD_VALUE"),
    ):
        assert read_malformed(text + "\n").code == code


def test_error_quotes_only_plain_words_of_a_message() -> None:
    for text in ('{"command":"\\u001b[31mred"}', '{"command":"take_action","action":"<script>"}', "\x1b[31mred\n"):
        reason = read_malformed(text).reason
        assert "red" not in reason
        assert "script" not in reason
    for text, reason in (
        ('{"command":"take_action","action":"check"}', 'the action "check" is not one of call, raise, fold'),
        ('{"command":"take_action","action":"go on"}', "the action is not one of call, raise, fold"),
        ('{"command":"play"}', 'the command "play" is not one of take_action, send_chat, get_logs'),
    ):
        assert read_malformed(text).reason == reason


def test_result_lists_hands_board_and_the_winners_of_each_pot() -> None:
    table = deal(THREE_STACKS, HANDS, BOARD).play("fold fold")
    message = read_result(table)
    assert message == read_result(table, seat=2)
    assert cards_of(message["center_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [cards_of(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5000, 4950, 5050]
    table = deal("500 250 750", "As Ad, Ks Kd, 7s 2d", "Ah 9c 4d Jc 2s").play("all-in all-in call")
    message = read_result(table)
    pots = [(pot["pot_amount"], [winner["name"] for winner in pot["winners"]]) for pot in message["pots"]]
    assert pots == [(750, ["Ann"]), (500, ["Ann"])]
    players = [(player["state"], player["bank"]) for player in message["players"]]
    # The last player did not act on the river, because both opponents were all-in.
    assert players == [("all_in", 1250), ("all_in", 0), ("not_played", 250)]
    message = read_result(deal("500 500", "As Ks, Ad Kd", "Ah Kc 4d Jc 2s").play("all-in call"))
    assert [winner["name"] for winner in message["pots"][0]["winners"]] == ["Ann", "Bob"]
    assert [player["bank"] for player in message["players"]] == [500, 500]


def test_chat_names_its_author_as_a_player() -> None:
    table = deal(THREE_STACKS, HANDS).play("call")
    message = json.loads(QuickDrawDialect().notify(ChatSent(11, 'Howdy, "Señor"'), table_view(table, 2)) or b"")
    assert (message["command"], message["message"]) == ("receive_chat", 'Howdy, "Señor"')
    author = {"id": 11, "name": "Ann", "hand": [], "State": "called", "state": "called"}
    assert message["author"] == {**author, "round_bet": 100, "hand_bet": 100, "bank": 4900}
    foreign_chat = QuickDrawDialect().notify(ChatSent(99, "Howdy"), table_view(table, 2))
    assert foreign_chat is None


def test_log_has_the_newest_lines_that_fit_into_2000_bytes() -> None:
    lines = [f'{number} > {{"é":"♠"}}' for number in range(200)]
    line = QuickDrawDialect().logs(lines)
    logs = json.loads(line)["logs"]
    assert line.endswith(b"\n")
    assert len(line) <= 2000
    assert logs == lines[-len(logs) :]
    assert len(QuickDrawDialect().logs(lines[-len(logs) - 1 :])) == len(line)
    assert json.loads(QuickDrawDialect().logs([])) == {"command": "log_data", "logs": []}
    assert json.loads(QuickDrawDialect().logs(["x" * 5000])) == {"command": "log_data", "logs": []}


def play_tie_with_most_pots(seats: int) -> Table:
    """Plays a hand with as many pots and winners as possible: all bots are all-in for different amounts, and tie."""
    stacks = " ".join(str(10_001 + 1000 * seat) for seat in range(seats))
    return deal(stacks, "", "Th Jh Qh Kh Ah").play("all-in " * seats)


@pytest.mark.parametrize("seats", [2, 6, 12])
def test_every_message_is_one_line_under_4096_bytes(seats: int) -> None:
    table = deal(" ".join(["99999"] * seats), "", BOARD)
    table.play("call " * seats + "/ " + "call " * seats + "/ " + "call")
    widest_names = tuple("𠮷" * 29 + chr(0x4E00 + seat) for seat in range(12))
    dialect, tied_table = QuickDrawDialect(), play_tie_with_most_pots(seats)
    messages = [
        dialect.ask(table_view(table, names=widest_names, game=1000)),
        dialect.notify(HandEnded((), ""), table_view(tied_table, 0, 1000, widest_names)),
        dialect.notify(ChatSent(11, "𠮷" * 200), table_view(tied_table, 0, 1000, widest_names)),
        dialect.notify(ChatSent(11, '"' * 200), table_view(tied_table, 0, 1000, ('"' * 30,) * 12)),
    ]
    for message in messages:
        assert message is not None
        assert len(message) < 4096
        assert message.index(b"\n") == len(message) - 1
        json.loads(message)
    assert len(json.loads(messages[0] or b"")["players"]) == seats


def test_long_result_shortens_only_repeated_players() -> None:
    """With six bots and names of 30 letters, each winner in the list of pots still has its name."""
    names = tuple(name * 10 for name in NAMES)
    tied_view = table_view(play_tie_with_most_pots(6), 0, 1, names)
    message = json.loads(QuickDrawDialect().notify(HandEnded((), ""), tied_view) or b"")
    assert all(len(player["hand"]) == 2 and len(player["name"]) == 30 for player in message["players"])
    winners = [winner for pot in message["pots"] for winner in pot["winners"]]
    assert len(message["pots"]) == 5
    assert all(winner["name"] in names for winner in winners)


def test_raise_that_adds_nothing_is_a_call_or_a_check() -> None:
    assert deal(THREE_STACKS).play("raise:100").last_act == "0 call 100", "a raise to the big blind must be a call"
    assert deal(TWO_STACKS).play("call check / raise:0").last_act == "0 check 0", "a raise to 0 must be a check"
    assert deal(TWO_STACKS).play("call call").last_act == "1 check 100", "the big blind's call must be a check"


KNOWN_KEYS = "name, test_game_size, test_hand_count, house_think_ms, house_strength, secret, key, challenge"
UNEVEN = "the game does not count for the ladder, because 4 bots cannot all have each seat equally often in 6 hands"


class RegisterRoute:
    """Serves `POST /register`. `registered` has each accepted registration and its client's address."""

    def __init__(self, watch_url: str = "") -> None:
        self.registered: list[tuple[Registration, str]] = []
        self.watch_url = watch_url
        self.app = guarded_app()
        self.app.include_router(register_router(self.check_in))

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        self.registered.append((registration, address))
        return CheckedIn(5001, 7, self.watch_url)

    async def post(self, body: bytes, content_type: str = "application/json") -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=("127.0.0.9", 4321))
        async with httpx.AsyncClient(transport=transport, base_url="http://tournament") as client:
            return await client.post("/register", content=body, headers={"Content-Type": content_type})


async def test_reply_has_port_and_id_in_both_spellings() -> None:
    for content_type in ("", "text/plain", "application/x-www-form-urlencoded", "nonsense"):
        response = await RegisterRoute().post(b'{"name": "Billy the Kid"}', content_type)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
        assert response.json() == {"port_number": 5001, "bot_id": 7, "portNumber": 5001, "id": 7}
    route = RegisterRoute("/watch?channel=practice-3")
    response = await route.post(b'{"name": "Billy", "test_game_size": 2, "test_hand_count": 24, "else": [1]}')
    assert response.json()["watch_url"] == "http://tournament/watch?channel=practice-3"
    assert route.registered == [(Registration("Billy", 2, 24), "127.0.0.9")]


async def test_registration_needs_a_json_object_with_a_printable_name() -> None:
    for body, error in (
        *((body, "The body must be") for body in (b"", b'["Billy"]', b'{"name": "Billy\xff"}', b"[" * 8000)),
        (b'{"name": "\\ud800"}', ""),
        (b'{"name": ' + b"9" * 7000 + b"}", "The body must be"),
        (b"{}", "Name is required"),
        *((json.dumps({"name": name}).encode(), "Name is required") for name in ("   ", 7)),
        (json.dumps({"name": "\u202eylliB"}).encode(), "Name must"),
    ):
        response = await RegisterRoute().post(body)
        assert (response.status_code, response.json().keys()) == (400, {"error"})
        assert response.json()["error"].startswith(error)


def test_wrong_number_is_replaced_by_the_default_with_a_warning() -> None:
    """The contest's original server also replaced numbers that were out of range."""
    for key, warning in (
        ("test_game_size", "from 2 to 6: using 6"),
        ("test_hand_count", "from 1 to 24: using 6"),
        ("house_think_ms", "from 0 to 3000: using 300"),
        ("house_strength", f"from 0 to {len(LADDER)}: using 0 (house bots of every kind)"),  # `LADDER`: all strengths
    ):
        for value in (-3, 3001, "4", 4.0, True, [4]):
            registration, warnings = read_registration(json.dumps({"name": "Billy", key: value}).encode())
            assert registration == Registration("Billy"), value
            assert warnings == [f"{key} must be a whole number {warning}"], value
        assert not read_registration(json.dumps({"name": "Billy", key: None}).encode())[1]


async def test_registration_warns_of_ignored_keys_and_uneven_games() -> None:
    for fields, warnings in (
        ({"test_game_size": 2, "test_hand_count": 24, "secret": "x"}, None),
        ({"test_game_size": 3, "test_hand_count": 12, "house_strength": 2}, None),
        ({"test_game_size": 4, "test_hand_count": 6, "house_strength": 2}, [UNEVEN]),
        ({"test_game_sise": 4}, [f'the key "test_game_sise" is ignored: known keys are {KNOWN_KEYS}']),
        ({"\x1b[2Jcolour": 4}, [f'the key "[2Jcolour" is ignored: known keys are {KNOWN_KEYS}']),
        (
            {f"key {number}": 1 for number in range(500)},
            [f'the key "key {n}" is ignored: known keys are {KNOWN_KEYS}' for n in range(5)],
        ),
    ):
        response = await RegisterRoute().post(json.dumps({"name": "Billy", **fields}).encode())
        assert (response.status_code, response.json()["portNumber"]) == (200, 5001)
        assert response.json().get("warnings") == warnings


async def test_incomplete_body_registers_nobody() -> None:
    route = RegisterRoute()
    async with serving(route.app, "127.0.0.1", 0) as base:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
        writer.write(b'POST /register HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{"name": "Billy"}')
        writer.write_eof()
        await reader.read()
        writer.close()
    assert not route.registered

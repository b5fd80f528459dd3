"""Messages of the contest Arena are as in its rule book. Configuration files are read as on the original server."""

import gzip
import json
import random
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from server.bots.dialects.http_calls import Refused, Reply
from server.bots.dialects.messages import DecisionMessage, Malformed
from server.config.event_file import EveningPlan
from server.contests.arena.dialect import ArenaDialect, player_ids
from server.contests.arena.rules import ARENA
from server.contests.arena.venue.config_file import read_arena
from server.contests.arena.venue.config_reader import without_comments
from server.errors import EventFaults
from server.game.betting import resolve, take_turn
from server.game.decisions import AllIn, Call, Decision, Fold, IllegalAction, RaiseTo
from server.game.events import Entrant
from server.game.rules import Level, level_of
from tests.bots.views import entrants_of, table_view
from tests.game.random_hands import random_decision
from tests.game.table import Table, deal


def play_hand(stacks: str = "2000 2000 2000 2000", script: str = "", number: int = 1) -> Table:
    hands, board = "As Kd, 7h 7c, 2c 3d, 9c 9d", "Ah 9s 4d Jc 2s"
    return deal(stacks, hands, board, rules=ARENA, number=number).play(script)


def dialect_at(table: Table, ids: dict[int, str] | None = None) -> ArenaDialect:
    """Makes the acting bot's dialect (writer and reader of messages), and reports the hand's events to it."""
    dialect = ArenaDialect(ids or player_ids(entrants_of(len(table.hand.seats))))
    for event in table.events:
        if isinstance(event, dialect.notified_events):
            assert dialect.notify(event, table_view(table)) == []
    return dialect


def read_state(table: Table, ids: dict[int, str] | None = None) -> dict[str, Any]:
    request = dialect_at(table, ids).ask(table_view(table))
    assert (request.method, request.path, request.content_type) == ("POST", "/action", "application/json")
    state: dict[str, Any] = json.loads(request.body)
    return state


def read_answer(answer: object, table: Table, status: int = 200) -> DecisionMessage | Refused | Malformed:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return dialect_at(table).read(Reply(status, body), table_view(table))


def is_legal(table: Table, decision: Decision) -> bool:
    try:
        resolve(table.hand, decision)
    except IllegalAction:
        return False
    return True


def test_history_has_all_actions_of_this_hand_only() -> None:
    state = read_state(play_hand(script="raise:60 fold call call / check bet:100 raise:300 call fold / check"))
    history = state["action_history"]
    assert (state["phase"], state["community_cards"]) == ("turn", ["Ah", "9s", "4d", "Jc"])
    assert (state["pot"], state["current_bet"]) == (3 * 60 + 2 * 300 + 100, 0)
    assert state["min_raise"] == 20, "on each new street, the smallest raise is the big blind"
    assert [" ".join(str(action[key]) for key in ("phase", "player_id", "action", "amount")) for action in history] == [
        "preflop cid small_blind 10",
        "preflop dot big_blind 20",
        "preflop ann raise 60",
        "preflop bob fold 0",
        "preflop cid call 50",
        "preflop dot call 40",
        "flop cid check 0",
        "flop dot raise 100",
        "flop ann raise 300",
        "flop cid call 300",
        "flop dot fold 0",
        "turn cid check 0",
    ]
    dialect, next_hand = dialect_at(play_hand(script="raise:60 fold")), play_hand(number=25)
    for event in next_hand.events:
        dialect.notify(event, table_view(next_hand))
    state = json.loads(dialect.ask(table_view(next_hand)).body)
    assert [action["action"] for action in state["action_history"]] == ["small_blind", "big_blind"]
    assert (state["small_blind"], state["big_blind"]) == (20, 30), "a level of blinds lasts 24 hands"


def test_players_have_states_and_the_heads_up_dealer_is_the_big_blind() -> None:
    players = read_state(play_hand("2000 2000 0 300 2000", "fold all-in call"))["players"]
    assert {name: player["state"] for name, player in players.items()} == {
        "ann": "folded", "bob": "all_in", "cid": "out", "dot": "all_in", "eve": "active",
    }  # fmt: skip
    assert players["cid"]["hole_cards"] == []
    small, big = read_state(play_hand("2000 2000"))["players"].values()
    assert (small["is_dealer"], small["is_small_blind"], small["is_big_blind"]) == (False, True, False)
    assert (big["is_dealer"], big["is_small_blind"], big["is_big_blind"]) == (True, False, True)


def test_history_says_whether_a_bot_sent_raise_or_all_in() -> None:
    """The amount of a `raise` is the bot's total bet on the street. The amount of an `all_in` is what the bot adds."""
    table = play_hand("2000 90 300 2000", "raise:60")
    table.take(AllIn())
    table.play("raise:300").take(AllIn())
    history = read_state(table)["action_history"][2:]
    assert [f"{action['action']} {action['amount']}" for action in history] == [
        "raise 60", "all_in 90", "raise 300", "all_in 1980",
    ]  # fmt: skip


def random_table(dice: random.Random) -> Table:
    """Plays a few random decisions of a hand with short and deep stacks. Returns the unfinished hand."""
    stacks = dice.choices((25, 61, 400, 2000), k=2)
    stacks += dice.choices((0, 1, 7, 15, 20, 25, 40, 61, 150, 400, 2000), k=dice.randint(0, 4))
    dice.shuffle(stacks)
    table = deal(" ".join(map(str, stacks)), rules=ARENA, number=dice.randint(1, 60))
    for _ in range(dice.randint(0, 14)):
        decision = random_decision(dice, table.hand)
        if take_turn(table.hand, decision)[0].over:
            break
        table.take(decision)
    return table


@pytest.mark.parametrize("seed", range(100))
def test_chips_add_up_and_valid_actions_are_the_legal_ones(seed: int) -> None:
    table = random_table(random.Random(seed))
    ids = {entrant.bot: f"id {99 - entrant.bot}" for entrant in entrants_of(len(table.hand.seats))}
    state = read_state(table, ids)
    assert "." not in json.dumps(state), "amounts must be whole numbers"
    assert list(state["players"]) == list(ids.values()), "players must be in seat order, not in the order of their ids"
    players = state["players"].values()
    assert state["pot"] == sum(player["hand_bet"] for player in players)
    assert state["pot"] + sum(player["chips"] for player in players) == table.chips
    with_chips = [player for player in players if player["state"] != "out"]
    assert [player["is_dealer"] for player in with_chips].index(True) == state["dealer_index"]
    assert sum(player["is_dealer"] for player in players) == 1
    assert [action["action"] for action in state["action_history"]][:2] == ["small_blind", "big_blind"]
    actions = {action["action"]: action["amount"] for action in state["valid_actions"]}
    answers = [{"action": action, "amount": amount} for action, amount in actions.items() if action != "raise"]
    raise_range = actions.get("raise")
    if raise_range:
        answers += [{"action": "raise", "amount": amount} for amount in {raise_range["min"], raise_range["max"]}]
    for answer in answers:
        content = read_answer(answer, table)
        assert isinstance(content, DecisionMessage), answer
        assert is_legal(table, content.decision), answer
    assert ("check" in actions) == (table.turn.to_call == 0)
    assert ("call" in actions) == (table.turn.to_call > 0)
    seat = table.hand.seats[table.turn.seat]
    all_in_total = seat.bet + seat.stack
    bounds = [0, table.hand.current_bet, all_in_total, *table.raises, *(raise_range.values() if raise_range else ())]
    totals = {max(bound + step, 0) for bound in bounds for step in (-1, 0, 1)}
    legal = {total for total in totals if is_legal(table, RaiseTo(total))}
    if raise_range:
        assert legal == totals & set(range(raise_range["min"], raise_range["max"] + 1))
    assert legal <= {all_in_total} or raise_range, "no raise below the minimum may be legal, except an all-in"
    assert ("all_in" in actions) == (all_in_total in legal or seat.stack <= table.turn.to_call)


def test_valid_answers_are_accepted() -> None:
    for answer, decision in (
        ({"action": "raise", "amount": 50}, RaiseTo(50)),
        ({"action": "raise", "amount": -50}, RaiseTo(-50)),
        ({"action": "fold"}, Fold()),
        ({"action": "call"}, Call()),
        ({"action": "all_in"}, AllIn()),
        ({}, Fold()),
        ({"action": "call", "amount": "whatever"}, Call()),
        ({"action": "fold", "amount": -3, "confidence": 0.2, "at_ms": 1790000000000, "why": "\ud800"}, Fold()),
        (b'\xef\xbb\xbf {"action": "call", "odds": NaN}\r\n', Call()),
    ):
        assert read_answer(answer, play_hand()) == DecisionMessage(decision)


def test_faulty_answer_has_a_reason_for_its_author() -> None:
    for answer, status, content_class, reason_start in (
        (b"", 200, Malformed, "the answer is empty, and JSON is expected"),
        (gzip.compress(b'{"action": "call"}', mtime=0), 200, Malformed, "the answer is compressed; send it"),
        (b'{"action": "call"', 200, Malformed, "the answer is not JSON: line 1, column 18: it ends too early"),
        ({"action": "CALL"}, 200, Refused, 'the action "CALL" is not one of fold, check, call, raise, all_in'),
        ({"action": "<b>"}, 200, Refused, "the action is not one of fold, check, call, raise, all_in"),
        ({"action": "raise"}, 200, Refused, "a raise without an amount"),
        ({"action": "raise", "amount": 60.0}, 200, Refused, "the amount 60.0 must be a whole number"),
        ({"action": "check", "amount": 0}, 200, Refused, ""),
        ({"action": "raise", "amount": True}, 200, Refused, ""),
        ({"action": ["fold"]}, 200, Refused, ""),
        *(({"action": "call"}, status, Malformed, "") for status in (201, 302, 500)),
        *((body, 200, Malformed, "") for body in (b"call", b"[]", b"null", b"[" * 4000, b"\xff\xfe{")),
        (b'{"action": "raise", "amount": ' + b"9" * 4500 + b"}", 200, Malformed, ""),
    ):
        content = read_answer(answer, play_hand(), status)
        assert isinstance(content, content_class)
        assert content.reason.startswith(reason_start)
    assert isinstance(read_answer({"action": "call"}, play_hand(script="call call call")), Refused), (
        "the big blind has nothing to call"
    )


def test_bot_has_its_players_id_if_each_player_has_one_bot() -> None:
    for names_and_players, ids in (
        ([("AlphaBot", "alpha_bot"), ("My AI", "my_new_ai")], ["alpha_bot", "my_new_ai"]),
        ([("My AI", "ada"), ("My ai!", "ada"), ("Ünï", "bob")], ["my_ai", "my_ai_2", "n"]),
    ):
        entrants = [Entrant(bot, *names) for bot, names in enumerate(names_and_players, 1)]
        assert player_ids(entrants) == dict(enumerate(ids, 1))


EXAMPLE_FILE = """{"game_server": {"url": "http://localhost:9012"}, "tournament": {"rounds": 5}, "ais": [
    {"ai_id": "alpha_bot", "ai_name": "AlphaBot", "port": 31010},
    {"ai_id": "my_new_ai", "ai_name": "My Awesome AI", "port": 5000, // The port your AI server is listening on
     "description": "An AI that will win everything."}]}"""
TWO_BOTS = '"ais": [{"ai_id": "a", "port": 5001}, {"ai_id": "b", "port": 5002}]'


def read_plan(folder: Path, text: str) -> EveningPlan:
    path = folder / "tournament_test.json"
    path.write_text(text, encoding="utf-8")
    return read_arena(path)


def read_faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(EventFaults) as refused:
        read_plan(folder, text)
    return [fault.removeprefix("tournament_test.json, ") for fault in refused.value.faults]


def test_example_file_is_read_with_remarks_on_its_keys(tmp_path: Path) -> None:
    plan = read_plan(tmp_path, EXAMPLE_FILE)
    assert (plan.name, plan.contest, plan.buy_in_cents) == ("Tournament Test", "arena", 0)
    assert [(entry.player, entry.bot, entry.url, entry.description) for entry in plan.entries] == [
        ("alpha_bot", "AlphaBot", "http://localhost:31010", ""),
        ("my_new_ai", "My Awesome AI", "http://localhost:5000", "An AI that will win everything."),
    ]
    (stage,) = plan.contest_format.stages
    assert (stage.series, stage.games, stage.hands, plan.contest_format.starting_stack) == (True, 5, 80, 1000)
    assert plan.contest_format.rules == ARENA
    assert plan.remarks == (
        "not in the file, so the original server's defaults apply: "
        "max_hands_per_round 80, initial_chips 1000, max_players 10",
        "not used: game_server (this program is the game server)",
    )
    assert plan.bot_networks == (), "bots on this machine need no entry in bot_networks"
    assert plan.start == "bots", "a tournament from an Arena file must start without an operator"
    today = datetime.now().astimezone().date()
    assert plan.date == today, "the date must be that of the file's last change, or a resumed contest finds no journal"
    many_keys = ", ".join(f'"key {number}": {number}' for number in range(5000))
    *_, remark = read_plan(tmp_path, "{" + many_keys + ", " + TWO_BOTS + "}").remarks
    assert remark.endswith("key 11 and 4988 more")


def test_server_avoids_the_bots_ports_and_keeps_to_max_players(tmp_path: Path) -> None:
    plan = read_plan(tmp_path, '{"ais": [{"ai_id": "a", "port": 8000}, {"ai_id": "b", "port": 5000}]}')
    assert (plan.pages_port, plan.register_port) == (8001, 0)
    eleven_bots = ", ".join(f'{{"ai_id": "{port}", "port": {port}}}' for port in range(1, 12))
    assert read_faults(tmp_path, f'{{"ais": [{eleven_bots}]}}') == [
        "ais: has 11, and tournament.max_players is 10; raise it if more may play"
    ]
    assert read_plan(tmp_path, f'{{"tournament": {{"max_players": 12}}, "ais": [{eleven_bots}]}}')


def test_blinds_never_rise_in_regular_mode(tmp_path: Path) -> None:
    keys = '"mode": "regular", "rounds": 2, "max_hands_per_round": 100, "small_blind": 5, "big_blind": 10'
    text = '{"tournament": {' + keys + ', "initial_chips": 500}, ' + TWO_BOTS + "}"
    contest = read_plan(tmp_path, text).contest_format
    assert (contest.rules.levels, contest.rules.hands_per_level) == ((Level(5, 10),), 0)
    assert (contest.starting_stack, contest.stages[-1].games, contest.stages[-1].hands) == (500, 2, 100)


def test_addresses_in_the_file_are_allowed_and_a_url_overrides_the_port(tmp_path: Path) -> None:
    bots = [
        {"ai_id": "a", "port": 5001, "url": "http://10.0.0.7:6001/"},
        {"ai_id": "b", "url": "localhost:6002"},
        {"ai_id": "c", "port": 5001, "host": "fd00::7"},
    ]
    plan = read_plan(tmp_path, json.dumps({"ais": bots}))
    urls = ["http://10.0.0.7:6001", "http://localhost:6002", "http://[fd00::7]:5001"]
    assert [entry.url for entry in plan.entries] == urls
    assert plan.bot_networks == ("10.0.0.7/32", "fd00::7/128")
    wrong = [{"ai_id": "a", "url": "http://ada.local:1"}, {"ai_id": "b", "url": "https://x:1", "host": "y"}]
    assert read_faults(tmp_path, json.dumps({"ais": wrong})) == [
        "ais[1].url: is a host name: write its IP address, or list the networks it may be in: "
        '"bot_networks": ["10.0.0.0/8"]',
        "ais[2].host: cannot be combined with url, which contains the host",
        'ais[2].url: should begin with http://, not the text "https://x:1"',
    ]
    with_networks = {"bot_networks": ["10.0.0.0/8"], "ais": [wrong[0], {"ai_id": "b", "port": 1, "host": "bea.local"}]}
    assert read_plan(tmp_path, json.dumps(with_networks)).bot_networks == ("10.0.0.0/8",)


def test_file_sets_the_time_limit_and_the_pause_between_hands(tmp_path: Path) -> None:
    keys = '{"timeout": 1.5, "tournament": {"delay_between_hands": 0.25}, "description": "For\\nall", '
    plan = read_plan(tmp_path, keys + TWO_BOTS + "}")
    assert (plan.contest_format.rules.think_ms, plan.hand_pause_seconds) == (1500, 0.25)
    assert plan.remarks[0] == "For all"
    wrong = '{"timeout": 0, "tournament": {"delay_between_hands": true, "max_players": 1}, "description": 5, '
    assert read_faults(tmp_path, wrong + TWO_BOTS + "}") == [
        "tournament.max_players: should be a whole number from 2 to 1000, not the number 1",
        "tournament.delay_between_hands: should be a number of seconds from 0 to 60, not true",
        "description: should be a text in quotation marks, not the number 5",
        "timeout: should be a number of seconds from 0.1 to 60, not the number 0",
    ]


def write_blinds(folder: Path, text: str) -> str:
    """Writes a file of blinds. Returns a configuration that names this file."""
    (folder / "blinds").mkdir(exist_ok=True)
    (folder / "blinds" / "own.json").write_text(text, encoding="utf-8")
    return '{"tournament": {"blind_structure_file": "blinds/own.json"}, ' + TWO_BOTS + "}"


def test_blinds_file_sets_the_levels_and_their_lengths(tmp_path: Path) -> None:
    text = """{"name": "Fast", "levels": [
        {"level": 1, "small_blind": 5, "big_blind": 10, "duration": 12},
        {"level": 2, "small_blind": 10, "big_blind": 20, "ante": 2, "duration": 18},
        {"level": 3, "small_blind": 50, "big_blind": 100, "duration": 7}]}"""
    rules = read_plan(tmp_path, write_blinds(tmp_path, text)).contest_format.rules
    first, second, last = Level(5, 10), Level(10, 20, 2), Level(50, 100)
    assert [level_of(rules, hand) for hand in (1, 12, 13, 30, 31, 32, 38, 500)] == [
        first, first, second, second, last, last, last, last,
    ]  # fmt: skip


def test_mistakes_in_the_blinds_file_are_named(tmp_path: Path) -> None:
    for text, fault in (
        ("{}", 'own.json: should be an object with "levels", a list of objects in braces'),
        (
            '{"levels": [{"small_blind": 5, "big_blind": 2, "duration": 0}]}',
            "own.json, levels[1].big_blind: should be at least the small blind of 5; "
            "own.json, levels[1].duration: should be a whole number from 1 to 10000, not the number 0",
        ),
        (
            # The reader cuts all levels into levels of the same length. Here, 9979 levels would last one hand each.
            json.dumps({"levels": [{"small_blind": 1, "big_blind": 2, "duration": hands} for hands in (9973, 5, 5)]}),
            "the durations have too small a common divisor: equal levels would number more than 1000",
        ),
        ("9" * (1 << 21), '"blinds/own.json" cannot be read: it is larger than 1 MiB'),
    ):
        assert read_faults(tmp_path, write_blinds(tmp_path, text)) == [f"tournament.blind_structure_file: {fault}"]


def test_missing_blinds_file_leads_to_the_29_default_levels(tmp_path: Path) -> None:
    for path in ("gone.json", "/no/such/file.json", "."):
        plan = read_plan(tmp_path, f'{{"tournament": {{"blind_structure_file": "{path}"}}, ' + TWO_BOTS + "}")
        assert plan.contest_format.rules == ARENA
        assert f'there is no file "{path}" in {tmp_path}: the 29 levels apply' in plan.remarks


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = """{"tournament": {"mode": "fast", "rounds": 2.5, "max_hands": 5}, "ais": [
        {"ai_id": " ", "ai_name": "x\u202e", "port": "5001"},
        {"ai_id": "b", "prot": 5000},
        {"ai_id": "c", "ai_name": "Cid", "port": 5003},
        {"ai_id": "c", "port": 5003, "host": "localhost"},
        {"ai_id": "d", "ai_name": "C1d", "port": 70000, "host": "http://x"}]}"""
    assert read_faults(tmp_path, text) == [
        "ais[1].ai_id: should not be blank",
        "ais[1].ai_name: cannot be shown as a name: it must not contain control, format or invisible characters",
        'ais[1].port: should be a whole number from 1 to 65535, not the text "5001"',
        'ais[2].prot: there is no such key; did you mean "port"?',
        "ais[2].port: is missing: each AI needs an ai_id and a port or a url",
        'ais[4].ai_id: "c" is already the ai_id of ais[3]',
        "ais[4].port: is the same as in ais[3]: two bots cannot listen at one address",
        'ais[5].host: should be an address such as 192.168.1.20 or a name such as poker.local, not the text "http://x"',
        "ais[5].port: should be a whole number from 1 to 65535, not the number 70000",
        'ais[5].ai_name: "C1d" looks like "Cid" of ais[3]',
        'tournament.max_hands: there is no such key: hands are limited by "max_hands_per_round"',
        "tournament.rounds: should be a whole number from 1 to 10000, not the number 2.5",
        'tournament.mode: should be "regular" or "tournament", not the text "fast"',
    ]


def test_each_mistake_is_named(tmp_path: Path) -> None:
    for text, fault in (
        ("[]", 'tournament_test.json: should be one object with "tournament" and "ais"'),
        ("[" * 100_000, "tournament_test.json: it contains a number that is too large, or is nested too deeply"),
        ("{}", "ais: should be a list of objects in braces, one for each bot"),
        ('{"ais": []}', "ais: has 0; there should be 2 to 12 bots"),
        (
            '{"tournament": {"small_blind": 1}, ' + TWO_BOTS + "}",
            'tournament.small_blind: is only for "mode": "regular"; in tournament mode the blinds rise',
        ),
    ):
        assert read_faults(tmp_path, text) == [fault]


def test_comments_become_spaces_and_texts_do_not_change() -> None:
    text = '{"a": "http://x", // one "two"\n"b": /* three\nfour */ "\\"//", "c": 1}'
    assert without_comments(text) == '{"a": "http://x",' + " " * 13 + '\n"b":         \n        "\\"//", "c": 1}'

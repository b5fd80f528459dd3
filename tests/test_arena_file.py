"""The Arena's configuration file: as its document prints it, and every mistake at once."""

from datetime import date, datetime
from pathlib import Path

import pytest

from server.arena_file import read_arena, without_comments
from server.event_file import EventFaults, EventPlan
from server.game.rules import ARENA, Level

DOCUMENT = """
    {
      "game_server": {
        "url": "http://localhost:9012"
      },
      "tournament": {
        "rounds": 5
      },
      "ais": [
        {
          "ai_id": "alpha_bot",
          "ai_name": "AlphaBot",
          "port": 31010
        },
        {
          "ai_id": "my_new_ai",
          "ai_name": "My Awesome AI",
          "port": 5000, // The port your AI server is listening on
          "description": "An AI that will win everything."
        }
      ]
    }
"""
TWO = '"ais": [{"ai_id": "a", "port": 5001}, {"ai_id": "b", "port": 5002}]'


def read(folder: Path, text: str) -> EventPlan:
    path = folder / "tournament_test.json"
    path.write_text(text, encoding="utf-8")
    return read_arena(path)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(EventFaults) as caught:
        read(folder, text)
    return [fault.removeprefix("tournament_test.json, ") for fault in caught.value.faults]


def test_the_documents_file_is_taken_as_it_stands(tmp_path: Path) -> None:
    plan = read(tmp_path, DOCUMENT)
    assert (plan.name, plan.contest, plan.buy_in_cents) == ("Tournament Test", "arena", 0)
    assert [(entry.player, entry.bot, entry.url) for entry in plan.entries] == [
        ("alpha_bot", "AlphaBot", "http://localhost:31010"),
        ("my_new_ai", "My Awesome AI", "http://localhost:5000"),
    ]
    assert plan.arranged.stages[-1].hands == 5
    assert plan.bot_networks == (), "this machine needs no permission"
    assert plan.arranged.starting_stack == 2000


def test_nothing_of_ours_listens_where_a_bot_does(tmp_path: Path) -> None:
    ais = '{"ais": [{"ai_id": "a", "port": 8000}, {"ai_id": "b", "port": 5000}]}'
    plan = read(tmp_path, ais)
    assert (plan.pages_port, plan.register_port) == (8001, 0)
    assert plan.start == "bots", "nobody has to press a button"


def test_the_day_is_the_files_own_so_that_a_broken_off_tournament_is_found_again(tmp_path: Path) -> None:
    assert isinstance(read(tmp_path, DOCUMENT).date, date)
    assert read(tmp_path, DOCUMENT).date == datetime.now().astimezone().date()


def test_the_tournament_mode_raises_the_blinds_until_one_is_left(tmp_path: Path) -> None:
    contest = read(tmp_path, "{" + TWO + "}").arranged
    assert contest.rules == ARENA
    assert contest.stages[-1].hands == 0


def test_the_tournament_mode_may_have_a_limit_of_hands(tmp_path: Path) -> None:
    contest = read(tmp_path, '{"tournament": {"mode": "tournament", "max_hands": 720}, ' + TWO + "}").arranged
    assert contest.rules == ARENA
    assert contest.stages[-1].hands == 720


def test_the_regular_mode_leaves_the_blinds_where_they_are(tmp_path: Path) -> None:
    course = (
        '{"tournament": {"mode": "regular", "rounds": 100, "small_blind": 5, "big_blind": 10, "initial_chips": 500}, '
    )
    contest = read(tmp_path, course + TWO + "}").arranged
    assert contest.rules.levels == (Level(5, 10),)
    assert contest.rules.hands_per_level == 0
    assert (contest.starting_stack, contest.stages[-1].hands) == (500, 100)


def test_an_address_that_is_named_is_allowed_with_it(tmp_path: Path) -> None:
    ais = '{"ais": [{"ai_id": "a", "port": 5001, "host": "10.0.0.7"}, {"ai_id": "b", "port": 5001, "host": "fd00::7"}]}'
    plan = read(tmp_path, ais)
    assert [entry.url for entry in plan.entries] == ["http://10.0.0.7:5001", "http://[fd00::7]:5001"]
    assert plan.bot_networks == ("10.0.0.7/32", "fd00::7/128")


def test_a_name_needs_the_networks_it_may_be_in(tmp_path: Path) -> None:
    ais = '"ais": [{"ai_id": "a", "port": 5001, "host": "ada.local"}, {"ai_id": "b", "port": 5002}]'
    assert faults(tmp_path, "{" + ais + "}") == [
        'ais[1].host: is a name: write its address, or where it may be, "bot_networks": ["10.0.0.0/8"]'
    ]
    assert read(tmp_path, '{"bot_networks": ["10.0.0.0/8"], ' + ais + "}").bot_networks == ("10.0.0.0/8",)


def test_keys_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert read(tmp_path, '{"logging": {"level": "DEBUG"}, "tournament": {"csv": true}, ' + TWO + "}")


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    text = """{"tournament": {"mode": "fast", "rounds": 2.5, "max_hand": 5}, "ais": [
        {"ai_id": "a b", "ai_name": "", "port": "5001"},
        {"ai_id": "b", "prot": 5000},
        {"ai_id": "c", "ai_name": "Cid", "port": 5003},
        {"ai_id": "c", "ai_name": "CID", "port": 5003, "host": "localhost"},
        {"ai_id": "d", "ai_name": "C1d", "port": 70000, "host": "http://x"}]}"""
    assert faults(tmp_path, text) == [
        'ais[1].ai_id: should be letters, digits, - and _ without blanks, not the text "a b"',
        "ais[1].ai_name: should not be blank",
        'ais[1].port: should be a whole number from 1 to 65535, not the text "5001"',
        'ais[2].prot: there is no such key; did you mean "port"?',
        "ais[2].port: is missing: each AI needs an ai_id and a port",
        'ais[4].ai_id: "c" is the one of ais[3] already',
        "ais[4].port: is the one of ais[3]: two bots cannot listen at one address",
        'ais[5].host: should be an address such as 192.168.1.20 or a name such as poker.local, not the text "http://x"',
        "ais[5].port: should be a whole number from 1 to 65535, not the number 70000",
        'ais[5].ai_name: "C1d" looks like "Cid" of ais[3]',
        'ais[5].ai_name: "C1d" looks like "CID" of ais[4]',
        'tournament.max_hand: there is no such key; did you mean "max_hands"?',
        "tournament.rounds: should be a whole number from 1 to 100000, not the number 2.5",
        'tournament.mode: should be "regular" or "tournament", not the text "fast"',
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "tournament_test.json: line 1, column 1: not written as JSON is: Expecting value"),
        ('{\n"ais": [,]}', "tournament_test.json: line 2, column 9: not written as JSON is: Expecting value"),
        ("[]", 'tournament_test.json: should be one object with "tournament" and "ais"'),
        ("[" * 100_000, "tournament_test.json: nested too deep"),
        ("{}", "ais: should be a list of objects in braces, one for each bot"),
        ('{"ais": []}', "ais: has 0; there should be 2 to 12 bots"),
        ('{"tournament": 5, ' + TWO + "}", "tournament: should be an object in braces, not the number 5"),
        (
            '{"tournament": {"mode": "regular"}, ' + TWO + "}",
            'tournament.rounds: is missing: the regular mode plays so many hands; write "rounds": 100',
        ),
        (
            '{"tournament": {"small_blind": 1}, ' + TWO + "}",
            'tournament.small_blind: goes with "mode": "regular"; in the tournament mode the blinds rise',
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(tmp_path, text) == [fault]


def test_comments_go_and_texts_stay() -> None:
    text = '{"a": "http://x", // one "two"\n"b": /* three\nfour */ "\\"//", "c": 1}'
    assert without_comments(text) == '{"a": "http://x",' + " " * 13 + '\n"b":         \n        "\\"//", "c": 1}'

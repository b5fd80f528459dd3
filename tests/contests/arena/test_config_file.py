"""The configuration file of the contest Arena is read as its document says; all mistakes are reported at once."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from server.config.event_file import EveningPlan
from server.contests.arena.rules import ARENA
from server.contests.arena.venue.config_file import read_arena
from server.contests.arena.venue.config_reader import without_comments
from server.errors import EventFaults
from server.game.rules import Level, level_of

DOCUMENT = """
    {
      "game_server": {"url": "http://localhost:9012"},
      "tournament": {"rounds": 5},
      "ais": [
        {"ai_id": "alpha_bot", "ai_name": "AlphaBot", "port": 31010},
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


def read(folder: Path, text: str) -> EveningPlan:
    path = folder / "tournament_test.json"
    path.write_text(text, encoding="utf-8")
    return read_arena(path)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(EventFaults) as caught:
        read(folder, text)
    return [fault.removeprefix("tournament_test.json, ") for fault in caught.value.faults]


def test_documents_example_is_read_and_missing_and_unused_keys_are_named(tmp_path: Path) -> None:
    plan = read(tmp_path, DOCUMENT)
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
    assert plan.bot_networks == (), "bots on this machine must need no network in the list"
    assert plan.start == "bots", "a tournament of an Arena file starts without an operator"
    today = datetime.now().astimezone().date()
    assert plan.date == today, "the date must be the file's, so that a resumed tournament finds its journal"
    many = ", ".join(f'"key {number}": {number}' for number in range(5000))
    *_, remark = read(tmp_path, "{" + many + ", " + TWO + "}").remarks
    assert remark.endswith("key 11 and 4988 more")


def test_ports_of_bots_are_left_to_them_and_the_file_limits_the_number_of_bots(tmp_path: Path) -> None:
    plan = read(tmp_path, '{"ais": [{"ai_id": "a", "port": 8000}, {"ai_id": "b", "port": 5000}]}')
    assert (plan.pages_port, plan.register_port) == (8001, 0)
    eleven = ", ".join(f'{{"ai_id": "{port}", "port": {port}}}' for port in range(1, 12))
    assert faults(tmp_path, f'{{"ais": [{eleven}]}}') == [
        "ais: has 11, and tournament.max_players is 10; raise it if more may play"
    ]
    assert read(tmp_path, f'{{"tournament": {{"max_players": 12}}, "ais": [{eleven}]}}')


def test_blinds_never_rise_in_regular_mode(tmp_path: Path) -> None:
    table = {
        "mode": "regular", "rounds": 2, "max_hands_per_round": 100, "small_blind": 5, "big_blind": 10,
        "initial_chips": 500,
    }  # fmt: skip
    contest = read(tmp_path, '{"tournament": ' + json.dumps(table) + ", " + TWO + "}").contest_format
    assert contest.rules.levels == (Level(5, 10),)
    assert contest.rules.hands_per_level == 0
    assert (contest.starting_stack, contest.stages[-1].games, contest.stages[-1].hands) == (500, 2, 100)


def test_listed_addresses_are_allowed_and_a_url_overrides_the_port(tmp_path: Path) -> None:
    listed = [
        {"ai_id": "a", "port": 5001, "url": "http://10.0.0.7:6001/"},
        {"ai_id": "b", "url": "localhost:6002"},
        {"ai_id": "c", "port": 5001, "host": "fd00::7"},
    ]
    plan = read(tmp_path, json.dumps({"ais": listed}))
    urls = ["http://10.0.0.7:6001", "http://localhost:6002", "http://[fd00::7]:5001"]
    assert [entry.url for entry in plan.entries] == urls
    assert plan.bot_networks == ("10.0.0.7/32", "fd00::7/128")
    wrong = [{"ai_id": "a", "url": "http://ada.local:1"}, {"ai_id": "b", "url": "https://x:1", "host": "y"}]
    assert faults(tmp_path, json.dumps({"ais": wrong})) == [
        "ais[1].url: is a host name: write its IP address, or list the networks it may be in: "
        '"bot_networks": ["10.0.0.0/8"]',
        "ais[2].host: cannot be combined with url, which contains the host",
        'ais[2].url: should begin with http://, not the text "https://x:1"',
    ]
    named = {"bot_networks": ["10.0.0.0/8"], "ais": [wrong[0], {"ai_id": "b", "port": 1, "host": "bea.local"}]}
    assert read(tmp_path, json.dumps(named)).bot_networks == ("10.0.0.0/8",)


def test_organiser_sets_the_time_limit_and_the_pause_between_hands(tmp_path: Path) -> None:
    keys = '{"timeout": 1.5, "tournament": {"delay_between_hands": 0.25}, "description": "For\\nall", '
    plan = read(tmp_path, keys + TWO + "}")
    assert (plan.contest_format.rules.think_ms, plan.hand_pause_seconds) == (1500, 0.25)
    assert plan.remarks[0] == "For all"
    wrong = '{"timeout": 0, "tournament": {"delay_between_hands": true, "max_players": 1}, "description": 5, '
    assert faults(tmp_path, wrong + TWO + "}") == [
        "tournament.max_players: should be a whole number from 2 to 1000, not the number 1",
        "tournament.delay_between_hands: should be a number of seconds from 0 to 60, not true",
        "description: should be a text in quotation marks, not the number 5",
        "timeout: should be a number of seconds from 0.1 to 60, not the number 0",
    ]


def blinds(folder: Path, text: str) -> str:
    (folder / "blinds").mkdir(exist_ok=True)
    (folder / "blinds" / "own.json").write_text(text, encoding="utf-8")
    return '{"tournament": {"blind_structure_file": "blinds/own.json"}, ' + TWO + "}"


def test_blinds_and_the_length_of_their_levels_are_read_from_the_blinds_file(tmp_path: Path) -> None:
    text = """{"name": "Fast", "levels": [
        {"level": 1, "small_blind": 5, "big_blind": 10, "duration": 12},
        {"level": 2, "small_blind": 10, "big_blind": 20, "ante": 2, "duration": 18},
        {"level": 3, "small_blind": 50, "big_blind": 100, "duration": 7}]}"""
    rules = read(tmp_path, blinds(tmp_path, text)).contest_format.rules
    first, second, last = Level(5, 10), Level(10, 20, 2), Level(50, 100)
    assert [level_of(rules, hand) for hand in (1, 12, 13, 30, 31, 32, 38, 500)] == [
        first, first, second, second, last, last, last, last,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", 'own.json: should be an object with "levels", a list of objects in braces'),
        (
            '{"levels": [{"small_blind": 5, "big_blind": 2, "duration": 0}]}',
            "own.json, levels[1].big_blind: should be at least the small blind of 5; "
            "own.json, levels[1].duration: should be a whole number from 1 to 10000, not the number 0",
        ),
        (
            json.dumps({"levels": [{"small_blind": 1, "big_blind": 2, "duration": hands} for hands in (9973, 5, 5)]}),
            "the durations have too small a common divisor: split into equal levels, they make more than 1000",
        ),
        ("9" * (1 << 21), '"blinds/own.json" cannot be read: it is larger than 1 MiB'),
    ],
)
def test_mistakes_in_the_blinds_file_are_named(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(tmp_path, blinds(tmp_path, text)) == [f"tournament.blind_structure_file: {fault}"]


@pytest.mark.parametrize("path", ["gone.json", "/no/such/file.json", "."])
def test_missing_blinds_file_means_the_29_levels_and_a_remark(tmp_path: Path, path: str) -> None:
    plan = read(tmp_path, f'{{"tournament": {{"blind_structure_file": "{path}"}}, ' + TWO + "}")
    assert plan.contest_format.rules == ARENA
    assert f'there is no file "{path}" in {tmp_path}: the 29 levels apply' in plan.remarks


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = """{"tournament": {"mode": "fast", "rounds": 2.5, "max_hands": 5}, "ais": [
        {"ai_id": " ", "ai_name": "x\u202e", "port": "5001"},
        {"ai_id": "b", "prot": 5000},
        {"ai_id": "c", "ai_name": "Cid", "port": 5003},
        {"ai_id": "c", "port": 5003, "host": "localhost"},
        {"ai_id": "d", "ai_name": "C1d", "port": 70000, "host": "http://x"}]}"""
    assert faults(tmp_path, text) == [
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


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", 'tournament_test.json: should be one object with "tournament" and "ais"'),
        ("[" * 100_000, "tournament_test.json: it contains a number that is too large, or is nested too deeply"),
        ("{}", "ais: should be a list of objects in braces, one for each bot"),
        ('{"ais": []}', "ais: has 0; there should be 2 to 12 bots"),
        (
            '{"tournament": {"small_blind": 1}, ' + TWO + "}",
            'tournament.small_blind: is only for "mode": "regular"; in tournament mode the blinds rise',
        ),
    ],
)
def test_each_mistake_is_named(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(tmp_path, text) == [fault]


def test_comments_become_spaces_and_texts_do_not_change() -> None:
    text = '{"a": "http://x", // one "two"\n"b": /* three\nfour */ "\\"//", "c": 1}'
    assert without_comments(text) == '{"a": "http://x",' + " " * 13 + '\n"b":         \n        "\\"//", "c": 1}'


def test_invisible_and_look_alike_ids_and_names_are_refused(tmp_path: Path) -> None:
    cyrillic = "\u0441"
    named = [("a\u202eb", "Ann"), ("b", "x\u0007"), ("c", "n" * 101), ("C", "Cy"), (cyrillic, "CY")]
    ais = [{"ai_id": ai_id, "ai_name": name, "port": port} for port, (ai_id, name) in enumerate(named, 1)]
    unseen = "cannot be shown as a name: it must not contain control, format or invisible characters"
    assert faults(tmp_path, json.dumps({"ais": ais})) == [
        f"ais[1].ai_id: {unseen}",
        f"ais[2].ai_name: {unseen}",
        "ais[3].ai_name: cannot be shown as a name: it must be at most 100 characters",
        'ais[5].ai_name: "CY" looks like "Cy" of ais[4]',
    ]

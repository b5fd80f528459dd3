"""`highnoon probe`: it finds every fault that was planted, and accuses no bot that has none."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from server.commands.authors.new import PROGRAMS, STARTERS
from server.game.contests import CONTESTS
from tests.commands.test_spar import GIVEN, starter
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.program import GAPLESS, highnoon

HERE = Path(__file__).parent
SOON = {
    "server.app.sparring.seats.ARRIVAL_SECONDS": 3.0,
    "server.app.probe.trial.PATIENCE": 1,
    **GAPLESS,
}
"""A bot that does not come is not waited for long."""
FAULTS = {
    "quick-draw": {
        "does not start": "comes to the table",
        "never registers": "comes to the table",
        "leaves at an all-in": "faces an all-in",
        "raises by the difference": "is first to act",
        "raises below zero": "may check",
        "writes amounts as words": "may check",
        "checks by a word of its own": "may check",
        "answers in plain text": "is first to act",
        "answers twice": "acts only when it is asked",
        "acts on whatever it hears": "acts only when it is asked",
        "is slow once": "answers in good time",
        "expects three at the table": "plays against one other",
        "expects plain names": "hears long and odd names",
        "knows all fields": "gets fields that it does not know",
        "takes a read for a message": "gets messages in pieces",
        "drops what comes together": "gets several messages at once",
        "answers every chat": "hears a storm of chat",
        "leaves when it is refused": "has an answer refused",
        "leaves after some hands": "plays twenty hands in a row",
    },
    "upac": {
        "does not start": "is first to act",
        "leaves at an all-in": "faces an all-in",
        "raises below zero": "is first to act",
        "checks by a word of its own": "may check",
        "writes small letters": "is first to act",
        "puts a blank in its raise": "is first to act",
        "is slow once": "answers in good time",
        "is silent at the river": "plays a hand to its end",
        "answers twice": "acts only when it is asked",
        "acts without being asked": "acts only when it is asked",
        "prints what it thinks": "is first to act",
        "leaves after some rounds": "plays twenty hands in a row",
    },
    "arena": {
        "does not start": "comes to the table",
        "answers with status 500": "is first to act",
        "answers in plain text": "is first to act",
        "answers a list": "is first to act",
        "answers with an unknown word": "is first to act",
        "writes amounts as words": "is first to act",
        "raises below zero": "is first to act",
        "answers nothing": "is first to act",
        "answers with a redirect": "is first to act",
        "is slow once": "answers in good time",
        "knows all fields": "gets fields that it does not know",
        "expects plain names": "hears long and odd names",
        "fails after some hands": "plays twenty hands in a row",
    },
}
FAULTS["enova"] = FAULTS["arena"]
PLANTED = [(contest, fault, found) for contest, faults in FAULTS.items() for fault, found in faults.items()]


def command(contest: str, fault: str) -> str:
    """A bot with a fault."""
    python = shlex.quote(sys.executable)
    if contest in ("arena", "enova"):
        return f"{python} {HERE / 'faulty_http.py'} {contest} {shlex.quote(fault)} {{port}}"
    program = HERE / f"faulty_{contest.replace('-', '_')}.py"
    return f"{python} {program} {shlex.quote(fault)} {'{server}' if contest == 'quick-draw' else ''}"


def probed(contest: str, bot: str, status: int, seconds: Mapping[str, float] = SOON) -> dict[str, Any]:
    """What is said of a bot as JSON."""
    ended = highnoon("probe", bot, "--contest", contest, "--json", seconds=seconds)
    assert ended.returncode == status, ended.stdout + ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    assert told["passed"] + told["failed"] == len(told["checks"])
    assert all(set(check) == {"name", "rule", "ok", "said", "expected"} for check in told["checks"])
    return told


@pytest.mark.parametrize(("contest", "fault", "found"), PLANTED)
def test_every_planted_fault_is_found_where_it_shows(contest: str, fault: str, found: str) -> None:
    told = probed(contest, command(contest, fault), 1)
    (check,) = (each for each in told["checks"] if each["name"] == found)
    assert not check["ok"]
    assert all(check[key] for key in ("rule", "said", "expected"))


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_a_bot_without_a_fault_passes_every_check(contest: str) -> None:
    python = probed(contest, starter(contest), 0)
    assert python["failed"] == 0
    assert len(python["checks"]) >= 12
    if shutil.which("node"):
        program = STARTERS / contest / "javascript" / PROGRAMS[contest]["javascript"]
        assert probed(contest, f"node {shlex.quote(str(program))} {GIVEN[contest]}", 0)["failed"] == 0


@pytest.mark.parametrize("contest", list(FAULTS))
def test_the_bots_of_these_tests_have_no_other_fault_than_the_planted(contest: str) -> None:
    assert probed(contest, command(contest, "none"), 0)["failed"] == 0


@NEEDS_BUBBLEWRAP
def test_a_folder_is_tried_in_its_box() -> None:
    slow = {**SOON, "server.app.probe.trial.SOON": 1.0}  # a box may start slowly beside other tests
    assert probed("upac", str(STARTERS / "upac/python"), 0, slow)["failed"] == 0


def test_in_words_each_check_is_a_line_and_a_fault_is_told_with_its_rule() -> None:
    ended = highnoon("probe", command("upac", "leaves after some rounds"), "--contest", "upac", seconds=SOON)
    assert ended.returncode == 1
    assert "  ok    is first to act" in ended.stdout
    assert "  FAIL  plays twenty hands in a row\n        it said      it left: ended with status 7" in ended.stdout
    assert "        the rule     A bot plays as many hands as it is dealt." in ended.stdout
    assert re.search(r": 12 of 13 checks passed", ended.stdout)


@pytest.mark.parametrize(("words", "why"), [
    (("careful",), "careful is a style of the house: give a bot of your own"),
    (("nonsense",), "'nonsense' is neither a house style"),
    (("tcp://127.0.0.1:5000", "--contest", "arena"), "only bots of quick-draw come in by themselves"),
])  # fmt: skip
def test_what_cannot_be_tried_is_refused(words: tuple[str, ...], why: str) -> None:
    ended = highnoon("probe", *words)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert why in ended.stderr

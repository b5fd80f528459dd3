"""`highnoon spar` lets real programs play mirrored deals, and says how certain the result is.

`highnoon fork` asks a new version of a bot all questions that the old one was asked, and lists changed answers.
"""

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from server.commands.authors.new import STARTERS_FOLDER
from server.contests import CONTESTS
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import GIVEN, PROGRAMS, changed_starter
from tests.support.program import highnoon

PYTHON = shlex.quote(sys.executable)


def starter(contest: str) -> str:
    program = STARTERS_FOLDER / contest / "python" / PROGRAMS[contest]["python"]
    return f"{PYTHON} {shlex.quote(str(program))} {GIVEN[contest]}"


def spar(*words: str) -> dict[str, Any]:
    """Plays a match, which must succeed; returns the JSON that it prints."""
    ended = highnoon("spar", *words, "--json")
    assert ended.returncode == 0, ended.stderr
    result: dict[str, Any] = json.loads(ended.stdout)
    return result


def upac_bot(folder: Path, answer: str, begin: str = "") -> str:
    """The command of a UPAC bot named "faulty", which executes `begin` for each line and always answers `answer`."""
    loop = f"import sys\nfor count, line in enumerate(sys.stdin):\n    {begin or 'pass'}\n"
    (folder / "faulty.py").write_text(f"{loop}    line.startswith('STACK') and print({answer!r}, flush=True)\n")
    return f"{PYTHON} {folder / 'faulty.py'}"


def test_house_styles_play_and_the_result_is_printed_as_json(tmp_path: Path) -> None:
    result = spar("careful", "--against", "loose,random", "--hands", "60", "--seed", "1", "--record", str(tmp_path))
    assert result["hands"] == 60
    assert [bot["name"] for bot in result["bots"]] == ["Careful", "Loose", "Random"]
    assert abs(sum(bot["won_per_100"] for bot in result["bots"])) < 0.1
    assert all(bot["low"] < bot["earned_per_100"] < bot["high"] for bot in result["bots"])
    assert 0 <= result["better"] <= 1
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["table-1.jsonl", "table-2.jsonl", "table-3.jsonl"]
    assert highnoon("verify", str(tmp_path / "table-2.jsonl")).returncode == 0
    assert spar("careful", "--against", "loose,random", "--hands", "60", "--seed", "1") == result


def test_several_bots_of_a_contest_for_two_play_each_against_each(tmp_path: Path) -> None:
    match = ("careful", "--against", "loose,careful", "--contest", "upac", "--hands", "40", "--seed", "1")
    result = spar(*match, "--record", str(tmp_path))
    pairs = [[bot["name"] for bot in each["bots"]] for each in result["matches"]]
    assert pairs == [["Careful", "Loose"], ["Careful", "Careful 2"], ["Loose", "Careful 2"]]
    earned = [bot["earned_per_100"] for bot in result["bots"]]
    assert (len(earned), earned) == (3, sorted(earned, reverse=True))
    assert sum(earned) == pytest.approx(0, abs=0.1)
    assert all(bot["matches"] == 2 for bot in result["bots"])
    assert len(list(tmp_path.glob("match-*/table-*.jsonl"))) == 6
    printed = highnoon("spar", *match).stdout
    assert printed.count("chips per 100 hands") == 4
    assert "round robin: chips per 100 hands, as the mean of each bot's matches" in printed


def test_clear_match_ends_early_and_is_printed_with_a_graph(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    match = ("--hands", "1000", "--contest", "upac", "--page", str(page))
    ended = highnoon("spar", "calling", "--against", upac_bot(tmp_path, "F"), *match)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("200 hands: 100 deals, each from every seat")
    assert "Calling is better than faulty: probability " in ended.stdout
    assert "what Calling earned, in chips" in ended.stdout
    assert re.search("for the same deals: --seed [0-9a-f]{64}", ended.stdout)
    assert "hands: 200 of 1000" in ended.stderr
    text = page.read_text()
    assert f"--seed {re.findall('--seed ([0-9a-f]+)', ended.stdout)[0]}<" in text
    assert "Calling is better than faulty: probability " in text
    assert len(re.findall(r"[ML]", re.findall(r'class="line" d="([^"]+)"', text)[0])) == 101, (
        "the line must have a point before the first deal and after each of 100 deals"
    )
    assert not re.findall(r"(?:src|href)=\"(?!data:)", text), "the page must load no other file"


def test_program_that_goes_on_after_the_match_is_stopped(tmp_path: Path) -> None:
    number = tmp_path / "number"
    script = f"echo $$ > {shlex.quote(str(number))}; {starter('quick-draw')}; exec sleep 600"
    spar(f"sh -c {shlex.quote(script)}", "--against", "careful", "--hands", "2")
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize("contest", ["quick-draw", "upac"])
def test_folder_is_built_and_plays_in_its_box(contest: str) -> None:
    result = spar(
        str(STARTERS_FOLDER / contest / "python"), "--against", "careful", "--hands", "6", "--contest", contest
    )
    assert (result["hands"], result["bots"][0]["name"]) == (6, "python")


@pytest.mark.parametrize(("answer", "begin", "status", "error"), [
    ("MAYBE", "", 0, "faulty: malformed: an action is F, C, or R followed by a whole number"),
    ("C", "count > 100 and sys.exit(3)", 1, "faulty left: ended with status 3"),
])  # fmt: skip
def test_bot_with_a_fault_or_early_exit_is_named_and_finished_deals_count(
    answer: str, begin: str, status: int, error: str, tmp_path: Path
) -> None:
    words = ("--against", "calling", "--hands", "40", "--contest", "upac")
    ended = highnoon("spar", upac_bot(tmp_path, answer, begin), *words)
    assert ended.returncode == status, ended.stderr
    assert error in ended.stderr
    assert "each from every seat" in ended.stdout


@pytest.mark.parametrize(("words", "why"), [
    (("nonsense", "--against", "careful"), "'nonsense' is neither a house style (careful, loose"),
    (("python3 bot.py", "--against", "careful"), "has no {server}, which the program needs"),
    (("python3 nowhere.py {server}", "--against", "careful"), "nowhere ended with status 2"),
    (("http://127.0.0.1:1", "--against", "careful"), "cannot be asked for its contest: no connection to its server"),
    (("http://127.0.0.1:1", "--against", "careful", "--contest", "quick-draw"), "are not web servers"),
    ((str(STARTERS_FOLDER), "--against", "careful", "--contest", "arena"), "is a folder: for arena give a command"),
    (("careful", "--against", ",".join(12 * ["loose"]), "--contest", "upac"), "it takes 2 to 12"),
    (("careful", "--against", "loose,random", "--contest", "upac", "--page", "x.html"), "a page shows a single match"),
    (("careful", "--against", "loose", "--hands", "0"), "'0' is not a whole number from 1 to 1000000"),
])  # fmt: skip
def test_impossible_match_is_refused_in_one_line(words: tuple[str, ...], why: str) -> None:
    ended = highnoon("spar", *words)
    assert ended.returncode in (1, 2)
    assert why in ended.stderr
    assert ended.stdout == ""


HANDS = "40"
Recorded = dict[str, tuple[Path, str]]
"""For each contest, a recording of its starter and the starter's name."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    recordings = {}
    for contest in CONTESTS:
        folder = tmp_path_factory.mktemp(contest)
        words = (starter(contest), "--against", "calling", "--contest", contest, "--record", str(folder), "--json")
        ended = highnoon("spar", *words, "--hands", HANDS, "--seed", "f")
        assert ended.returncode == 0, ended.stderr
        recordings[contest] = (folder / "table-1.jsonl", json.loads(ended.stdout)["bots"][0]["name"])
    return recordings


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_unchanged_bot_answers_every_question_as_before(contest: str, recorded: Recorded) -> None:
    path, name = recorded[contest]
    ended = highnoon("fork", str(path), "--bot", name, "--with", starter(contest), "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result == {"bot": name, "questions": result["questions"], "different": 0, "changes": [], "hands": []}
    assert result["questions"] >= int(HANDS) // 2


def test_different_answers_are_counted_and_listed(recorded: Recorded, tmp_path: Path) -> None:
    path, name = recorded["quick-draw"]
    folds = changed_starter(tmp_path / "folds", 'return {"action": "fold", "raise_amount": 0}')
    words = ("fork", str(path), "--bot", name, "--with", folds)
    ended = highnoon(*words, "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert 0 < result["different"] < result["questions"]
    assert result["different"] == sum(change["count"] for change in result["changes"]) == len(result["hands"])
    assert {change["now"] for change in result["changes"]} == {"folds"}
    assert all(change["count"] == change["of"] for change in result["changes"]), "the new version always folds"
    assert "fold" not in {hand["was"]["act"] for hand in result["hands"]}
    assert {hand["now"]["act"] for hand in result["hands"]} == {"fold"}
    printed = highnoon(*words).stdout.splitlines()
    assert printed[0].startswith(f"{name}: a different answer to {len(result['hands'])} of {result['questions']} ")
    first = result["hands"][0]
    assert printed[printed.index("hands to look at:") + 1].startswith(
        f"  hand {first['number']} (game {first['game']} hand "
    )


@pytest.mark.parametrize(("begin", "status", "words"), [
    ("", 0, ("now has no valid answer (malformed)", "an action is F, C, or R followed by a whole number")),
    ("sys.exit(3)", 1, ("faulty left: ended with status 3",)),
])  # fmt: skip
def test_broken_version_is_reported_with_the_reason(
    begin: str, status: int, words: tuple[str, ...], recorded: Recorded, tmp_path: Path
) -> None:
    path, name = recorded["upac"]
    ended = highnoon("fork", str(path), "--bot", name, "--with", upac_bot(tmp_path, "MAYBE", begin))
    assert ended.returncode == status, ended.stderr
    assert all(each in ended.stdout + ended.stderr for each in words)

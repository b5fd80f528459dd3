"""`highnoon probe` finds every planted fault, and no fault in bots without faults."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from server.commands.authors.new import STARTERS_FOLDER
from server.contests import CONTESTS
from tests.commands.test_spar import starter
from tests.support.bots.starters import GIVEN, PROGRAMS
from tests.support.ports import free_ports
from tests.support.program import highnoon

HERE = Path(__file__).parent
STRANGERS = Path(__file__).parents[1] / "data" / "strangers"
ARGUMENTS = {"quick-draw": "{server}", "enova": "{port}", "arena": "{port}", "upac": ""}
INTERPRETERS = {
    ".py": (sys.executable,), ".js": ("node",), ".pl": ("perl",), ".sh": ("bash",),
    ".awk": ("mawk", "-W", "interactive", "-f"),
}  # fmt: skip
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
"""Where programs are looked for: first beside Python, as a clone has its own Node.js there."""
FAULTS = {
    "quick-draw": {
        "comes to the table": ("does not start", "never registers"),
        "is first to act": ("leaves at the river", "sends far too much", "sends half an answer"),
        "may check": ("checks with an unknown word", "leaves when a pot is shared", "expects to be the first player"),
        "faces a raise": ("leaves at a raise",),
        "faces an all-in": ("leaves at an all-in", "leaves with a short stack"),
        "plays against one other": ("expects three players",),
        "hears long and odd names": ("expects plain names",),
        "gets fields that it does not know": ("rejects unknown fields",),
        "sits beside one who is out": ("expects two cards of every bot",),
        "gets messages in pieces": ("treats each read as a message",),
        "gets several messages at once": ("drops messages that arrive together",),
        "hears a storm of chat": ("answers every chat",),
        "has an answer refused": ("leaves when it is refused",),
        "plays twenty hands in a row": ("leaves after some hands",),
        "answers in good time": ("is slow once",),
        "acts only when it is asked": ("acts on every message", "answers twice"),
    },
    "upac": {
        "is first to act": ("does not start", "does not flush its answers", "leaves as the small blind",
                            "prints its thoughts", "reads whole blocks", "sends far too much"),
        "may check": ("checks with an unknown word",),
        "faces a raise": ("leaves at a raise",),
        "faces an all-in": ("leaves at an all-in",),
        "has hardly more than a blind": ("leaves with a short stack",),
        "plays twenty hands in a row": ("leaves after some rounds",),
        "answers in good time": ("is slow once",),
        "acts only when it is asked": ("acts without being asked", "answers twice"),
    },
    "arena": {
        "comes to the table": ("does not start",),
        "is first to act": ("answers with status 500", "sends far too much"),
        "plays a hand to its end": ("fails at the river",),
        "faces a raise": ("fails at a raise",),
        "faces an all-in": ("fails at an all-in",),
        "has hardly more than a blind": ("fails with a short stack",),
        "plays against one other": ("fails against a single bot",),
        "sits at a full table": ("fails at a full table",),
        "hears long and odd names": ("expects plain names",),
        "gets fields that it does not know": ("rejects unknown fields",),
        "sits beside one who is out": ("fails beside a bot that is out",),
        "plays twenty hands in a row": ("fails after some hands",),
        "answers in good time": ("is slow once",),
    },
}  # fmt: skip
"""The faults in each contest, by the check that finds them. The tests of the dialects have more malformed answers."""
FAULTS["enova"] = {found: faults for found, faults in FAULTS["arena"].items() if "is out" not in found}
COMMANDS_AT_ONCE = 8
"""The number of commands that run at the same time, because each mostly waits."""
BATCH = 5
"""How many faulty bots each command tries."""
PLANTED = [
    (contest, fault, found)
    for contest, checks in FAULTS.items()
    for found, faults in checks.items()
    for fault in faults
]
ReportOf = Callable[[str, str], dict[str, Any]]


def command(contest: str, fault: str) -> str:
    python = f"{shlex.quote(sys.executable)} -S"  # -S skips installed packages, which the bots do not need
    if contest in ("arena", "enova"):
        return f"{python} {HERE / 'faulty_http.py'} {contest} {shlex.quote(fault)} {{port}}"
    program = HERE / f"faulty_{contest.replace('-', '_')}.py"
    return f"{python} {program} {shlex.quote(fault)} {'{server}' if contest == 'quick-draw' else ''}"


def probe_all(contest: str, bots: Sequence[str], status: int) -> list[dict[str, Any]]:
    """Runs the command once, checks that it exits with `status`, and returns its JSON reports on `bots`."""
    ended = highnoon("probe", *bots, "--contest", contest, "--json")
    assert ended.returncode == status, ended.stdout + ended.stderr
    reports = json.loads(ended.stdout)
    reports = reports if len(bots) > 1 else [{"bot": bots[0], **reports}]
    assert [report["bot"] for report in reports] == list(bots)
    for report in reports:
        assert report["passed"] + report["failed"] == len(report["checks"])
        assert all(set(check) == {"name", "rule", "ok", "said", "expected", "tried"} for check in report["checks"])
    return list(reports)


def probe_faulty(contest: str, faults: Sequence[str]) -> dict[str, Any]:
    bots = [command(contest, fault) for fault in faults]
    return dict(zip(faults, probe_all(contest, bots, 1), strict=True))


@pytest.fixture(scope="module")
def reports_on_faulty(request: pytest.FixtureRequest) -> Iterator[ReportOf]:
    """Yields a function that returns the report on the bot with a fault.

    All bots that the chosen tests need are probed in advance, in batches.
    """
    calls = [item.callspec for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    together: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        if "found" in call.params:
            together[call.params["contest"]].append(call.params["fault"])
    with ThreadPoolExecutor(COMMANDS_AT_ONCE) as pool:
        started = {
            (contest, fault): reported
            for contest, all_faults in together.items()
            for faults in (all_faults[first : first + BATCH] for first in range(0, len(all_faults), BATCH))
            for reported in [pool.submit(probe_faulty, contest, faults)]
            for fault in faults
        }
        yield lambda contest, fault: started[contest, fault].result()[fault]


@pytest.mark.parametrize(("contest", "fault", "found"), PLANTED)
def test_bot_with_a_planted_fault_fails_the_check_for_it(
    contest: str, fault: str, found: str, reports_on_faulty: ReportOf
) -> None:
    (check,) = (each for each in reports_on_faulty(contest, fault)["checks"] if each["name"] == found)
    assert not check["ok"]
    assert all(check[key] for key in ("rule", "said", "expected"))


@pytest.mark.parametrize("contest", ARGUMENTS)
def test_five_bots_written_from_the_rule_book_alone_pass_every_check(contest: str) -> None:
    bots = sorted(each for each in (STRANGERS / contest).iterdir() if each.suffix in INTERPRETERS)
    assert len(bots) == 5
    programs = {bot: shutil.which(INTERPRETERS[bot.suffix][0], path=PATH) for bot in bots}
    commands = [
        f"{program} {' '.join(INTERPRETERS[bot.suffix][1:])} {bot} {ARGUMENTS[contest]}"
        for bot, program in programs.items()
        if program
    ]
    assert not [each for each in probe_all(contest, commands, 0) if each["failed"]]
    if missing := [bot.name for bot, program in programs.items() if not program]:
        pytest.skip(f"there is no program for {', '.join(missing)}; the others pass")


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_bot_without_a_fault_passes_every_check(contest: str) -> None:
    bots = [starter(contest)]
    if contest in FAULTS:
        bots.append(command(contest, "none"))
    if shutil.which("node"):
        program = STARTERS_FOLDER / contest / "javascript" / PROGRAMS[contest]["javascript"]
        bots.append(f"node {shlex.quote(str(program))} {GIVEN[contest]}")
    for report in probe_all(contest, bots, 0):
        assert (report["failed"], report["passed"] >= 12) == (0, True)


def test_text_report_lists_checks_and_broken_rules_and_counts_checks_not_tried() -> None:
    ended = highnoon("probe", command("upac", "leaves at a raise"), "--contest", "upac")
    assert ended.returncode == 1
    assert "  ok    is first to act" in ended.stdout
    assert "  FAIL  faces a raise\n        it said      it left: ended with status 4" in ended.stdout
    assert re.search(r"        expected     F, C .*, within 1 s\n        the rule     \S", ended.stdout)
    assert re.findall(r"^  FAIL  (.+)|^  \d+ more (not tried)", ended.stdout, re.MULTILINE) == [
        ("faces a raise", ""), ("", "not tried"),
    ]  # fmt: skip


@pytest.mark.parametrize(("contest", "fault", "said"), [
    ("quick-draw", "sends half an answer", r'the end of its message did not arrive within 3 s: \{"command": "'),
    ("quick-draw", "is slow once", r"its answer came after 3\.\d s, 0\.\d s late: it does not count"),
    ("arena", "is almost late once",
     r"  ok    answers in good time\n +remark +half .*, the slowest (1[5-9]|2\d)\d\d ms: better all within 1500 ms"),
    ("upac", "does not flush its answers", r"no answer within 6 s, 5 of them for its start, .* \(does it flush "),
])  # fmt: skip
def test_late_message_is_reported_with_what_came_and_when(contest: str, fault: str, said: str) -> None:
    assert re.search(said, highnoon("probe", command(contest, fault), "--contest", contest).stdout)


@pytest.mark.parametrize(("words", "why"), [
    (("careful",), "careful is a house style: give a bot of your own"),
    (("pyton3 bot.py {server}",), "is not a command, because there is no program 'pyton3' here"),
    ((str(STARTERS_FOLDER / "arena/python/ai_http_server.py"), "--contest", "arena"), "is a file, but not a program"),
    ((str(STARTERS_FOLDER / "upac/python"),), "has a bot.json, so it is a bot of upac: add --contest upac"),
    (("tcp://127.0.0.1:5000", "--contest", "arena"), "connect by themselves"),
])  # fmt: skip
def test_invalid_bot_is_refused_with_the_reason(words: tuple[str, ...], why: str) -> None:
    ended = highnoon("probe", *words)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert why in ended.stderr


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("contest", ["arena", "enova"])
def test_bot_at_an_address_is_asked_for_its_contest(contest: str, language: str) -> None:
    program = STARTERS_FOLDER / contest / language / PROGRAMS[contest][language]
    interpreter = sys.executable if language == "python" else shutil.which("node")
    if not interpreter:
        pytest.skip("node is not installed")
    [port] = free_ports(1)
    with subprocess.Popen([interpreter, str(program), str(port)], stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout
            assert bot.stdout.readline().startswith("listening on ")
            ended = highnoon("probe", f"http://127.0.0.1:{port}")
        finally:
            bot.kill()
    assert (ended.returncode, "FAIL" in ended.stdout) == (0, False), ended.stdout + ended.stderr
    assert f"http://127.0.0.1:{port} answers like a bot of {contest}; if it is not, use --contest" in ended.stderr

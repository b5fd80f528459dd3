"""`highnoon probe` finds every planted fault, and reports no fault if a bot has none."""

import json
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from server.commands.authors.new import STARTERS_FOLDER
from server.contests import CONTESTS
from tests.support.bots.starters import PROGRAMS, STARTER_ARGUMENTS, starter_command
from tests.support.ports import free_ports, running_server
from tests.support.program import highnoon

STRANGERS_FOLDER = Path(__file__).parents[1] / "data" / "strangers"
"""A folder with bots whose authors knew only the rule book."""
STRANGER_ARGUMENTS = {"quick-draw": "{server}", "enova": "{port}", "arena": "{port}", "upac": ""}
INTERPRETERS = {
    ".py": (sys.executable,), ".js": ("node",), ".pl": ("perl",), ".sh": ("bash",),
    ".awk": ("mawk", "-W", "interactive", "-f"),
}  # fmt: skip
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
"""The search path for programs. In a clone of this repository, Node.js is installed beside Python."""
START, ASKED, TOLD = "at start", "asked", "told"
"""When a faulty bot runs its fault's code: at its start, when it is asked for an action, or when it gets a message."""
Fault = tuple[str, str, str]
"""The name of the check that finds the fault, the moment at which the bot makes the fault, and the fault's code."""
QUICK_DRAW: dict[str, Fault] = {
    "does not start": ("comes to the table", START, "sys.exit(3)"),
    "never registers": ("comes to the table", START, "time.sleep(60)"),
    "leaves at the river": ("is first to act", ASKED, "if len(board) == 5: sys.exit(4)"),
    "sends far too much": ("is first to act", ASKED, "call['thoughts'] = 200_000 * 'hm '"),
    "sends half an answer": (
        "is first to act", START, "json.dumps = lambda said: dumps(said)[: -9 if 'command' in said else 99]",
    ),
    "checks with an unknown word": ("may check", ASKED, "call = call if to_call else {'action': 'check'}"),
    "leaves when a pot is shared": (
        "may check", TOLD, "if any(len(pot['winners']) > 1 for pot in message.get('pots', ())): sys.exit(8)",
    ),
    "expects to be the first player": ("may check", ASKED, "if not players[0]['hand']: sys.exit(4)"),
    "leaves at a raise": ("faces a raise", ASKED, "if highest > 100: sys.exit(4)"),
    "leaves at an all-in": ("faces an all-in", ASKED, "if to_call >= me['bank']: sys.exit(4)"),
    "leaves with a short stack": ("faces an all-in", ASKED, "if me['bank'] < highest: sys.exit(4)"),
    "expects three players": ("plays against one other", ASKED, "if len(players) != 3: sys.exit(4)"),
    "expects plain names": ("hears long and odd names", ASKED, "if not str(players).isascii(): sys.exit(4)"),
    "rejects unknown fields": ("gets fields that it does not know", ASKED, "if 'zz_unknown' in request: sys.exit(4)"),
    "expects two cards of every bot": (
        "sits beside one who is out", TOLD,
        "if command == 'hand_result': [each['hand'][1] for each in message['players']]",
    ),
    "treats each read as a message": ("gets messages in pieces", START, "socket.socket.makefile = read_lines"),
    "drops messages that arrive together": (
        "gets several messages at once", START,
        "keep = lambda lines: lines[:1] if 'request_action' in lines[-1] else lines\n"
        "socket.socket.makefile = read_lines",
    ),
    "answers every chat": ("hears a storm of chat", TOLD, "if command == 'receive_chat': sys.exit(5)"),
    "leaves when it is refused": ("has an answer refused", TOLD, "if message.get('result') == 'error': sys.exit(6)"),
    "leaves after some hands": (
        "plays twenty hands in a row", TOLD, "SEEN.append(command)\nif SEEN.count('hand_result') > 30: sys.exit(7)",
    ),
    "is slow once": (
        "answers in good time", ASKED, "if board[4:] and not SEEN: time.sleep(3.3)\nSEEN.extend(board[4:])",
    ),
    "acts on every message": (
        "acts only when it is asked", TOLD,
        "if command == 'hand_result': return {'command': 'take_action', 'action': 'call'}",
    ),
    "answers twice": (
        "acts only when it is asked", START, "json.dumps = lambda said: dumps(said) * (1 + ('action' in said))",
    ),
}  # fmt: skip
UPAC: dict[str, Fault] = {
    "does not start": ("is first to act", START, "sys.exit(3)"),
    "does not flush its answers": ("is first to act", START, "print = lambda *_, **__: 'it stays in the buffer'"),
    "leaves as the small blind": ("is first to act", ASKED, "if now.blind == 'SB': sys.exit(7)"),
    "prints its thoughts": ("is first to act", START, "print('thinking', flush=True)"),
    "reads whole blocks": ("is first to act", START, "sys.stdin = read_blocks(sys.stdin)"),
    "sends far too much": ("is first to act", ASKED, "call = 100_000 * 'C'"),
    "checks with an unknown word": ("may check", ASKED, "call = 'CHECK' if pushed == their_pushed else 'C'"),
    "leaves at a raise": ("faces a raise", ASKED, "if their_pushed > max(pushed, 2): sys.exit(4)"),
    "leaves at an all-in": (
        "faces an all-in", ASKED, "if pushed < their_pushed >= min(stack, their_stack) - 1: sys.exit(4)",
    ),
    "leaves with a short stack": ("has hardly more than a blind", ASKED, "if stack + pushed < 5: sys.exit(4)"),
    "leaves after some rounds": (
        "plays twenty hands in a row", ASKED, "SEEN.append(now)\nif len(set(SEEN)) > 15: sys.exit(7)",
    ),
    "is slow once": (
        "answers in good time", ASKED, "if now.board[4:] and not SEEN: time.sleep(1.2)\nSEEN.extend(now.board[4:])",
    ),
    "acts without being asked": ("acts only when it is asked", START, "print = lambda *_, **__: say('C', flush=True)"),
    "answers twice": ("acts only when it is asked", ASKED, "call = 'C\\nC'"),
}  # fmt: skip
ENOVA: dict[str, Fault] = {
    "does not start": ("comes to the table", START, "sys.exit(3)"),
    "answers with status 500": (
        "is first to act", START,
        "respond = Server.send_response\n"
        "Server.send_response = lambda self, ok: respond(self, 500 if 'action' in self.path else ok)",
    ),
    "sends far too much": ("is first to act", ASKED, "call['thoughts'] = 300_000 * 'hm '"),
    "fails at the river": ("plays a hand to its end", ASKED, "assert board < 5"),
    "fails at a raise": ("faces a raise", ASKED, "assert not raised"),
    "fails at an all-in": ("faces an all-in", ASKED, "assert not 0 < chips <= to_call"),
    "fails with a short stack": ("has hardly more than a blind", ASKED, "assert not short"),
    "fails against a single bot": ("plays against one other", ASKED, "assert players != 2"),
    "fails at a full table": ("sits at a full table", ASKED, "assert players != 6"),
    "expects plain names": ("hears long and odd names", ASKED, "assert str(asked).isascii()"),
    "rejects unknown fields": ("gets fields that it does not know", ASKED, "assert 'zz_unknown' not in asked"),
    "fails after some hands": ("plays twenty hands in a row", ASKED, "assert len(SEEN) <= 25"),
    "is slow once": ("answers in good time", ASKED, "if len(SEEN) == 7: time.sleep(5.5)"),
}  # fmt: skip
ARENA = ENOVA | {"fails if one is out": ("sits beside one who is out", ASKED, "assert \"'out'\" not in str(asked)")}
FAULTS = {"quick-draw": QUICK_DRAW, "upac": UPAC, "enova": ENOVA, "arena": ARENA}
FAULTY_BOT_CODE = {
    "quick-draw": """
dumps, starters_hear, keep, plain = json.dumps, hear, lambda lines: lines, socket.socket.makefile

def read_lines(connection, *mode, **how):
    return pieces(connection) if how else plain(connection, *mode)

def pieces(connection):
    while received := connection.recv(65536):
        yield from keep(received.decode(errors="ignore").strip().split("\\n"))

def decide(request):
    players, board, highest = request["players"], request["community_cards"], request["highest_bid_value"]
    me = next(player for player in players if player["hand"])
    to_call, call = highest - me["round_bet"], {"action": "call", "raise_amount": 0}
    ASKED
    return call

def hear(message):
    command = message["command"]
    TOLD
    return starters_hear(message)
""",
    "upac": """
say = print

def read_blocks(stdin):
    while block := stdin.read(4096):
        yield from block.splitlines()

def decide(now, pushed, stack, their_pushed, their_stack):
    call = "C"
    ASKED
    return call
""",
    "enova": """
def decide(asked):
    SEEN.append(asked)
    chips, to_call = int(asked["your_chips"]), int(asked["minimum_bet"])
    players, board = len(asked["active_players"]), len(asked.get("community_cards", ()))
    raised, short = to_call > 2, chips < 4
    call = {"action": "blind" if asked["blind"] == "true" else "bet", "amount": to_call}
    ASKED
    return call
""",
    "arena": """
def decide(asked):
    SEEN.append(asked)
    valid = {action["action"]: action["amount"] for action in asked["valid_actions"]}
    chips, to_call = asked["players"][asked["current_player"]]["chips"], valid.get("call", 0)
    players, board = len(asked["players"]), len(asked["community_cards"])
    raised, short = asked["current_bet"] > asked["big_blind"], chips < 2 * asked["big_blind"]
    call = {"action": "call" if "call" in valid else "check"}
    ASKED
    return call
""",
}
"""Code that makes a starter (example bot) always call. A fault's code replaces ASKED or TOLD, or is appended."""
COMMANDS_AT_ONCE, BOTS_PER_COMMAND = 8, 3
"""Each command probes a few bots. It mostly waits, so several commands run at the same time."""


def write_faulty_bot(folder: Path, contest: str, fault: str = "none", code: str = "") -> str:
    """Writes a starter with a fault. Returns the command that runs it. `code` is for a fault that is not in FAULTS."""
    _, when, code = FAULTS[contest].get(fault, ("", ASKED, code))
    bot, program = folder / f"{contest} {fault}", PROGRAMS[contest]["python"]
    shutil.copytree(STARTERS_FOLDER / contest / "python", bot)
    faulty = f"\nimport time\n\nSEEN = []\n{FAULTY_BOT_CODE[contest]}{code if when == START else ''}"
    for mark in ("ASKED", "TOLD"):
        faulty = faulty.replace(f"    {mark}\n", textwrap.indent(code, "    ") + "\n" if mark.lower() == when else "")
    main_line = 'if __name__ == "__main__":'
    (bot / program).write_text((bot / program).read_text().replace(main_line, f"{faulty}\n{main_line}"))
    # -S skips installed packages, which the bots do not need.
    return f"{shlex.quote(sys.executable)} -S {shlex.quote(str(bot / program))} {STARTER_ARGUMENTS[contest]}"


def probe_all(contest: str, bots: Sequence[str], status: int) -> list[dict[str, Any]]:
    """Probes `bots` with one command, which must exit with `status`. Returns the command's JSON reports."""
    result = highnoon("probe", *bots, "--contest", contest, "--json")
    assert result.returncode == status, result.stdout + result.stderr
    reports = json.loads(result.stdout)
    reports = reports if len(bots) > 1 else [{"bot": bots[0], **reports}]
    assert [report["bot"] for report in reports] == list(bots)
    for report in reports:
        assert report["passed"] + report["failed"] == len(report["checks"])
        assert all(set(check) == {"name", "rule", "ok", "said", "expected", "tried"} for check in report["checks"])
    return list(reports)


@pytest.mark.parametrize("contest", FAULTS)
def test_planted_fault_fails_its_check(contest: str, tmp_path: Path) -> None:
    faults = list(FAULTS[contest])
    bots = [write_faulty_bot(tmp_path, contest, fault) for fault in faults]
    batches = [bots[first : first + BOTS_PER_COMMAND] for first in range(0, len(bots), BOTS_PER_COMMAND)]
    with ThreadPoolExecutor(COMMANDS_AT_ONCE) as pool:
        reports = chain.from_iterable(pool.map(lambda batch: probe_all(contest, batch, 1), batches))
        for fault, report in zip(faults, reports, strict=True):
            (check,) = (check for check in report["checks"] if check["name"] == FAULTS[contest][fault][0])
            assert not check["ok"], fault
            assert all(check[key] for key in ("rule", "said", "expected")), fault


@pytest.mark.parametrize("contest", STRANGER_ARGUMENTS)
def test_five_bots_written_from_the_rule_book_alone_pass_every_check(contest: str) -> None:
    bots = sorted(file for file in (STRANGERS_FOLDER / contest).iterdir() if file.suffix in INTERPRETERS)
    assert len(bots) == 5
    commands, missing = list[str](), list[str]()
    for bot in bots:
        interpreter, *options = INTERPRETERS[bot.suffix]
        if program := shutil.which(interpreter, path=PATH):
            commands.append(" ".join([program, *options, str(bot), STRANGER_ARGUMENTS[contest]]))
        else:
            missing.append(bot.name)
    assert not [report for report in probe_all(contest, commands, 0) if report["failed"]]
    if missing:
        pytest.skip(f"there is no program for {', '.join(missing)}; the others pass")


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_bot_without_a_fault_passes_every_check(contest: str, tmp_path: Path) -> None:
    bots = [starter_command(contest)]
    if contest in FAULTS:
        bots.append(write_faulty_bot(tmp_path, contest))
    if shutil.which("node"):
        program = STARTERS_FOLDER / contest / "javascript" / PROGRAMS[contest]["javascript"]
        bots.append(f"node {shlex.quote(str(program))} {STARTER_ARGUMENTS[contest]}")
    for report in probe_all(contest, bots, 0):
        assert (report["failed"], report["passed"] >= 12) == (0, True)


def test_text_report_names_broken_rules_and_counts_untried_checks(tmp_path: Path) -> None:
    result = highnoon("probe", write_faulty_bot(tmp_path, "upac", "leaves at a raise"), "--contest", "upac")
    assert result.returncode == 1
    assert "  ok    is first to act" in result.stdout
    assert "  FAIL  faces a raise\n        it said      it left: ended with status 4" in result.stdout
    assert re.search(r"        expected     F, C .*, within 1 s\n        the rule     \S", result.stdout)
    failed_and_untried = re.findall(r"^  FAIL  (.+)|^  \d+ more (not tried)", result.stdout, re.MULTILINE)
    assert failed_and_untried == [("faces a raise", ""), ("", "not tried")]


@pytest.mark.parametrize(("contest", "fault", "report"), [
    ("quick-draw", "sends half an answer", r'the end of its message did not arrive within 3 s: \{"command": "'),
    ("quick-draw", "is slow once", r"its answer came after 3\.\d s, 0\.\d s late: it does not count"),
    ("arena", "is almost late once",
     r"  ok    answers in good time\n +remark +half .*, the slowest (1[5-9]|2\d)\d\d ms: better all within 1500 ms"),
    ("upac", "does not flush its answers", r"no answer within 6 s, 5 of them for its start, .* \(does it flush "),
])  # fmt: skip
def test_late_message_is_reported_with_its_time(contest: str, fault: str, report: str, tmp_path: Path) -> None:
    bot = write_faulty_bot(tmp_path, contest, fault, "if len(SEEN) == 7: time.sleep(1.8)")
    assert re.search(report, highnoon("probe", bot, "--contest", contest).stdout)


@pytest.mark.parametrize(("words", "reason"), [
    (("careful",), "careful is a house style: give a bot of your own"),
    (("pyton3 bot.py {server}",), "is not a command, because there is no program 'pyton3' here"),
    ((str(STARTERS_FOLDER / "arena/python/ai_http_server.py"), "--contest", "arena"), "is a file, but not a program"),
    ((str(STARTERS_FOLDER / "upac/python"),), "has a bot.json, so it is a bot of upac: add --contest upac"),
    (("tcp://127.0.0.1:5000", "--contest", "arena"), "connect by themselves"),
    (("tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"), "tcp://127.0.0.1:5000 waits for a bot that is started by"),
    (("cat {server}", "--scheduler", "tcp://127.0.0.1:9"), "cat {server} cannot be sent to workers"),
])  # fmt: skip
def test_invalid_bot_is_refused_with_the_reason(words: tuple[str, ...], reason: str) -> None:
    result = highnoon("probe", *words)
    assert (result.returncode, result.stdout) == (1, "")
    assert reason in result.stderr


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("contest", ["arena", "enova"])
def test_contest_of_a_bot_at_an_address_is_recognised(contest: str, language: str, tmp_path: Path) -> None:
    program = STARTERS_FOLDER / contest / language / PROGRAMS[contest][language]
    interpreter = sys.executable if language == "python" else shutil.which("node")
    if not interpreter:
        pytest.skip("node is not installed")
    [port] = free_ports(1)
    with running_server([interpreter, str(program), str(port)], port, cwd=tmp_path):
        result = highnoon("probe", f"http://127.0.0.1:{port}")
    assert (result.returncode, "FAIL" in result.stdout) == (0, False), result.stdout + result.stderr
    assert f"http://127.0.0.1:{port} answers like a bot of {contest}; if it is not, use --contest" in result.stderr

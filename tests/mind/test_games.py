"""`highnoon mind` (a bot that asks a language model) plays in every contest, and says when the model did not answer."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from server.app.mind.prompt import DEFAULT_PROMPT
from server.contests import CONTESTS
from tests.bots.views import entrants_of, first_turn_view
from tests.mind.test_asking import KEY
from tests.probe.test_probe import probe_all
from tests.support.bots.scripted_model import ScriptedModel, asked_hand, play_simply, ready_then, refuse, scripted_model
from tests.support.ports import free_ports, running_server
from tests.support.program import ROOT, SECONDS, Program, highnoon, serving_program

KEY_ENV = {"HIGHNOON_MIND_KEY": KEY}
CONTESTS_WITH_MISSED_TURNS = ("quick-draw", "enova", "arena")
"""In these contests, a mind without an answer misses its turn. In the others, that would cost more than the hand, so
the mind checks or folds.
"""


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as running:
        yield running


def mind_command(model: ScriptedModel, contest: str, *options: str) -> str:
    """Returns a command that starts a mind, with the arguments that the contest's example bots get."""
    python = shlex.quote(sys.executable)
    command = f"{python} -m server mind --contest {contest} --url {model.url} --model scripted {' '.join(options)}"
    return f"{command} {CONTESTS[contest].command.starter_arguments}"


def spar(model: ScriptedModel, contest: str, folder: Path, hands: int, *options: str) -> list[dict[str, Any]]:
    """Lets a mind play against a house bot. Returns the recorded events. Checks that the mind's key is in no output."""
    bot = mind_command(model, contest, "--transcript", shlex.quote(str(folder / "transcript.jsonl")), *options)
    match = ("--against", "calling", "--contest", contest, "--hands", str(hands), "--record", str(folder / "tables"))
    run = highnoon("spar", bot, *match, env=KEY_ENV)
    assert run.returncode == 0, run.stderr
    tables = sorted((folder / "tables").iterdir())
    assert highnoon("verify", str(tables[0])).returncode == 0
    written = [path.read_text() for path in tables]
    assert KEY not in "".join((run.stdout, run.stderr, *written, (folder / "transcript.jsonl").read_text()))
    assert all(headers["Authorization"] == f"Bearer {KEY}" for headers in model.headers)
    return [event for text in written for line in text.splitlines() if "type" in (event := json.loads(line))]


@pytest.mark.parametrize("contest", CONTESTS)
def test_mind_plays_a_match_and_records_thoughts_with_costs(contest: str, model: ScriptedModel, tmp_path: Path) -> None:
    events = spar(model, contest, tmp_path, 8, "--price-in", "1", "--price-out", "5")
    notes = [event for event in events if event["type"] == "note_given"]
    own_cards = {" and ".join(event["cards"]) for event in events if event["type"] == "hole_dealt"}
    assert len(notes) >= 8
    assert {note["bot"] for note in notes} == {1}
    assert {note["text"] for note in notes} <= {f"I hold {cards}." for cards in own_cards}
    assert sum(note["account"]["tokens"] for note in notes) == len(model.questions) * (600 + 40)
    assert sum(note["account"]["cost_millionths"] for note in notes) == len(model.questions) * (600 + 5 * 40)
    assert not [event for event in events if event["type"] == "fault_noted" or event.get("fault")]
    lines = [json.loads(line) for line in (tmp_path / "transcript.jsonl").read_text().splitlines()]
    assert len(lines) >= len(notes)  # In each line, `became` says what the model's answer became: an act, or no answer.
    assert not [line for line in lines if line["became"].startswith("no answer")]


@pytest.mark.parametrize("contest", CONTESTS)
def test_mind_passes_the_probe(contest: str, model: ScriptedModel) -> None:
    (report,) = probe_all(contest, [mind_command(model, contest)], 0)
    assert not [check for check in report["checks"] if not check["ok"]]


@pytest.mark.parametrize("command_words", [*CONTESTS, "quick-draw --on-failure fold"])
def test_turn_without_an_answer_never_looks_like_a_decision(command_words: str, tmp_path: Path) -> None:
    """Without an answer, a mind misses its turn (a fault), or it checks or folds and gives the reason in a note."""
    contest, *options = command_words.split()
    with scripted_model(ready_then(lambda _: refuse(401))) as model:  # The model says it is ready, then refuses.
        events = spar(model, contest, tmp_path, 2, *options)
    faults = {event["fault"] for event in events if event.get("fault")}
    notes = {event["text"] for event in events if event["type"] == "note_given"}
    misses_turn = command_words in CONTESTS_WITH_MISSED_TURNS
    assert faults == ({"timeout"} if misses_turn else set())
    assert notes == (set() if misses_turn else {"No answer: the model's server refused the key."})


def test_bot_that_missed_two_turns_plays_on_and_delays_nobody(tmp_path: Path) -> None:
    """After a missed turn, the mind tells the server not to wait for a late answer. That message is no fault."""
    with scripted_model() as model:
        model.script = lambda question: (
            refuse(401)
            if len(question["messages"]) > 1 and asked_hand(question)["hand"] < 2 and not asked_hand(question)["board"]
            else play_simply(question)
        )
        events = spar(model, "quick-draw", tmp_path, 4)
    faults = [event["fault"] for event in events if event["type"] == "action_taken" and event["fault"]]
    assert faults == ["timeout"] * len(faults)
    assert len(faults) >= 2
    assert not [event for event in events if event["type"] == "fault_noted"]
    waits_ms = [act["at_ms"] - last["at_ms"] for last, act in pairwise(events) if act["type"] == "action_taken"]
    assert max(waits_ms) < 3000 + 1500


def start_mind(model: ScriptedModel, contest: str, server: str, *arguments: str) -> Program:
    options = ("--contest", contest, "--url", model.url, "--model", "scripted", "--name", "Oracle")
    return Program("mind", *options, *arguments, server, env=KEY_ENV)


def test_mind_plays_a_practice_game_to_its_end(model: ScriptedModel, tmp_path: Path) -> None:
    with serving_program("practice", "--data", str(tmp_path)) as practice:
        mind = start_mind(model, "quick-draw", practice.base.removeprefix("http://"))
        output, _ = mind.communicate(timeout=SECONDS)
    assert mind.returncode == 0, output
    assert "watch_url" in output
    assert f"{len(model.questions) - 1} decisions, 0 without an answer" in output  # The first question wakes the model.
    assert KEY not in output


def test_mind_that_listens_registers_and_plays_until_it_is_stopped(model: ScriptedModel, tmp_path: Path) -> None:
    """In the contest Enova, the mind listens at a port, and the server sends questions to this port."""
    (port,) = free_ports(1)
    with serving_program("practice", "--contest", "enova", "--data", str(tmp_path)) as practice:
        mind = start_mind(model, "enova", practice.base, str(port), "Oracle")
        mind.poll_until(lambda: len(model.questions) > 1)  # The mind may be out of the game after one decision.
        mind.terminate()
        output, _ = mind.communicate(timeout=SECONDS)
    assert mind.returncode == 0, output
    assert ", 0 without an answer" in output


def test_abandoned_question_makes_way_for_the_next(model: ScriptedModel, tmp_path: Path) -> None:
    """If an answer takes too long, the server closes the connection and soon asks again."""
    (port,) = free_ports(1)
    model.script = lambda question: replace(play_simply(question), after=30.0 if len(model.questions) == 2 else 0.0)
    question = CONTESTS["arena"].make_http_dialect(entrants_of(3)).ask(first_turn_view()).body
    command, env = shlex.split(mind_command(model, "arena").format(port=port)), {"PYTHONPATH": str(ROOT), **KEY_ENV}
    with running_server(command, port, cwd=tmp_path, env={**os.environ, **env}):
        url = f"http://127.0.0.1:{port}/action"
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(url, content=question, timeout=0.5)
        response = httpx.post(url, content=question, timeout=SECONDS)
    assert (response.status_code, response.json()["action"]) == (200, "call")


REASONS = {
    "localhost:5000": "no model is named: give --url, such as http://localhost:11434/v1, and --model",
    "--url ftp://x --model m localhost:5000": "--url should be an address such as http://localhost",
    "--url http://me:word@x/v1 --model m localhost:5000": "into the environment variable HIGHNOON_MIND_KEY",
    "--url http://x/v1 --model m": "a bot of Quick Draw is started with {server}, not with nothing",
    "--contest acpc localhost x": "the port must be a number, not 'x'",
    "--max-cost 1 --url http://x/v1 --model m localhost:5000": "--max-cost needs the prices",
    "--url http://127.0.0.1:9/v1 --model m localhost:5000": "cannot play: nothing answers at 127.0.0.1:9",
}


@pytest.mark.parametrize("command_words", REASONS)
def test_impossible_command_is_refused_with_a_sentence(command_words: str) -> None:
    run = highnoon("mind", *command_words.split())
    assert run.returncode == 1
    assert REASONS[command_words] in run.stderr
    assert "word" not in run.stderr.replace("password", "")


def test_prompt_never_replaces_a_file_and_invalid_keys_are_not_quoted(tmp_path: Path) -> None:
    file = tmp_path / "mine.jinja"
    assert highnoon("mind", "--write-prompt", str(file)).returncode == 0
    assert file.read_bytes() == DEFAULT_PROMPT.read_bytes()
    assert "already exists" in highnoon("mind", "--write-prompt", str(file)).stderr
    run = highnoon("mind", "--url", "http://x/v1", "--model", "m", "x:1", env={"HIGHNOON_MIND_KEY": "my secret"})
    assert (run.returncode, "secret" in run.stderr) == (1, False)
    assert "HIGHNOON_MIND_KEY should have a key" in run.stderr


def test_mind_without_httpx2_says_what_to_install() -> None:
    script = "import sys; sys.modules['httpx2'] = None; from server.__main__ import main; sys.exit(main())"
    command = (sys.executable, "-c", script, "mind", "localhost:5000")
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "not installed: pip install 'highnoon[mind]'" in run.stderr

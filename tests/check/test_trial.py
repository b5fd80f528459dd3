"""The trial game of `highnoon check`, in real boxes, measures a bot and reports its mistakes."""

from pathlib import Path

import pytest

from server.app.check.words import TrialRemarks
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Limits
from server.contests.quick_draw.venue.trial_game import try_out
from server.submissions.read import read_submissions
from tests.support.bots.boxes import docker_host
from tests.support.bots.submission import HOST, write_bot
from tests.support.program import highnoon

__all__ = ["docker_host"]


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "light"])
def kind(request: pytest.FixtureRequest) -> str:
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    return str(request.param)


async def run_trial(folder: Path, kind: RunnerKind, work: Path) -> TrialRemarks:
    try:
        runner = await choose_runner(kind, BoxEnvironment("check-test", (HOST,)))
    except CannotRun as error:
        pytest.skip(str(error))
    try:
        (submission,) = read_submissions(folder, work / "unpacked")
        return await try_out(submission, runner, work, lambda _: None)
    finally:
        await runner.close()


def change(folder: Path, old: str, new: str) -> None:
    code = (folder / "bot.py").read_text()
    assert old in code
    (folder / "bot.py").write_text(code.replace(old, new))


async def test_honest_bot_plays_six_hands_and_is_measured(kind: RunnerKind, tmp_path: Path) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe"), kind, tmp_path / "work")
    assert (trial.faults, trial.mends, trial.notes) == ([], [], [])
    assert trial.registered == "Honest Abe"
    assert trial.hands == 6
    assert trial.answers_ms
    assert 0 < trial.usage.peak_memory_bytes < Limits().memory_bytes
    assert trial.usage.cpu_seconds > 0
    assert trial.printed.startswith("honest since")
    lines = dict(trial.to_trial().lines)
    assert lines["Box"] in ("docker, strict", "light")
    assert lines["Peak memory"].endswith(" of 100 MB")


@pytest.mark.parametrize(
    ("behaviour", "said"), [("crash", "RuntimeError: cannot think about request_action"), ("exits", "exits since ")]
)
async def test_bot_that_ends_early_is_unfit_and_its_output_is_shown(
    behaviour: str, said: str, kind: RunnerKind, tmp_path: Path
) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe", behaviour=behaviour), kind, tmp_path / "work")
    (fault,) = trial.faults
    assert fault.startswith("It did not stay until the end of its game:")
    assert said in trial.printed
    assert bool(trial.registered) == (behaviour == "crash")


async def test_bot_that_registers_under_another_name_plays_under_the_name_in_its_configuration(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "abe", behaviour="garbage")
    change(folder, '["name"]\n', '["name"] + " II"\n')
    trial = await run_trial(folder, "light", tmp_path / "work")
    assert (trial.registered, trial.hands, trial.faults) == ("Honest Abe II", 6, [])
    late, refused, *_ = trial.mends
    (misnamed,) = trial.notes
    assert "no valid answer came within 3 seconds" in late
    assert refused.startswith("Hand 1: not JSON")
    assert ": it folds. It sent " in refused
    assert " Expected: fold, call (costs " in refused
    assert " The rule: A message is one JSON object with a command." in refused
    assert misnamed == (
        'It registered as "Honest Abe II"; but it always plays as "Honest Abe", the name in bot_config.json.'
    )


@pytest.mark.docker
async def test_bot_that_writes_beside_its_code_runs_in_the_relaxed_box(docker_host: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "abe")
    change(folder, "    AT_START", '    Path("memory.txt").write_text("x")\n    AT_START')
    trial = await run_trial(folder, "docker", tmp_path / "work")
    assert (trial.faults, trial.hands) == ([], 6)
    assert "relaxed" in trial.box
    assert "ran with these two rules relaxed" in trial.notes[0]


@pytest.mark.docker
async def test_failed_build_is_reported_with_the_end_of_its_log(docker_host: str, tmp_path: Path) -> None:
    recipe = "FROM python:3.11-slim\nRUN cat /nothing-there\nCMD true\n"
    trial = await run_trial(write_bot(tmp_path / "abe", dockerfile=recipe), "docker", tmp_path / "work")
    (fault,) = trial.faults
    assert "nothing-there" in fault
    assert fault.endswith("Build it yourself to see everything: docker build .")


def test_missing_boxes_are_reported_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")
    checked = highnoon("check", str(write_bot(tmp_path / "abe")), "--runner", "docker")
    assert checked.returncode == 1
    assert "1 bot of 1 player: 1 OK" in checked.stdout
    last = checked.stdout.splitlines()[-1]
    assert last.startswith("No bot was run: ")
    assert last.endswith("Use --no-run to check only the files.")


@pytest.mark.parametrize("cards", [3, 5])
async def test_bot_that_exits_on_a_later_street_is_unfit(cards: int, tmp_path: Path) -> None:
    """In a few hands against house bots, the bot might fold earlier, which would hide its fault."""
    folder = write_bot(tmp_path / "abe")
    head = "def answer(message: dict[str, Any]) -> bytes:\n"
    change(folder, head, f'{head}    assert len(message["community_cards"]) < {cards}, "too many cards"\n')
    trial = await run_trial(folder, "light", tmp_path / "work")
    assert trial.faults
    assert "too many cards" in trial.printed


async def test_report_says_nothing_about_streets_that_the_bot_never_reached(tmp_path: Path) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe", behaviour="folds"), "light", tmp_path / "work")
    assert trial.faults == []
    assert "In 12 hands it never had to act on the flop and the river and the turn." in trial.notes

"""The command line: output, exit statuses, and recordings that `highnoon verify` accepts."""

import json
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest

from server.version import VERSION
from tests.support.program import ROOT, highnoon, serving_program
from tests.support.published import published_entries, published_index, published_json

NO_OBS = "127.0.0.1:1"
"""Where nobody listens."""


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What a whole demo said, and its recording."""
    data = tmp_path_factory.mktemp("demo")
    words = ("demo", "--speed", "0", "--port", "0", "--data", str(data), "--seed", "2a", "--obs", NO_OBS)
    ended = highnoon(*words, "--publish", str(data / "site"))
    assert ended.returncode == 0, ended.stderr
    (recording,) = (data / "recordings").glob("*.jsonl")
    return ended.stdout, recording


def test_a_demo_plays_a_whole_contest_and_ends_with_the_final_table(contest: tuple[str, Path]) -> None:
    text, _ = contest
    assert "The Trials, game 1 of 15" in text
    assert "High Noon, game 1 of 1" in text
    rows = text[text.index("place") :].splitlines()[1:13]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 13))
    assert [row.split()[-1] for row in rows[:5]] == ["$25.00", "$15.00", "$10.00", "$5.00", "$5.00"]


def test_a_demo_that_is_published_is_on_its_site_to_its_end_with_its_recording_and_its_bots_files(
    contest: tuple[str, Path],
) -> None:
    _, recording = contest
    site = recording.parents[1] / "site"
    assert published_index(site)["state"] == "over"
    assert "tournament_ended" in [entry["type"] for entry in published_entries(site)]
    assert (site / "recordings" / recording.name).read_bytes() == recording.read_bytes()
    bots = published_json(site / "live/main/all.json")["outline"]["bots"]
    assert len(bots) == 12
    assert all((site / "media" / bot["avatar"]).is_file() for bot in bots)
    assert "Quick Draw" in (site / "index.html").read_text()


def test_a_missing_obs_is_reported_once_and_stops_nothing(contest: tuple[str, Path]) -> None:
    text, _ = contest
    assert text.count("OBS is not there") == 1


def test_a_crooked_address_of_obs_is_refused() -> None:
    ended = highnoon("demo", "--obs", "4455")
    assert ended.returncode == 2
    assert "--obs: should be an address with a port, such as 127.0.0.1:4455" in ended.stderr


def test_its_recording_is_verified(contest: tuple[str, Path]) -> None:
    _, recording = contest
    proved = highnoon("verify", str(recording))
    assert proved.returncode == 0
    hands = recording.read_text().count('"type":"hand_started"')
    assert f"  {hands} decks: each was sealed before its hand with the hash that is in the recording" in proved.stdout
    assert "5 prizes, $60.00 in all, go to who is owed them" in proved.stdout
    verdict = json.loads(highnoon("verify", "--json", str(recording)).stdout)
    assert (verdict["holds"], verdict["whole"], verdict["fault"]) == (True, True, "")
    assert {claim["of"]: claim["count"] for claim in verdict["claims"]}["decks"] == hands


def test_chips_add_up_at_the_end_of_every_hand(contest: tuple[str, Path]) -> None:
    _, recording = contest
    entries = [json.loads(line) for line in recording.read_text().splitlines()[1:]]
    in_play = 0
    for entry in entries:
        if entry["type"] == "hand_started":
            in_play = sum(entry["stacks"])
        if entry["type"] == "hand_ended":
            assert sum(entry["stacks"]) == in_play
    stages = [entry for entry in entries if entry["type"] == "stage_ended"]
    assert sum(stages[0]["stacks"]) == 12 * 5000
    assert sum(stages[1]["stacks"]) == 5000 * len(stages[0]["advancing"])


def test_no_house_bot_ever_commits_a_fault(contest: tuple[str, Path]) -> None:
    _, recording = contest
    entries = [json.loads(line) for line in recording.read_text().splitlines()[1:]]
    assert not [entry for entry in entries if entry["type"] == "fault_noted" or entry.get("fault")]


def test_a_recording_stays_below_ten_thousand_entries_and_two_megabytes(contest: tuple[str, Path]) -> None:
    _, recording = contest
    assert recording.stat().st_size < 2_000_000
    assert len(recording.read_text().splitlines()) < 10_000


def test_an_altered_recording_is_refuted(contest: tuple[str, Path], tmp_path: Path) -> None:
    _, recording = contest
    altered = tmp_path / "altered.jsonl"
    altered.write_bytes(recording.read_bytes().replace(b'"act":"call"', b'"act":"fold"', 1))
    refuted = highnoon("verify", str(altered))
    assert refuted.returncode == 1
    assert "REFUTED" in refuted.stdout
    assert "the sum does not fit" in refuted.stdout


def test_a_recording_that_is_cut_holds_in_part_and_says_so_by_its_exit_status(
    contest: tuple[str, Path], tmp_path: Path
) -> None:
    _, recording = contest
    whole = recording.read_bytes()
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(whole[: len(whole) // 2])
    verdict = highnoon("verify", str(cut))
    assert verdict.returncode == 3
    assert verdict.stdout.startswith(f"verified as far as it goes, which is not to its end: {cut}\n")
    assert "  not proved: the tournament is not at its end" in verdict.stdout
    as_json = highnoon("verify", "--json", str(cut))
    assert as_json.returncode == 3
    assert (json.loads(as_json.stdout)["holds"], json.loads(as_json.stdout)["whole"]) == (True, False)
    assert "3 a recording holds as far as it goes, but is not there to its end" in highnoon("--help").stdout


def test_a_recording_is_replayed_to_its_end(contest: tuple[str, Path], tmp_path: Path) -> None:
    _, recording = contest
    ended = highnoon("replay", str(recording), "--speed", "0", "--port", "0", "--data", str(tmp_path))
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_disk_that_takes_no_more_ends_it_in_one_line_and_what_was_written_holds(tmp_path: Path) -> None:
    ended = highnoon("demo", "--speed", "0", "--port", "0", "--data", str(tmp_path), largest_file=100_000)
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("highnoon: ")
    (recording,) = (tmp_path / "recordings").glob("*.jsonl")
    assert highnoon("verify", str(recording)).returncode == 3


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (("verify", "nothing.jsonl"), 2, "there is no file or folder 'nothing.jsonl'"),
        (("replay", "nothing.jsonl"), 2, "there is no file or folder 'nothing.jsonl'"),
        (("highlights", "nothing.jsonl"), 2, "there is no file or folder 'nothing.jsonl'"),
        (("tournament", "nothing.toml"), 2, "there is no file or folder 'nothing.toml'"),
        (("index", "--data", "nowhere"), 2, "there is no file or folder 'nowhere'"),
        (("demo", "--sped", "8"), 2, "highnoon demo: error: there is no '--sped' here; did you mean --speed?"),
        (("replay", "--hilights", "3m", "README.md"), 2, "did you mean --highlights?"),
        (("verify", "README.md", "surplus"), 2, "highnoon verify: error: there is no 'surplus' here"),
        (("replay", "pyproject.toml"), 1, "line 1"),
        (("demo", "--seed", "xyz"), 2, "hexadecimal"),
        (("demo", "--speed", "-1"), 2, "--speed"),
        (("demo", "--port", "70000"), 2, "--port"),
        (("demo", "--host", ""), 2, "--host"),
        (("verify", "server"), 1, "server: it is a folder"),
        (("nonsense",), 2, "invalid choice"),
        ((), 2, "COMMAND"),
    ],
)
def test_a_mistake_is_reported_in_one_line(words: tuple[str, ...], status: int, complaint: str) -> None:
    ended = highnoon(*words)
    assert ended.returncode == status
    assert complaint in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


def test_a_mistyped_option_shows_the_words_of_its_own_command() -> None:
    assert "usage: highnoon demo " in highnoon("demo", "--sped", "8").stderr


def test_a_file_that_is_no_recording_is_not_called_refuted() -> None:
    verdict = highnoon("verify", "README.md")
    assert (verdict.returncode, verdict.stderr) == (1, "")
    assert verdict.stdout.startswith("NOT A RECORDING ")
    assert json.loads(highnoon("verify", "--json", "README.md").stdout)["fault"].startswith("it is no recording")


def test_the_version_is_that_of_the_package() -> None:
    assert highnoon("--version").stdout == f"highnoon {VERSION}\n"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"] == ["version"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("words", "statuses"),
    [
        (("--help",), {0, 1}),  # early Pythons 3.11 tell the program that nobody reads its help, later ones do not
        (("verify", "--json", "README.md"), {1}),
    ],
)
def test_a_closed_output_pipe_leaves_no_traceback(words: tuple[str, ...], statuses: set[int], unbuffered: str) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as nobody:
        ended = subprocess.run(
            [sys.executable, "-m", "server", *words],
            cwd=ROOT,
            stdout=nobody,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert not ended.stderr
    assert ended.returncode in statuses


def test_a_port_in_use_is_reported_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = highnoon("practice", "--port", port, "--data", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert not any(tmp_path.iterdir()), "and nothing is left behind"
    assert ended.stderr.startswith(
        f"highnoon: cannot serve on 127.0.0.1:{port}: the port is in use: stop what uses it or "
    )
    assert len(ended.stderr.splitlines()) == 1


def test_the_help_of_a_command_tells_its_own_port_and_no_others() -> None:
    demo, practice = (" ".join(highnoon(command, "--help").stdout.split()) for command in ("demo", "practice"))
    assert "port of pages and registration (default: 5000)" in demo
    assert "8000" not in demo
    assert "arena is on port 8000 by default" in practice


def test_help_says_what_it_is_and_gives_examples() -> None:
    shown = highnoon("--help")
    assert shown.returncode == 0
    for word in ("demo", "practice", "replay", "verify", "examples:", "exit status"):
        assert word in shown.stdout


@pytest.mark.parametrize("command", ["demo", "practice"])
def test_ctrl_c_ends_it_cleanly(command: str, tmp_path: Path) -> None:
    with serving_program(command, "--data", str(tmp_path)) as program:
        assert httpx.get(f"{program.base}/healthz", timeout=60.0).json()["status"] == "ok"
        status, text = program.interrupt()
    assert status == 0
    assert text.splitlines()[-1] == "stopped"
    assert "Traceback" not in text

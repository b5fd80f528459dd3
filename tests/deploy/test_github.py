"""The workflows for GitHub check bots, collect them, and play a published contest. Each test runs in clean
containers.
"""

import os
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest
import yaml

from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.support.bots.submission import HOST, write_bot, write_player
from tests.support.programs.nginx import nginx, static_host
from tests.support.programs.workflows import (
    GITHUB,
    Workflows,
    contest_repository,
    git,
    make_wheel,
    repository,
    site_files,
)

REPORT_SECONDS = 180.0
SETTINGS = f'name = "Friday"\nseed = "2a"\nbot_addresses = ["{HOST}"]\n'
INSTALL = "Install High Noon"
KILLS = (b'"stage_started"', b'"hand_ended"', b'"game_ended"')
"""The moments at which the program is killed: as soon as the journal gets its next event of this kind."""
LARGE_FILES = {
    "one large file": (91, "it has a file of more than 90 MB"),
    "a file larger than any disk's quota": (300, "it has more than 200 MB"),
}
"""The size of a file in MB, and why its repository is refused."""
pytestmark = [pytest.mark.docker, pytest.mark.programs]


@pytest.fixture(scope="module")
def workflows(docker_host: str, python_image: str, tmp_path_factory: pytest.TempPathFactory) -> Workflows:
    return Workflows(docker_host, python_image, make_wheel(tmp_path_factory.mktemp("packed")))


@pytest.mark.parametrize("workflow", ["check.yml", "collect.yml", "play.yml"])
def test_names_of_branches_and_repositories_do_not_become_part_of_scripts(workflow: str) -> None:
    """Scripts get names in environment variables: GitHub inserts the value of an expression into the script's text."""
    read = yaml.safe_load((GITHUB / workflow).read_text())
    scripts = [step.get("run", "") for job in read["jobs"].values() for step in job["steps"]]
    assert any(scripts)
    assert "${{" not in "".join(scripts)


@pytest.mark.parametrize(("behaviour", "status"), [("honest", 0), ("exits", 1)])
def test_report_on_a_pushed_bot_is_ready_within_three_minutes(
    behaviour: str, status: int, workflows: Workflows, tmp_path: Path
) -> None:
    ada = repository(write_player(tmp_path / "ada", "Ada~~~~~~ <b>", "Ada Two", behaviour=behaviour))
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    began = time.monotonic()
    git(ada, "push", "--quiet", str(tmp_path / "origin.git"), "main")
    with workflows.machine(tmp_path) as machine:
        git(tmp_path, "clone", "--quiet", "--branch", "main", "origin.git", "ada-bot")
        machine.succeed("check.yml", INSTALL, tmp_path)
        ran = machine.run_step("check.yml", "Check the bot", tmp_path, BOT="ada-bot", OPTIONS=f"--known-as {HOST}")
    assert time.monotonic() - began < REPORT_SECONDS
    assert ran.status == status, ran.printed
    summary = (tmp_path / "summary.md").read_text()
    assert summary == (tmp_path / "report" / "report.md").read_text()
    head, fence, *said, end = summary.splitlines()
    assert (head, fence, end) == ("### What High Noon says about this bot", "~~~~~~text", "~~~~~~")
    assert not [line for line in said if line.startswith("~~~~~~")]
    assert [line.split()[0] for line in said if line.startswith(("OK", "UNFIT"))] == ["UNFIT" if status else "OK"] * 2
    assert "Ada~~~~~~ &lt;b&gt;" in (tmp_path / "report" / "report.html").read_text()


def test_bots_are_collected_from_all_repositories_and_a_failed_one_keeps_its_last_copy(
    workflows: Workflows, tmp_path: Path
) -> None:
    contest = contest_repository(tmp_path, SETTINGS)
    ada = repository(write_bot(tmp_path / "ada", "Ada One"))
    (tmp_path / "babbage" / ".github").mkdir(parents=True)
    (tmp_path / "babbage" / ".github" / "own.yml").write_text("")
    babbage = write_player(tmp_path / "babbage", "Babbage One", "Babbage Two", "Babbage Three")
    (babbage / "passwd").symlink_to("/etc/passwd")
    repository(babbage)

    def take(*lines: str) -> str:
        (tmp_path / "repositories.tsv").write_text("\n".join(lines))
        with workflows.machine(tmp_path) as machine:
            machine.succeed("collect.yml", "Take the bots", contest)
            machine.succeed("collect.yml", "Keep them", contest)
        return (tmp_path / "summary.md").read_text()

    said = take(f"ada\t{ada}", f"../babbage and curry\t{babbage}", f"dijkstra\t{tmp_path}/nowhere", f"ada\t{babbage}")
    assert "2 of 4 repositories are taken." in said
    assert "`dijkstra` was **not taken**" in said
    assert "`ada` was **not taken**; the earlier copy, if any, is kept: another player has this name" in said
    taken = git(tmp_path / "origin.git", "ls-tree", "-r", "--name-only", "main", "submissions").splitlines()
    assert {name for name in taken if name.endswith("bot_config.json")} == {
        "submissions/ada/bot_config.json",
        *(f"submissions/babbage and curry/bot-{number}/bot_config.json" for number in (1, 2, 3)),
    }
    assert not [name for name in taken if "/.git" in name]
    assert not (contest / "submissions" / "babbage and curry" / "passwd").is_symlink()

    (ada / "bot.py").unlink()
    git(ada, "rm", "--quiet", "-r", ".")
    git(ada, "commit", "--quiet", "--message", "Nothing")
    assert "it is empty" in take(f"ada\t{ada}", f"babbage\t{babbage}")
    assert (contest / "submissions" / "ada" / "bot.py").exists()


def plant(name: str, folder: Path) -> str:
    """Commits something that would flood the disk; returns why the repository is refused."""
    git(folder, "init", "--quiet")
    if name in LARGE_FILES:
        megabytes, why = LARGE_FILES[name]
        (folder / "zeros").touch()
        os.truncate(folder / "zeros", megabytes << 20)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "Zeros")
        return why
    tree = "" if name == "a billion folders" else f"100644 blob {git(folder, 'hash-object', '-w', '/dev/null')}\tleaf"
    tree = _tree(folder, tree)
    for _ in range(2000 if name == "deep folders" else 9):
        names = "a" if name == "deep folders" else "abcdefghij"
        tree = _tree(folder, "\n".join(f"040000 tree {tree}\t{each}" for each in names))
    commit = git(folder, "commit-tree", "-m", "Bomb", tree)
    git(folder, "update-ref", "HEAD", commit)
    return "it has folders more than 40 deep" if name == "deep folders" else "files and folders"


def _tree(folder: Path, lines: str) -> str:
    made = subprocess.run(
        ["git", "-C", folder, "mktree"], input=lines, check=True, capture_output=True, text=True, timeout=REPORT_SECONDS
    )
    return made.stdout.strip()


@pytest.mark.parametrize("name", [*LARGE_FILES, "a billion files", "a billion folders", "deep folders"])
def test_repository_that_would_flood_the_disk_is_refused_and_others_are_collected(
    name: str, workflows: Workflows, tmp_path: Path
) -> None:
    contest = contest_repository(tmp_path, SETTINGS)
    (tmp_path / "bomb").mkdir()
    why = plant(name, tmp_path / "bomb")
    ada = write_bot(tmp_path / "ada", "Ada One")
    (ada / "weights.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
    repository(ada)
    began = time.monotonic()
    (tmp_path / "repositories.tsv").write_text(f"-rf\t{tmp_path}/bomb\nada\tfile://{ada}\n")
    with workflows.machine(tmp_path) as machine:
        machine.succeed("collect.yml", "Take the bots", contest)
    assert time.monotonic() - began < REPORT_SECONDS / 3
    bomb, taken, *_ = (tmp_path / "summary.md").read_text().splitlines()
    assert bomb.startswith("- `rf` was **not taken**")
    assert why in bomb
    assert taken.endswith("but 1 of its files are in Git LFS and are not taken")
    assert [path.name for path in (contest / "submissions").iterdir()] == ["ada"]


def test_killed_contest_continues_and_its_site_is_as_if_published_without_interruption(
    workflows: Workflows, tmp_path: Path
) -> None:
    contest = contest_repository(tmp_path, SETTINGS)
    for number in range(4):
        write_player(contest / "submissions" / f"player-{number}", f"Bot {number}", behaviour="folds")
    write_player(contest / "submissions" / "player-broken", "Broken", behaviour="exits")
    data = contest / "contest-data"

    installed = workflows.installed(tmp_path)

    def play_until_killed(due: Callable[[str], bool]) -> None:
        with installed.machine(tmp_path) as machine:
            machine.kill_when(due, "play.yml", "Play", contest)

    with installed.machine(tmp_path) as machine:
        machine.succeed("play.yml", "Fetch the site", contest)
    for sign in KILLS:
        play_until_killed(partial(has_more, data, sign, journal_of(data).count(sign)))
    before = journal_of(data)
    play_until_killed(lambda _: (contest / "site" / "recordings").exists())
    half = contest / "site" / ".high-noon-half" / "one"
    half.parent.mkdir(exist_ok=True)
    half.write_text("left by a program that was killed while it wrote")
    os.utime(half, (0, 0))
    assert journal_of(data).startswith(before[: before.rfind(b"\n") + 1])
    with installed.machine(tmp_path) as machine:
        machine.succeed("play.yml", "Play", contest)
        machine.succeed("play.yml", "Publish", contest)
        machine.publish(data / "data" / "recordings", tmp_path / "one-go")
    assert not (data / "event.toml").exists(), "the next run must begin a new contest"
    (recording,) = (data / "data" / "recordings").glob("*.jsonl")
    assert verify(read_journal(recording).entries).finished

    git(tmp_path, "clone", "--quiet", "--branch", "gh-pages", "origin.git", "pages")
    assert site_files(tmp_path / "pages") == site_files(tmp_path / "one-go")
    with nginx(tmp_path / "nginx", static_host(tmp_path / "pages")) as host:
        assert "Friday" in httpx.get(f"{host}/index.html", timeout=REPORT_SECONDS).text


def journal_of(data: Path) -> bytes:
    """The journal of the contest so far."""
    return b"".join(path.read_bytes() for path in (data / "data" / "recordings").glob("*.jsonl"))


def has_more(data: Path, sign: bytes, than: int, _: str) -> bool:
    return journal_of(data).count(sign) > than

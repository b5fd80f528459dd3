"""The workflows for GitHub, by the scripts of their steps: bots are checked and taken, and play a published contest.

GitHub's own actions and its `gh` are not here; repositories are local, and a web server of files is the host of Pages.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import yaml

from server.bots.sandbox.process_tree import descendants
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.ports import free_ports
from tests.support.program import highnoon
from tests.support.source_files import ROOT
from tests.support.submission import write_bot, write_player

GITHUB = ROOT / "assets" / "deploy" / "github"
SECONDS = 600.0
REPORT_SECONDS = 180.0
LOOK_SECONDS = 0.02
KILLS = (b'"stage_started"', b'"hand_ended"', b'"game_ended"')
"""What the journal has one more of, each time that the contest is killed."""
pytestmark = [NEEDS_BUBBLEWRAP, pytest.mark.programs]


def script_of(workflow: str, name: str) -> tuple[str, Mapping[str, str]]:
    """The script of a step, and the variables of its workflow that have a value without GitHub."""
    read = yaml.safe_load((GITHUB / workflow).read_text())
    (step,) = [step for job in read["jobs"].values() for step in job["steps"] if step.get("name") == name]
    return step["run"], read.get("env", {})


def run_step(workflow: str, name: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Runs the script of a step in `folder` as GitHub does, with this clone's `highnoon` on the path."""
    script, env = script_of(workflow, name)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], check=False, cwd=folder,
        env=environment(folder, {**env, **variables}), capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip


def environment(folder: Path, variables: Mapping[str, str]) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    return {
        "HOME": str(folder), "PATH": path, "DOCKER_HOST": "unix:///nowhere",
        "RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), **variables,
    }  # fmt: skip


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main")
    return subprocess.run(
        ["git", "-C", folder, *own, *words], check=True, capture_output=True, text=True, timeout=SECONDS
    ).stdout.strip()


def repository(folder: Path) -> Path:
    """Makes a folder a repository with one commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "My bot")
    return folder


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """A clone of the contest's repository, with its scripts in the folder `contest`, and its origin beside it."""
    folder = tmp_path / "contest"
    (folder / "contest").mkdir(parents=True)
    for name in ("collect.py", "play.py"):
        (folder / "contest" / name).write_text((GITHUB / name).read_text())
    pages, register = free_ports(2)
    (folder / "contest.toml").write_text(
        f'name = "Friday"\nrunner = "light"\nseed = "2a"\nbot_addresses = ["129.21.10.4"]\n'
        f"[ports]\npages = {pages}\nregister = {register}\n"
    )
    repository(folder)
    git(tmp_path, "clone", "--quiet", "--bare", str(folder), "origin.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(folder, "push", "--quiet", "--set-upstream", "origin", "main")
    return folder


@pytest.mark.parametrize("workflow", ["check.yml", "collect.yml", "play.yml"])
def test_no_name_of_a_branch_or_repository_becomes_part_of_a_script(workflow: str) -> None:
    """Scripts get names as variables: GitHub would fill an expression in before the shell reads it."""
    read = yaml.safe_load((GITHUB / workflow).read_text())
    scripts = [step.get("run", "") for job in read["jobs"].values() for step in job["steps"]]
    assert any(scripts)
    assert "${{" not in "".join(scripts)


@pytest.mark.parametrize(("behaviour", "status"), [("honest", 0), ("exits", 1)])
def test_report_on_a_pushed_bot_is_ready_within_three_minutes(behaviour: str, status: int, tmp_path: Path) -> None:
    repository(write_player(tmp_path / "ada-bot", "Ada~~~~~~ <b>", "Ada Two", behaviour=behaviour))
    began = time.monotonic()
    ran = run_step("check.yml", "Check the bot", tmp_path, BOT="ada-bot", OPTIONS="--known-as 129.21.10.4")
    assert time.monotonic() - began < REPORT_SECONDS
    assert ran.returncode == status, ran.stdout + ran.stderr
    summary = (tmp_path / "summary.md").read_text()
    assert summary == (tmp_path / "report" / "report.md").read_text()
    head, fence, *said, end = summary.splitlines()
    assert (head, fence, end) == ("### What High Noon says about this bot", "~~~~~~text", "~~~~~~")
    assert not [line for line in said if line.startswith("~~~~~~")]
    assert [line.split()[0] for line in said if line.startswith(("OK", "FAULTS"))] == ["FAULTS" if status else "OK"] * 2
    assert "Ada~~~~~~ &lt;b&gt;" in (tmp_path / "report" / "report.html").read_text()


def test_bots_are_taken_from_all_repositories_and_the_last_good_copy_stays_if_one_fails(
    contest: Path, tmp_path: Path
) -> None:
    ada = repository(write_bot(tmp_path / "ada", "Ada One"))
    (tmp_path / "babbage" / ".github").mkdir(parents=True)
    (tmp_path / "babbage" / ".github" / "own.yml").write_text("")
    babbage = write_player(tmp_path / "babbage", "Babbage One", "Babbage Two", "Babbage Three")
    (babbage / "passwd").symlink_to("/etc/passwd")
    repository(babbage)
    listed = tmp_path / "contest" / "repositories.tsv"

    def take(*lines: str) -> str:
        listed.write_text("\n".join(lines))
        ran = run_step("collect.yml", "Take the bots", contest)
        assert ran.returncode == 0, ran.stderr
        kept = run_step("collect.yml", "Keep them", contest)
        assert kept.returncode == 0, kept.stderr
        return (contest / "summary.md").read_text()

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
    """Commits something that would flood the disk; returns why it is not taken."""
    git(folder, "init", "--quiet")
    if name == "one large file":
        (folder / "zeros").write_bytes(b"")
        os.truncate(folder / "zeros", 91 << 20)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "Zeros")
        return "it has a file of more than 90 MB"
    if name == "a file larger than any disk's quota":
        (folder / "zeros").write_bytes(b"")
        os.truncate(folder / "zeros", 300 << 20)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "Zeros")
        return "it has more than 200 MB"
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
        ["git", "-C", folder, "mktree"], input=lines, check=True, capture_output=True, text=True, timeout=SECONDS
    )
    return made.stdout.strip()


@pytest.mark.parametrize(
    "name",
    ["one large file", "a file larger than any disk's quota", "a billion files", "a billion folders", "deep folders"],
)
def test_repository_that_would_flood_the_disk_is_not_taken_and_stops_no_other(
    name: str, contest: Path, tmp_path: Path
) -> None:
    (tmp_path / "bomb").mkdir()
    why = plant(name, tmp_path / "bomb")
    ada = write_bot(tmp_path / "ada", "Ada One")
    (ada / "weights.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
    repository(ada)
    began = time.monotonic()
    (tmp_path / "contest" / "repositories.tsv").write_text(f"-rf\t{tmp_path}/bomb\nada\tfile://{ada}\n")
    ran = run_step("collect.yml", "Take the bots", contest)
    assert ran.returncode == 0, ran.stderr
    assert time.monotonic() - began < REPORT_SECONDS / 3
    bomb, taken, *_ = (contest / "summary.md").read_text().splitlines()
    assert bomb.startswith("- `rf` was **not taken**")
    assert why in bomb
    assert taken.endswith("but 1 of its files are in Git LFS, which is not taken")
    assert [path.name for path in (contest / "submissions").iterdir()] == ["ada"]


def test_contest_that_is_killed_goes_on_and_its_site_is_the_same_as_one_made_in_one_go(
    contest: Path, tmp_path: Path
) -> None:
    for number in range(4):
        write_player(contest / "submissions" / f"player-{number}", f"Bot {number}", behaviour="folds")
    write_player(contest / "submissions" / "player-broken", "Broken", behaviour="exits")
    fetched = run_step("play.yml", "Fetch the site", contest)
    assert fetched.returncode == 0, fetched.stderr
    data = contest / "contest-data"
    for sign in KILLS:
        kill_when(contest, partial(has_more, data, sign, journal_of(data).count(sign)))
    before = journal_of(data)
    kill_when(contest, (contest / "site" / "recordings").exists)
    (contest / "site" / ".high-noon-half").mkdir(exist_ok=True)
    (contest / "site" / ".high-noon-half" / "one").write_text("as of a file that was being written")
    assert journal_of(data).startswith(before[: before.rfind(b"\n") + 1])
    played = run_step("play.yml", "Play", contest)
    assert played.returncode == 0, played.stdout + played.stderr
    assert not (data / "event.toml").exists(), "the next run begins the next contest"
    (recording,) = (data / "data" / "recordings").glob("*.jsonl")
    assert verify(read_journal(recording).entries).finished
    published = run_step("play.yml", "Publish", contest)
    assert published.returncode == 0, published.stderr

    git(tmp_path, "clone", "--quiet", "--branch", "gh-pages", "origin.git", "pages")
    made = highnoon("publish", str(recording.parent), "--to", str(tmp_path / "one-go"))
    assert made.returncode == 0, made.stderr
    assert files_in(tmp_path / "pages") == files_in(tmp_path / "one-go")
    with static_host(tmp_path / "pages") as host:
        assert "Friday" in httpx.get(f"{host}/index.html").text


def kill_when(contest: Path, due: Callable[[], bool]) -> None:
    """Starts the step that plays, and kills it with everything that it has started as soon as `due`."""
    script, env = script_of("play.yml", "Play")
    said = contest / "said.txt"
    with said.open("w") as output:
        step = subprocess.Popen(
            ["bash", "-c", f"exec {script}"], cwd=contest, env=environment(contest, env), stdout=output,
            stderr=output, start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + SECONDS
    while not due():
        assert step.poll() is None, said.read_text()
        assert time.monotonic() < deadline, said.read_text()
        time.sleep(LOOK_SECONDS)
    for pid in [step.pid, *descendants(step.pid)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    step.wait()


def journal_of(data: Path) -> bytes:
    """What the contest has recorded so far."""
    return b"".join(path.read_bytes() for path in (data / "data" / "recordings").glob("*.jsonl"))


def has_more(data: Path, sign: bytes, than: int) -> bool:
    return journal_of(data).count(sign) > than


def files_in(site: Path) -> dict[str, bytes]:
    """All files of a site by their paths, without what only git and GitHub need."""
    files = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith((".git", ".nojekyll"))}


@contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """A web server that serves only the files of a folder; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()

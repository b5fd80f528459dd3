"""The GitHub workflows of this project check submitted bots, collect them, and play and publish a contest.

The scripts of their steps run in a clean container, on local git repositories. The container has neither GitHub's
actions nor the program `gh`. Steps that need them do not run: the tests supply the results that later steps expect.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import docker
import httpx
import pytest
import yaml
from msgspec import Struct
from msgspec.structs import replace

from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.support.bots.submission import HOST, write_bot, write_player
from tests.support.program import wait_until
from tests.support.programs.nginx import nginx, static_host
from tests.support.published import files_in
from tests.support.source_files import ROOT, copy_clone

GITHUB = ROOT / "assets" / "deploy" / "github"
INSTALLED_IMAGE = "high-noon-tests-installed"
TIMEOUT_SECONDS = 900
CONTEST_SETTINGS = f'name = "Friday"\nseed = "2a"\nbot_addresses = ["{HOST}"]\n'
INSTALL_STEP = "Install High Noon"
LARGE_FILES = {
    "one large file": (91, "it has a file of more than 90 MB"),
    "a file larger than any disk's quota": (300, "it has more than 200 MB"),
}
"""For each case, the size of a file in MB, and why the repository with this file is refused."""
pytestmark = [pytest.mark.docker, pytest.mark.programs]


class CleanMachine:
    """A container like GitHub's machines. It has Python, git and Docker, but no High Noon until a step installs it.

    The container has no network. It shares `folder` with this machine, and can read the folder of High Noon's `wheel`.
    """

    def __init__(self, engine: docker.APIClient, image: str, folder: Path, wheel: Path, socket: str) -> None:
        self._engine = engine
        self._folder = folder
        self._wheel = wheel
        self._printed = folder / "printed.txt"
        mounts = [f"{folder}:{folder}", f"{wheel.parent}:{wheel.parent}:ro", f"{socket}:/var/run/docker.sock"]
        host = engine.create_host_config(binds=mounts, network_mode="none", init=True)
        # High Noon shares its temporary folder with helper containers. They can use the folder only if it is a volume.
        volumes = ["/tmp"]  # noqa: S108
        created = engine.create_container(image, ["sleep", "infinity"], host_config=host, volumes=volumes)
        self._container = str(created["Id"])
        engine.start(self._container)

    def run_step(self, workflow: str, name: str, folder: Path, *, status: int = 0, **variables: str) -> None:
        """Runs a step's script with the workflow's variables and `variables`. The script must exit with `status`."""
        self._finish(self._start_step(workflow, name, folder, variables), status)

    def publish(self, recordings: Path, site: Path) -> None:
        self._finish(self._start_script(f"highnoon publish {recordings} --to {site}", recordings, {}), 0)

    def kill_when(self, due: Callable[[], bool], workflow: str, name: str, folder: Path) -> None:
        """Runs a step until `due()` is true, then kills all processes of the machine at once.

        Fails if the step ends by itself. The bots play in other containers (boxes), which keep running.
        """
        step = self._start_step(workflow, name, folder, {})

        def is_due() -> bool:
            assert self._engine.exec_inspect(step)["Running"], self._read_output()
            return due()

        wait_until(is_due, self._read_output)
        self._engine.kill(self._container)
        self._engine.wait(self._container)

    def _start_step(self, workflow: str, name: str, folder: Path, variables: Mapping[str, str]) -> str:
        """Starts a step and returns its id. `variables` stands in for the `env` of the step and of its job."""
        content = read_workflow(workflow)
        (step,) = [step for job in content["jobs"].values() for step in job["steps"] if step.get("name") == name]
        environment = {**content.get("env", {}), "HIGHNOON": str(self._wheel), **variables}
        return self._start_script(step["run"], folder, environment)

    def _start_script(self, script: str, folder: Path, variables: Mapping[str, str]) -> str:
        """Starts a script and returns its id. The output goes to a file, so that no stream from Docker stays open."""
        self._printed.write_text("")
        home = {"HOME": str(self._folder), "RUNNER_TEMP": str(self._folder)}
        environment = {**home, "GITHUB_STEP_SUMMARY": str(self._folder / "summary.md"), **variables}
        command = ["bash", "-e", "-c", f"exec > {self._printed} 2>&1\n{script}"]
        created = self._engine.exec_create(self._container, command, environment=environment, workdir=str(folder))
        self._engine.exec_start(created["Id"], detach=True)
        return str(created["Id"])

    def _finish(self, step: str, status: int) -> None:
        wait_until(lambda: not self._engine.exec_inspect(step)["Running"], self._read_output)
        assert self._engine.exec_inspect(step)["ExitCode"] == status, self._read_output()

    def _read_output(self) -> str:
        return self._printed.read_text(errors="replace")

    def make_image(self, name: str) -> None:
        self._engine.commit(self._container, repository=name)

    def remove(self) -> None:
        self._engine.remove_container(self._container, force=True, v=True)


class Workflows(Struct, frozen=True):
    """Runs jobs of workflows. All jobs share a Docker daemon, the image of their machines, and High Noon as a wheel."""

    docker_host: str
    image: str
    wheel: Path

    @contextmanager
    def machine(self, folder: Path) -> Iterator[CleanMachine]:
        socket = self.docker_host.removeprefix("unix://")
        with closing(docker.APIClient(base_url=self.docker_host, version="auto", timeout=TIMEOUT_SECONDS)) as engine:
            machine = CleanMachine(engine, self.image, folder, self.wheel, socket)
            try:
                yield machine
            finally:
                machine.remove()


def read_workflow(name: str) -> Any:
    return yaml.safe_load((GITHUB / name).read_text())


def git(folder: Path, *words: str, stdin: str = "") -> str:
    author = ("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main")
    command = ["git", "-C", str(folder), *author, *words]
    done = subprocess.run(command, input=stdin, check=True, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    return done.stdout.strip()


def make_repository(folder: Path) -> Path:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "My bot")
    return folder


def make_contest_repository(folder: Path, settings: str) -> Path:
    """Makes a contest's bare repository, `origin.git`, and its working copy. Returns the working copy's folder."""
    contest = folder / "contest"
    (contest / "contest").mkdir(parents=True)
    for name in ("collect.py", "play.py"):
        (contest / "contest" / name).write_text((GITHUB / name).read_text())
    (contest / "contest.toml").write_text(settings)
    make_repository(contest)
    git(folder, "clone", "--quiet", "--bare", str(contest), "origin.git")
    git(contest, "remote", "add", "origin", str(folder / "origin.git"))
    git(contest, "push", "--quiet", "--set-upstream", "origin", "main")
    return contest


def site_files(site: Path) -> dict[str, bytes]:
    """Returns the contents of a site's files by path, without the files that only git and GitHub need."""
    return {name: content for name, content in files_in(site).items() if not name.startswith((".git", ".nojekyll"))}


@pytest.fixture(scope="module")
def workflows(docker_host: str, python_image: str, tmp_path_factory: pytest.TempPathFactory) -> Workflows:
    """Packs High Noon as a wheel from a copy of this clone, without the network."""
    folder = tmp_path_factory.mktemp("packed")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder / "wheel")
    command = (sys.executable, "-m", "pip", "wheel", *options, copy_clone(folder / "clone"))
    subprocess.run(command, check=True, timeout=TIMEOUT_SECONDS)
    (wheel,) = (folder / "wheel").iterdir()
    return Workflows(docker_host, python_image, wheel)


@pytest.mark.parametrize("workflow", ["check.yml", "collect.yml", "play.yml"])
def test_names_do_not_become_part_of_scripts(workflow: str) -> None:
    """GitHub replaces `${{ name }}` in a script with a value that may be hostile. Environment variables are safe."""
    jobs = read_workflow(workflow)["jobs"].values()
    scripts = [step.get("run", "") for job in jobs for step in job["steps"]]
    assert any(scripts)
    assert "${{" not in "".join(scripts)


@pytest.mark.parametrize(("behaviour", "status"), [("honest", 0), ("exits", 1)])
def test_report_on_a_pushed_bot_says_whether_it_is_fit(
    behaviour: str, status: int, workflows: Workflows, tmp_path: Path
) -> None:
    ada = make_repository(write_player(tmp_path / "ada", "Ada~~~~~~ <b>", "Ada Two", behaviour=behaviour))
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(ada, "push", "--quiet", str(tmp_path / "origin.git"), "main")
    with workflows.machine(tmp_path) as machine:
        git(tmp_path, "clone", "--quiet", "--branch", "main", "origin.git", "ada-bot")
        machine.run_step("check.yml", INSTALL_STEP, tmp_path)
        options = {"BOT": "ada-bot", "OPTIONS": f"--known-as {HOST}"}
        machine.run_step("check.yml", "Check the bot", tmp_path, status=status, **options)
    summary = (tmp_path / "summary.md").read_text()
    assert summary == (tmp_path / "report" / "report.md").read_text()
    head, fence, *report, end = summary.splitlines()
    assert (head, fence, end) == ("### What High Noon says about this bot", "~~~~~~text", "~~~~~~")
    assert not [line for line in report if line.startswith("~~~~~~")]
    assert [line.split()[0] for line in report if line.startswith(("OK", "UNFIT"))] == ["UNFIT" if status else "OK"] * 2
    assert "Ada~~~~~~ &lt;b&gt;" in (tmp_path / "report" / "report.html").read_text()


def test_last_copy_of_a_refused_repository_is_kept(workflows: Workflows, tmp_path: Path) -> None:
    contest = make_contest_repository(tmp_path, CONTEST_SETTINGS)
    ada = make_repository(write_bot(tmp_path / "ada", "Ada One"))
    (tmp_path / "babbage" / ".github").mkdir(parents=True)
    (tmp_path / "babbage" / ".github" / "own.yml").write_text("")
    babbage = write_player(tmp_path / "babbage", "Babbage One", "Babbage Two", "Babbage Three")
    (babbage / "passwd").symlink_to("/etc/passwd")
    make_repository(babbage)

    def collect_bots(*lines: str) -> str:
        (tmp_path / "repositories.tsv").write_text("\n".join(lines))
        with workflows.machine(tmp_path) as machine:
            machine.run_step("collect.yml", "Take the bots", contest)
            machine.run_step("collect.yml", "Keep them", contest)
        return (tmp_path / "summary.md").read_text()

    summary = collect_bots(
        f"ada\t{ada}", f"../babbage and curry\t{babbage}", f"dijkstra\t{tmp_path}/nowhere", f"ada\t{babbage}"
    )
    assert "2 of 4 repositories are taken." in summary
    assert "`dijkstra` was **not taken**" in summary
    assert "`ada` was **not taken**; the earlier copy, if any, is kept: another player has this name" in summary
    collected = git(tmp_path / "origin.git", "ls-tree", "-r", "--name-only", "main", "submissions").splitlines()
    assert {name for name in collected if name.endswith("bot_config.json")} == {
        "submissions/ada/bot_config.json",
        *(f"submissions/babbage and curry/bot-{number}/bot_config.json" for number in (1, 2, 3)),
    }
    assert not [name for name in collected if "/.git" in name]
    assert not (contest / "submissions" / "babbage and curry" / "passwd").is_symlink()

    (ada / "bot.py").unlink()
    git(ada, "rm", "--quiet", "-r", ".")
    git(ada, "commit", "--quiet", "--message", "Nothing")
    assert "it is empty" in collect_bots(f"ada\t{ada}", f"babbage\t{babbage}")
    assert (contest / "submissions" / "ada" / "bot.py").exists()


def commit_flood(case: str, folder: Path) -> str:
    """Commits files or folders that would flood the disk, and returns why the repository is refused."""
    git(folder, "init", "--quiet")
    if case in LARGE_FILES:
        megabytes, reason = LARGE_FILES[case]
        (folder / "zeros").touch()
        os.truncate(folder / "zeros", megabytes << 20)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "Zeros")
        return reason
    tree = "" if case == "a billion folders" else f"100644 blob {git(folder, 'hash-object', '-w', '/dev/null')}\tleaf"
    tree = git(folder, "mktree", stdin=tree)
    for _ in range(2000 if case == "deep folders" else 9):
        names = "a" if case == "deep folders" else "abcdefghij"
        tree = git(folder, "mktree", stdin="\n".join(f"040000 tree {tree}\t{subfolder}" for subfolder in names))
    commit = git(folder, "commit-tree", "-m", "Bomb", tree)
    git(folder, "update-ref", "HEAD", commit)
    return "it has folders more than 40 deep" if case == "deep folders" else "files and folders"


@pytest.mark.parametrize("name", [*LARGE_FILES, "a billion files", "a billion folders", "deep folders"])
def test_repository_that_would_flood_the_disk_is_refused(name: str, workflows: Workflows, tmp_path: Path) -> None:
    contest = make_contest_repository(tmp_path, CONTEST_SETTINGS)
    (tmp_path / "bomb").mkdir()
    reason = commit_flood(name, tmp_path / "bomb")
    ada = write_bot(tmp_path / "ada", "Ada One")
    (ada / "weights.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
    make_repository(ada)
    started_at = time.monotonic()
    (tmp_path / "repositories.tsv").write_text(f"-rf\t{tmp_path}/bomb\nada\tfile://{ada}\n")
    with workflows.machine(tmp_path) as machine:
        machine.run_step("collect.yml", "Take the bots", contest)
    assert time.monotonic() - started_at < 60
    bomb_line, adas_line, *_ = (tmp_path / "summary.md").read_text().splitlines()
    assert bomb_line.startswith("- `rf` was **not taken**")
    assert reason in bomb_line
    assert adas_line.endswith("but 1 of its files are in Git LFS and are not taken")
    assert [path.name for path in (contest / "submissions").iterdir()] == ["ada"]


def test_killed_contest_continues_and_ends_with_the_same_site(workflows: Workflows, tmp_path: Path) -> None:
    contest = make_contest_repository(tmp_path, CONTEST_SETTINGS)
    for number in range(4):
        write_player(contest / "submissions" / f"player-{number}", f"Bot {number}", behaviour="folds")
    write_player(contest / "submissions" / "player-broken", "Broken", behaviour="exits")
    data = contest / "contest-data"
    with workflows.machine(tmp_path) as machine:
        machine.run_step("play.yml", INSTALL_STEP, tmp_path)
        machine.make_image(INSTALLED_IMAGE)
    installed_workflows = replace(workflows, image=INSTALLED_IMAGE)

    def play_until_killed(due: Callable[[], bool]) -> None:
        with installed_workflows.machine(tmp_path) as machine:
            machine.kill_when(due, "play.yml", "Play", contest)

    with installed_workflows.machine(tmp_path) as machine:
        machine.run_step("play.yml", "Fetch the site", contest)
    for event in (b'"stage_started"', b'"hand_ended"', b'"game_ended"'):
        count = journal_of(data).count(event)
        play_until_killed(lambda event=event, count=count: journal_of(data).count(event) > count)  # type: ignore[misc]
    journal_before = journal_of(data)
    play_until_killed((contest / "site" / "recordings").exists)
    half_written = contest / "site" / ".high-noon-half" / "one"
    half_written.parent.mkdir(exist_ok=True)
    half_written.write_text("left by a program that was killed while it wrote")
    os.utime(half_written, (0, 0))
    assert journal_of(data).startswith(journal_before[: journal_before.rfind(b"\n") + 1])
    with installed_workflows.machine(tmp_path) as machine:
        machine.run_step("play.yml", "Play", contest)
        machine.run_step("play.yml", "Publish", contest)
        machine.publish(data / "data" / "recordings", tmp_path / "one-go")
    assert not (data / "event.toml").exists(), "the event file must be gone, so that the next run begins a new contest"
    (recording,) = (data / "data" / "recordings").glob("*.jsonl")
    assert verify(read_journal(recording).entries).finished

    git(tmp_path, "clone", "--quiet", "--branch", "gh-pages", "origin.git", "pages")
    assert site_files(tmp_path / "pages") == site_files(tmp_path / "one-go")
    with nginx(tmp_path / "nginx", static_host(tmp_path / "pages")) as host:
        assert "Friday" in httpx.get(f"{host}/index.html", timeout=TIMEOUT_SECONDS).text


def journal_of(data: Path) -> bytes:
    return b"".join(path.read_bytes() for path in (data / "data" / "recordings").glob("*.jsonl"))

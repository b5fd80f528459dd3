"""Runs the workflows for GitHub: the scripts of their steps, in a clean container, on local git repositories.

GitHub's actions and its program `gh` are missing, so a test itself does the work of the steps that use them. It also
writes the list of an assignment's repositories.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import docker
import yaml
from msgspec import Struct
from msgspec.structs import replace

from tests.support.published import files_in
from tests.support.source_files import ROOT, copy_clone

GITHUB = ROOT / "assets" / "deploy" / "github"
INSTALLED_IMAGE = "high-noon-tests-installed"
SECONDS = 900
POLL_SECONDS = 0.02


class Ended(Struct, frozen=True):
    """How a step ended: its exit status, and what it printed."""

    status: int
    printed: str


class CleanMachine:
    """A container like a machine of GitHub's: Python, git and Docker, but no High Noon until a step installs it.

    It sees one folder of this machine, in which each job has its own folder, and has no network.
    """

    def __init__(self, engine: docker.APIClient, image: str, folder: Path, wheel: Path, socket: str) -> None:
        self._engine = engine
        self._folder = folder
        self._wheel = wheel
        self._printed = folder / "printed.txt"
        mounts = [f"{folder}:{folder}", f"{wheel.parent}:{wheel.parent}:ro", f"{socket}:/var/run/docker.sock"]
        host = engine.create_host_config(binds=mounts, network_mode="none", init=True)
        # This volume has the program's temporary files, which the program shares with a helper in another container.
        made = engine.create_container(image, ["sleep", "infinity"], host_config=host, volumes=["/tmp"])  # noqa: S108
        self._container = str(made["Id"])
        engine.start(self._container)

    def run_step(self, workflow: str, name: str, folder: Path, **variables: str) -> Ended:
        """Runs the script of a step in `folder` as GitHub does: with `variables`, and with those of the workflow."""
        return self._finish(self._start(workflow, name, folder, variables))

    def succeed(self, workflow: str, name: str, folder: Path, **variables: str) -> str:
        """Runs a step, which must succeed; returns what it printed."""
        ended = self.run_step(workflow, name, folder, **variables)
        assert ended.status == 0, ended.printed
        return ended.printed

    def publish(self, recordings: Path, site: Path) -> None:
        """Publishes a folder of recordings, outside any step, with the program that a step has installed."""
        ended = self._finish(self._run(f"highnoon publish {recordings} --to {site}", recordings, {}))
        assert ended.status == 0, ended.printed

    def kill_when(self, due: Callable[[str], bool], workflow: str, name: str, folder: Path) -> None:
        """Runs a step, and kills all processes of the machine at once as soon as `due` is true; bots' boxes beside it
        keep running.

        `due` is called with what the step has printed so far. Fails if the step ends by itself.
        """
        step = self._start(workflow, name, folder, {})
        deadline = time.monotonic() + SECONDS
        while not due(self._printed.read_text(errors="replace")):
            assert self._engine.exec_inspect(step)["Running"], self._printed.read_text(errors="replace")
            assert time.monotonic() < deadline, f"{name} takes more than {SECONDS} s"
            time.sleep(POLL_SECONDS)
        self._engine.kill(self._container)
        self._engine.wait(self._container)

    def _start(self, workflow: str, name: str, folder: Path, variables: Mapping[str, str]) -> str:
        """Starts a step; returns its id."""
        script, known = script_of(workflow, name)
        return self._run(script, folder, {**known, "HIGHNOON": str(self._wheel), **variables})

    def _run(self, script: str, folder: Path, variables: Mapping[str, str]) -> str:
        """Starts a script that writes its output to a file: Docker's library leaks the socket of an attached script."""
        self._printed.write_text("")
        home = {"HOME": str(self._folder), "RUNNER_TEMP": str(self._folder)}
        environment = {**home, "GITHUB_STEP_SUMMARY": str(self._folder / "summary.md"), **variables}
        command = ["bash", "-e", "-c", f"exec > {self._printed} 2>&1\n{script}"]
        made = self._engine.exec_create(self._container, command, environment=environment, workdir=str(folder))
        self._engine.exec_start(made["Id"], detach=True)
        return str(made["Id"])

    def _finish(self, step: str) -> Ended:
        deadline = time.monotonic() + SECONDS
        while (about := self._engine.exec_inspect(step))["Running"]:
            assert time.monotonic() < deadline, self._printed.read_text(errors="replace")
            time.sleep(POLL_SECONDS)
        return Ended(about["ExitCode"], self._printed.read_text(errors="replace"))

    def keep(self, image: str) -> None:
        """Makes an image of the machine as it is now, with what steps have installed."""
        self._engine.commit(self._container, repository=image)

    def remove(self) -> None:
        """Removes the container, whether it runs or not."""
        self._engine.remove_container(self._container, force=True, v=True)


class Workflows(Struct, frozen=True):
    """What all jobs have in common: Docker, the image of their machines, and High Noon as a wheel."""

    docker_host: str
    image: str
    wheel: Path

    @contextmanager
    def machine(self, folder: Path) -> Iterator[CleanMachine]:
        """A new machine that sees `folder`."""
        socket = self.docker_host.removeprefix("unix://")
        with closing(docker.APIClient(base_url=self.docker_host, version="auto", timeout=SECONDS)) as engine:
            made = CleanMachine(engine, self.image, folder, self.wheel, socket)
            try:
                yield made
            finally:
                made.remove()

    def installed(self, folder: Path) -> "Workflows":
        """The same workflows on machines where High Noon is installed, as by the first step of play.yml."""
        with self.machine(folder) as machine:
            machine.succeed("play.yml", "Install High Noon", folder)
            machine.keep(INSTALLED_IMAGE)
        return replace(self, image=INSTALLED_IMAGE)


def script_of(workflow: str, name: str) -> tuple[str, Mapping[str, str]]:
    """The script of a step, and the variables of its workflow that have a value without GitHub."""
    read = yaml.safe_load((GITHUB / workflow).read_text())
    (step,) = [step for job in read["jobs"].values() for step in job["steps"] if step.get("name") == name]
    return step["run"], read.get("env", {})


def make_wheel(folder: Path) -> Path:
    """Packs a copy of this clone, without the network; returns the wheel, which is alone in its folder."""
    command = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    subprocess.run(
        [*command, "--wheel-dir", folder / "wheel", copy_clone(folder / "clone")], check=True, timeout=SECONDS
    )
    (wheel,) = (folder / "wheel").iterdir()
    return wheel


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main")
    return subprocess.run(
        ["git", "-C", folder, *own, *words], check=True, capture_output=True, text=True, timeout=SECONDS
    ).stdout.strip()


def repository(folder: Path) -> Path:
    """Turns a folder into a repository with one commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "My bot")
    return folder


def contest_repository(folder: Path, settings: str) -> Path:
    """A clone of a contest's repository, with its scripts in the folder `contest`, and `origin.git` beside it."""
    contest = folder / "contest"
    (contest / "contest").mkdir(parents=True)
    for name in ("collect.py", "play.py"):
        (contest / "contest" / name).write_text((GITHUB / name).read_text())
    (contest / "contest.toml").write_text(settings)
    repository(contest)
    git(folder, "clone", "--quiet", "--bare", str(contest), "origin.git")
    git(contest, "remote", "add", "origin", str(folder / "origin.git"))
    git(contest, "push", "--quiet", "--set-upstream", "origin", "main")
    return contest


def site_files(site: Path) -> dict[str, bytes]:
    """The contents of all files of a site by path, without the files that only git and GitHub need."""
    return {name: content for name, content in files_in(site).items() if not name.startswith((".git", ".nojekyll"))}

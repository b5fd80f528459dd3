"""How soon has a push its report, and a class of 12 bots its published contest?

The scripts of the workflows for GitHub run in clean containers, on local repositories, and nginx is the host of the
site. Run: `make bench BENCH=classroom`.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import httpx
import msgspec

from tests.bench.common.scales import options
from tests.support.bots.boxes import OURS, daemon_address, ensure_base_image
from tests.support.programs.nginx import nginx, static_host
from tests.support.programs.python_image import make_python_image
from tests.support.programs.workflows import Workflows, contest_repository, git, make_wheel, repository
from tests.support.source_files import ROOT

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
REPOSITORIES = (1, 1, 1, 1, 1, 1, 2, 3, 1)
"""The number of bots in each repository of the assignment."""
REPORT_SECONDS, CONTEST_SECONDS = 180, 600
"""The goals: from a push to its report, and from the first clone of a bot to the published contest."""
SETTINGS = 'name = "Friday"\nseed = "2a"\n'
INSTALL = "Install High Noon"


def write_starter(folder: Path, number: int) -> None:
    """Writes a starter bot whose name and courage depend on `number`."""
    shutil.copytree(STARTER, folder)
    program = folder / "bot.py"
    program.write_text(program.read_text().replace("how_good > 0.7", f"how_good > {0.7 + number / 50:.2f}"))
    config = folder / "bot_config.json"
    about = msgspec.json.decode(config.read_bytes())
    config.write_bytes(msgspec.json.encode({**about, "name": f"Starter {number}"}))


def write_assignment(folder: Path) -> Path:
    """Writes the repositories of all players; returns the list of them."""
    lines, bots = [], 0
    for player, count in enumerate(REPOSITORIES, 1):
        home = folder / f"player-{player}"
        for each in range(count):
            bots += 1
            write_starter(home / f"bot-{each}" if count > 1 else home, bots)
        lines.append(f"player-{player}\t{repository(home)}\n")
    listed = folder / "repositories.tsv"
    listed.write_text("".join(lines))
    return listed


def time_push(workflows: Workflows, folder: Path) -> float:
    """Pushes a bot; returns the seconds until its report is written."""
    folder.mkdir()
    write_starter(folder / "ada", 1)
    ada = repository(folder / "ada")
    git(folder, "init", "--quiet", "--bare", "origin.git")
    began = time.monotonic()
    git(ada, "push", "--quiet", str(folder / "origin.git"), "main")
    with workflows.machine(folder) as machine:
        git(folder, "clone", "--quiet", "--branch", "main", "origin.git", "ada-bot")
        machine.succeed("check.yml", INSTALL, folder)
        machine.succeed("check.yml", "Check the bot", folder, BOT="ada-bot")
    return time.monotonic() - began


def collect(workflows: Workflows, folder: Path, listed: Path) -> Path:
    """Collects all bots in a new contest's repository in `folder`; returns the repository's clone."""
    folder.mkdir()
    contest = contest_repository(folder, SETTINGS)
    shutil.copy(listed, folder)
    with workflows.machine(folder.parent) as machine:
        machine.succeed("collect.yml", "Take the bots", contest, RUNNER_TEMP=str(folder))
        machine.succeed("collect.yml", "Keep them", contest)
        machine.succeed("play.yml", "Fetch the site", contest)
    return contest


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        address = daemon_address(home)
        ensure_base_image(address, ours=OURS in address)
        (home / "image").mkdir()
        workflows = Workflows(address, make_python_image(address, home / "image"), make_wheel(home / "packed"))
        report = time_push(workflows, home / "push")
        print(f"push to report: {report:.0f} s  (goal {REPORT_SECONDS})", flush=True)
        listed = write_assignment(home / "assignment")
        began = time.monotonic()
        contest = collect(workflows, home / "whole", listed)
        collected = time.monotonic() - began
        with workflows.machine(contest.parents[1]) as machine:
            for step in (INSTALL, "Play", "Publish"):
                machine.succeed("play.yml", step, contest)
        with nginx(home / "nginx", static_host(contest / "site")) as host:
            assert "Friday" in httpx.get(f"{host}/index.html").raise_for_status().text
        took = time.monotonic() - began
    print(f"{sum(REPOSITORIES)} bots of {len(REPOSITORIES)} repositories: collected {collected:.0f} s")
    print(f"played and published {took:.0f} s  (goal {CONTEST_SECONDS})")
    return int(report > REPORT_SECONDS or took > CONTEST_SECONDS)


if __name__ == "__main__":
    options(__doc__)
    sys.exit(main())

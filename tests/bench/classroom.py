"""How soon a push has its report, and a class its published contest? Is the site the same after 20 kills?

The scripts of the workflows for GitHub run in clean containers, on local repositories, and nginx is the host of the
site. One contest is played without interruption. Another, with the same bots and cards, is killed at random moments.

Run: `make bench BENCH=classroom`; shorter: `ARGS="--kills 4"`.
"""

import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tests.bench.common.scales import options, print_machine
from tests.support.boxes import OURS, daemon_address, ensure_base_image
from tests.support.nginx import nginx, static_host
from tests.support.python_image import make_python_image
from tests.support.source_files import ROOT
from tests.support.workflows import Workflows, contest_repository, git, make_wheel, repository, site_files

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
REPOSITORIES = (1, 1, 1, 1, 1, 1, 2, 3, 1)
"""The number of bots in each repository of the assignment."""
REPORT_SECONDS, CONTEST_SECONDS = 180, 600
"""The goals: from a push to its report, and from the first clone of a bot to the published contest."""
SETTINGS = 'name = "Friday"\nseed = "2a"\n'
INSTALL = "Install High Noon"
RECORDINGS = "contest-data/data/recordings"
TIMES = ("at_ms", "think_ms", "seq", "sum")
"""The fields of recorded events that differ between two contests with the same cards and answers."""
TIMED = ("bot_connected", "bot_disconnected", "chat_sent")
"""Events whose order or number depends on time: a killed contest's bots connect again, and a bot may chat only once in
five seconds."""


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


def play(workflows: Workflows, contest: Path) -> None:
    """Plays and publishes a contest, or continues an interrupted one."""
    with workflows.machine(contest.parents[1]) as machine:
        machine.succeed("play.yml", INSTALL, contest)
        machine.succeed("play.yml", "Play", contest)
        machine.succeed("play.yml", "Publish", contest)


def recorded(contest: Path) -> int:
    """Returns the size of the contest's recording in bytes."""
    return sum(path.stat().st_size for path in (contest / RECORDINGS).glob("*.jsonl"))


def published(contest: Path) -> int:
    """Returns how many files of the site have been written, completely or in part."""
    return sum(path.is_file() for path in (contest / "site").rglob("*"))


def kill_often(workflows: Workflows, contest: Path, size: int, files: int, kills: int) -> None:
    """Kills a contest at random moments: three quarters of them while it plays, the others while it publishes.

    An uninterrupted contest records `size` bytes and publishes `files` files.
    """
    dice = random.Random(kills)
    publishing = kills // 4
    installed = workflows.installed(contest.parents[1])

    def kill(due: Callable[[str], bool]) -> None:
        with installed.machine(contest.parents[1]) as machine:
            machine.kill_when(due, "play.yml", "Play", contest)

    # Not up to `size`: with fewer chats, a contest records up to 2 % less.
    for moment in sorted(dice.uniform(0, 0.98 * size) for _ in range(kills - publishing)):
        kill(partial(_has_recorded, contest, moment))
        print(f"   killed when {recorded(contest) / size:4.0%} was recorded", flush=True)
    for moment in sorted(dice.uniform(0, files) for _ in range(publishing)):
        kill(partial(_has_published, contest, moment))
        print(f"   killed when {published(contest) / files:4.0%} was published", flush=True)


def _has_recorded(contest: Path, size: float, _: str) -> bool:
    return recorded(contest) > size


def _has_published(contest: Path, files: float, printed: str) -> bool:
    return "+ highnoon publish" in printed and published(contest) > files


def events(contest: Path) -> Sequence[Mapping[str, Any]]:
    """Returns the events that a contest has recorded, without everything that depends on time."""
    (path,) = (contest / RECORDINGS).glob("*.jsonl")
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()[1:]]
    played = [line for line in lines if line["type"] not in TIMED]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in played]


def publish_in_one_go(workflows: Workflows, contest: Path, site: Path) -> Mapping[str, bytes]:
    """Publishes the recording of a contest without interruption; returns the site."""
    with workflows.installed(site.parent).machine(site.parent) as machine:
        machine.publish(contest / RECORDINGS, site)
    return site_files(site)


def count_different(ours: Mapping[str, bytes], others: Mapping[str, bytes]) -> int:
    """Prints the names of files that differ, or that only one site has; returns how many."""
    names = [name for name in ours.keys() | others.keys() if ours.get(name) != others.get(name)]
    short = sorted({re.sub("^(films)/.*", r"\1", name) for name in names})
    print(f"   {len(names)} of {len(ours)} files differ: {', '.join(short) or 'none'}", flush=True)
    return len(names)


def main(kills: int) -> int:
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
        whole = collect(workflows, home / "whole", listed)
        collected = time.monotonic()
        play(workflows, whole)
        with nginx(home / "nginx", static_host(whole / "site")) as host:
            page = httpx.get(f"{host}/index.html").raise_for_status().text
        took = time.monotonic() - began
        assert "Friday" in page
        print(
            f"{sum(REPOSITORIES)} bots of {len(REPOSITORIES)} repositories: collected {collected - began:.0f} s,",
            end=" ",
        )
        print(f"played and published {took:.0f} s  (goal {CONTEST_SECONDS})", flush=True)

        killed = collect(workflows, home / "killed", listed)
        kill_often(workflows, killed, recorded(whole), published(whole), kills)
        play(workflows, killed)
        site = site_files(killed / "site")
        print(f"killed {kills} times, against the same recording published in one go:")
        broken = count_different(site, publish_in_one_go(workflows, killed, home / "one-go"))
        print("against the contest that nobody interrupted:")
        count_different(site, site_files(whole / "site"))
        played, uninterrupted = events(killed), events(whole)
        same = "the same" if played == uninterrupted else "NOT THE SAME"
        print(f"   {len(played):,} events at the table are {same} but for times", flush=True)
    return int(broken > 0 or played != uninterrupted or report > REPORT_SECONDS or took > CONTEST_SECONDS)


if __name__ == "__main__":
    flags = options(__doc__, kills=20)
    print_machine()
    sys.exit(main(flags.kills))

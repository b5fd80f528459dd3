"""A tournament of deals (the same cards at several tables) is recorded alike whether workers play the tables or one
machine does. The bots are in boxes (sandboxes).
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docker
import pytest

from server.bots.sandbox.docker.engine import LABEL
from server.game.events import BotConnected, DealEnded
from server.verify.recording import verify
from tests.end_to_end.evening import EventFolder, Terminal, tournament, write_evening
from tests.journal.killed_contest import decided_events
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP, docker_host
from tests.support.bots.starters import write_starter
from tests.support.bots.submission import DOCKERFILE, HOST, write_bot
from tests.support.program import highnoon
from tests.support.programs.cluster import Cluster, cluster, until

__all__ = ["docker_host"]

DEALS = 4
BOLD = 'return {"action": "raise", "raise_amount": request["highest_bid_value"] * 2}'


def write_deals(folder: Path, more: str = "", *, broken: bool = False, runner: str = "light") -> EventFolder:
    """Writes the event file of a contest of deals for three submissions, which play in boxes of `runner`.

    `more` are further lines of the file. The first bot has the tournament's address in its code. If `broken`, the third
    bot cannot be started.
    """
    players = {"Ada": folder / "ada", "Babbage": folder / "babbage", "Curry": folder / "curry"}
    write_bot(players["Ada"], "Abe")
    for name, lines in (("Babbage", "import time\ntime.sleep(0.1)"), ("Curry", BOLD)):
        write_bot(players[name], name, dockerfile=DOCKERFILE.format(command='["python", "bot.py"]'))
        write_starter(folder / "starters" / name, lines)
        shutil.copyfile(folder / "starters" / name / "bot.py", players[name] / "bot.py")
    if broken:
        (players["Curry"] / "bot.py").write_text("raise SystemExit(3)")
    lines = f'start = "bots"\nrunner = "{runner}"\nbuy_in = 0\nbot_addresses = ["{HOST}"]'
    evening = write_evening(folder, {}, players, lines=lines)
    table = f"\n[format]\nsame_cards = true\ndeals = {DEALS}\n"
    evening.file.write_text(f"{evening.file.read_text()}{table}{more}")
    return evening


def check_deals(evening: EventFolder) -> None:
    """Checks that all three bots were connected and played all deals without a fault, but not equally well."""
    assert evening.prove().deals == DEALS
    assert {event.bot for event in evening.events if isinstance(event, BotConnected)} == {1, 2, 3}
    assert any(any(event.won) for event in evening.events if isinstance(event, DealEnded))


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path) as running_cluster:
        yield running_cluster


def kill_worker_one_at_a_table(workers: Cluster, terminal: Terminal) -> None:
    """Kills worker one while it plays a table, and waits until the contest's program has noticed."""
    playing = workers.folder / "one" / "games"
    terminal.wait_for_output("The Final, deal 2 of")
    until(terminal.process, lambda: bool(list(playing.glob("*/table-*/printed-*.log"))), "a table on worker one")
    workers.kill_worker("one")
    terminal.wait_for_output("is gone; its work will be redone elsewhere")


@NEEDS_BUBBLEWRAP
def test_deals_on_workers_are_recorded_alike_even_after_kills(workers: Cluster, tmp_path: Path) -> None:
    local = write_deals(tmp_path / "local")
    with tournament(local) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    remote = write_deals(tmp_path / "remote", workers.event_lines)
    for name in ("one", "two"):
        workers.start_worker(name, cores=3)
        workers.await_worker(name)
    with tournament(remote) as terminal:
        kill_worker_one_at_a_table(workers, terminal)
        terminal.wait_for_output("The Final, deal 3 of")
        terminal.kill_everything()
    assert "all tables are played by the workers of tls://" in terminal.text
    assert f"for {DEALS} deals (measured by a trial deal of " in terminal.text
    with tournament(remote) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert "table 3 of a deal: " in workers.output_of("one") + workers.output_of("two")
    assert decided_events(remote.journal) == decided_events(local.journal)
    check_deals(remote)


@pytest.mark.docker
def test_restarted_worker_removes_the_docker_boxes_that_it_left(docker_host: str, tmp_path: Path) -> None:
    remote = write_deals(tmp_path / "remote", runner="docker")
    with cluster(tmp_path, {"DOCKER_HOST": docker_host}) as workers:
        remote.file.write_text(remote.file.read_text() + workers.event_lines)
        for name in ("one", "two"):
            workers.start_worker(name, cores=3, runner="docker")
            workers.await_worker(name)
        with tournament(remote) as terminal:
            kill_worker_one_at_a_table(workers, terminal)
            assert terminal.wait_for_end() == 0, terminal.text
        assert labels_of_leftovers(workers, docker_host), "boxes must outlive the killed worker"
        workers.start_worker("one", cores=3, runner="docker")
        workers.await_worker("one", times=2)
    assert labels_of_leftovers(workers, docker_host) == []
    check_deals(remote)


def labels_of_leftovers(workers: Cluster, docker_host: str) -> list[str]:
    """The labels of all containers and images of these workers. Each begins with a worker's name."""
    names = [re.findall(r"^worker (\S+):", workers.output_of(name), re.MULTILINE)[-1] for name in ("one", "two")]
    with closing(docker.APIClient(base_url=docker_host, version="auto")) as engine:
        leftovers = [*engine.containers(all=True), *engine.images(all=True)]
    labels = [(leftover["Labels"] or {}).get(LABEL, "") for leftover in leftovers]
    return [label for label in labels if label.startswith(tuple(names))]


@NEEDS_BUBBLEWRAP
def test_other_bots_play_if_no_worker_can_start_a_bot(workers: Cluster, tmp_path: Path) -> None:
    workers.start_worker("one", cores=3)
    remote = write_deals(tmp_path / "remote", workers.event_lines, broken=True)
    with tournament(remote) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert "  Curry: Curry ended with status 3" in terminal.text
    assert {event.bot for event in remote.events if isinstance(event, BotConnected)} == {1, 2}
    assert verify(remote.entries).deals == DEALS


def test_workers_are_refused_for_bots_that_run_on_this_machine(tmp_path: Path) -> None:
    evening = write_evening(tmp_path, {}, lines="")
    entries = "".join(f'[[entries]]\nplayer = "{name}"\nbot = "{name}"\ncommand = "cat {{server}}"\n' for name in "AB")
    evening.file.write_text(f"{evening.file.read_text()}[format]\nsame_cards = true\n{entries}")
    refusal = highnoon("tournament", str(evening.file), "--scheduler", "tcp://127.0.0.1:9")
    assert refusal.returncode == 1
    assert "workers only play bots in folders, and entries[1] runs on this machine" in refusal.stderr

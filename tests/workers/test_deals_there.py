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
from tests.support.bots.starters import changed_starter
from tests.support.bots.submission import DOCKERFILE, HOST, write_bot
from tests.support.program import highnoon
from tests.support.programs.cluster import Cluster, cluster, until

__all__ = ["docker_host"]

DEALS = 4
BOLD = 'return {"action": "raise", "raise_amount": request["highest_bid_value"] * 2}'


def write_deals(folder: Path, more: str = "", *, broken: bool = False, runner: str = "light") -> EventFolder:
    """Writes the event file of an evening of deals for three submissions, which play in boxes of `runner`.

    `more` are further lines of the file. The first bot has the tournament's address in its code. If `broken`, the third
    bot cannot be started.
    """
    players = {"Ada": folder / "ada", "Babbage": folder / "babbage", "Curry": folder / "curry"}
    write_bot(players["Ada"], "Abe")
    for name, lines in (("Babbage", "import time\ntime.sleep(0.1)"), ("Curry", BOLD)):
        write_bot(players[name], name, dockerfile=DOCKERFILE.format(command='["python", "bot.py"]'))
        changed_starter(folder / "starters" / name, lines)
        shutil.copyfile(folder / "starters" / name / "bot.py", players[name] / "bot.py")
    if broken:
        (players["Curry"] / "bot.py").write_text("raise SystemExit(3)")
    lines = f'start = "bots"\nrunner = "{runner}"\nbuy_in = 0\nbot_addresses = ["{HOST}"]'
    evening = write_evening(folder, {}, players, lines=lines)
    form = f"\n[format]\nsame_cards = true\ndeals = {DEALS}\n"
    evening.file.write_text(f"{evening.file.read_text()}{form}{more}")
    return evening


def check_deals(evening: EventFolder) -> None:
    """Checks that all three bots were connected and played all deals without a fault, but not equally well."""
    assert evening.prove().deals == DEALS
    assert {event.bot for event in evening.events if isinstance(event, BotConnected)} == {1, 2, 3}
    assert any(any(event.won) for event in evening.events if isinstance(event, DealEnded))


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path) as started:
        yield started


def kill_worker_one_at_a_table(workers: Cluster, terminal: Terminal) -> None:
    """Kills worker one while it plays a table, and waits until the evening has noticed."""
    playing = workers.folder / "one" / "games"
    terminal.wait_for_output("The Final, deal 2 of")
    until(terminal.process, lambda: bool(list(playing.glob("*/table-*/printed-*.log"))), "a table on worker one")
    workers.kill_worker("one")
    terminal.wait_for_output("is gone; its work will be redone elsewhere")


@NEEDS_BUBBLEWRAP
def test_deals_on_workers_have_the_same_recording_even_if_a_worker_and_the_evening_die_in_the_middle(
    workers: Cluster, tmp_path: Path
) -> None:
    here = write_deals(tmp_path / "here")
    with tournament(here) as terminal:
        assert terminal.ended() == 0, terminal.text
    there = write_deals(tmp_path / "there", workers.event_lines)
    for name in ("one", "two"):
        workers.start_worker(name, cores=3)
        workers.await_worker(name)
    with tournament(there) as terminal:
        kill_worker_one_at_a_table(workers, terminal)
        terminal.wait_for_output("The Final, deal 3 of")
        terminal.kill_everything()
    assert "all tables are played by the workers of tls://" in terminal.text
    assert f"for {DEALS} deals (measured by a trial deal of " in terminal.text
    with tournament(there) as terminal:
        assert terminal.ended() == 0, terminal.text
    assert "table 3 of a deal: " in workers.output_of("one") + workers.output_of("two")
    assert decided_events(there.journal) == decided_events(here.journal)
    check_deals(there)


@pytest.mark.docker
def test_deals_in_docker_boxes_go_on_after_a_worker_is_killed_and_nothing_is_left_once_it_was_started_again(
    docker_host: str, tmp_path: Path
) -> None:
    there = write_deals(tmp_path / "there", runner="docker")
    with cluster(tmp_path, {"DOCKER_HOST": docker_host}) as workers:
        there.file.write_text(there.file.read_text() + workers.event_lines)
        for name in ("one", "two"):
            workers.start_worker(name, cores=3, runner="docker")
            workers.await_worker(name)
        with tournament(there) as terminal:
            kill_worker_one_at_a_table(workers, terminal)
            assert terminal.ended() == 0, terminal.text
        assert left_by(workers, docker_host), "boxes must outlive the killed worker"
        workers.start_worker("one", cores=3, runner="docker")
        workers.await_worker("one", times=2)
    assert left_by(workers, docker_host) == []
    check_deals(there)


def left_by(workers: Cluster, docker_host: str) -> list[str]:
    """The labels of all containers and images of these workers. Each begins with a worker's name."""
    names = [re.findall(r"^worker (\S+):", workers.output_of(each), re.MULTILINE)[-1] for each in ("one", "two")]
    with closing(docker.APIClient(base_url=docker_host, version="auto")) as engine:
        found = [*engine.containers(all=True), *engine.images(all=True)]
    labels = [(each["Labels"] or {}).get(LABEL, "") for each in found]
    return [label for label in labels if label.startswith(tuple(names))]


@NEEDS_BUBBLEWRAP
def test_bot_that_no_worker_can_start_does_not_play_and_the_others_do(workers: Cluster, tmp_path: Path) -> None:
    workers.start_worker("one", cores=3)
    there = write_deals(tmp_path / "there", workers.event_lines, broken=True)
    with tournament(there) as terminal:
        assert terminal.ended() == 0, terminal.text
    assert "  Curry: Curry ended with status 3" in terminal.text
    assert {event.bot for event in there.events if isinstance(event, BotConnected)} == {1, 2}
    assert verify(there.entries).deals == DEALS


def test_scheduler_on_the_command_line_is_refused_for_bots_that_run_on_this_machine(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, {}, lines="")
    form = "[format]\nsame_cards = true\n"
    entry = '[[entries]]\nplayer = "{0}"\nbot = "{0}"\ncommand = "cat {{server}}"\n'
    folder.file.write_text(f"{folder.file.read_text()}{form}{entry.format('Ada')}{entry.format('Bo')}")
    ended = highnoon("tournament", str(folder.file), "--scheduler", "tcp://127.0.0.1:9")
    assert ended.returncode == 1
    assert "workers only play bots in folders, and entries[1] runs on this machine" in ended.stderr

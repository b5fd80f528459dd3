"""A season has the same games with workers (programs on other machines) as without, even if workers crash or lie."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import httpx
import msgspec
import pytest

from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault
from server.journal.journal import read_header
from server.season.files import SeasonFiles
from server.season.local_games import GamesStatus
from server.verify.season import verify_season
from tests.support.program import FAKETIME_LIBRARY, SECONDS, wait_until
from tests.support.programs.cluster import (
    Cluster,
    cluster,
    game_events,
    ledger_of,
    output_of,
    rated_games,
    season,
    until,
    write_event,
)

pytestmark = pytest.mark.alone
PLAYERS, GAMES, AT_ONCE = 6, 7, 3


@pytest.fixture(scope="module")
def local_event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plays a season on this machine alone and returns its event file."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    event = write_event(tmp_path_factory.mktemp("here"), PLAYERS, GAMES, AT_ONCE)
    with season(event) as program:
        assert program.wait(SECONDS) == 0, output_of(event)
    return event


@pytest.fixture
def workers(local_event: Path, tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path) as running_cluster:
        yield running_cluster


def check_ledger(event: Path, local_event: Path) -> None:
    """Checks that the ledger (the season's journal) can be proved and has the same games as on this machine alone."""
    assert game_events(event) == game_events(local_event)
    verdict = verify_season(ledger_of(event), SeasonFiles(ledger_of(event)))
    assert verdict.whole, verdict  # `whole`: complete to the end


def test_season_prints_a_table_of_all_players_but_not_their_secrets(local_event: Path) -> None:
    output, secrets = output_of(local_event), json.loads(ledger_of(local_event).with_suffix(".players").read_text())
    assert len(re.findall(r"^ +\d  Bot \d +P\d\d +\d+\.\d\d +\d+ +\d+-\d+-\d+$", output, re.MULTILINE)) == PLAYERS
    assert len(secrets) == PLAYERS
    assert not any(secret in output for secret in secrets.values())


def test_every_game_is_rated_once_even_after_crashes(local_event: Path, workers: Cluster, tmp_path: Path) -> None:
    event = write_event(tmp_path / "season", PLAYERS, GAMES, AT_ONCE, workers.event_lines)
    workers.start_worker("one")
    with season(event) as program:
        until(program, lambda: "game " in workers.output_of("one"), "a game of worker one")
        workers.kill_worker("one")
        until(program, lambda: "is gone; its work will be redone elsewhere" in output_of(event), "the loss")
        workers.start_worker("one")
        workers.start_worker("two")
        until(program, lambda: rated_games(event) >= 4, "game 4")
        workers.kill_scheduler()
        until(program, lambda: "is not responding; trying again" in output_of(event), "the end of the scheduler")
        workers.start_scheduler()
        until(program, lambda: rated_games(event) >= 5, "game 5")
        program.send_signal(signal.SIGKILL)
        program.wait(SECONDS)
    with season(event) as program:
        assert program.wait(SECONDS) == 0, output_of(event)
    assert f"the scheduler at {workers.address} answers" in output_of(event)
    check_ledger(event, local_event)
    list_game_files = (workers.folder / "one" / "games").iterdir  # A worker deletes a game's files after returning it.
    wait_until(lambda: not [*list_game_files()], lambda: "a worker must delete the files of its games")


def test_wrong_game_shuts_a_worker_out_but_a_wrong_clock_does_not(
    local_event: Path, workers: Cluster, tmp_path: Path
) -> None:
    if not FAKETIME_LIBRARY.exists():
        pytest.skip("libfaketime is not installed: apt-get install faketime")
    event = write_event(tmp_path / "season", PLAYERS, GAMES, AT_ONCE, workers.event_lines)
    workers.start_worker("liar", "tests.workers.bad_worker")  # The name says how it misbehaves.
    with season(event) as program:
        until(program, lambda: "is shut out: its game" in output_of(event), "the lie")
        workers.start_worker("quitter", "tests.workers.bad_worker")
        until(program, lambda: "whether it is complete" in output_of(event), "the unfinished game")
        workers.start_worker("late", "tests.workers.bad_worker")
        until(program, lambda: rated_games(event) >= 1, "game 1")
        with httpx.Client(follow_redirects=True, timeout=SECONDS) as web:
            desk = web.get(re.findall(r"control desk +(http\S+)", output_of(event))[-1])
            pages = web.get(urljoin(str(desk.url), "/season/workers.json"))
            status = msgspec.json.decode(pages.content, type=GamesStatus)
        workers.start_worker("one")  # Saves time: "late" has a wrong clock and is slow.
        assert program.wait(SECONDS) == 0, output_of(event)
    check_ledger(event, local_event)
    assert output_of(event).count("is shut out") == 2
    assert len(status.shut_out) == 2
    (late,) = status.workers
    assert late.name not in status.shut_out
    assert (late.played >= 1, late.games_at_once, status.connected) == (True, 1, True)
    began_at = read_header(SeasonFiles(ledger_of(event)).game_files(1).journal).begun
    assert began_at[:4] >= "2026", "a game's start must have the time of the season's clock, not of the worker's clock"

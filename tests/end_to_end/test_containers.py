"""An evening whose bots are folders: each is built and run in a container, up to the prizes."""

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import docker
import pytest

from server.game.events import BotWithdrawn, Entrant, StageStarted, TournamentEnded, TournamentOpened
from server.verify.recording import verify
from tests.end_to_end.evening import EventFolder, tournament, write_evening
from tests.end_to_end.viewers import Operator
from tests.support.submission import HOST, write_bot, write_player

pytestmark = pytest.mark.docker

SECONDS = 300.0
HONEST = ("Ada", "Babbage", "Curry")
BROKEN = "FROM python:3.11-slim\nRUN false\nCMD python bot.py honest\n"


def write_submissions(folder: Path) -> Mapping[str, Path]:
    """Seven bots of six players: one player has two, one bot is hostile, and one cannot be built."""
    players = {name: write_player(folder / name, f"{name}'s bot", behaviour="folds") for name in HONEST}
    players["Floyd"] = write_player(folder / "Floyd", "Floyd One", "Floyd Two", behaviour="folds")
    players["Gosper"] = write_player(folder / "Gosper", "Gosper's hog", behaviour="forks")
    write_bot(folder / "Hopper", "Hopper's wreck", dockerfile=BROKEN)
    return {**players, "Hopper": folder / "Hopper"}


@pytest.fixture(scope="module")
def played(docker_host: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[EventFolder, str]:
    """The evening and the output of its program; The Trials are ended after the first hand."""
    folder = tmp_path_factory.mktemp("containers")
    lines = f'runner = "docker"\nbot_addresses = ["{HOST}"]'
    event_folder = write_evening(folder, {}, write_submissions(folder / "submissions"), lines=lines)
    with tournament(event_folder) as terminal:
        terminal.hears("ready; the tournament begins", SECONDS)
        with Operator(terminal.address) as ann:
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            ann.set("stage_end", True)
        assert terminal.ended(SECONDS) == 0, terminal.text
    return event_folder, terminal.text


def opened(event_folder: EventFolder) -> TournamentOpened:
    first = event_folder.events[0]
    assert isinstance(first, TournamentOpened)
    return first


def bot_of(event_folder: EventFolder, name: str) -> Entrant:
    return next(entrant for entrant in opened(event_folder).entrants if entrant.name == name)


def test_seven_bots_are_entered_and_six_play(played: tuple[EventFolder, str]) -> None:
    event_folder, output = played
    assert len(opened(event_folder).entrants) == 7
    assert output.count(": docker") == 6
    stage = next(event for event in event_folder.events if isinstance(event, StageStarted))
    assert len(stage.bots) == 6
    assert verify(event_folder.entries).finished


def test_unbuilt_bot_is_withdrawn_with_the_reason_and_comes_last(played: tuple[EventFolder, str]) -> None:
    event_folder, output = played
    wreck = bot_of(event_folder, "Hopper's wreck")
    (withdrawn,) = [event for event in event_folder.events if isinstance(event, BotWithdrawn)]
    assert withdrawn.bot == wreck.bot
    assert "false" in withdrawn.reason
    assert f"{wreck.name}: {withdrawn.reason}" in output
    ended = event_folder.events[-1]
    assert isinstance(ended, TournamentEnded)
    assert ended.placings[-1].bot == wreck.bot


def test_fork_bomb_hits_its_limit(played: tuple[EventFolder, str]) -> None:
    event_folder, _ = played
    hog = bot_of(event_folder, "Gosper's hog")
    log = event_folder.journal.parent / f"{event_folder.journal.stem}-bots" / f"gosper-s-hog-{hog.bot:02}.log"
    assert "forked" in log.read_text(errors="replace")


def test_prizes_add_up_and_go_to_players(played: tuple[EventFolder, str]) -> None:
    event_folder, _ = played
    results = json.loads(event_folder.journal.with_suffix(".results.json").read_text())
    paid = {row["player"]: 0 for row in results["rows"]}
    winners = [row for row in results["rows"] if row["prize_cents"]]
    for row in winners:
        paid[row["player"]] += row["prize_cents"]
    assert sum(paid.values()) == 500 * 7
    assert len({row["player"] for row in winners}) == len(winners) == 5
    assert set(paid) == {*HONEST, "Floyd", "Gosper", "Hopper"}


def test_no_container_is_left(played: tuple[EventFolder, str], docker_host: str) -> None:
    event_folder, _ = played
    with closing(docker.APIClient(base_url=docker_host, version="auto")) as engine:
        mine = [each for each in engine.containers(all=True) if event_folder.journal.stem in json.dumps(each["Labels"])]
    assert not mine

"""A whole evening, up to the prizes, of bots that are built from folders and run in containers."""

import json
from contextlib import closing
from pathlib import Path

import docker
import pytest

from server.game.events import BotWithdrawn, StageStarted, TournamentEnded, TournamentOpened
from server.verify.recording import verify
from tests.end_to_end.evening import tournament, write_evening
from tests.end_to_end.viewers import Operator
from tests.support.submission import HOST, write_bot, write_player

SECONDS = 300.0
HONEST = ("Ada", "Babbage", "Curry")
BROKEN = "FROM python:3.11-slim\nRUN false\nCMD python bot.py honest\n"


@pytest.mark.docker
def test_broken_bot_is_left_out_the_others_play_and_no_container_is_left(docker_host: str, tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    players = {name: write_player(folder / name, f"{name}'s bot", behaviour="folds") for name in HONEST}
    players["Floyd"] = write_player(folder / "Floyd", "Floyd One", "Floyd Two", behaviour="folds")
    players["Gosper"] = write_player(folder / "Gosper", "Gosper's hog", behaviour="forks")
    players["Hopper"] = write_bot(folder / "Hopper", "Hopper's wreck", dockerfile=BROKEN)
    lines = f'runner = "docker"\nbot_addresses = ["{HOST}"]'
    evening = write_evening(tmp_path, {}, players, lines=lines)
    with tournament(evening) as terminal:
        terminal.wait_for_output("ready; the tournament begins", SECONDS)
        with Operator(terminal.address) as ann:
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            ann.set("stage_end", True)
        assert terminal.ended(SECONDS) == 0, terminal.text
    opened, ended = evening.events[0], evening.events[-1]
    assert isinstance(opened, TournamentOpened)
    assert isinstance(ended, TournamentEnded)
    bots = {entrant.name: entrant.bot for entrant in opened.entrants}
    assert (len(bots), terminal.text.count(": docker")) == (7, 6)
    stage = next(event for event in evening.events if isinstance(event, StageStarted))
    assert len(stage.bots) == 6
    assert verify(evening.entries).finished

    (withdrawn,) = [event for event in evening.events if isinstance(event, BotWithdrawn)]
    assert withdrawn.bot == ended.placings[-1].bot == bots["Hopper's wreck"]
    assert "false" in withdrawn.reason
    assert f"Hopper's wreck: {withdrawn.reason}" in terminal.text
    logs = evening.journal.parent / f"{evening.journal.stem}-bots"
    hog = bots["Gosper's hog"]
    assert "forked" in (logs / f"gosper-s-hog-{hog:02}.log").read_text(errors="replace"), (
        "the fork bomb must hit its limit"
    )

    results = json.loads(evening.journal.with_suffix(".results.json").read_text())
    assert {row["player"] for row in results["rows"]} == {*HONEST, "Floyd", "Gosper", "Hopper"}
    prizes = {row["player"]: row["prize_cents"] for row in results["rows"] if row["prize_cents"]}
    assert (len(prizes), sum(prizes.values())) == (5, 500 * 7), "each of five players must get one prize"

    with closing(docker.APIClient(base_url=docker_host, version="auto")) as engine:
        labels = [json.dumps(container["Labels"]) for container in engine.containers(all=True)]
    assert not [label for label in labels if evening.journal.stem in label]

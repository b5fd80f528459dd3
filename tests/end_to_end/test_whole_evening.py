"""A whole evening, from the event file to the final results, with real bots on the network or in containers."""

import json
from contextlib import closing
from pathlib import Path

import docker
import httpx
import pytest
from playwright.sync_api import expect

from server.game.events import BotConnected, BotWithdrawn, ControlSet, StageStarted, TournamentEnded, TournamentOpened
from server.verify.recording import verify
from tests.end_to_end.conftest import OpenPage
from tests.end_to_end.evening import NAMES, EventFolder, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator
from tests.support.bots.submission import HOST, write_bot, write_player

WILD = 0.3
"""The probability of an all-in, high enough for a short evening."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[EventFolder, str]:
    """A finished evening, and the output of the program."""
    folder = write_evening(tmp_path_factory.mktemp("played"), secrets_of(NAMES))
    with RemoteBots(folder.register, secrets_of(NAMES), wild=WILD), tournament(folder) as terminal:
        assert terminal.ended() == 0, terminal.text
    return folder, terminal.text


def register(folder: EventFolder, name: str, secret: str) -> tuple[int, str]:
    """Registers a bot; returns the status and, for a refusal, the reason."""
    answer = httpx.post(
        f"http://127.0.0.1:{folder.register}/register", json={"name": name, "secret": secret}, timeout=60.0
    )
    return answer.status_code, answer.json().get("error", "")


def test_evening_ends_with_the_final_table_and_a_proved_recording(played: tuple[EventFolder, str]) -> None:
    folder, output = played
    assert "control desk    " + folder.base in output
    assert "verified" in output
    assert verify(folder.entries).finished
    ended = folder.events[-1]
    assert isinstance(ended, TournamentEnded)
    assert sum(placing.prize_cents for placing in ended.placings) == 500 * len(NAMES)
    results = json.loads(folder.journal.with_suffix(".results.json").read_text())
    assert [row["name"] for row in results["rows"]] == [NAMES[placing.bot - 1] for placing in ended.placings]
    for row in results["rows"]:
        assert f"{row['place']:>5}  {row['name']}" in output
    for ending in (".jsonl", ".secret", ".links"):
        assert folder.journal.with_suffix(ending).stat().st_mode & 0o077 == 0, "only the owner of the file may read it"


def test_results_and_messages_stay_on_pages_until_ctrl_c(played: tuple[EventFolder, str], open_page: OpenPage) -> None:
    folder, _ = played
    links = folder.journal.with_suffix(".links")
    with tournament(folder, "--speed", "1") as terminal:
        terminal.wait_for_output(f"authors' links  {links}")
        terminal.wait_for_output("Ctrl-C closes it")
        with Operator(terminal.address) as ann:
            table = ann.page("/results")
            assert all(name in table for name in NAMES)
            assert "$12.50" in table
        rows = [line.split("  ") for line in links.read_text().splitlines()]
        link_of = {name: link for link, name in rows}
        assert list(link_of) == [f"{name} ({name} Senior)" for name in NAMES]
        with httpx.Client(timeout=60.0) as web:
            for name, link in link_of.items():
                shown = web.get(f"{link}?json").json()
                assert name.startswith(shown["name"])
                assert shown["games"], name
                for game in shown["games"]:
                    hands = web.get(f"{link}/{game['game']}?json").json()["hands"]
                    lines = [line["text"] for hand in hands for line in hand["messages"] if line["way"] == ">"]
                    asked = [line for line in lines if '"request_action"' in line]
                    assert len(asked) == sum(len(hand["decisions"]) for hand in hands) == len(game["times"])
            assert web.get(f"{link[:-1]}x").status_code == 404
            assert web.get(link).headers["cache-control"] == "no-store"
        page = open_page(link, width=390, height=844)
        page.get_by_role("link", name="Hand by hand").first.click()
        page.locator("summary").first.click()
        expect(page.locator(".messages code").first).to_contain_text("request_action")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert terminal.interrupt() == 0


def test_bots_come_and_go_until_the_start_and_a_refused_bot_learns_why(tmp_path: Path) -> None:
    ada, _, curry = NAMES[:3]
    secrets, present = secrets_of(NAMES[:3]), secrets_of(NAMES[:2])
    folder = write_evening(tmp_path, secrets, lines='start = "desk"')
    with tournament(folder) as terminal, Operator(terminal.address) as ann:
        terminal.wait_for_output("ready; the tournament begins when START is pressed at the desk")
        assert ann.set("started", True) == "no bot is connected: nothing can be played yet"
        for _ in range(2):
            with RemoteBots(folder.register, present, wild=WILD):
                ann.sees_bots(2)
            ann.sees_bots(0)
        assert register(folder, "Stranger", "x") == (403, "Stranger is not entered in this tournament")
        why = f'{curry} must send the secret it was given in the field "secret"'
        assert register(folder, curry, "guessed") == (403, why)
        with RemoteBots(folder.register, present, wild=WILD):
            ann.sees_bots(2)
            why = f"{ada} is already connected and cannot join twice"
            assert register(folder, ada, secrets[ada]) == (409, why)
            ann.set("paused", True)
            assert ann.set("started", True) == "started the tournament"
            ann.sees(lambda desk: "High Noon" in desk["lights"][0]["words"])
            why = "the tournament has begun, and no bot can join it now"
            assert register(folder, curry, secrets[curry]) == (409, why)
            ann.set("paused", False)
            assert terminal.ended() == 0
    assert f"{curry:<30}" in terminal.text
    assert "it was not connected at the start" in terminal.text
    assert {event.bot for event in folder.events if isinstance(event, BotConnected)} == {1, 2}
    assert [event.bot for event in folder.events if isinstance(event, BotWithdrawn)] == [3]
    assert [event.operator for event in folder.events if isinstance(event, ControlSet)] == ["Ann"] * 3
    assert verify(folder.entries).finished


def test_evening_without_any_working_bot_ends_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    folder = write_evening(tmp_path, {}, {"Ada": tmp_path / "ada"})
    with tournament(folder) as terminal:
        assert terminal.ended() == 1
    assert "no bot is connected: nothing can be played. Fix the faults listed above and" in terminal.lines[-1]
    assert not [event for event in folder.events if isinstance(event, StageStarted)]


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
        terminal.wait_for_output("ready; the tournament begins")
        with Operator(terminal.address) as ann:
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            ann.set("stage_end", True)
        assert terminal.ended() == 0, terminal.text
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

"""An evening (tournament and show) runs to its results. `--rehearse`, `--again` and `--as-live` alter no recording."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from server.bots.sandbox.docker.engine import LABEL
from server.config.event_file import read_event
from server.game import events
from server.journal.journal import read_journal
from server.shuffle import commitment, parse_seed
from server.verify.recording import verify
from tests.bots.sandbox.boxed_bots import open_engine
from tests.end_to_end.conftest import OpenPage
from tests.end_to_end.evening import NAMES, EventFolder, Operator, RemoteBots, Terminal, tournament, write_evening
from tests.support.bots.submission import HOST, write_bot, write_player
from tests.support.games.recordings import of_kind
from tests.support.ports import free_ports
from tests.support.source_files import ROOT

FinishedEvening = tuple[EventFolder, str]
"""A finished evening, and the output of the program."""
ALL_IN_RATE = 0.3
"""The probability that a bot goes all in. A high value makes the evenings short."""


@pytest.fixture(scope="module")
def finished_evening(tmp_path_factory: pytest.TempPathFactory) -> FinishedEvening:
    folder = write_evening(tmp_path_factory.mktemp("played"), NAMES)
    with RemoteBots(folder.register, NAMES, all_in_rate=ALL_IN_RATE), tournament(folder) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    return folder, terminal.text


def test_evening_ends_with_the_final_table_and_a_proved_recording(finished_evening: FinishedEvening) -> None:
    folder, output = finished_evening
    assert "control desk    " + folder.base in output
    assert "verified" in output
    assert verify(folder.entries).finished
    assert commitment_in(folder.journal) == commitment(parse_seed("2a")), "the seed must come from the event file"
    (ended,) = of_kind(folder.entries, events.TournamentEnded)
    assert sum(placing.prize_cents for placing in ended.placings) == 500 * len(NAMES)
    results = json.loads(folder.journal.with_suffix(".results.json").read_text())
    assert [row["name"] for row in results["rows"]] == [NAMES[placing.bot - 1] for placing in ended.placings]
    for row in results["rows"]:
        assert f"{row['place']:>5}  {row['name']}" in output
    private_files = [folder.journal.with_suffix(ending) for ending in (".jsonl", ".secret", ".links")]
    assert not [path for path in private_files if path.stat().st_mode & 0o077], "only the owner may read these files"


def test_results_and_messages_are_on_pages_until_ctrl_c(finished_evening: FinishedEvening, open_page: OpenPage) -> None:
    folder, _ = finished_evening
    links = folder.journal.with_suffix(".links")
    with tournament(folder, "--speed", "1") as terminal:
        terminal.wait_for_output(f"authors' links  {links}")
        terminal.wait_for_output("Ctrl-C closes it")
        with Operator(terminal.address) as ann:
            results = ann.get("/results").text
            assert all(words in results for words in (*NAMES, "$12.50"))
        rows = [line.split("  ") for line in links.read_text().splitlines()]
        link_of = {name: link for link, name in rows}
        assert list(link_of) == [f"{name} ({name} Senior)" for name in NAMES]
        with httpx.Client(timeout=60.0) as web:
            for name, link in link_of.items():
                page_data = web.get(f"{link}?json").json()
                assert name.startswith(page_data["name"])
                assert page_data["games"], name
                for game in page_data["games"]:
                    hands = web.get(f"{link}/{game['game']}?json").json()["hands"]
                    sent_lines = [line["text"] for hand in hands for line in hand["messages"] if line["way"] == ">"]
                    requests = [line for line in sent_lines if '"request_action"' in line]
                    assert len(requests) == sum(len(hand["decisions"]) for hand in hands) == len(game["times"])
            assert web.get(f"{link[:-1]}x").status_code == 404
            assert web.get(link).headers["cache-control"] == "no-store"
        page = open_page(link, width=390, height=844)
        page.get_by_role("link", name="Hand by hand").first.click()
        page.locator("summary").first.click()
        expect(page.locator(".messages code").first).to_contain_text("request_action")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert terminal.interrupt() == 0


def test_bots_come_and_go_only_until_the_start(tmp_path: Path) -> None:
    ada, babbage, curry = NAMES[:3]
    folder = write_evening(tmp_path, NAMES[:3], lines='start = "desk"')
    with tournament(folder) as terminal, Operator(terminal.address) as ann:
        terminal.wait_for_output("ready; the tournament begins when START is pressed at the desk")
        assert ann.set("started", True) == "no bot is connected: nothing can be played yet"
        for _ in range(2):
            with RemoteBots(folder.register, (ada, babbage), all_in_rate=ALL_IN_RATE):
                ann.wait_for_bots(2)
            ann.wait_for_bots(0)
        assert folder.register_bot("Stranger") == (403, "Stranger is not entered in this tournament")
        reason = f'{curry} must send the secret it was given in the field "secret"'
        assert folder.register_bot(curry, "guessed") == (403, reason)
        with RemoteBots(folder.register, (ada, babbage), all_in_rate=ALL_IN_RATE):
            ann.wait_for_bots(2)
            assert folder.register_bot(ada) == (409, f"{ada} is already connected and cannot join twice")
            ann.set("paused", True)
            assert ann.set("started", True) == "started the tournament"
            ann.wait_until(lambda desk: "High Noon" in desk["lights"][0]["words"])
            assert folder.register_bot(curry) == (409, "the tournament has begun, and no bot can join it now")
            ann.set("paused", False)
            assert terminal.wait_for_end() == 0
    assert f"{curry:<30}" in terminal.text
    assert "it was not connected at the start" in terminal.text
    assert {event.bot for event in of_kind(folder.entries, events.BotConnected)} == {1, 2}
    assert [event.bot for event in of_kind(folder.entries, events.BotWithdrawn)] == [3]
    assert [event.operator for event in of_kind(folder.entries, events.ControlSet)] == ["Ann"] * 3
    assert verify(folder.entries).finished


def test_evening_without_any_working_bot_ends_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    folder = write_evening(tmp_path, (), {"Ada": tmp_path / "ada"})
    with tournament(folder) as terminal:
        assert terminal.wait_for_end() == 1
    assert "no bot is connected: nothing can be played. Fix the faults listed above and" in terminal.lines[-1]
    assert not of_kind(folder.entries, events.StageStarted)


@pytest.mark.docker
@pytest.mark.usefixtures("docker_host")
def test_broken_bot_is_left_out_and_no_container_stays(tmp_path: Path) -> None:
    folder, honest_players = tmp_path / "submissions", ("Ada", "Babbage", "Curry")
    players = {name: write_player(folder / name, f"{name}'s bot", behaviour="folds") for name in honest_players}
    players["Floyd"] = write_player(folder / "Floyd", "Floyd One", "Floyd Two", behaviour="folds")
    players["Gosper"] = write_player(folder / "Gosper", "Gosper's hog", behaviour="forks")
    dockerfile = "FROM python:3.11-slim\nRUN false\nCMD python bot.py honest\n"
    players["Hopper"] = write_bot(folder / "Hopper", "Hopper's wreck", dockerfile=dockerfile)
    evening = write_evening(tmp_path, (), players, lines=f'runner = "docker"\nbot_addresses = ["{HOST}"]')
    with tournament(evening) as terminal:
        terminal.wait_for_output("ready; the tournament begins")
        with Operator(terminal.address) as ann:
            ann.set("started", True)
            ann.wait_until(lambda desk: desk["status"]["hands_shown"] >= 1)
            assert has_containers(evening)
            ann.set("stage_end", True)
        assert terminal.wait_for_end() == 0, terminal.text
    (opened,) = of_kind(evening.entries, events.TournamentOpened)
    (ended,) = of_kind(evening.entries, events.TournamentEnded)
    bots = {entrant.name: entrant.bot for entrant in opened.entrants}
    assert (len(bots), terminal.text.count(": docker")) == (7, 6)
    assert len(of_kind(evening.entries, events.StageStarted)[0].bots) == 6
    assert verify(evening.entries).finished

    (withdrawn,) = of_kind(evening.entries, events.BotWithdrawn)
    assert withdrawn.bot == ended.placings[-1].bot == bots["Hopper's wreck"]
    assert "false" in withdrawn.reason
    assert f"Hopper's wreck: {withdrawn.reason}" in terminal.text
    logs = evening.journal.parent / f"{evening.journal.stem}-bots"
    hog_number = bots["Gosper's hog"]
    printed = (logs / f"gosper-s-hog-{hog_number:02}.log").read_text(errors="replace")
    assert "forked" in printed, "a limit must stop the fork bomb"

    results = json.loads(evening.journal.with_suffix(".results.json").read_text())
    assert {row["player"] for row in results["rows"]} == {*honest_players, "Floyd", "Gosper", "Hopper"}
    prizes = {row["player"]: row["prize_cents"] for row in results["rows"] if row["prize_cents"]}
    assert (len(prizes), sum(prizes.values())) == (5, 500 * 7), "each of five players must get one prize"

    assert not has_containers(evening)


def has_containers(evening: EventFolder) -> bool:
    with open_engine() as engine:
        labels = [container["Labels"].get(LABEL) for container in engine.containers(all=True)]
    return read_event(evening.file).label in labels


def commitment_in(path: Path) -> str:
    (opened,) = of_kind(read_journal(path).entries, events.TournamentOpened)
    return opened.seed_commitment


def test_rehearsal_has_its_own_seed_and_leaves_the_evenings_folder_alone(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, NAMES[:3], lines='start = "desk"')
    rehearsal = tournament(folder, "--rehearse", "--speed", "50")
    with (
        RemoteBots(folder.register, NAMES[:3], all_in_rate=0.5),
        rehearsal as terminal,
        Operator(terminal.address) as ann,
    ):
        terminal.wait_for_output(f"a rehearsal, with its own seed and its own folder, {tmp_path}/data-rehearsal")
        ann.wait_for_bots(3)
        ann.set("started", True)
        ann.wait_until(lambda desk: desk["status"]["hands_shown"] >= 1)
        assert terminal.interrupt() == 0
    assert not folder.data.exists()
    recording = tmp_path / "data-rehearsal" / "recordings" / folder.journal.name
    assert commitment_in(recording) != commitment(parse_seed("2a"))


def test_finished_evening_is_shown_again_and_kept_beside_a_new_one(finished_evening: FinishedEvening) -> None:
    folder, output = finished_evening
    assert f"highnoon serve {folder.data}" in output
    assert f"highnoon verify {folder.journal}" in output
    files_before = {path: path.read_bytes() for path in folder.journal.parent.glob("*.json*")}
    with tournament(folder) as terminal:
        terminal.wait_for_output("this tournament has been played; it is shown to its end, but not played again")
        terminal.wait_for_output("--again plays it again and keeps this recording; --rehearse tries it out in a folder")
        assert terminal.wait_for_end() == 0
    assert "remote bots" not in terminal.text
    assert output[output.index("place  bot") : output.index("the final results are kept")] in terminal.text
    with (
        RemoteBots(folder.register, NAMES, all_in_rate=ALL_IN_RATE),
        tournament(folder, "--again", "--speed", "0") as terminal,
    ):
        assert terminal.wait_for_end() == 0, terminal.text
    assert {path: path.read_bytes() for path in files_before} == files_before
    second_recording = folder.journal.with_name("2026-11-21-a-night-in-tests_2.jsonl")
    assert commitment_in(second_recording) != commitment_in(folder.journal)
    assert of_kind(read_journal(second_recording).entries, events.TournamentEnded)


def replay_as_live(recording: Path, data: Path, speed: str) -> Terminal:
    [port] = free_ports(1)
    return Terminal("replay", recording, "--as-live", "--port", str(port), "--data", data, "--speed", speed)


def test_replay_as_live_waits_for_start_and_obeys_the_desk(recording: Path, tmp_path: Path) -> None:
    bytes_before = recording.read_bytes()
    with replay_as_live(recording, tmp_path, "400") as terminal:
        terminal.wait_for_output("press START at the desk")
        with Operator(terminal.address) as ann:
            ann.wait_until(lambda desk: "a rehearsal, waiting for the start" in desk["lights"][0]["words"])
            ann.set("paused", True)
            ann.set("started", True)
            ann.wait_until(lambda desk: desk["status"]["waiting"] == "paused")
            assert ann.set("stage_end", True) == "a rehearsal ends each stage where the recording did"
            ann.set("paused", False)
            ann.wait_until(lambda desk: desk["status"]["hands_shown"] >= 1)
            assert ann.set("card", "break") == "put up the break card"
            assert ann.undo() == "took the card away"
            terminal.wait_for_output("the rehearsal has ended")
            ann.wait_until(lambda desk: desk["status"]["scene"] == "champion")
        assert terminal.interrupt() == 0
    assert recording.read_bytes() == bytes_before


def test_replay_as_live_at_speed_0_ends_by_itself_with_all_events(recording: Path, tmp_path: Path) -> None:
    for path in (recording, ROOT / "tests/data/phh/pluribus-101-20.phh"):
        with replay_as_live(path, tmp_path / path.stem, "0") as terminal:
            assert terminal.wait_for_end() == 0, terminal.text
        assert "press START" not in terminal.text
        (journal,) = (tmp_path / path.stem / "rehearsals").glob("*.jsonl")
        rehearsed = read_journal(journal).entries
        if path == recording:
            played = [entry.event for entry in rehearsed if not isinstance(entry.event, events.ControlSet)]
            assert played == [entry.event for entry in read_journal(recording).entries]
        else:
            assert len(of_kind(rehearsed, events.HandEnded)) == 1

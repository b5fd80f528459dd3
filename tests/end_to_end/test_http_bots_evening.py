"""`highnoon tournament` with bots that are HTTP servers: registered for Enova, or listed in an Arena file."""

import json
import os
from pathlib import Path
from urllib.parse import urlencode

import httpx

from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.bots.sandbox.process_tree import descendants
from server.game.events import (
    ActionTaken,
    BotWithdrawn,
    FaultNoted,
    GameStarted,
    SeatVacated,
    TournamentEnded,
    TournamentOpened,
)
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.end_to_end.evening import CONTROL, Terminal, write_evening
from tests.support.program import command_of

QUICKLY = '[table]\nstarting_stack = 30\nblinds = ["1/2", "3/6", "8/16"]\nhands_per_level = 4\n'
HOUSE = "server.contests.arena.venue.house"


async def test_enova_tournament_runs_from_registration_to_the_last_bot(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, {}, lines='contest = "enova"\nstart = "bots"')
    folder.file.write_text(folder.file.read_text() + QUICKLY)
    hall = f"http://127.0.0.1:{folder.register}/tournament"
    with Terminal("tournament", folder.file, "--speed", "0") as terminal:
        terminal.wait_for_output("to close it")
        terminal.wait_for_output("the event file names no bot: the tournament begins when you close registration")
        assert _post(f"{hall}/close?token={CONTROL}")[0] == 409, "before registration, there must be no bot"
        async with house_hosts(
            "server.contests.enova.venue.house", CHARACTERS[:3], "7", register_at=hall.removesuffix("/tournament")
        ):
            nobody = {"hostname": "127.0.0.1:9", "name": "Nobody"}
            assert _post(f"{hall}/register", **nobody) == (200, "Welcome to the party!")
            terminal.wait_for_output("  [4] ")
            assert _get(f"{hall}/register").count("<li>") == 4
            assert _post(f"{hall}/close?token=wrong")[0] == 403
            assert _post(f"{hall}/close?token={CONTROL}")[0] == 200
            assert terminal.ended() == 0
        assert "Nobody is not seated: /player/ready: no connection to its server" in terminal.text
    events = folder.events
    opened, ended = events[0], events[-1]
    assert isinstance(opened, TournamentOpened)
    assert isinstance(ended, TournamentEnded)
    assert {one.name for one in opened.entrants} == {"Billy the Kid", "Doc Holobyte", "Calamity Bayes"}
    assert ended.placings[0].stack == 90
    assert not [event for event in events if isinstance(event, FaultNoted | SeatVacated)], "house bots post every blind"
    assert verify(folder.entries).finished


async def test_tournament_of_an_original_arena_file_is_played_without_a_missing_bot(tmp_path: Path) -> None:
    names = ("AlphaBot", "demo 2", "通义千问 一个名字远远超过三十个字母的机器人 它的名字要完整地留在线路上")
    tournament = {"rounds": 3, "initial_chips": 2000, "max_hands_per_round": 30}
    config = {"game_server": {"url": "http://localhost:9012"}, "tournament": tournament, "timeout": 2.5, "log": 1}
    async with house_hosts(HOUSE, CHARACTERS[:3], "7") as urls:
        bots = [pid for pid in descendants(os.getpid()) if HOUSE.encode() in command_of(pid)]
        assert len({os.getpgid(pid) for pid in bots} - {os.getpgid(0)}) == 3, "Ctrl-C must not reach the bots' programs"
        ais = [
            {"ai_id": f"{name} ({number})", "ai_name": name, "port": 9, "url": url, "description": f"AI {number}"}
            for number, (name, url) in enumerate(zip(names, urls, strict=True), 1)
        ]
        ais.append({"ai_id": "gone", "ai_name": "Gone", "port": 9})
        (file := tmp_path / "tournament_test.json").write_text(json.dumps({**config, "ais": ais}))
        with Terminal("tournament", file, "--speed", "0") as terminal:
            assert terminal.ended() == 0
            output = terminal.text
    assert "  not used: log, game_server (this program is the game server)" in output
    assert "  [2/4] demo 2 (demo 2 (2)): ready; AI 2" in output
    assert 'AlphaBot: {"status": "healthy"}' in output
    assert "Gone: nothing listens at http://localhost:9" in output
    assert "3 games of the series: the recorded winners" in output
    (journal,) = (tmp_path / "data" / "recordings").glob("*.jsonl")
    entries = read_journal(journal).entries
    assert verify(entries).finished
    events = [entry.event for entry in entries]
    assert [event.bot for event in events if isinstance(event, BotWithdrawn)] == [4]
    assert not [event for event in events if isinstance(event, ActionTaken) and event.fault]
    assert [event.stacks for event in events if isinstance(event, GameStarted)] == [(2000,) * 3] * 3
    opened = events[0]
    assert isinstance(opened, TournamentOpened)
    assert (opened.rules.think_ms, opened.entrants[2].name) == (2500, names[2]), "pages must show the whole name"


def _post(url: str, **fields: str) -> tuple[int, str]:
    """Sends a form; returns the answer's status and text."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = httpx.post(url, content=urlencode(fields), headers=form, timeout=60.0, follow_redirects=True)
    return reply.status_code, reply.text


def _get(url: str) -> str:
    return httpx.get(url, headers={"Accept": "text/html"}, timeout=60.0).text

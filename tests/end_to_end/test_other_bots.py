"""In `highnoon tournament`, agents play by MCP, and bots that are web servers play the contests Enova and Arena."""

import asyncio
import json
import os
from pathlib import Path

import httpx
import pytest

from server.bots.house.characters import CHARACTERS  # CHARACTERS: the house bots of High Noon
from server.bots.house.processes import start_house_bots
from server.bots.sandbox.process_tree import descendants
from server.game import events
from server.game.events import HAND_EVENTS, TournamentEnded, TournamentOpened
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.end_to_end.evening import CONTROL, Terminal, secrets_of, tournament, write_evening
from tests.mcp.agents import Answer, ToolRefused, agent_at, call_or_check, legal_moves
from tests.support.games.recordings import of_kind
from tests.support.program import SECONDS, command_of

AGENT_NAMES, GUESSED_SECRET = ("Ada", "Babbage"), "a-guess"
DECISIONS_BEFORE_THE_KILL = 7


@pytest.mark.parametrize("contest", ["quick-draw", "arena"])
async def test_agents_find_their_seats_in_an_exhibition_that_was_killed(tmp_path: Path, contest: str) -> None:
    secrets = secrets_of(AGENT_NAMES)
    evening = write_evening(tmp_path, AGENT_NAMES, lines=f'contest = "{contest}"\nstart = "bots"')
    text = evening.file.read_text().replace("remote = true", "mcp = true")
    evening.file.write_text(text.replace("[ports]", "[exhibition]\nseconds = 20\n[ports]"))  # limits thinking times
    base = f"http://127.0.0.1:{evening.register}"
    times_left_ms, is_time_to_kill = list[int](), asyncio.Event()

    def choose(situation: Answer) -> Answer:
        times_left_ms.append(situation["time_left_ms"])
        if len(times_left_ms) >= DECISIONS_BEFORE_THE_KILL:
            is_time_to_kill.set()
        if not is_time_to_kill.is_set():
            return call_or_check(situation)
        return {"action": "all_in" if "all_in" in legal_moves(situation) else "call"}

    async def play(name: str) -> None:
        async with agent_at(base) as agent:
            with pytest.raises(ToolRefused, match="the secret is wrong"):
                await agent.join(name, secret=GUESSED_SECRET)
            with pytest.raises(ToolRefused, match="is not entered as an agent"):
                await agent.join("Nobody", secret=secrets[name])
            for _ in range(2):
                joined = await agent.join(name, secret=secrets[name])
                assert joined["secret"] == secrets[name], "an agent that comes back must find its seat"
            assert "You have 20 s for each decision, and 120 s in a game" in (await agent.call("rules"))["rules"]
            answers = await agent.play(choose)
            assert "the tournament is over" in answers[-1]["next"]

    with tournament(evening) as terminal:
        terminal.wait_for_output("an exhibition   20 s for each decision, and 120 s in a game")
        terminal.wait_for_output(f"agents          {base}/mcp")
        players = [asyncio.create_task(play(name)) for name in AGENT_NAMES]
        async with asyncio.timeout(SECONDS):
            await is_time_to_kill.wait()
        terminal.kill_everything()
        for task in players:
            task.cancel()
        await asyncio.gather(*players, return_exceptions=True)  # An agent may fail when its server is gone.
    entries_before = len(evening.entries)
    with tournament(evening) as terminal:
        terminal.wait_for_output("resuming from")
        terminal.wait_for_output(f"agents          {base}/mcp")
        async with asyncio.TaskGroup() as tasks:
            for name in AGENT_NAMES:
                tasks.create_task(play(name))
        assert terminal.wait_for_end() == 0, terminal.text
    assert min(times_left_ms) > 20_000, "a bot must have 20 s for each decision, plus what is left of its time bank"
    assert isinstance(evening.events[entries_before - 1], HAND_EVENTS), "the kill must have come within a hand"
    evening.verify_recording()


async def test_enova_tournament_runs_from_registration_to_the_last_bot(tmp_path: Path) -> None:
    evening = write_evening(tmp_path, (), lines='contest = "enova"\nstart = "bots"')
    short_table = '[table]\nstarting_stack = 30\nblinds = ["1/2", "3/6", "8/16"]\nhands_per_level = 4\n'
    evening.file.write_text(evening.file.read_text() + short_table)
    base = f"http://127.0.0.1:{evening.register}"
    close_address = f"/close?token={CONTROL}"
    async with httpx.AsyncClient(base_url=f"{base}/tournament", timeout=60.0) as web:
        with tournament(evening) as terminal:
            terminal.wait_for_output("to close it")
            terminal.wait_for_output("the event file names no bot: the tournament begins when you close registration")
            assert (await web.post(close_address)).status_code == 409, "with too few bots, registration stays open"
            async with start_house_bots("server.contests.enova.venue.house", CHARACTERS[:3], "7", register_at=base):
                welcome = await web.post("/register", data={"hostname": "127.0.0.1:9", "name": "Nobody"})
                assert (welcome.status_code, welcome.text) == (200, "Welcome to the party!")
                terminal.wait_for_output("  [4] ")
                page = await web.get("/register", headers={"Accept": "text/html"})
                assert page.text.count("<li>") == 4
                assert (await web.post("/close?token=wrong")).status_code == 403
                assert (await web.post(close_address, follow_redirects=True)).status_code == 200
                assert terminal.wait_for_end() == 0
            assert "Nobody is not seated: /player/ready: no connection to its server" in terminal.text
    (opened,) = of_kind(evening.entries, TournamentOpened)
    (ended,) = of_kind(evening.entries, TournamentEnded)
    assert {entrant.name for entrant in opened.entrants} == {"Billy the Kid", "Doc Holobyte", "Calamity Bayes"}
    assert ended.placings[0].stack == 90
    evening.verify_recording()
    faults = [event for event in evening.events if isinstance(event, events.FaultNoted | events.SeatVacated)]
    assert not faults, "the house bots must post every blind"


async def test_original_arena_file_is_played_even_if_a_bot_is_missing(tmp_path: Path) -> None:
    names = ("AlphaBot", "demo 2", "通义千问 一个名字远远超过三十个字母的机器人 它的名字要完整地留在线路上")
    rules = {"rounds": 3, "initial_chips": 2000, "max_hands_per_round": 30}
    config = {"game_server": {"url": "http://localhost:9012"}, "tournament": rules, "timeout": 2.5, "log": 1}
    house_program = "server.contests.arena.venue.house"
    async with start_house_bots(house_program, CHARACTERS[:3], "7") as urls:
        pids = [pid for pid in descendants(os.getpid()) if house_program.encode() in command_of(pid)]
        assert len({os.getpgid(pid) for pid in pids} - {os.getpgid(0)}) == 3, "Ctrl-C must not reach the bots' programs"
        bot_entries = [
            {"ai_id": f"{name} ({number})", "ai_name": name, "port": 9, "url": url, "description": f"AI {number}"}
            for number, (name, url) in enumerate(zip(names, urls, strict=True), 1)
        ]
        bot_entries.append({"ai_id": "gone", "ai_name": "Gone", "port": 9})
        (file := tmp_path / "tournament_test.json").write_text(json.dumps({**config, "ais": bot_entries}))
        with Terminal("tournament", file, "--speed", "0") as terminal:
            assert terminal.wait_for_end() == 0
            output = terminal.text
    assert "  not used: log, game_server (this program is the game server)" in output
    assert "  [2/4] demo 2 (demo 2 (2)): ready; AI 2" in output
    assert 'AlphaBot: {"status": "healthy"}' in output
    assert "Gone: nothing listens at http://localhost:9" in output
    assert "3 games of the series: the recorded winners" in output
    (journal,) = (tmp_path / "data" / "recordings").glob("*.jsonl")
    entries = read_journal(journal).entries
    assert verify(entries).finished
    assert [event.bot for event in of_kind(entries, events.BotWithdrawn)] == [4]
    assert not [event for event in of_kind(entries, events.ActionTaken) if event.fault]
    assert [event.stacks for event in of_kind(entries, events.GameStarted)] == [(2000,) * 3] * 3
    (opened,) = of_kind(entries, TournamentOpened)
    assert (opened.rules.think_ms, opened.entrants[2].name) == (2500, names[2]), "the whole name must be recorded"

"""`highnoon tournament` with agents, which join by MCP with the secrets of their entries."""

import asyncio
from pathlib import Path

import pytest

from server.game.events import HAND_EVENTS, ActionTaken, TournamentEnded
from server.verify.recording import verify
from tests.end_to_end.evening import EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.mcp.scripted_agent import Answer, ToolRefused, agent_at, call_or_check, legal
from tests.support.program import SECONDS, highnoon

NAMES, GUESSED = ("Ada", "Babbage"), "a-guess"
DECISIONS = 7
"""The evening is killed after this number of decisions."""


def all_in(situation: Answer) -> Answer:
    return {"action": "all_in" if "all_in" in legal(situation) else "call"}


def evening_of_agents(folder: Path, contest: str, secrets: dict[str, str]) -> EventFolder:
    written = write_evening(folder, secrets, lines=f'contest = "{contest}"\nstart = "bots"')
    written.file.write_text(written.file.read_text().replace("remote = true", "mcp = true"))
    return written


@pytest.mark.parametrize("contest", ["quick-draw", "arena"])
async def test_agents_play_a_whole_tournament(tmp_path: Path, contest: str) -> None:
    secrets = secrets_of(NAMES)
    folder = evening_of_agents(tmp_path, contest, secrets)
    base = f"http://127.0.0.1:{folder.register}"

    async def play(name: str) -> None:
        async with agent_at(base) as agent:
            with pytest.raises(ToolRefused, match="the secret is wrong"):
                await agent.join(name, secret=GUESSED)
            with pytest.raises(ToolRefused, match="is not entered as an agent"):
                await agent.join("Nobody", secret=secrets[name])
            await agent.join(name, secret=secrets[name])
            assert (await agent.join(name, secret=secrets[name]))["secret"] == secrets[name], (
                "an agent that comes back must find its seat"
            )
            answers = await agent.play(all_in)
            assert "the tournament is over" in answers[-1]["next"]

    with Terminal("tournament", folder.file, "--speed", "0") as terminal:
        terminal.wait_for_output(f"agents          {base}/mcp")
        async with asyncio.TaskGroup() as tasks:
            for name in NAMES:
                tasks.create_task(play(name))
        assert terminal.ended() == 0
    assert verify(folder.entries).finished
    assert isinstance(folder.events[-1], TournamentEnded)
    assert not [event for event in folder.events if isinstance(event, ActionTaken) and event.fault]


def test_event_file_with_agents_says_what_is_wrong(tmp_path: Path) -> None:
    same = dict.fromkeys(NAMES, "one-secret-for-all")
    folder = evening_of_agents(tmp_path, "quick-draw", same)
    run = highnoon("tournament", str(folder.file))
    assert "entries[2].secret" in run.stderr
    assert "is the same as in entries[1]: an agent finds its seat by its secret" in run.stderr
    folder.file.write_text(folder.file.read_text().replace("mcp = true", "mcp = true\nremote = true"))
    assert "cannot be combined with mcp: an agent joins by itself" in highnoon("tournament", str(folder.file)).stderr


async def test_agents_find_their_seats_in_an_exhibition_that_was_killed_in_the_middle_of_a_game(tmp_path: Path) -> None:
    secrets = secrets_of(NAMES)
    folder = evening_of_agents(tmp_path, "quick-draw", secrets)
    folder.file.write_text(folder.file.read_text().replace("[ports]", "[exhibition]\nseconds = 20\n[ports]"))
    base = f"http://127.0.0.1:{folder.register}"
    told, enough = list[int](), asyncio.Event()

    def call(situation: Answer) -> Answer:
        told.append(situation["time_left_ms"])
        if len(told) >= DECISIONS:
            enough.set()
        return call_or_check(situation)

    async def play(name: str) -> None:
        async with agent_at(base) as agent:
            await agent.join(name, secret=secrets[name])
            assert "You have 20 s for each decision, and 120 s in a game" in (await agent.call("rules"))["rules"]
            await agent.play(call)

    with tournament(folder) as terminal:
        terminal.wait_for_output("an exhibition   20 s for each decision, and 120 s in a game")
        terminal.wait_for_output(f"agents          {base}/mcp")
        playing = [asyncio.create_task(play(name)) for name in NAMES]
        async with asyncio.timeout(SECONDS):
            await enough.wait()
        terminal.kill_everything()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)  # some may have lost their server first
    before = len(folder.entries)
    with tournament(folder) as terminal:
        terminal.wait_for_output("resuming from")
        terminal.wait_for_output(f"agents          {base}/mcp")
        async with asyncio.TaskGroup() as tasks:
            for name in NAMES:
                tasks.create_task(play(name))
        assert terminal.ended() == 0, terminal.text
    assert min(told) > 20_000, "each decision must have had its seconds and the bank"
    assert verify(folder.entries).finished
    assert isinstance(folder.events[before - 1], HAND_EVENTS), "the evening must have been killed within a hand"
    assert not [event for event in folder.events if isinstance(event, ActionTaken) and event.fault]

"""Whole ACPC matches, in which each player has its own port. A box is the sandbox of a bot's program."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.acpc.dialect import AcpcDialect
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import match_of_game
from server.game.events import ActionTaken, BotDisconnected, FaultNoted, TournamentEnded, TournamentOpened
from server.journal.bus import Bus
from server.journal.journal import read_journal
from server.paths import ASSETS
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bots.views import entrants_of
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.games.recordings import of_kind
from tests.support.ports import free_ports
from tests.support.program import highnoon, serving_program

LOCALHOST = "127.0.0.1"
STARTER_BOT = ASSETS / "starters/acpc/python/bot.py"
EVENT_FILE = """\
name = "Boxes"
date = 2026-11-21
contest = "acpc"
start = "bots"
pace = 0
runner = "light"
table = {{ most_hands = 4, duplicate = true }}
ports = {{ pages = {}, register = {} }}
"""


async def always_call(port: int) -> None:
    """Acts as a bot that answers each line with a comment and a call, even during another player's turn."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    writer.write(b"VERSION:2.0.0\r\n# every state\r\n")
    while line := (await reader.readline()).decode().strip():
        writer.write(f"; a comment\n{line}:c\r\n".encode())
    writer.close()


def scores_in(log: str) -> list[dict[str, int]]:
    """Returns the chips that each player has won in each match of a log."""
    lines = [line.split(":") for line in log.splitlines() if line.startswith("SCORE")]
    return [dict(zip(names.split("|"), map(int, won.split("|")), strict=True)) for _, won, names in lines]


@pytest.mark.parametrize(("version", "faults", "reason"), [("2.0.0", ["timeout"], ""), ("3.0.0", [], "VERSION:3.0.0")])
async def test_silent_player_or_wrong_version_is_out(version: str, faults: list[str], reason: str) -> None:
    async def only_send_version(port: int) -> None:
        reader, writer = await asyncio.open_connection(LOCALHOST, port)
        writer.write(f"VERSION:{version}\r\n".encode())
        await reader.read()
        writer.close()

    match, entrants, bus = match_of_game(Game(3), 6), entrants_of(3), Bus(None, lambda: 0.0)
    match = replace(match, rules=replace(match.rules, think_ms=300))
    director = Director(match, entrants, seed=bytes(32), bus=bus)
    bots, players = [], []
    for entrant, play in zip(entrants, (only_send_version, always_call, always_call), strict=True):
        listener = await listen_for_bot(LOCALHOST, LOCALHOST, 60.0)
        players.append(asyncio.create_task(play(listener.port)))
        bots.append(Bot(entrant.bot, AcpcDialect(), await listener.accept(), director.record_bot_event))
        director.add_bot(bots[-1])
    await director.run()
    for bot in bots:
        bot.hang_up()
    async with asyncio.timeout(60):
        await asyncio.gather(*players)
    assert (verify(bus.entries).finished, verify(bus.entries).hands) == (True, 6)
    assert [action.fault for action in of_kind(bus.entries, ActionTaken) if action.fault == "timeout"] == faults
    disconnections = of_kind(bus.entries, BotDisconnected)
    assert {event.bot for event in disconnections} == {11}
    assert reason in disconnections[0].reason


def test_demo_is_proved_and_its_exported_log_can_be_imported(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    demo = highnoon("demo", "--contest", "acpc", "--speed", "0", "--data", str(tmp_path), "--port", str(port))
    assert demo.returncode == 0, demo.stdout + demo.stderr
    (recording,) = (tmp_path / "recordings").glob("*.jsonl")
    entries = read_journal(recording).entries
    proof = verify(entries)
    assert (proof.finished, proof.hands, len(proof.placings)) == (True, 100, 6)
    assert not of_kind(entries, FaultNoted)
    log = tmp_path / "match.log"
    assert highnoon("export", str(recording), "--acpc", "--out", str(log)).returncode == 0
    text = log.read_text()
    assert (text.count("STATE:"), text.count("SCORE:")) == (100, 1)
    (opened,), (end,) = of_kind(entries, TournamentOpened), of_kind(entries, TournamentEnded)
    names = {entrant.bot: entrant.name for entrant in opened.entrants}
    assert scores_in(text) == [{names[placing.bot]: placing.stack - 100 * 20_000 for placing in end.placings}]
    assert "100 hands" in highnoon("import", str(log), "--strict").stdout
    assert scores_in(highnoon("export", str(tmp_path / "match.jsonl"), "--acpc").stdout) == scores_in(text)


def test_bot_practises_at_the_port_it_is_given(tmp_path: Path) -> None:
    with serving_program("practice", "--contest", "acpc", "--speed", "0", "--data", str(tmp_path)) as program:
        body = {"name": "Me", "test_game_size": 2, "test_hand_count": 6}
        port = httpx.post(f"{program.base}/register", json=body, timeout=60.0).json()["port_number"]
        subprocess.run([sys.executable, STARTER_BOT, LOCALHOST, str(port)], check=True, capture_output=True)
        (recording,) = (tmp_path / "recordings/practice").glob("*.jsonl")
        assert verify(read_journal(recording).entries).hands == 6
        assert "Practice for the ACPC" in httpx.get(f"{program.base}/practice", timeout=60.0).text


@NEEDS_BUBBLEWRAP
def test_bots_in_boxes_pass_the_check_and_play_duplicates(tmp_path: Path) -> None:
    text = EVENT_FILE.format(*free_ports(2))
    for name in ("Ada", "Bea"):
        shutil.copytree(STARTER_BOT.parent, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        config = tmp_path / name / "bot_config.json"
        config.write_text(config.read_text().replace("Python Starter", f"{name} Bot"))
        text += f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n'
    (tmp_path / "event.toml").write_text(text)
    report = tmp_path / "report.html"
    check_run = highnoon("check", str(tmp_path / "Ada"), "--runner", "light", "--report", str(report))
    assert (check_run.returncode, check_run.stderr) == (0, ""), check_run.stdout
    assert "1 OK" in check_run.stdout
    assert ">2,000,000<" in report.read_text(), "the bot's poster in the report must show the bot's chips"
    show_run = highnoon("tournament", str(tmp_path / "event.toml"))
    assert show_run.returncode == 0, show_run.stdout + show_run.stderr
    (recording,) = (tmp_path / "data/recordings").glob("*.jsonl")
    proof = verify(read_journal(recording).entries)
    assert (proof.games, proof.hands) == (2, 8)

"""A season of the real program, with bots in boxes, that is killed and resumed."""

import json
import re
import signal
import tomllib
from functools import partial
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from server.game.events import BotConnected
from server.journal.journal import read_journal
from server.season.files import Store
from server.season.ledger import read_ledger
from server.season.standings import Standings
from server.verify.file import verify_file
from server.verify.season import prove
from tests.support.cluster import said, season, until
from tests.support.program import SECONDS, highnoon

GAMES = 5
PLAYERS = ("Ada", "Bob", "Cleo", "Dan")
SLOWLY = """\
echo "it is $0" >&2
hands=0
while read word rest; do
  case $word in
    START) hands=$((hands + 1));;
    STACK) if [ $hands -gt 40 ]; then echo R50; else echo C; fi;;
  esac
done
"""
"""Calls for many hands, then goes all in: long enough to be killed in the middle."""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event file with four bots."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    for player in PLAYERS:
        folder = tmp_path / player / "bot"
        folder.mkdir(parents=True)
        (folder / "bot.sh").write_text(SLOWLY)
        config = {"name": f"{player}'s bot", "build": "echo made > made", "run": "cat made >&2 && exec sh bot.sh"}
        (folder / "bot.json").write_text(json.dumps(config))
    entries = [f'[[entries]]\nplayer = "{player}"\nfolder = "{player}"\n' for player in PLAYERS]
    file = tmp_path / "event.toml"
    head = 'name = "A season"\ndate = 2026-11-21\ncontest = "upac"\nrunner = "light"\nstart = "bots"\nseed = "7e"\n'
    rest = f"[season]\ngames = {GAMES}\npause_seconds = 0\n[ports]\npages = 0\nregister = 0\n"
    file.write_text(head + rest + "\n".join(entries))
    return file


def ledger_of(event: Path) -> Path:
    day = tomllib.loads(event.read_text())
    return event.parent / "data" / "recordings" / f"{day['date']}-a-season.ledger"


def has(file: Path, text: bytes, count: int) -> bool:
    """Whether the file has `text` that many times."""
    return file.exists() and file.read_bytes().count(text) >= count


def test_season_killed_again_and_again_ends_properly(event: Path) -> None:
    ledger = ledger_of(event)
    store = Store(ledger)
    begun = b""
    for file, text, count in (
        (ledger, b'"type":"bot_built"', 2),
        (store.game(1).journal, b'"type":"hand_ended"', 2),
        (ledger, b'"type":"game_rated"', 3),
    ):
        with season(event) as program:
            until(program, partial(has, file, text, count), f"{count} times {text!r}")
            program.send_signal(signal.SIGKILL)
            program.wait(SECONDS)
        now = ledger.read_bytes()
        assert now.startswith(begun[: begun.rfind(b"\n") + 1]), "what is written never changes"
        begun = now
    with season(event) as program:
        assert program.wait(SECONDS) == 0, said(event)

    standings = Standings()
    standings.read(read_ledger(ledger).entries)
    assert [player.name for player in standings.players.values()] == list(PLAYERS)
    assert len(standings.uploads) == len(PLAYERS)
    assert (standings.counted, len(standings.games), standings.open) == (GAMES, GAMES, set())
    assert all(game.fault in ("", "timeout") and not game.void for game in standings.games), (
        "our crash costs no bot a game"
    )
    assert sum(player.rating for player in standings.players.values()) == 1000_00 * len(PLAYERS)
    assert "every opponent and every card" in prove(ledger, store).claims[-1].words
    connected = [
        entry for entry in read_journal(store.game(1).journal).entries if isinstance(entry.event, BotConnected)
    ]
    assert len(connected) > 2, "the interrupted game was resumed in its own journal"
    assert store.game(1).defender.read_text().startswith("made\n"), "a bot finds what its build has written"
    check_program_agrees(ledger, event)


def check_program_agrees(ledger: Path, event: Path) -> None:
    """Checks what the program says of the ledger, and that it refutes an altered one."""
    proved = highnoon("verify", str(ledger))
    assert (proved.returncode, f"{GAMES} games" in proved.stdout) == (0, True)
    output = said(event)
    assert len(re.findall(r"^ +\d  \w+'s bot +\w+ +\d+\.\d\d +\d+ +\d+-\d+-\d+$", output, re.MULTILINE)) == len(PLAYERS)
    secrets = json.loads(ledger.with_suffix(".players").read_text())
    assert list(secrets) == list(PLAYERS)
    assert not any(secret in output for secret in secrets.values())
    altered = ledger.with_name("altered.ledger")
    altered.write_bytes(ledger.read_bytes().replace(b'"stacks":[', b'"stacks":[1', 1))
    assert verify_file(altered) == 1

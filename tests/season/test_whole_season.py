"""A season of the real program, with bots in boxes, that is killed and resumed."""

import json
import re
import signal
from functools import partial
from pathlib import Path

from server.game.events import BotConnected
from server.journal.journal import read_journal
from server.season.files import Store
from server.season.ledger import read_ledger
from server.season.standings import Standings
from server.verify.season import prove
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.cluster import said, season, until
from tests.support.program import SECONDS, highnoon

GAMES = 5
PLAYERS = ("Ada", "Bob", "Cleo", "Dan")
SLOWLY = """\
hands=0
while read word rest; do
  case $word in
    START) hands=$((hands + 1));;
    STACK) if [ $hands -gt 40 ]; then echo R50; else echo C; fi;;
  esac
done
"""
"""Calls for many hands, then goes all in: long enough to be killed in the middle."""


def write_event(folder: Path) -> Path:
    """An event file with four bots."""
    for player in PLAYERS:
        bot = folder / player / "bot"
        bot.mkdir(parents=True)
        (bot / "bot.sh").write_text(SLOWLY)
        config = {"name": f"{player}'s bot", "build": "echo made > made", "run": "cat made >&2 && exec sh bot.sh"}
        (bot / "bot.json").write_text(json.dumps(config))
    entries = [f'[[entries]]\nplayer = "{player}"\nfolder = "{player}"\n' for player in PLAYERS]
    head = 'name = "A season"\ndate = 2026-11-21\ncontest = "upac"\nrunner = "light"\nstart = "bots"\nseed = "7e"\n'
    rest = f"[season]\ngames = {GAMES}\npause_seconds = 0\n[ports]\npages = 0\nregister = 0\n"
    (folder / "event.toml").write_text(head + rest + "\n".join(entries))
    return folder / "event.toml"


def has(file: Path, text: bytes, count: int) -> bool:
    """Whether the file contains `text` at least `count` times."""
    return file.exists() and file.read_bytes().count(text) >= count


@NEEDS_BUBBLEWRAP
def test_season_killed_again_and_again_ends_properly(tmp_path: Path) -> None:
    event = write_event(tmp_path)
    ledger = tmp_path / "data" / "recordings" / "2026-11-21-a-season.ledger"
    store, before = Store(ledger), b""
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
        assert now.startswith(before[: before.rfind(b"\n") + 1]), "what is written never changes"
        before = now
    with season(event) as program:
        assert program.wait(SECONDS) == 0, said(event)

    standings = Standings()
    standings.read(read_ledger(ledger).entries)
    assert [player.name for player in standings.players.values()] == list(PLAYERS)
    assert len(standings.uploads) == len(PLAYERS)
    assert (standings.counted, len(standings.games), standings.open) == (GAMES, GAMES, set())
    faults = {game.fault or game.void for game in standings.games}
    assert faults <= {"", "timeout"}, "our crash costs no bot a game"
    assert "every opponent and every card" in prove(ledger, store).claims[-1].words
    events = [entry.event for entry in read_journal(store.game(1).journal).entries]
    assert sum(isinstance(event, BotConnected) for event in events) > 2, "the interrupted game was resumed"
    assert store.game(1).defender.read_text().startswith("made\n"), "a bot finds what its build has written"
    assert f"{GAMES} games" in highnoon("verify", str(ledger)).stdout
    output, secrets = said(event), json.loads(ledger.with_suffix(".players").read_text())
    assert len(re.findall(r"^ +\d  \w+'s bot +\w+ +\d+\.\d\d +\d+ +\d+-\d+-\d+$", output, re.MULTILINE)) == len(PLAYERS)
    assert list(secrets) == list(PLAYERS)
    assert not any(secret in output for secret in secrets.values())

"""The free memory decides how many tables of a deal have bots at the same time."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.app.evening.boxed_bots import BotEntry
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.evening.deal_bots import DealBots
from server.app.evening.deal_memory import MB, RESERVE_BYTES, DealMemory
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.errors import Refusal
from server.game.events import ControlSet, Entrant
from server.game.formats import as_deals
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.journal.killed_contest import decided_events
from tests.support.starters import changed_starter

NAMES = ("Ada", "Babbage", "Curry")
KEEPS_50_MB = "kept = b'x' * 50_000_000"
NOTES_WHO_RUNS = """\
import contextlib, os
with open({started!r}, "a+") as notes:
    print(os.getpid(), file=notes)
    notes.seek(0)
    running = 0
    for line in notes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(line), 0)
            running += 1
with open({running!r}, "a") as notes:
    print(running, file=notes)
"""


@pytest.mark.parametrize(
    ("free_mb", "boxed", "unboxed_mb", "at_once"),
    [
        (4112, 6, 0, 6),  # 36 boxes of 100 MB, and 512 MB for the server
        (4111, 6, 0, 5),
        (1112, 6, 0, 1),
        (1712, 0, 200, 6),
        (1711, 0, 200, 5),
        (1312, 2, 200, 2),
        (1311, 2, 200, 1),
    ],
)
def test_memory_decides_how_many_tables_have_bots(free_mb: int, boxed: int, unboxed_mb: int, at_once: int) -> None:
    memory = DealMemory(free_mb * MB, 6, 6, boxed, unboxed_mb * MB)
    assert memory.tables_at_once() == at_once
    assert ("start anew" in memory.describe()) == (at_once < 6)


def test_evening_whose_table_does_not_fit_into_memory_is_refused_with_the_number_of_seats_that_fit() -> None:
    with pytest.raises(Refusal, match=r"may take 600 MB, but only 1,111 MB are free .* write seats = 5 in \[format\]"):
        DealMemory(1111 * MB, 6, 6, 6).tables_at_once()
    with pytest.raises(Refusal, match=r"may take 200 MB, but only 400 MB .* need 512 MB: free some memory$"):
        DealMemory(400 * MB, 2, 2, 2).tables_at_once()


def test_a_bot_takes_memory_only_at_its_own_table_if_there_are_more_bots_than_seats() -> None:
    assert DealMemory(1112 * MB, 6, 9, 9).tables_at_once() == 1


async def play_evening(folder: Path, commands: Sequence[str], free_bytes: int) -> Path:
    """Plays an evening of three deals with the bots of `commands`; returns its recording."""
    entrants = [Entrant(bot, name) for bot, name in enumerate(NAMES, 1)]
    entries = [BotEntry(bot, NAMES[bot - 1], command=command) for bot, command in enumerate(commands, 1)]
    contest, recording = as_deals(QUICK_DRAW_FORMAT, 3), folder / "evening.jsonl"
    room = CardRoom(begin_recording(recording), entrants, contest=contest, seed=bytes(32), prizes_cents=())
    async with AsyncExitStack() as closing:
        bots = DealBots(room, contest, entrants, entries, folder / "bots")
        await bots.start(None, closing, resumed=False, free_bytes=free_bytes)
        for control in ("started", "unseen"):
            room.bus.publish(ControlSet(control, value=True, was=False))
        await room.director.run()
    room.bus.close()
    return recording


def test_tables_take_turns_if_their_bots_do_not_fit_into_memory_and_play_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started, running = tmp_path / "started.txt", tmp_path / "running.txt"
    first = f"{NOTES_WHO_RUNS.format(started=str(started), running=str(running))}\n{KEEPS_50_MB}"
    commands = [changed_starter(tmp_path / name, first=first) for name in NAMES]
    together = asyncio.run(play_evening(tmp_path / "together", commands, RESERVE_BYTES + 5000 * MB))
    said = capsys.readouterr().out
    measured = re.search(r"9 programs without boxes take about ([\d,]+) MB, as measured; 5,512 MB are free", said)
    assert measured, said
    assert 3 * 3 * 47 < int(measured[1]) < 3 * 3 * 100
    for notes in (started, running):
        notes.unlink()
    in_turns = asyncio.run(play_evening(tmp_path / "in-turns", commands, RESERVE_BYTES + 310 * MB))
    said = capsys.readouterr().out
    assert "So only 1 table can have bots at a time: all bots start anew at each table of each deal" in said
    assert "measured by a trial deal of " in said
    assert decided_events(in_turns) == decided_events(together)
    assert verify(read_journal(in_turns).entries).deals == 3
    assert max(map(int, running.read_text().split())) == 3, "only one table may have bots at a time"
    tables_of_trial, tables = 1 + 3, 3 * 3
    assert len(started.read_text().split()) == (tables_of_trial + tables) * 3


def test_evening_is_refused_before_the_start_if_its_bots_take_more_memory_than_is_free(tmp_path: Path) -> None:
    commands = [changed_starter(tmp_path / name, first=KEEPS_50_MB) for name in NAMES]
    with pytest.raises(Refusal, match=r"the bots of one table may take 1\d\d MB, but only 612 MB are free"):
        asyncio.run(play_evening(tmp_path / "evening", commands, RESERVE_BYTES + 100 * MB))

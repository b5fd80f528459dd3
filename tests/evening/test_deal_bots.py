"""Before an evening of deals starts, a deal that nobody sees measures its bots.

The free memory decides how many tables of a deal have bots at the same time.
"""

import asyncio
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.app.evening.boxed_bots import BotEntry
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.evening.deal_bots import DealBots
from server.app.evening.deal_memory import MEGABYTE, RESERVE_BYTES, DealMemory
from server.app.evening.trial_deal import TrialDeal
from server.app.sparring.sides import Side
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.errors import Refusal
from server.game.events import ControlSet, Entrant
from server.game.formats import as_deals
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.journal.killed_contest import decided_events
from tests.support.bots.starters import changed_starter

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


def test_memory_decides_how_many_tables_have_bots_and_whether_any_has() -> None:
    for free_mb, bots, boxed, unboxed_mb, at_once in (
        (4112, 6, 6, 0, 6),  # 36 boxes of 100 MB, and 512 MB for the server
        (4111, 6, 6, 0, 5),
        (1112, 6, 6, 0, 1),
        (1712, 6, 0, 200, 6),
        (1312, 6, 2, 200, 2),
        (1112, 9, 9, 0, 1),  # only six of the nine bots take memory at a table of six seats
    ):
        memory = DealMemory(free_mb * MEGABYTE, 6, bots, boxed, unboxed_mb * MEGABYTE)
        assert memory.tables_at_once() == at_once, (free_mb, bots, boxed, unboxed_mb)
        assert ("start anew" in memory.describe()) == (at_once < 6)
    with pytest.raises(Refusal, match=r"may take 600 MB, but only 1,111 MB are free .* write seats = 5 in \[format\]"):
        DealMemory(1111 * MEGABYTE, 6, 6, 6).tables_at_once()
    with pytest.raises(Refusal, match=r"may take 200 MB, but only 400 MB .* need 512 MB: free some memory$"):
        DealMemory(400 * MEGABYTE, 2, 2, 2).tables_at_once()


async def play_evening(folder: Path, commands: Sequence[str], free_bytes: int) -> Path:
    """Plays an evening of three deals with the bots of `commands`; returns its recording."""
    entrants = [Entrant(bot, name) for bot, name in enumerate(NAMES, 1)]
    entries = [BotEntry(bot, NAMES[bot - 1], command=command) for bot, command in enumerate(commands, 1)]
    contest, recording = as_deals(QUICK_DRAW_FORMAT, 3), folder / "evening.jsonl"
    room = CardRoom(begin_recording(recording), entrants, contest_format=contest, seed=bytes(32), prizes_cents=())
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
    together = asyncio.run(play_evening(tmp_path / "together", commands, RESERVE_BYTES + 5000 * MEGABYTE))
    said = capsys.readouterr().out
    measured = re.search(r"9 programs without boxes take about ([\d,]+) MB, as measured; 5,512 MB are free", said)
    assert measured, said
    assert 3 * 3 * 47 < int(measured[1]) < 3 * 3 * 100
    for notes in (started, running):
        notes.unlink()
    in_turns = asyncio.run(play_evening(tmp_path / "in-turns", commands, RESERVE_BYTES + 310 * MEGABYTE))
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
        asyncio.run(play_evening(tmp_path / "evening", commands, RESERVE_BYTES + 100 * MEGABYTE))


async def try_bots(commands: list[str], seconds: float) -> TrialDeal:
    """Plays a trial deal with the bots of these commands at two tables, one after the other, for at most `seconds`."""
    sides = {bot: Side("command", command, f"Bot {bot}") for bot, command in enumerate(commands, 1)}
    entrants = [Entrant(bot, side.name) for bot, side in sides.items()]
    async with TrialDeal(as_deals(QUICK_DRAW_FORMAT, 60), entrants, sides, None, seconds=seconds) as trial:
        await trial.play_each_bot()
        await trial.play_all_tables(1)
    return trial


def test_trial_deal_with_bots_that_take_too_long_is_broken_off(tmp_path: Path) -> None:
    command = changed_starter(tmp_path / "slow", "import time\ntime.sleep(1000)")
    trial = asyncio.run(try_bots([command, command], 2.0))
    assert trial.describe_time(60, 1) == (
        "60 deals: no table of the trial deal was over after 2.0 s, at most about 36 minutes if every bot used all of"
        " its time"
    )


def test_bot_that_does_not_start_is_named_as_missing_and_an_invalid_answer_as_a_fault(tmp_path: Path) -> None:
    dances = changed_starter(tmp_path / "dances", 'return {"action": "dance", "raise_amount": 0}')
    trial = asyncio.run(try_bots([dances, "false {server}"], 60.0))
    assert trial.missing == {2: "Bot 2 ended with status 1"}
    (fault,) = trial.faults().values()
    assert "in the trial deal: malformed; " in fault
    assert "dance" in fault, "the message must be quoted, as highnoon probe quotes it"

"""A bot like the original sample bot, unmodified, in a box: it registers and plays whole hands."""

import asyncio
import os
from pathlib import Path

from server.bots.bot import Bot
from server.bots.choose_sandbox import RunnerKind
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import ActionTaken, Entrant, FaultNoted
from server.journal.bus import Bus
from server.tournament.dealer import Table
from server.tournament.resumable_log import ResumableLog
from tests.bots.sandbox.boxed_bots import ended, logged, opened, put_in, registered, seated
from tests.bots.tcp_table import deal_hands
from tests.support.event_loop import in_event_loop

BY_A_SCRIPT = 'FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN true\nCMD ["./start.sh"]\n'
ON_A_NAME = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD python -c "import socket; print(socket.gethostbyname('TOURNAMENT_HOST'))" && exec python bot.py honest
"""
LISTS_FILES = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD python -c "import os; print(*sorted(os.listdir('/proc/self/fd')), oct(os.umask(0)))" && exec python bot.py honest
"""


@in_event_loop
async def test_bots_reach_the_server_by_address_and_name_and_play_whole_hands(kind: RunnerKind, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as runner:
        boxes = [await put_in(runner, tmp_path / "0"), await put_in(runner, tmp_path / "1", dockerfile=ON_A_NAME)]
        bus = Bus(None, lambda: 0.0)
        bots = tuple([Bot(seat, QuickDraw(), await seated(box), bus.publish) for seat, box in enumerate(boxes)])
        entrants = tuple(Entrant(seat, f"Bot {seat}") for seat in range(2))
        table = Table(QUICK_DRAW, 1, entrants, bots, ResumableLog(bus, lambda _: None))
        stacks = await deal_hands(table, 2, 3)
        events = [entry.event for entry in bus.entries]
        assert sum(stacks) == 10000
        assert not [event for event in events if isinstance(event, FaultNoted)]
        assert not [event for event in events if isinstance(event, ActionTaken) and event.fault]
    assert logged(tmp_path / "1", "honest")[0] == "127.0.0.1"


def test_script_with_windows_line_ends_is_named_if_a_bot_does_not_start(kind: RunnerKind, tmp_path: Path) -> None:
    script = tmp_path / "honest" / "start.sh"
    script.parent.mkdir()
    script.write_bytes(b"#!/bin/sh\r\nexec python bot.py honest\r\n")
    script.chmod(0o755)

    async def story() -> str:
        async with opened(kind, tmp_path) as runner:
            return await ended(await put_in(runner, tmp_path, dockerfile=BY_A_SCRIPT))

    assert "start.sh has Windows line ends (CRLF)" in asyncio.run(story())


def test_bots_leave_no_open_files(kind: RunnerKind, tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(kind, tmp_path) as runner:
            await put_in(runner, tmp_path)

    asyncio.run(story())  # The first connection to an Engine opens files that stay open.
    before = len(os.listdir("/proc/self/fd"))
    asyncio.run(story())
    assert len(os.listdir("/proc/self/fd")) <= before


def test_bot_inherits_no_open_file_and_no_umask(kind: RunnerKind, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of the organiser")

    async def story() -> None:
        async with opened(kind, tmp_path) as runner:
            await registered(await put_in(runner, tmp_path, dockerfile=LISTS_FILES))

    with (tmp_path / "secret").open() as secret:
        os.set_inheritable(secret.fileno(), True)
        before = os.umask(0)
        try:
            asyncio.run(story())
        finally:
            os.umask(before)
    assert logged(tmp_path, "honest")[0] == "0 1 2 3 0o22", "the fourth is the listed folder itself"

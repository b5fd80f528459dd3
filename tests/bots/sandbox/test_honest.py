"""An honest bot in a box reaches the server and inherits nothing; if it cannot start, the reason is named."""

import asyncio
import os
from pathlib import Path

from server.bots.choose_sandbox import RunnerKind
from tests.bots.sandbox.boxed_bots import logged, opened, put_in, registered, wait_for_end

BY_A_SCRIPT = 'FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN true\nCMD ["./start.sh"]\n'
PRINTS_WHAT_IT_FINDS = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD python -c "import os; print(*sorted(os.listdir('/proc/self/fd')), oct(os.umask(0)))" && \\
    python -c "import socket; print(socket.gethostbyname('TOURNAMENT_HOST'))" && exec python bot.py honest
"""


async def test_script_with_windows_line_ends_is_named_if_a_bot_does_not_start(kind: RunnerKind, tmp_path: Path) -> None:
    script = tmp_path / "honest" / "start.sh"
    script.parent.mkdir()
    script.write_bytes(b"#!/bin/sh\r\nexec python bot.py honest\r\n")
    script.chmod(0o755)
    async with opened(kind, tmp_path) as runner:
        reason = await wait_for_end(await put_in(runner, tmp_path, dockerfile=BY_A_SCRIPT))
    assert "start.sh has Windows line endings (CRLF)" in reason


def test_bot_inherits_no_open_file_and_no_umask(kind: RunnerKind, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of the organiser")

    async def run() -> None:
        async with opened(kind, tmp_path) as runner:
            await registered(await put_in(runner, tmp_path, dockerfile=PRINTS_WHAT_IT_FINDS))

    with (tmp_path / "secret").open() as secret:
        os.set_inheritable(secret.fileno(), True)
        before = os.umask(0)
        try:
            asyncio.run(run())  # The first connection to Docker opens files that stay open.
            open_files = len(os.listdir("/proc/self/fd"))
            asyncio.run(run())
        finally:
            os.umask(before)
        assert len(os.listdir("/proc/self/fd")) <= open_files, "starting a bot must leave no file open in this process"
    inherited, server, *_ = logged(tmp_path, "honest")
    assert inherited == "0 1 2 3 0o22", "the bot has only 0 to 2 open; 3 is the folder that it lists"
    assert server == "127.0.0.1", "the server's name must resolve"

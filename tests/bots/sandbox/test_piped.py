"""Bots that talk over standard input and output are built and run in their own folder, in boxes of every kind."""

import asyncio
import os
from pathlib import Path

import pytest

from server.bots.choose_sandbox import RunnerKind
from server.bots.sandbox.runner import BotCommands, CannotRun, Limits, PipedBox
from tests.bots.sandbox.boxed_bots import SECONDS, log_of, logged, opened, wait_for_end
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP

BUILD = "echo built by $(id -u) > made && ls && (echo x > /etc/passwd) 2> /dev/null || echo no permission elsewhere"
RUN = "exec python3 bot.py"
MANY_FILES = "i=0; while [ $i -lt 200 ]; do : > $i || exit 1; i=$((i + 1)); done"
SMALL = Limits(disk_bytes=1 << 20)
BOT = """\
import socket
import sys

def attempt(what):
    try:
        what()
        return "yes"
    except OSError as error:
        return type(error).__name__

REQUESTS = {
    "made": lambda: open("made").read().strip(),
    "write": lambda: attempt(lambda: open("made", "w")),
    "scratch": lambda: attempt(lambda: open("/tmp/notes", "w")),
    "net": lambda: attempt(lambda: socket.create_connection(("192.0.2.1", 80), 2)),
    "files": lambda: str(__import__("resource").getrlimit(__import__("resource").RLIMIT_NOFILE)),
}
print("no action, only for the log", file=sys.stderr)
for line in sys.stdin:
    print(line.split()[0] + ": " + REQUESTS[line.strip()](), flush=True)
sys.exit(3)
"""


async def test_bot_is_built_in_its_folder_and_may_not_write_there_after_the_build(
    kind: RunnerKind, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as runner:
        lines: list[str] = []
        built = await runner.build_piped("Talker", _write_bot(tmp_path), BotCommands(RUN, BUILD), lines.append)
        assert [line for line in lines if line in ("bot.py", "no permission elsewhere")] or kind == "docker"
        bot = await runner.start_piped("Talker", built, log_of(tmp_path, "talker"))
        answers = [await _ask(bot, request) for request in ("made", "write", "scratch", "net", "files")]
        assert answers[0].startswith("made: built by")
        assert answers[1] in ("write: OSError", "write: PermissionError")
        assert answers[2:] == ["scratch: yes", "net: OSError", "files: (256, 256)"]
        os.close(bot.stdin)
        assert await wait_for_end(bot) == "ended with status 3 (3)"
        assert os.read(bot.stdout, 100) == b""
        os.close(bot.stdout)
        await bot.stop()
    assert logged(tmp_path, "talker") == ["no action, only for the log"]


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize(
    ("limits", "command", "why"),
    [
        (Limits(), "echo gcc: no such file; exit 2", "(?s)status 2.*gcc: no such file"),
        (Limits(build_seconds=0.5), "while :; do sleep 1; done", "longer than 0.5 s"),
        (SMALL, "head -c 3000000 /dev/zero > big", "wrote more than the 1 MB"),
        (SMALL, "truncate -s 900000 sparse and more", "left more than the 1 MB"),
        (SMALL, "exec 3> hidden; rm hidden; head -c 3000000 /dev/zero >&3", "wrote more than the 1 MB"),
        (Limits(disk_files=100), MANY_FILES, "wrote more than the 64 MB or 100 files"),
    ],
    ids=["fails", "never ends", "large file", "sparse files", "unlinked file", "many files"],
)
async def test_build_that_fails_ends_with_the_reason(limits: Limits, command: str, why: str, tmp_path: Path) -> None:
    async with opened("light", tmp_path, limits) as runner:
        with pytest.raises(CannotRun, match=why):
            await runner.build_piped("Builder", _write_bot(tmp_path), BotCommands(RUN, command), lambda _: None)


def _write_bot(folder: Path) -> Path:
    bot = folder / "bot"
    bot.mkdir(exist_ok=True)
    (bot / "bot.py").write_text(BOT)
    return bot


async def _ask(bot: PipedBox, request: str) -> str:
    os.write(bot.stdin, f"{request}\n".encode())
    output = b""
    async with asyncio.timeout(SECONDS):
        while not output.endswith(b"\n"):
            output += await asyncio.to_thread(os.read, bot.stdout, 4096)
            assert output, "the bot ended without an answer"
    return output.decode().strip()

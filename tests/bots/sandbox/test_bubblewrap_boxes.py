"""Bubblewrap alone: when a box may be entered, and what is said when one cannot be made."""

import asyncio
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.command import Box, box_command
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.start import WaitingBox, start_waiting
from server.bots.sandbox.namespace_sockets import enter_box
from server.bots.sandbox.runner import Limits
from tests.bots.sandbox.boxed_bots import opened, put_in, registered
from tests.support.boxes import NEEDS_BUBBLEWRAP

BETWEEN_TWO_ROOTS = """\
import ctypes, os, sys

LIBC = ctypes.CDLL(None, use_errno=True)
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[os.uname().machine]

def held(status):
    if status:
        raise OSError(ctypes.get_errno(), "it is not permitted")

def disk(path):
    os.makedirs(path, exist_ok=True)
    held(LIBC.mount(b"tmpfs", path.encode(), b"tmpfs", 6, None))

def turn(new, old):
    held(LIBC.syscall(PIVOT_ROOT, new.encode(), old.encode()))

base = sys.argv[1] + "/base"
disk(base)
os.chdir(base)
os.mkdir("old")
disk("new")
disk("new/tmp")
disk("new/dev/shm")
turn(".", "old")
held(LIBC.umount2(b"/old", 2))
older = os.open("/", os.O_RDONLY)
os.chdir("/new")
turn(".", ".")
print("between", flush=True)
sys.stdin.readline()
os.fchdir(older)
held(LIBC.umount2(b".", 2))
os.chdir("/")
print(os.statvfs("/tmp").f_files, os.statvfs("/dev/shm").f_files)
"""
"""Changes its root as bubblewrap does, and waits where the older root lies above the new one."""
pytestmark = NEEDS_BUBBLEWRAP


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder anybody may look into, as bots do."""
    with tempfile.TemporaryDirectory(prefix="highnoon-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _waiting(folder: Path, bot: Path, starter: Sequence[str] = ()) -> WaitingBox:
    """A box that waits; `bot` is what it is to show as the bot's folder."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    box = Box(Recipe("/bot", {}, ("true",), ()), bot, hosts, Limits())
    rules = syscall_filter(platform.machine(), counted=False)
    return start_waiting(partial(box_command, box), rules, starter=starter)


@pytest.mark.parametrize("starter", [(), ("env", "PASSWORD=hush")])
def test_first_process_of_a_box_has_no_environment_whoever_starts_it(shared: Path, starter: Sequence[str]) -> None:
    """A bot may read it; systemd-run is such a starter, which needs an environment itself."""
    box = _waiting(shared, shared, starter)
    try:
        box.ready()
        assert "bwrap" in Path(f"/proc/{box.init}/cmdline").read_text()
        assert not Path(f"/proc/{box.init}/environ").read_bytes()
    finally:
        box.give_up()


def test_box_is_entered_only_when_it_is_complete(shared: Path) -> None:
    """Who entered it before it had its network left it without one, and the bot never came."""
    for _ in range(5):
        box = _waiting(shared, shared)
        try:
            box.ready()
            assert "127.0.0.1" in Path(f"/proc/{box.init}/net/fib_trie").read_text()
        finally:
            box.give_up()


def test_box_is_limited_even_while_an_older_root_covers_its_own(tmp_path: Path) -> None:
    """bubblewrap changes its root in two steps, and may be slow between them."""
    script = tmp_path / "between.py"
    script.write_text(BETWEEN_TWO_ROOTS)
    command = ["unshare", "--user", "--map-root-user", "--net", "--mount", sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"between\n"
        enter_box(process.pid, max_files={"/tmp": 50, "/dev/shm": 60})  # noqa: S108 (paths in the box)
        found, _ = process.communicate(b"\n")
    assert found == b"50 60\n"


def test_box_gets_no_ctrl_c_that_is_for_us(shared: Path) -> None:
    """A bot that ends with Ctrl-C is gone before the recording is closed, and may not come again."""
    box = _waiting(shared, shared)
    try:
        box.ready()
        assert os.getpgid(box.process.pid) == box.process.pid
    finally:
        box.give_up()


def test_box_that_cannot_be_made_says_why(shared: Path) -> None:
    box = _waiting(shared, shared / "nowhere")
    box.ready()
    assert "nowhere: No such file or directory" in box.give_up()


def test_a_bot_that_ended_before_it_registered_is_not_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened("light", tmp_path) as runner:
            await registered(await put_in(runner, tmp_path, "exits"))

    with pytest.raises(AssertionError, match=r"(?s)ended with status 3.*exits since"):
        asyncio.run(story())

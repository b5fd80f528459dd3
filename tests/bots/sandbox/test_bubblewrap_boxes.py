"""Bubblewrap boxes: when the bot's program enters its box, how a box is limited, and why a box cannot be made."""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.command import Box, box_command
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.start import WaitingBox, start_waiting
from server.bots.sandbox.namespace_sockets import enter_box
from server.bots.sandbox.runner import Limits
from tests.support.boxes import NEEDS_BUBBLEWRAP

CHANGES_ROOT = """\
import ctypes, os, sys

LIBC = ctypes.CDLL(None, use_errno=True)
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[os.uname().machine]

def check(status):
    if status:
        raise OSError(ctypes.get_errno(), "it is not permitted")

def disk(path):
    os.makedirs(path, exist_ok=True)
    check(LIBC.mount(b"tmpfs", path.encode(), b"tmpfs", 6, None))

def pivot(new, old):
    check(LIBC.syscall(PIVOT_ROOT, new.encode(), old.encode()))

base = sys.argv[1] + "/base"
disk(base)
os.chdir(base)
os.mkdir("old")
disk("new")
disk("new/tmp")
disk("new/dev/shm")
pivot(".", "old")
check(LIBC.umount2(b"/old", 2))
older = os.open("/", os.O_RDONLY)
os.chdir("/new")
pivot(".", ".")
print("between", flush=True)
sys.stdin.readline()
os.fchdir(older)
check(LIBC.umount2(b".", 2))
os.chdir("/")
print(os.statvfs("/tmp").f_files, os.statvfs("/dev/shm").f_files)
"""
"""A program that changes its root as bubblewrap does, and pauses while the old root covers the new one."""
pytestmark = [NEEDS_BUBBLEWRAP, pytest.mark.programs]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user may read, as bots must."""
    with tempfile.TemporaryDirectory(prefix="highnoon-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _start_waiting(folder: Path, bot: Path, starter: Sequence[str] = ()) -> WaitingBox:
    """Starts a box that waits for its bot; `bot` is the bot's folder."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    box = Box(Recipe("/bot", {}, ("true",), ()), bot, hosts, Limits())
    rules = syscall_filter(platform.machine(), counted=False)
    return start_waiting(partial(box_command, box), rules, starter=starter)


@contextmanager
def _start_ready(folder: Path, starter: Sequence[str] = ()) -> Iterator[WaitingBox]:
    """Starts a box that is ready for its bot; kills it at the end."""
    box = _start_waiting(folder, folder, starter)
    try:
        box.ready()
        yield box
    finally:
        box.give_up()


@pytest.mark.parametrize("starter", [(), ("env", "PASSWORD=hush")])
def test_first_process_of_a_box_has_no_environment_whatever_starts_it(shared: Path, starter: Sequence[str]) -> None:
    """A bot could read the environment of this process. A starter of boxes, such as systemd-run, itself needs one."""
    with _start_ready(shared, starter) as box:
        assert "bwrap" in Path(f"/proc/{box.init}/cmdline").read_text()
        assert not Path(f"/proc/{box.init}/environ").read_bytes()


def test_box_is_entered_only_when_complete_and_ctrl_c_does_not_reach_the_box(shared: Path) -> None:
    """If a box were entered before its network is set up, its bot could never connect."""
    for _ in range(5):
        with _start_ready(shared) as box:
            assert "127.0.0.1" in Path(f"/proc/{box.init}/net/fib_trie").read_text()
            assert os.getpgid(box.process.pid) == box.process.pid, "a box must be its own process group"


def test_box_is_limited_even_while_the_old_root_still_covers_the_new_one(tmp_path: Path) -> None:
    """bubblewrap changes its root in two steps; in between, the old root covers the new one."""
    script = tmp_path / "between.py"
    script.write_text(CHANGES_ROOT)
    command = ["unshare", "--user", "--map-root-user", "--net", "--mount", sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"between\n"
        enter_box(process.pid, max_files={"/tmp": 50, "/dev/shm": 60})  # noqa: S108 (paths in the box)
        found, _ = process.communicate(b"\n")
    assert found == b"50 60\n"


def test_error_says_why_a_box_cannot_be_made(shared: Path) -> None:
    box = _start_waiting(shared, shared / "nowhere")
    box.ready()
    assert "nowhere: No such file or directory" in box.give_up()

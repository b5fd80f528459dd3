"""Forks for a forked program what it starts of ours in a process of its own, which saves half a second for each start.

Such a child is the program's own, with the files, folder and environment that `subprocess` would give it. It is forked
from a process that was forked before the program began: it knows nothing of what the program has done.
"""

import atexit
import ctypes
import fcntl
import gc
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

MODULES = frozenset({
    "broadcast.archive.worker",
    "broadcast.media.worker",
    "server.app.practice.games.process",
    "server.app.practice.own_games",
    "server.app.studio.process",
    "server.contests.arena.venue.house",
    "server.contests.enova.venue.house",
    "server.contests.upac.venue.house",
})  # fmt: skip
"""What is forked; all else is started."""
PROGRAM = "server"
"""Forked, too, where the program itself starts it: it forks its own children."""
PYTHON = sys.executable
"""A test may put another in its place."""
PR_SET_PDEATHSIG = 1
CLONE_PARENT = 0x8000
"""As in linux/prctl.h and linux/sched.h."""
SYS_CLONE = {"x86_64": 56, "aarch64": 220}
"""Its number on machines of each kind; on others everything is started."""
CAN_FORK_BESIDE = os.uname().machine in SYS_CLONE
LONGEST_ORDER = 128 * 1024
MOST_FILES = 64


class Program(msgspec.Struct, frozen=True):
    """What `python -m module words` runs, and where."""

    module: str
    words: Sequence[str]
    folder: str
    environment: Mapping[str, str]


class Start(msgspec.Struct, frozen=True, tag=True):
    """How to start a child: `files` are the numbers of those that it gets, in the order in which they are sent."""

    program: Program
    files: Sequence[int]
    session: bool
    group: int


class Children:
    """Starts children of this process. `fork_exec` is for `subprocess` in place of its own."""

    def __init__(
        self, starts: Callable[[], socket.socket], fork_exec: Callable[..., int], modules: Collection[str] = MODULES
    ) -> None:
        """`starts` opens what hears of each, `modules` are what is forked."""
        self._starts = starts
        self._fork_exec = fork_exec
        self._modules = modules
        self._one_at_a_time = threading.Lock()

    def fork_exec(self, *asked: Any) -> int:
        """Starts a process as _posixsubprocess.fork_exec does, and returns its pid."""
        command, _, close, kept, folder, environment, *_ = asked
        stdin, _, _, stdout, _, stderr, _, error_pipe, _, session, group, *of_others, _ = asked[6:]
        others_asked = any(each not in (None, -1) for each in of_others)
        python, *words = [word for word in command if word != "-B"]
        ours = python == PYTHON and words[:1] == ["-m"] and words[1] in self._modules
        if not ours or not close or others_asked:
            return self._fork_exec(*asked)
        streams = {number: number if file == -1 else file for number, file in enumerate((stdin, stdout, stderr))}
        files = streams | {file: file for file in kept if file != error_pipe}
        program = Program(words[1], words[2:], os.fsdecode(folder or os.getcwd()), _environment(environment))
        start = Start(program, list(files), session, group)
        with self._one_at_a_time:
            starts = self._starts()
            socket.send_fds(starts, [msgspec.json.encode(start)], list(files.values()))
            return int(starts.recv(16))


def _environment(pairs: Sequence[bytes] | None) -> dict[str, str]:
    if pairs is None:
        return dict(os.environ)
    return dict(os.fsdecode(pair).split("=", 1) for pair in pairs)


def fork_its_children() -> None:
    """Forks what the program starts that this process is about to run, where it can be."""
    if children := open_children(vars(subprocess)["_fork_exec"]):
        vars(subprocess)["_fork_exec"] = children.fork_exec


def open_children(fork_exec: Callable[..., int]) -> Children | None:
    """Forks the process from which children are forked; None where it cannot be. `fork_exec` starts all others."""
    if not CAN_FORK_BESIDE:
        return None
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    gc.freeze()
    if not os.fork():
        ours.close()
        _serve(theirs)
    theirs.close()
    return Children(lambda: ours, fork_exec, MODULES | {PROGRAM})


def _serve(starts: socket.socket) -> None:
    """Starts children of the parent of this process, until that has ended."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        text, files, _, _ = socket.recv_fds(starts, LONGEST_ORDER, MOST_FILES)
        if not text:
            os._exit(0)
        pid = start_beside(msgspec.json.decode(text, type=Start), files)
        starts.send(b"%d" % pid)


def start_beside(start: Start, files: Sequence[int]) -> int:
    """Starts a child of this process's parent, which gets `files`; returns its pid."""
    pid = _fork_beside()
    if not pid:
        _become(start, files)
    for file in files:
        os.close(file)
    return pid


def _fork_beside() -> int:
    """As os.fork, but the new process is a child of this one's parent, who waits for it."""
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = ctypes.PyDLL(None).syscall(SYS_CLONE[os.uname().machine], CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
    if pid:
        python.PyOS_AfterFork_Parent()
    else:
        python.PyOS_AfterFork_Child()
    assert pid >= 0, "there is no process left"
    return int(pid)


def _become(start: Start, files: Sequence[int]) -> None:
    """Makes a program of this process, which has the files but not yet under their numbers."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    free = max([2, *start.files]) + 1
    for file, number in zip([fcntl.fcntl(file, fcntl.F_DUPFD, free) for file in files], start.files, strict=True):
        os.dup2(file, number)
    kept = sorted({0, 1, 2, *start.files})
    for low, high in zip(kept, [*kept[1:], os.sysconf("SC_OPEN_MAX")], strict=True):
        os.closerange(low + 1, high)
    if start.session:
        os.setsid()
    if start.group >= 0:
        os.setpgid(0, start.group)
    if start.program.module == PROGRAM:
        fork_its_children()
    run(start.program)


def run(program: Program) -> None:
    """Runs `program` in this process, and exits with its status."""
    name_process([sys.executable, "-m", program.module, *program.words])
    os.chdir(program.folder)
    os.environ.clear()
    os.environ.update(program.environment)
    sys.argv[:] = [program.module, *program.words]
    sys.path[0] = program.folder
    if not hasattr(sys.modules.get(program.module), "__path__"):
        sys.modules.pop(program.module, None)  # It runs as the main module, and nobody has imported it.
    ending = _Ending()
    atexit.register(ending.now)
    try:
        runpy.run_module(program.module, run_name="__main__", alter_sys=True)
        ending.status = 0
    except SystemExit as exited:
        ending.status = exited.code if isinstance(exited.code, int) else 0
    sys.exit(ending.status)


class _Ending:
    """Ends the process once its threads have ended, without freeing memory, which takes longer than most runs."""

    def __init__(self) -> None:
        self.status = 1

    def now(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self.status)


def name_process(words: Sequence[str]) -> None:
    """Shows `words` as the command of this process, as far as there is room where its arguments are kept."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = map(int, fields[45:47])
    shown = "\0".join(words).encode()[: end - begin - 1]
    ctypes.memmove(begin, shown.ljust(end - begin, b"\0"), end - begin)

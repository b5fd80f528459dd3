"""Starts bubblewrap boxes that wait, so that sockets can be opened in them before the bot starts."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence

from server.bots.sandbox.bubblewrap.command import NOBODY_ID
from server.bots.sandbox.runner import CannotRun
from server.child_environment import SYSTEMD_VARIABLES, environment_for_child

_EXIT_SECONDS = 5.0


class WaitingBox:
    """A box whose bot has not started yet. After `wait_until_ready`, `init_pid` is the box's first process."""

    def __init__(self, process: subprocess.Popen[bytes], report: socket.socket, release_fd: int) -> None:
        self.process = process
        self.init_pid = 0
        self._report = report
        self._release_fd = release_fd

    def wait_until_ready(self) -> None:
        """Waits until the box and its network are complete. Blocks for a few milliseconds. Raises CannotRun."""
        self._report.shutdown(socket.SHUT_WR)
        with self._report, self._report.makefile("rb") as report:
            output = report.read()
        with contextlib.suppress(ValueError, KeyError):
            self.init_pid = int(json.loads(output)["child-pid"])
        if not self.init_pid:
            raise CannotRun("bubblewrap made no box")

    def start_bot(self) -> None:
        os.write(self._release_fd, b"1")
        os.close(self._release_fd)

    def kill_box(self) -> str:
        """Kills the box. Returns what bubblewrap printed."""
        if self.init_pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.init_pid, signal.SIGKILL)
        self.process.kill()
        os.close(self._release_fd)
        output, errors = self.process.communicate(timeout=_EXIT_SECONDS)
        return (output or errors or b"").decode(errors="replace").strip()[:400]


def start_waiting_box(
    command: Callable[[tuple[int, int, int, int]], list[str]],
    seccomp_filter: bytes,
    pipes: tuple[int, int] | None = None,
    starter: Sequence[str] = (),
) -> WaitingBox:
    """Starts a box. `command` gets four file descriptors (see `box_command`) and returns the box's command.

    `seccomp_filter` is the box's seccomp filter. `pipes` are the box's standard input and output. Without `pipes`, the
    box has no input, and all output goes into one pipe. `starter` is a program with its first arguments. It gets the
    box's command as its last arguments, and replaces itself with that command. Raises OSError or CannotRun.

    Call this in the event loop's thread, because a box ends when the thread that started bubblewrap ends.
    """
    report, reporter = socket.socketpair()
    wait_fd, release_fd = os.pipe()
    filter_fd = _pipe_containing(seccomp_filter)
    # bubblewrap reports the box's first process too early, before the network is set up. So bubblewrap also gets a copy
    # of the socket, and closes the copy once the box is complete. Only then does `wait_until_ready` see the end of the
    # report.
    with reporter, reporter.dup() as reporter_copy:
        fds = (reporter.fileno(), reporter_copy.fileno(), wait_fd, filter_fd)
        try:
            process = _start(command(fds), fds, pipes, starter)
        except BaseException:
            report.close()
            os.close(release_fd)
            raise
        finally:
            os.close(wait_fd)
            os.close(filter_fd)
    return WaitingBox(process, report, release_fd)


def bubblewrap_fault() -> str:
    """Says what is wrong with bubblewrap on this machine, and how to fix it. Returns "" if it works."""
    program = shutil.which("bwrap")
    if not program:
        return "bubblewrap is not installed: apt-get install bubblewrap."
    help_page = subprocess.run([program, "--help"], check=False, capture_output=True, text=True, env={})  # noqa: S603
    if "--disable-userns" not in help_page.stdout:
        return "this bubblewrap is too old: version 0.8 or newer is needed."
    trial = _start([program, "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "true"], ())
    output, _ = trial.communicate()
    if trial.returncode:
        reason = output.decode(errors="replace").strip()[:200]
        return f"this system does not let it make boxes ({reason}): allow unprivileged user namespaces."
    return ""


def _pipe_containing(content: bytes) -> int:
    """Returns a file descriptor from which `content` can be read. `content` must fit into a pipe."""
    read_fd, write_fd = os.pipe()
    os.write(write_fd, content)
    os.close(write_fd)
    return read_fd


def _start(
    command: list[str], fds: tuple[int, ...], pipes: tuple[int, int] | None = None, starter: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Runs the command. If this process is root, the command runs as user nobody, because even in a box, root would own
    this machine's files. The command's environment is empty, because a bot can read bubblewrap's environment.
    """
    nobody = NOBODY_ID if os.geteuid() == 0 else None
    command = _with_path(command)
    if starter:  # The starter needs this process's rights and environment. The command must not get them.
        rights = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups", "--"] if nobody else []
        command = [*starter, *_with_path(["env", "--ignore-environment"]), *_with_path(rights), *command]
        nobody = None
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=pipes[0] if pipes else subprocess.DEVNULL,
        stdout=pipes[1] if pipes else subprocess.PIPE,
        stderr=subprocess.PIPE if pipes else subprocess.STDOUT,
        pass_fds=fds,
        process_group=0,  # Ctrl-C must not end the box: this process ends it.
        user=nobody,
        group=nobody,
        extra_groups=None if nobody is None else [],
        umask=0o022,
        env=environment_for_child(*SYSTEMD_VARIABLES) if starter else {},
    )


def _with_path(command: Sequence[str]) -> list[str]:
    """Replaces the program's name in the command with its full path, because the command starts without PATH."""
    return [shutil.which(command[0]) or command[0], *command[1:]] if command else []

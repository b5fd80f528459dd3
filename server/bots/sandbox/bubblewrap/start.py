"""Starting bubblewrap: a box that is there and waits, so that sockets can be opened in it before its bot begins."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence

from server.bots.sandbox.bubblewrap.command import NOBODY
from server.bots.sandbox.runner import CannotRun

_LAST_SECONDS = 5.0


class WaitingBox:
    """A box whose bot has not begun. `init` is its first process, once it is `ready`."""

    def __init__(self, process: subprocess.Popen[bytes], told: socket.socket, release: int) -> None:
        self.process = process
        self.init = 0
        self._told = told
        self._release = release

    def ready(self) -> None:
        """Waits until the box is whole, its network too. Blocks some milliseconds; raises CannotRun."""
        self._told.shutdown(socket.SHUT_WR)
        with self._told, self._told.makefile("rb") as told:
            said = told.read()
        with contextlib.suppress(ValueError, KeyError):
            self.init = int(json.loads(said)["child-pid"])
        if not self.init:
            raise CannotRun("bubblewrap made no box")

    def begin(self) -> None:
        """Lets the bot begin."""
        os.write(self._release, b"1")
        os.close(self._release)

    def give_up(self) -> str:
        """Ends the box; what bubblewrap had to say, if anything."""
        if self.init:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.init, signal.SIGKILL)
        self.process.kill()
        os.close(self._release)
        output, errors = self.process.communicate(timeout=_LAST_SECONDS)
        return (output or errors or b"").decode(errors="replace").strip()[:400]


def start_waiting(
    command: Callable[[tuple[int, int, int, int]], list[str]],
    rules: bytes,
    pipes: tuple[int, int] | None = None,
    starter: Sequence[str] = (),
) -> WaitingBox:
    """Starts `command`, which is told the four files of `box_command`; `rules` are its seccomp filter.

    A `starter` is a program that takes the command as its last words, and in the end becomes it.

    It has `pipes` for its standard input and output; without them no input, and one pipe of ours for all it prints.
    Raises OSError, CannotRun.

    To be called in the loop's own thread: bubblewrap ends its box with the thread that started it. It names the box's
    process before it has set up the network there, and who enters then breaks both: that the box is whole shows when
    it has read the second file to its end, and so nobody has the other side of our socket any more.
    """
    told, tell = socket.socketpair()
    wait, release = os.pipe()
    rules_out = _readable(rules)
    with tell, tell.dup() as whole:
        fds = (tell.fileno(), whole.fileno(), wait, rules_out)
        try:
            process = _start(command(fds), fds, pipes, starter)
        except BaseException:
            told.close()
            os.close(release)
            raise
        finally:
            os.close(wait)
            os.close(rules_out)
    return WaitingBox(process, told, release)


def bubblewrap_fault() -> str:
    """What is wrong with bubblewrap here, and what to do; "" if nothing is."""
    program = shutil.which("bwrap")
    if not program:
        return "bubblewrap is not installed: apt-get install bubblewrap."
    options = subprocess.run([program, "--help"], check=False, capture_output=True, text=True).stdout  # noqa: S603
    if "--disable-userns" not in options:
        return "this bubblewrap is too old: version 0.8 or newer is needed."
    tried = _start([program, "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "true"], ())
    said, _ = tried.communicate()
    if tried.returncode:
        told = said.decode(errors="replace").strip()[:200]
        return f"this system permits it no boxes ({told}): allow unprivileged user namespaces."
    return ""


def _readable(said: bytes) -> int:
    """A file to read `said` from, to its end: less than a pipe holds."""
    out, into = os.pipe()
    os.write(into, said)
    os.close(into)
    return out


def _start(
    command: list[str], fds: tuple[int, ...], pipes: tuple[int, int] | None = None, starter: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """As root, as nobody: root in such a box, when it meets a file of this machine, would be root still."""
    nobody = NOBODY if os.geteuid() == 0 else None
    if starter and nobody:  # The starter needs its rights, what it starts does not.
        command = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups", "--", *command]
        nobody = None
    return subprocess.Popen(  # noqa: S603
        [*starter, *command],
        stdin=pipes[0] if pipes else subprocess.DEVNULL,
        stdout=pipes[1] if pipes else subprocess.PIPE,
        stderr=subprocess.PIPE if pipes else subprocess.STDOUT,
        pass_fds=fds,
        user=nobody,
        group=nobody,
        extra_groups=None if nobody is None else [],
    )

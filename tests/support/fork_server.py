"""`python -m tests.support.fork_server`: forks the program once for each order it reads; see tests.support.forks."""

import atexit
import ctypes
import gc
import os
import pkgutil
import resource
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress

import msgspec

import server.app.recordings.archive
import server.app.recordings.open
import server.commands.authors.check
import server.commands.authors.fork
import server.commands.authors.init
import server.commands.authors.new
import server.commands.authors.probe
import server.commands.authors.spar
import server.commands.demo
import server.commands.export
import server.commands.highlights
import server.commands.practice
import server.commands.publish
import server.commands.rehearse
import server.commands.replay
import server.commands.serve
import server.commands.tournament
import server.commands.youtube
import server.verify.file  # noqa: F401 (what the commands read, once for all forks)
from broadcast.publish.program import program
from tests.support.forks import Order

PR_SET_PDEATHSIG = 1
"""As in linux/prctl.h."""
_LONGEST_ORDER = 128 * 1024


def main() -> None:
    """Starts a program for each order, until the tests have closed the socket."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Nobody asks how a keeper ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = socket.socket(fileno=os.dup(0))
    while True:
        text, files, _, _ = socket.recv_fds(orders, _LONGEST_ORDER, 3)
        if not text:
            return None
        order = msgspec.json.decode(text, type=Order)
        for module in order.imported:
            pkgutil.resolve_name(module)
        if "publish" in order.words:
            program()  # The files of the program, which it then keeps for all forks.
        gc.freeze()  # What is looked through for garbage is copied for each fork.
        if not os.fork():
            orders.close()
            return _keep(order, *files)
        for file in files:
            os.close(file)


def _keep(order: Order, asker: int, stdout: int, stderr: int) -> None:
    """Forks the program, reports its pid and exit status, and kills it when the asker is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    program = os.fork()
    if not program:
        os.close(asker)
        return _become(order, stdout, stderr)
    os.close(stdout)
    os.close(stderr)
    with socket.socket(fileno=asker) as reports, suppress(BrokenPipeError):
        reports.send(b"%d" % program)
        if asker in select.select([asker, os.pidfd_open(program)], [], [])[0]:
            os.kill(program, signal.SIGKILL)
        reports.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]))
    os._exit(0)


def _become(order: Order, stdout: int, stderr: int) -> None:
    """Runs the program in this process. It ends with the tests, and hears Ctrl-C even if those have it ignored."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if order.session:
        os.setsid()
    if order.largest_file is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order.largest_file, order.largest_file))
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for file, number in ((stdout, 1), (stderr, 2)):
        os.dup2(file, number)
    for file in {stdout, stderr}:
        os.close(file)
    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.environment)
    sys.argv[:] = [order.module, *order.words]
    sys.path[0] = order.folder
    for name, value in order.seconds.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(sys.modules[module], constant), f"there is no {name}"
        setattr(sys.modules[module], constant, value)
    ending = _Ending()
    atexit.register(ending.now)
    try:
        runpy.run_module(order.module, run_name="__main__", alter_sys=True)
    except SystemExit as exited:
        ending.status = exited.code if isinstance(exited.code, int) else 0
        raise


class _Ending:
    """Ends the process once its threads have ended, without freeing memory, which takes longer than most runs."""

    def __init__(self) -> None:
        self.status = 1

    def now(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self.status)


if __name__ == "__main__":
    main()

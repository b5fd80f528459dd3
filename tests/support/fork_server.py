"""`python -m tests.support.fork_server`: forks the program once for each order it reads; see tests.support.forks."""

import ctypes
import gc
import os
import pkgutil
import resource
import select
import signal
import socket
import sys
from contextlib import suppress

import msgspec
from PIL import Image

import broadcast.archive.indexing
import broadcast.media.findings
import broadcast.media.images
import broadcast.media.win_sounds  # noqa: F401 (what is read once for all forks, as all that follows)
import server.app.practice.games.process
import server.app.practice.own_games
import server.app.recordings.archive
import server.app.recordings.open
import server.app.studio.process
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
import server.contests.arena.venue.house
import server.contests.enova.venue.house
import server.contests.upac.venue.house
import server.contests.upac.venue.venue
import server.verify.file  # noqa: F401
from broadcast.odds.tables import tables
from tests.support.fork_children import (
    LONGEST_ORDER,
    MOST_FILES,
    PR_SET_PDEATHSIG,
    Program,
    Start,
    fork_its_children,
    run,
    start_beside,
)
from tests.support.forks import Order

_WITH_CHILDREN = {"check", "demo", "practice", "publish", "replay", "serve", "tournament"}
"""Commands that start processes of the program; to be ready for it takes a third of the time of a short one."""


def main() -> None:
    """Starts a program for each order, until the tests have closed the socket.

    Whoever has asked for a program is told its pid and its exit status; it is killed when the asker is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = os.dup(0)
    tables()  # They are then there for all that tell chances.
    Image.init()  # It reads forty modules.
    askers: dict[int, int] = {}
    """The pids of programs by the sockets of their askers."""
    ends: dict[int, tuple[int, int]] = {}
    """The pids and the askers of programs by what tells their end."""
    while True:
        ready = select.select([*ends, *askers, orders], [], [])[0][0]
        if ready in ends:
            program, asker = ends.pop(ready)
            askers.pop(asker, None)
            _tell(asker, os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]))
            os.close(ready)
            os.close(asker)
        elif ready in askers:
            os.kill(askers.pop(ready), signal.SIGKILL)
        else:
            with socket.socket(fileno=os.dup(orders)) as reading:
                text, files, _, _ = socket.recv_fds(reading, LONGEST_ORDER, MOST_FILES)
            if not text:
                return
            order = msgspec.json.decode(text, type=Order | Start)
            if isinstance(order, Start):
                os.write(orders, b"%d" % start_beside(order, files))
                continue
            for module in order.imported:
                pkgutil.resolve_name(module)
            gc.freeze()  # What is looked through for garbage is copied for each fork.
            asker, stdout, stderr = files
            program = os.fork()
            if not program:
                _become(order, stdout, stderr)
            os.close(stdout)
            os.close(stderr)
            askers[asker] = program
            ends[os.pidfd_open(program)] = program, asker
            _tell(asker, program)


def _tell(asker: int, number: int) -> None:
    with suppress(BrokenPipeError):
        os.write(asker, b"%d" % number)


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
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    if _WITH_CHILDREN.intersection(order.words[:1]):
        fork_its_children()
    for name, value in order.seconds.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(sys.modules[module], constant), f"there is no {name}"
        setattr(sys.modules[module], constant, value)
    run(Program(order.module, order.words, order.folder, order.environment))


if __name__ == "__main__":
    main()

"""What the bots of a match are run from: folders, built in boxes, and commands, run on this machine as they are."""

import asyncio
import contextlib
import os
import secrets
import shlex
import signal
import socket
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.app.sparring.sides import Side
from server.bots.sandbox.built_once import BuiltOnce
from server.bots.sandbox.runner import Limits, Runner, exit_of
from server.environment import EVERYTHING, environment
from server.errors import Refusal
from server.submissions.commands import read_commands
from server.submissions.read import read_submissions
from server.submissions.submission import Submission
from server.workers.workplace import Workplace


class Boxes(Struct, frozen=True):
    """Boxes for folders, and what is built for them, by the text of a side."""

    runner: Runner
    builds: BuiltOnce


def boxed_submission(side: Side, work: Path) -> Submission:
    """A bot with a Dockerfile; archives are unpacked to `work`. Raises Refusal where it is wrong, OSError."""
    found = read_submissions(Path(side.text), work)
    if len(found) != 1:
        raise Refusal(f"{side.text} has {len(found)} bots in it: give the folder of one")
    _check(side, found[0].faults)
    return found[0]


def command_submission(side: Side, work: Path) -> Submission:
    """A bot with commands; an archive is unpacked to `work`. Raises Refusal with what is wrong, OSError."""
    submission = read_commands(Path(side.text), work)
    _check(side, submission.faults)
    return submission


def side_at(place: Workplace, side: Side) -> Side:
    """A side whose text is the digest of its files, with the folder in which a worker has them."""
    return replace(side, text=str(place.folder_of(side.text))) if side.kind == "folder" else side


def _check(side: Side, faults: Sequence[str]) -> None:
    if faults:
        raise Refusal(f"{side.text} cannot be built: {' '.join(faults)} (highnoon check {shlex.quote(side.text)})")


_GRACE_SECONDS = 2.0
_TAIL_BYTES = 4096
_READ_BYTES = 1 << 16
_NEVER_GIVEN = range(21_000, 32_000)


class Program:
    """A program that runs; of what it prints the end is kept. It ends, with all it has started, by `stop`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """See `start`."""
        self._process = process
        self._tail = b""
        self._attending = asyncio.create_task(self._attend())

    @classmethod
    async def start(cls, words: Sequence[str]) -> "Program":
        """Starts it in the folder of the caller. Raises OSError where it cannot be started."""
        return cls(
            await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=environment(*EVERYTHING),
                process_group=0,  # Ctrl-C in the terminal is for us alone; we end the program.
            )
        )

    async def ended(self) -> str:
        """Waits until it has ended; returns how, in words, with the last line that it has printed."""
        await asyncio.shield(self._attending)
        reason = exit_of(self._process.returncode or 0, False, Limits()).reason
        lines = self._tail.decode(errors="replace").strip().splitlines()
        return f"{reason}: {lines[-1][:200]}" if lines else reason

    async def stop(self) -> None:
        """Ends it: SIGTERM, and SIGKILL two seconds later. Never raises."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            if (await asyncio.wait([self._attending], timeout=_GRACE_SECONDS))[0]:
                return

    async def _attend(self) -> None:
        assert self._process.stdout is not None, "it is a pipe"
        while printed := await self._process.stdout.read(_READ_BYTES):
            self._tail = (self._tail + printed)[-_TAIL_BYTES:]
        await self._process.wait()


def held_port() -> socket.socket:
    """Holds a port of this machine on which nobody listens, until the returned socket is closed.

    The socket is one of UDP, so that a TCP server may have the number; nobody else who asks here gets it. It is none of
    the numbers that systems, unless told otherwise, give to those who connect or listen at any port: a server that
    takes long to start finds it free. Raises OSError if all are taken.
    """
    first = secrets.randbelow(len(_NEVER_GIVEN))
    for port in chain(_NEVER_GIVEN[first:], _NEVER_GIVEN[:first]):
        held = socket.socket(type=socket.SOCK_DGRAM)
        try:
            held.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            held.close()
        else:
            return held
    raise OSError("no port is free")

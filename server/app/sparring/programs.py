"""What the bots of a match run from: submissions, folders on workers, and ports for commands."""

import secrets
import shlex
import socket
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from server.app.sparring.sides import Side
from server.errors import Refusal
from server.submissions.commands import CommandSubmission, read_commands
from server.submissions.read import read_submissions
from server.submissions.submission import Submission
from server.workers.workplace import Workplace

_NEVER_GIVEN = range(21_000, 32_000)


def boxed_submission(side: Side, work: Path) -> Submission:
    """A bot with a Dockerfile; archives are unpacked to `work`. Raises Refusal with its faults, OSError."""
    found = read_submissions(Path(side.text), work)
    if len(found) != 1:
        raise Refusal(f"{side.text} has {len(found)} bots in it: give the folder of one")
    _check(side, found[0].faults)
    return found[0]


def command_submission(side: Side, work: Path) -> CommandSubmission:
    """A bot with commands; an archive is unpacked to `work`. Raises Refusal with its faults, OSError."""
    submission = read_commands(Path(side.text), work)
    _check(side, submission.faults)
    return submission


def side_at(place: Workplace, side: Side) -> Side:
    """A side whose text is a digest, with the worker's folder of those files instead."""
    return replace(side, text=str(place.folder_of(side.text))) if side.kind == "folder" else side


def _check(side: Side, faults: Sequence[str]) -> None:
    if faults:
        raise Refusal(f"{side.text} cannot be built: {' '.join(faults)} (highnoon check {shlex.quote(side.text)})")


def held_port() -> socket.socket:
    """Reserves a port of this machine until the returned socket is closed.

    The socket is a UDP socket, so a TCP server can still use the port, but no other caller gets it. The port is outside
    the default ephemeral range, so a server that takes long to start finds it free. Raises OSError if all are taken.
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

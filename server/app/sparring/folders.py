"""Folders that play in a match: read as they are handed in, built in boxes."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.app.sparring.sides import Side
from server.bots.sandbox.built_once import BuiltOnce
from server.bots.sandbox.runner import Runner
from server.errors import Refusal
from server.submissions.commands import CommandSubmission, read_commands
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


def command_submission(side: Side, work: Path) -> CommandSubmission:
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

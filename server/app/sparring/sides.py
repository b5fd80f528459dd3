"""Reads the sides of a sparring match. A side is a bot that the author gives as a house style, a folder, a command or
an address.
"""

import secrets
import shutil
import socket
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from server.bots.dialects.http_calls import Request
from server.bots.house.ladder import house_opponents
from server.bots.http_bot import call_on_new_connection
from server.bots.transports.http import ALL_NETWORKS, CallFailed, HostRefused, find_host, host_and_port
from server.console import print_to_stderr
from server.contests import CONTESTS, DEFAULT
from server.errors import Refusal
from server.submissions.command_bots import read_command_bot
from server.submissions.submission import Submission
from server.submissions.submissions_reader import read_submissions
from server.system.shell_words import quoted, words_of
from server.text.characters import printable
from server.text.look_alikes import looks_of
from server.text.names_and_chat import name_fault
from server.workers.workplace import Workplace

_READY_REQUEST = Request("POST", "/player/ready")
"""A request that has no effect on a bot. The status of the bot's answer shows for which contest the bot was written."""
_CONTEST_BY_STATUS = {status: contest.id for contest in CONTESTS.values() for status in contest.ready_statuses}
"""The ids of contests, keyed by the HTTP status with which their bots answer `_READY_REQUEST`."""

SideKind = Literal["house", "folder", "command", "address", "listen"]
HTTP_PREFIX, LISTEN_PREFIX = "http://", "tcp://"
"""The prefixes of addresses: HTTP_PREFIX for a bot that this program calls, LISTEN_PREFIX for a bot that connects to
this program.
"""
READY_TIMEOUT_SECONDS = 5.0
"""How many seconds a bot may take to answer `_READY_REQUEST`."""

_COMMON_WORDS = ("python", "python3", "node", "java", "deno", "bun", "uv", "run", "bot")
"""Words that are frequent in commands, and would not be good names for bots."""

_PORTS = range(21_000, 32_000)
"""The ports that `reserve_port` chooses from. These ports are outside the default ephemeral range."""
_MAX_NAME_CHARACTERS = 26
"""The maximum length of a name, in characters. This length leaves room for a number after the name."""


class Side(Struct, frozen=True):
    """One bot of a match. `text` is what the author wrote on the command line, and `name` is the bot's name at the
    table.
    """

    kind: SideKind
    text: str
    name: str

    @property
    def words(self) -> list[str]:
        """The words of a command."""
        return words_of(self.text)


def read_sides(texts: Sequence[str], contest_id: str) -> list[Side]:
    """The sides that `texts` describe, each with a different name. Raises Refusal if a text describes no side."""
    sides: list[Side] = []
    for text in texts:
        kind = _kind_of(text, contest_id)
        taken_looks = {look for side in sides for look in looks_of(side.name)}
        sides.append(Side(kind, text, _free_name(_suggest_name(kind, text), taken_looks)))
    return sides


def _kind_of(text: str, contest_id: str) -> SideKind:
    if text in house_opponents():
        return "house"
    if text.startswith((HTTP_PREFIX, LISTEN_PREFIX)):
        return _check_address(text, contest_id)
    if Path(text).is_dir():
        return _check_folder(text, contest_id)
    return _check_command(text, contest_id)


def _check_address(text: str, contest_id: str) -> SideKind:
    kind: SideKind = "listen" if text.startswith(LISTEN_PREFIX) else "address"
    if kind == "address" and CONTESTS[contest_id].marker_file:
        raise Refusal(f"{text}: bots of {contest_id} are not web servers: give a folder or a command")
    if kind == "listen" and not CONTESTS[contest_id].waits_for_authors:
        names = " and ".join(other.id for other in CONTESTS.values() if other.waits_for_authors)
        raise Refusal(f"{text}: only bots of {names} connect by themselves")
    try:
        host_and_port(text.removeprefix(LISTEN_PREFIX))
    except HostRefused as error:
        raise Refusal(f"{text} {error}") from None
    return kind


def _check_folder(text: str, contest_id: str) -> SideKind:
    """Refuses any folder if the contest's bots have no `marker_file`. Refuses the folder of another contest's bot."""
    if not CONTESTS[contest_id].marker_file:
        raise Refusal(
            f"{text} is a folder: for {contest_id} give a command such as {CONTESTS[contest_id].command.example!r}"
        )
    folders = (Path(text), Path(text) / "bot")
    marked = [other for other in CONTESTS.values() if other.marker_file]
    matching = [other for other in marked if any((folder / other.marker_file).is_file() for folder in folders)]
    if matching and CONTESTS[contest_id] not in matching:
        other = matching[0]
        raise Refusal(f"{text} has a {other.marker_file}, so it is a bot of {other.id}: add --contest {other.id}")
    return "folder"


def _check_command(text: str, contest_id: str) -> SideKind:
    try:
        words = words_of(text)
    except ValueError as error:
        raise Refusal(f"{text!r} is not a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise Refusal(f"{text!r} is {_why_no_command(text, words, contest_id)}")
    needed = CONTESTS[contest_id].command.required_text
    if needed not in text:
        raise Refusal(f"{text!r} has no {needed}, which the program needs: {CONTESTS[contest_id].command.example!r}")
    return "command"


def _why_no_command(text: str, words: list[str], contest_id: str) -> str:
    """Returns why `text` is not a command, and what the author could write instead."""
    example = f"a command such as {CONTESTS[contest_id].command.example!r}"
    if Path(text).is_file():
        return f"a file, but not a program: give {example}"
    if len(words) > 1:
        return f"not a command, because there is no program {words[0]!r} here"
    address = "" if CONTESTS[contest_id].marker_file else ", nor an address such as http://127.0.0.1:5001"
    return f"neither a house style ({', '.join(house_opponents())}) nor a folder nor {example}{address}"


def _suggest_name(kind: SideKind, text: str) -> str:
    """Suggests a name for a side. A bot in a folder gets the folder's name, because two versions of a bot may call
    themselves by the same name.
    """
    if kind == "house":
        return text.title()
    if kind in ("address", "listen"):
        return text.removeprefix(HTTP_PREFIX).removeprefix(LISTEN_PREFIX).rstrip("/")
    if kind == "folder":
        return Path(text).resolve().name
    words = [word for word in words_of(text) if not word.startswith("-") and not any(mark in word for mark in "{=")]
    paths = [Path(word) for word in words if not word.isdecimal()]
    parts = [part for path in paths for part in (*path.parts[:-1], path.stem)]
    return next((part for part in reversed(parts) if part.lower() not in _COMMON_WORDS and part.strip("./")), "Bot")


def _free_name(name: str, taken_looks: set[str]) -> str:
    """Returns `name`, with a number if it looks like a taken name (`looks_of` gives both names a common spelling)."""
    name = "Bot" if name_fault(name[:_MAX_NAME_CHARACTERS]) else name[:_MAX_NAME_CHARACTERS].strip()
    numbered = (f"{name} {number}" for number in range(2, len(taken_looks) + 3))
    return next(candidate for candidate in (name, *numbered) if looks_of(candidate).isdisjoint(taken_looks))


async def resolve_contest(texts: Sequence[str], contest_id: str) -> str:
    """Returns `contest_id` if it is set. Otherwise, asks the first HTTP bot in `texts` for its contest. If `texts` has
    no HTTP bot, returns the default contest.

    Raises Refusal if the bot's contest cannot be determined.
    """
    address_text = next((text for text in texts if text.startswith(HTTP_PREFIX)), "")
    if contest_id or not address_text:
        return contest_id or DEFAULT
    try:
        address = await find_host(*host_and_port(address_text), ALL_NETWORKS)
    except HostRefused as error:
        raise Refusal(f"{address_text} {error}") from None
    try:
        reply = await call_on_new_connection(address, _READY_REQUEST, READY_TIMEOUT_SECONDS)
        contest_of_bot = _CONTEST_BY_STATUS.get(reply.status, "")
    except CallFailed as failed:
        raise Refusal(f"{printable(address_text)} cannot be asked for its contest: {failed}") from None
    if not contest_of_bot:
        choices = " or ".join(f"--contest {name}" for name in dict.fromkeys(_CONTEST_BY_STATUS.values()))
        raise Refusal(f"{printable(address_text)} does not show its contest: add {choices}")
    print_to_stderr(f"{printable(address_text)} answers like a bot of {contest_of_bot}; if it is not, use --contest")
    return contest_of_bot


def boxed_submission(side: Side, work_folder: Path) -> Submission:
    """Reads a bot with a Dockerfile. Unpacks archives to `work_folder`. Raises OSError, or Refusal with the bot's
    faults.
    """
    submissions = read_submissions(Path(side.text), work_folder)
    if len(submissions) != 1:
        raise Refusal(f"{side.text} has {len(submissions)} bots in it: give the folder of one bot")
    _refuse_faults(side, submissions[0].faults)
    return submissions[0]


def command_submission(side: Side, work_folder: Path) -> Submission:
    """Reads a bot whose folder lists the commands that build and run it. Unpacks archives to `work_folder`. Raises
    OSError, or Refusal with the bot's faults.
    """
    submission = read_command_bot(Path(side.text), work_folder)
    _refuse_faults(side, submission.faults)
    return submission


def side_at(workplace: Workplace, side: Side) -> Side:
    """Returns `side` as this worker can start it. In a side with a folder, `text` is the hash of the bot's files. The
    returned side has the folder's path on this worker instead.
    """
    return replace(side, text=str(workplace.folder_of(side.text))) if side.kind == "folder" else side


def _refuse_faults(side: Side, faults: Sequence[str]) -> None:
    if faults:
        raise Refusal(f"{side.text} cannot be built: {' '.join(faults)} (highnoon check {quoted(side.text)})")


def reserve_port() -> socket.socket:
    """Reserves a port of this machine until the returned socket is closed. Raises OSError if all ports are taken.

    The socket is a UDP socket, so a TCP server can use the port at the same time. While the socket is open, neither
    this function nor the system gives the port to another program. So the TCP server may take its time to start.
    """
    start = secrets.randbelow(len(_PORTS))
    for port in chain(_PORTS[start:], _PORTS[:start]):
        udp_socket = socket.socket(type=socket.SOCK_DGRAM)
        try:
            udp_socket.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            udp_socket.close()
        else:
            return udp_socket
    raise OSError("no port is free")

"""What the arguments of several commands share: ports, folders, the show's pace, OBS, a reel's length."""

import argparse

from msgspec import Struct

from broadcast.obs.websocket import PASSWORD
from server.command_line.parser import CommandParser
from server.command_line.values import anywhere, folder, length_ms, worded

PORT = 5000


class Commands(Struct, frozen=True):
    """Where the commands' parsers are added; `place` and `shared` have arguments that several of them take."""

    parsers: "argparse._SubParsersAction[CommandParser]"
    place: CommandParser
    shared: CommandParser

    def add(self, name: str, about: str, *parents: CommandParser, more: str = "") -> CommandParser:
        """A parser for the command `name`; the list of commands says `about`, its own help that and `more`."""
        description = f"{about[0].upper()}{about[1:]}.\n{more}".rstrip()
        command = self.parsers.add_parser(name, help=about, description=description, parents=parents)
        command.set_defaults(command=name)
        return command


def shared_arguments() -> tuple[CommandParser, CommandParser]:
    """Two parsers with arguments that commands share: of those that serve, and of those that also play or show."""
    place = CommandParser(add_help=False)
    place.add_argument("--host", default="127.0.0.1", help="address to serve on (default: %(default)s, this machine)")
    place.add_argument("--port", type=int, help=f"port of pages and registration (default: {PORT})")
    shared = CommandParser(add_help=False, parents=[place])
    shared.add_argument(
        "--data", type=anywhere, default="data", metavar="DIR", help="recordings and media (default: ./%(default)s)"
    )
    shared.add_argument("--speed", type=float, default=1.0, metavar="X", help="pace of the show; 0: as fast as it goes")
    shared.add_argument("--seed", metavar="HEX", help="seed of all cards and draws (default: unguessable)")
    return place, shared


def add_obs(command: CommandParser) -> None:
    """Adds `--obs` to a command that can steer the scenes of OBS."""
    at = f"OBS whose scenes follow, such as 127.0.0.1:4455; its password is taken from ${PASSWORD}"
    command.add_argument("--obs", default="", metavar="ADDRESS", help=at)


def add_scheduler(command: CommandParser, about: str) -> None:
    """Adds `--scheduler` and `--certificates` to a command; `about` says what the workers do."""
    command.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help=f"a Dask scheduler whose workers {about}: tls://HOST:8786"
    )
    add_certificates(command)


def add_certificates(command: CommandParser) -> None:
    """Adds `--certificates` to a command that reaches a scheduler."""
    command.add_argument(
        "--certificates", type=folder, metavar="DIR", help="the certificates with which the scheduler is reached"
    )


def add_reel(command: argparse._ActionsContainer, about: str) -> None:
    """Adds `--highlights` to a command; `about` is its line of help."""
    command.add_argument("--highlights", type=worded(length_ms), metavar="TIME", help=about)

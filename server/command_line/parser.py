"""The parser of commands, and the arguments that several commands share."""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import NoReturn

from msgspec import Struct

from broadcast.obs.websocket import PASSWORD_VARIABLE
from server.command_line.values import (
    any_path,
    argument_type,
    existing_folder,
    read_length_ms,
    read_pace,
    whole_number_between,
)
from server.config.event_addresses import address, host
from server.shuffle import parse_seed

DEFAULT_PORT = 5000


class CommandParser(argparse.ArgumentParser):
    """A parser that lists commands in groups. For an unknown option or command, suggests the most similar name."""

    groups: Mapping[str, Sequence["CommandParser"]] = {}
    """The program's commands by the title of their group. Empty in the parser of a single command."""
    about = ""
    """What the list of commands says about this command."""

    @property
    def commands(self) -> dict[str, "CommandParser"]:
        """The parsers of all commands, by name."""
        return {command.name: command for group in self.groups.values() for command in group}

    @property
    def arguments(self) -> list[argparse.Action]:
        """All arguments of this command, including its options."""
        return self._actions

    @property
    def name(self) -> str:
        return self.prog.rpartition(" ")[2]

    def format_help(self) -> str:
        """Returns the help text. The help text of the whole program lists the commands in groups."""
        if not self.groups:
            return super().format_help()
        width = shutil.get_terminal_size().columns
        options = [option for option in self.arguments if option.option_strings]
        lines = [self.format_usage(), self.description or ""]
        for title, group in self.groups.items():
            lines += [f"{title}:", *(_help_row(command.name, command.about, width) for command in group), ""]
        lines += [
            "options:",
            *(_help_row(", ".join(option.option_strings), option.help or "", width) for option in options),
            "",
        ]
        return "\n".join([*lines, self.epilog or ""])

    def parse_known_args(  # type: ignore[override]  # argparse never calls its other overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parses arguments. An unknown argument ends the program with status 2."""
        if self.groups:
            self._check_command(sys.argv[1:] if args is None else args)
        else:  # argparse would mistake the values of unknown options for arguments
            self._check_options(sys.argv[1:] if args is None else args)
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._refuse(unknown[0])
        return parsed, []

    def _check_command(self, arguments: Sequence[str]) -> None:
        argument = next((argument for argument in arguments if not argument.startswith("-")), None)
        if argument is not None and argument not in self.commands:
            close_matches = get_close_matches(argument.lower(), self.commands, n=1)
            suggested = f"did you mean {close_matches[0]}?" if close_matches else "highnoon --help lists all commands"
            self.error(f"no such command: {argument!r}; {suggested}")

    def _check_options(self, arguments: Sequence[str]) -> None:
        for argument in takewhile("--".__ne__, arguments):
            option = argument.partition("=")[0]
            if option.startswith("--") and not any(name.startswith(option) for name in self._option_string_actions):
                self._refuse(argument)

    def _refuse(self, argument: str) -> NoReturn:
        option, _, _ = argument.partition("=")
        close_matches = get_close_matches(option, self._option_string_actions, n=1)
        self.error(
            f"no such option or argument: {argument!r}"
            + (f"; did you mean {close_matches[0]}?" if close_matches else "")
        )


def _help_row(name: str, about: str, width: int) -> str:
    """Returns a row of the help: the name of a command or option, and a description beside the name."""
    first_indent = f"  {name:<13} "
    return textwrap.fill(about, max(width, 40), initial_indent=first_indent, subsequent_indent=" " * len(first_indent))


class Commands(Struct, frozen=True):
    """Adds a parser for each command. `serve_parser` and `show_parser` parse arguments that several commands have in
    common.
    """

    parsers: "argparse._SubParsersAction[CommandParser]"
    serve_parser: CommandParser
    show_parser: CommandParser

    def add(
        self, name: str, about: str, *parents: CommandParser, more: str = "", examples: str | None = None
    ) -> CommandParser:
        """Adds and returns a parser for the command `name`.

        The list of commands shows `about`. The command's own help also shows `more` and, at its end, `examples`. If
        there are examples, the help keeps the line breaks in all these texts.
        """
        description = f"{about[0].upper()}{about[1:]}.\n{more}".rstrip()
        form = argparse.RawDescriptionHelpFormatter if examples else argparse.HelpFormatter
        command = self.parsers.add_parser(
            name, help=about, description=description, parents=parents, epilog=examples, formatter_class=form
        )
        command.about = about
        command.set_defaults(command=name)
        return command


def make_shared_parsers() -> tuple[CommandParser, CommandParser]:
    """Returns two parsers of shared arguments. The first is for commands that only serve pages. The second is for
    commands that play or show games, and includes the arguments of the first.
    """
    serve_parser = CommandParser(add_help=False)
    serve_parser.add_argument(
        "--host",
        type=argument_type(host),
        default="127.0.0.1",
        help="address to serve on (default: %(default)s, this machine)",
    )
    serve_parser.add_argument(
        "--port", type=whole_number_between(0, 65535), help=f"port of pages and registration (default: {DEFAULT_PORT})"
    )
    add_log(serve_parser)
    show_parser = CommandParser(add_help=False, parents=[serve_parser])
    show_parser.add_argument(
        "--data", type=any_path, default="data", metavar="DIR", help="recordings and media (default: ./%(default)s)"
    )
    show_parser.add_argument(
        "--speed",
        type=argument_type(read_pace),
        default=1.0,
        metavar="X",
        help="pace of the show; 0: as fast as possible",
    )
    show_parser.add_argument(
        "--seed",
        type=argument_type(parse_seed),
        metavar="HEX",
        help="seed of all cards and draws (default: unguessable)",
    )
    return serve_parser, show_parser


def add_log(command: CommandParser) -> None:
    """Adds `--log` to a command that serves until it is stopped."""
    about = "write messages as lines of text, or as lines of JSON with time and level (default: lines)"
    command.add_argument("--log", choices=("lines", "json"), help=about)


def add_metrics(command: CommandParser) -> None:
    """Adds `--metrics` to a command that shows games."""
    about = "serve /metrics for Prometheus, to this machine and to holders of a desk token"
    command.add_argument("--metrics", action="store_true", help=about)


def add_obs(command: CommandParser) -> None:
    """Adds `--obs` to a command that can switch the scenes of OBS."""
    about = (
        "the address of the OBS whose scenes are switched, such as 127.0.0.1:4455; its password is in "
        f"${PASSWORD_VARIABLE}"
    )
    command.add_argument("--obs", type=argument_type(address), metavar="ADDRESS", help=about)


def add_scheduler(command: CommandParser, about: str) -> None:
    """Adds `--scheduler` and `--certificates` to a command that can give work to other machines, the workers of a
    scheduler. `about` says what the workers do.
    """
    command.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help=f"the Dask scheduler (tls://HOST:8786) whose workers {about}",
    )
    add_certificates(command)


def add_certificates(command: CommandParser) -> None:
    """Adds `--certificates` to a command that connects to a scheduler of workers."""
    command.add_argument(
        "--certificates", type=existing_folder, metavar="DIR", help="the certificates for reaching the scheduler"
    )


def add_highlights_option(command: argparse._ActionsContainer, about: str) -> None:
    """Adds `--highlights` to a command, with `about` as its help."""
    command.add_argument("--highlights", type=argument_type(read_length_ms), dest="reel_ms", metavar="TIME", help=about)

"""`highnoon completion SHELL`: prints a script with which a shell completes commands, options and files."""

from typing import Any

import shtab

from server.command_line.arguments import make_command_parser
from server.command_line.values import any_path, existing_folder, existing_path

_COMPLETION_FILES: dict[Any, Any] = {any_path: shtab.FILE, existing_path: shtab.FILE, existing_folder: shtab.DIRECTORY}
"""What a shell offers for an argument (files or folders), keyed by the function that reads the argument."""


def print_completion(shell: str) -> int:
    """Prints the script for `shell`, such as "bash", and returns 0."""
    parser = make_command_parser()
    for command in parser.commands.values():
        for argument in command.arguments:
            if offered := _COMPLETION_FILES.get(argument.type):
                setattr(argument, "complete", offered)  # noqa: B010  shtab requires it, but argparse does not declare it
    print(shtab.complete(parser, shell))
    return 0

"""The arguments of all commands, with their help texts.

An argument has the same name as the parameter of its command's function.
"""

import argparse
from collections.abc import Callable

from server.command_line import contests, mind, recordings, submissions
from server.command_line.parser import CommandParser, Commands, make_shared_parsers
from server.command_line.values import any_path
from server.version import VERSION

_DESCRIPTION = """\
High Noon: a poker-bot tournament server with a live spectator broadcast.

Bots connect, the server referees, and a browser page shows it all: open the overlay
in OBS or on the projector while any of these commands runs.
"""
_EXAMPLES = """\
examples:
  highnoon demo --speed 8                a whole contest of house bots, live, at eight times the speed of a show
  highnoon new my-bot                    a bot that already plays, in a folder of your own
  highnoon practice                      bots register on port 5000 and play practice games, day and night
  highnoon check submissions             a check of all submissions: files, pictures, and a game with each bot
  highnoon init submissions              an event file for all players in a folder, with every setting explained
  highnoon tournament event.toml         the evening: bots in boxes, desk and show; the same command resumes it
  highnoon replay data/recordings/X.jsonl --as-live      a rehearsal with the desk
  highnoon verify data/recordings/X.jsonl
  highnoon export data/recordings/X.jsonl --phhs --out X.phhs
  highnoon youtube data/recordings/X.jsonl --stream-began 2026-11-21T20:00:00Z

exit status: 0 all is well; 1 something failed or a recording is refuted; 2 the command line is wrong;
             3 a recording is valid as far as it goes, but its end is missing
"""


SHELLS = ("bash", "zsh", "fish", "powershell", "tcsh")
_COMPLETION_EXAMPLES = """\
examples:
  bash         highnoon completion bash > ~/.local/share/bash-completion/completions/highnoon
  zsh          highnoon completion zsh > ~/.zfunc/_highnoon
               with these lines in ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit
  fish         highnoon completion fish > ~/.config/fish/completions/highnoon.fish
  PowerShell   highnoon completion powershell >> $PROFILE
"""


def make_command_parser() -> CommandParser:
    """Returns the command-line parser. The result of parsing has the command's name as `command`, and each argument's
    value under the argument's name.
    """
    parser = CommandParser(
        prog="highnoon",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    serve_parser, show_parser = make_shared_parsers()
    commands = Commands(
        parser.add_subparsers(title="commands", metavar="COMMAND", required=True), serve_parser, show_parser
    )
    parser.groups = {title: [add(commands) for add in group] for title, group in _GROUPS.items()}
    return parser


def _add_guide(commands: Commands) -> CommandParser:
    command = commands.add(
        "guide",
        "write the guide, which the program serves at /guide, to files",
        more="A browser can open the pages from the folder. Any web host can serve the pages, under any address.",
    )
    command.add_argument(
        "--out",
        type=any_path,
        required=True,
        dest="folder",
        metavar="DIR",
        help="the folder, created if it does not exist",
    )
    return command


def _add_completion(commands: Commands) -> CommandParser:
    command = commands.add(
        "completion",
        "print a script with which a shell completes commands, options and files",
        examples=_COMPLETION_EXAMPLES,
    )
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")
    return command


_GROUPS: dict[str, tuple[Callable[[Commands], CommandParser], ...]] = {
    "to have a look": (contests.add_demo, _add_guide),
    "for authors of bots": (
        submissions.add_new, contests.add_practice, contests.add_mcp, mind.add_mind, submissions.add_probe,
        submissions.add_spar, submissions.add_fork, submissions.add_decisions, submissions.add_check,
    ),
    "to hold a contest": (submissions.add_init, contests.add_tournament, contests.add_worker),
    "to watch recordings and show them": (
        recordings.add_serve, recordings.add_index, recordings.add_replay, recordings.add_highlights,
        recordings.add_clip, recordings.add_youtube, recordings.add_publish, recordings.add_ograf,
    ),
    "to prove, count and convert": (
        recordings.add_verify, recordings.add_luck, recordings.add_export, recordings.add_import,
    ),
    "for the terminal": (_add_completion,),
}  # fmt: skip
"""The functions that add the commands. The help lists the commands under these titles, in this order."""

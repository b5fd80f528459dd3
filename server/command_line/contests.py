"""The arguments of the commands that play: demo, practice, tournament."""

from pathlib import Path

from server.command_line.common import ARENA_PORT, Commands, add_obs
from server.command_line.parser import CommandParser
from server.command_line.values import existing, network, pace, worded
from server.config.event_addresses import place
from server.config.settings import PRACTICE_KEPT
from server.game.contests import CONTESTS

PRACTISED = ("quick-draw", "enova", "arena")


def add_demo(commands: Commands) -> None:
    """Adds the command `demo`."""
    played = commands.add("demo", "play a whole contest with twelve house bots and broadcast it", commands.shared)
    played.add_argument(
        "--contest", choices=tuple(CONTESTS), default="quick-draw", help="which contest (default: %(default)s)"
    )
    add_obs(played)
    _add_publish(played)


def _add_publish(command: CommandParser) -> None:
    """Adds `--publish` to a command that holds a show."""
    about = "where everybody can watch while it is on: a folder of any web host, or s3://, gs:// or az:// and a bucket"
    command.add_argument("--publish", type=worded(place(Path())), metavar="PLACE", help=about)


def add_practice(commands: Commands) -> None:
    """Adds the command `practice`."""
    practised = commands.add("practice", "let bots register and play practice games, until Ctrl-C", commands.shared)
    practised.add_argument(
        "--contest",
        choices=PRACTISED,
        default=PRACTISED[0],
        help=f"which contest (default: %(default)s); that of the arena is on port {ARENA_PORT} by default",
    )
    practised.add_argument(
        "--bots-from",
        action="append",
        default=[],
        type=network,
        metavar="NETWORK",
        help="where bots that are called may be besides this machine, such as 192.168.1.0/24; may be given again",
    )
    practised.add_argument(
        "--keep",
        type=int,
        default=PRACTICE_KEPT,
        metavar="N",
        help="how many practice recordings are kept, the latest (default: %(default)s)",
    )


def add_tournament(commands: Commands) -> None:
    """Adds the command `tournament`."""
    held = commands.add(
        "tournament",
        "hold the event described in a file, or go on with it after a crash",
        more="Holds the event described in a file. Started again after a crash it goes on where it broke off.",
    )
    held.add_argument("file", type=existing, metavar="EVENT.toml", help="the event; highnoon init writes one")
    speed = "pace of the show, in place of the file's; 0: no pace"
    held.add_argument("--speed", type=worded(pace), metavar="X", help=speed)
    _add_publish(held)
    held.add_argument("--readmit", action="store_true", help="let bots come back that were lost before a crash")
    held.add_argument(
        "--rehearse",
        action="store_true",
        help="a rehearsal, in a data folder beside the evening's and with another seed; the evening is not touched",
    )
    held.add_argument("--again", action="store_true", help="begin anew; the recording that is there is kept")

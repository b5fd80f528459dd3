"""The arguments of the commands that play games: demo, practice, mcp, tournament, worker."""

from argparse import ArgumentTypeError
from functools import partial
from pathlib import Path

from server.command_line.parser import (
    CommandParser,
    Commands,
    add_certificates,
    add_log,
    add_metrics,
    add_obs,
    add_scheduler,
)
from server.command_line.values import (
    any_path,
    argument_type,
    existing_path,
    read_pace,
    server_address,
    whole_number_between,
)
from server.config.event_addresses import network, publish_destination
from server.config.settings import PRACTICE_KEPT
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import NO_PRACTICE

PRACTICE_CONTESTS = tuple(contest.id for contest in CONTESTS.values() if contest.has_practice)
OTHER_PRACTICE_PORTS = "".join(
    f"; {contest.id} is on port {contest.practice_port} by default"
    for contest in CONTESTS.values()
    if contest.practice_port
)


def add_demo(commands: Commands) -> CommandParser:
    command = commands.add("demo", "play a whole contest with twelve house bots and broadcast it", commands.show_parser)
    command.add_argument(
        "--contest", choices=tuple(CONTESTS), default=DEFAULT, help="which contest (default: %(default)s)"
    )
    add_obs(command)
    add_metrics(command)
    _add_publish(command)
    return command


def _add_publish(command: CommandParser) -> None:
    publish_help = (
        "where to publish the show live: a folder that a web host serves, or a bucket as s3://, gs:// or az://"
    )
    command.add_argument(
        "--publish",
        type=argument_type(partial(publish_destination, Path())),
        dest="publish_to",
        metavar="PLACE",
        help=publish_help,
    )


def _practice_contest(text: str) -> str:
    """Returns the id of a contest. Raises ArgumentTypeError if the contest has no practice games."""
    if text in CONTESTS and text not in PRACTICE_CONTESTS:
        raise ArgumentTypeError(NO_PRACTICE.format(name=CONTESTS[text].name))
    return text


def add_practice(commands: Commands) -> CommandParser:
    command = commands.add(
        "practice",
        "let bots register and play practice games, until Ctrl-C",
        commands.show_parser,
        more="A bot plays as soon as it registers. In one terminal: highnoon practice; in another: python3 bot.py "
        "localhost:5000. For bots on other machines: highnoon practice --host 0.0.0.0",
    )
    command.add_argument(
        "--contest",
        type=_practice_contest,
        choices=PRACTICE_CONTESTS,
        default=DEFAULT,
        help=f"which contest (default: %(default)s){OTHER_PRACTICE_PORTS}",
    )
    add_metrics(command)
    command.add_argument(
        "--bots-from",
        action="append",
        default=[],
        type=argument_type(network),
        dest="networks",
        metavar="NETWORK",
        help="a network, besides this machine, where bots may be web servers, such as 10.0.0.0/8; may be repeated",
    )
    command.add_argument(
        "--keep",
        type=whole_number_between(1, 999_999_999),
        default=PRACTICE_KEPT,
        dest="practice_kept",
        metavar="N",
        help="how many of the latest practice recordings are kept (default: %(default)s)",
    )
    command.add_argument(
        "--workers",
        type=whole_number_between(1, 64),
        default=0,
        metavar="N",
        help="how many processes play the games (default: one for each processor)",
    )
    return command


def add_mcp(commands: Commands) -> CommandParser:
    command = commands.add(
        "mcp",
        "connect an agent that can only start commands, by MCP over standard input and output",
        more="The command passes the agent's calls on to a practice server or a tournament: "
        "highnoon mcp http://localhost:5000",
    )
    command.add_argument(
        "address",
        type=argument_type(server_address),
        metavar="SERVER",
        help="the server, such as http://localhost:5000",
    )
    return command


def add_tournament(commands: Commands) -> CommandParser:
    command = commands.add(
        "tournament",
        "run the evening that an event file describes, or resume it after a crash",
        more="To resume after a crash, run the same command again.",
    )
    command.add_argument(
        "path", type=existing_path, metavar="EVENT.toml", help="the event file; highnoon init writes one"
    )
    speed = "pace of the show, instead of the pace in the event file; 0: as fast as possible"
    command.add_argument("--speed", type=argument_type(read_pace), metavar="X", help=speed)
    _add_publish(command)
    add_metrics(command)
    add_log(command)
    command.add_argument("--readmit", action="store_true", help="let bots that left before the restart play again")
    command.add_argument(
        "--rehearse",
        action="store_true",
        help="rehearse with another seed and another data folder; the evening's folder stays as it is",
    )
    add_scheduler(
        command,
        "play a season's games or all tables of deals; replaces the scheduler of the event file",
    )
    command.add_argument("--again", action="store_true", help="start over with a new recording; keep the existing one")
    return command


def add_worker(commands: Commands) -> CommandParser:
    command = commands.add(
        "worker",
        "do work for commands that run on other machines: games of a season, sparring matches, films",
        more="Does the work that a Dask scheduler assigns, in boxes (sandboxes) on this machine, until Ctrl-C: "
        "highnoon worker tls://192.168.1.10:8786 --certificates certificates. The guide's page on workers says how "
        "to start a scheduler, workers and commands.",
    )
    address_group = command.add_mutually_exclusive_group(required=True)
    address_group.add_argument(
        "address", nargs="?", metavar="ADDRESS", help="the scheduler, such as tls://192.168.1.10:8786"
    )
    address_group.add_argument(
        "--make-certificates",
        type=any_path,
        metavar="DIR",
        help="make certificates for the scheduler, workers and commands, say how to use them, and do no work",
    )
    add_certificates(command)
    add_log(command)
    command.add_argument(
        "--folder", type=any_path, default="worker", metavar="DIR", help="where bots are kept (default: ./%(default)s)"
    )
    command.add_argument(
        "--cores",
        type=whole_number_between(0, 1024),
        default=0,
        metavar="N",
        help="processors to use, two for each game (default: all)",
    )
    command.add_argument(
        "--runner", choices=("auto", "docker", "light"), default="auto", help="how to run bots (default: %(default)s)"
    )
    return command

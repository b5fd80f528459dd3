"""The arguments of the commands that play: demo, practice, tournament, worker."""

from functools import partial
from pathlib import Path

from server.command_line.parser import CommandParser, Commands, add_certificates, add_obs, add_scheduler
from server.command_line.values import anywhere, existing, number, pace, worded
from server.config.event_addresses import network, resolved_path
from server.config.settings import PRACTICE_KEPT
from server.contests import CONTESTS, DEFAULT

PRACTISED = tuple(each.id for each in CONTESTS.values() if each.practised)
ELSEWHERE = "".join(
    f"; that of {each.id} is on port {each.practice_port} by default"
    for each in CONTESTS.values()
    if each.practice_port
)


def add_demo(commands: Commands) -> None:
    played = commands.add("demo", "play a whole contest with twelve house bots and broadcast it", commands.shared)
    played.add_argument(
        "--contest", choices=tuple(CONTESTS), default=DEFAULT, help="which contest (default: %(default)s)"
    )
    add_obs(played)
    _add_publish(played)


def _add_publish(command: CommandParser) -> None:
    about = "where everybody can watch while it is on: a folder of any web host, or s3://, gs:// or az:// and a bucket"
    command.add_argument(
        "--publish", type=worded(partial(resolved_path, Path())), dest="publish_to", metavar="PLACE", help=about
    )


def add_practice(commands: Commands) -> None:
    practised = commands.add(
        "practice",
        "let bots register and play practice games, until Ctrl-C",
        commands.shared,
        more="A bot plays after: highnoon practice; and in another terminal: python3 bot.py "
        "localhost:5000. Bots on other machines of the network come in with: highnoon practice --host 0.0.0.0",
    )
    practised.add_argument(
        "--contest", choices=PRACTISED, default=DEFAULT, help=f"which contest (default: %(default)s){ELSEWHERE}"
    )
    practised.add_argument(
        "--bots-from",
        action="append",
        default=[],
        type=worded(network),
        dest="networks",
        metavar="NETWORK",
        help="where bots that are called may be besides this machine, such as 192.168.1.0/24; may be given again",
    )
    practised.add_argument(
        "--keep",
        type=number(1, 999_999_999),
        default=PRACTICE_KEPT,
        dest="practice_kept",
        metavar="N",
        help="how many practice recordings are kept, the latest (default: %(default)s)",
    )
    practised.add_argument(
        "--workers",
        type=number(1, 64),
        default=0,
        metavar="N",
        help="how many processes play the games (default: one for each processor)",
    )


def add_tournament(commands: Commands) -> None:
    held = commands.add(
        "tournament",
        "hold the event described in a file, or go on with it after a crash",
        more="Holds the event described in a file. Started again after a crash it goes on where it broke off.",
    )
    held.add_argument("path", type=existing, metavar="EVENT.toml", help="the event; highnoon init writes one")
    speed = "pace of the show, in place of the file's; 0: no pace"
    held.add_argument("--speed", type=worded(pace), metavar="X", help=speed)
    _add_publish(held)
    held.add_argument("--readmit", action="store_true", help="let bots come back that were lost before a crash")
    held.add_argument(
        "--rehearse",
        action="store_true",
        help="a rehearsal, in a data folder beside the evening's and with another seed; the evening is not touched",
    )
    add_scheduler(held, "play the games of a season, in place of the file's")
    held.add_argument("--again", action="store_true", help="begin anew; the recording that is there is kept")


def add_worker(commands: Commands) -> None:
    works = commands.add(
        "worker",
        "do work on this machine for commands on another: games of a season, sparring, films",
        more="Does what it is given over a Dask scheduler, in boxes of its own, until Ctrl-C: "
        "highnoon worker tls://192.168.1.10:8786 --certificates certificates. The guide's page of workers says how "
        "scheduler, workers and commands are begun.",
    )
    where = works.add_mutually_exclusive_group(required=True)
    where.add_argument("address", nargs="?", metavar="ADDRESS", help="the scheduler, such as tls://192.168.1.10:8786")
    where.add_argument(
        "--make-certificates",
        type=anywhere,
        metavar="DIR",
        help="make the certificates of scheduler, workers and season instead, and say how they are used",
    )
    add_certificates(works)
    works.add_argument(
        "--folder", type=anywhere, default="worker", metavar="DIR", help="where bots are kept (default: ./%(default)s)"
    )
    works.add_argument(
        "--cores", type=int, default=0, metavar="N", help="processors to use, two for each game (default: all)"
    )
    works.add_argument(
        "--runner", choices=("auto", "docker", "light"), default="auto", help="how to run bots (default: %(default)s)"
    )

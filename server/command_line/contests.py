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
    about = "where everybody can watch while it is on: a folder of a web host, or a bucket as s3://, gs:// or az://"
    command.add_argument(
        "--publish", type=worded(partial(resolved_path, Path())), dest="publish_to", metavar="PLACE", help=about
    )


def add_practice(commands: Commands) -> None:
    practised = commands.add(
        "practice",
        "let bots register and play practice games, until Ctrl-C",
        commands.shared,
        more="A bot plays as soon as it registers: highnoon practice; and in another terminal python3 bot.py "
        "localhost:5000. For bots on other machines: highnoon practice --host 0.0.0.0",
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
        help="a network, besides this machine, where bots may be called, such as 192.168.1.0/24; may be repeated",
    )
    practised.add_argument(
        "--keep",
        type=number(1, 999_999_999),
        default=PRACTICE_KEPT,
        dest="practice_kept",
        metavar="N",
        help="how many of the latest practice recordings are kept (default: %(default)s)",
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
        "hold the evening of an event file, or resume it after a crash",
        more="Holds the evening that a file describes. Started again after a crash, it resumes.",
    )
    held.add_argument("path", type=existing, metavar="EVENT.toml", help="the event file; highnoon init writes one")
    speed = "pace of the show, instead of the file's; 0: as fast as it goes"
    held.add_argument("--speed", type=worded(pace), metavar="X", help=speed)
    _add_publish(held)
    held.add_argument("--readmit", action="store_true", help="let in bots again that were lost before a crash")
    held.add_argument(
        "--rehearse",
        action="store_true",
        help="rehearse with another seed, in a data folder beside the evening's, which is not touched",
    )
    add_scheduler(held, "play the games of a season, instead of the file's")
    held.add_argument("--again", action="store_true", help="start anew; the existing recording is kept")


def add_worker(commands: Commands) -> None:
    works = commands.add(
        "worker",
        "do work for commands on other machines: games of a season, sparring, films",
        more="Does the work that a Dask scheduler gives it, in boxes of its own, until Ctrl-C: "
        "highnoon worker tls://192.168.1.10:8786 --certificates certificates. The guide's page of workers says how "
        "to start scheduler, workers and commands.",
    )
    where = works.add_mutually_exclusive_group(required=True)
    where.add_argument("address", nargs="?", metavar="ADDRESS", help="the scheduler, such as tls://192.168.1.10:8786")
    where.add_argument(
        "--make-certificates",
        type=anywhere,
        metavar="DIR",
        help="make the certificates of scheduler, workers and season instead, and say how to use them",
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

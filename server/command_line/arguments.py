"""The arguments of all commands, with their help. Each value is called like the parameter of its command."""

import argparse

from server.command_line import contests, recordings, submissions, videos
from server.command_line.parser import CommandParser, Commands, shared_arguments
from server.command_line.values import anywhere
from server.version import VERSION

_ABOUT = """\
High Noon: a poker-bot tournament server with a live spectator broadcast.

Bots connect, the server referees, and a browser page shows it all: open the overlay
in OBS or on the projector while any of these commands runs.
"""
_EXAMPLES = """\
examples:
  highnoon demo                          a whole contest of twelve house bots, live, at the pace of a show
  highnoon demo --speed 8                the same, eight times as fast; --speed 0 as fast as it goes
  highnoon practice                      bots register on port 5000 and play practice games, day and night
  highnoon practice --contest CONTEST    the same for the bots of another contest
  highnoon init submissions              event.toml for all who handed something in, every setting explained
  highnoon tournament event.toml         the evening: bots in boxes, the desk, the show; again after a crash: it goes on
  highnoon tournament event.toml --rehearse              the same as a rehearsal, which leaves the evening alone
  highnoon worker tls://192.168.1.10:8786 --certificates DIR
                                         plays games of a season that is held on another machine
  highnoon replay data/recordings/X.jsonl
  highnoon replay data/recordings/X.jsonl --as-live      a rehearsal with the desk
  highnoon serve                         recordings, replays and proofs of ./data, when no game is on
  highnoon index                         the recordings' index anew, for /recordings
  highnoon verify data/recordings/X.jsonl
  highnoon clip data/recordings/X.jsonl --hand 12 --out X.mp4
  highnoon export data/recordings/X.jsonl --phhs --out X.phhs
                                         its hands as hand histories; --text as other programs write them
  highnoon highlights data/recordings/X.jsonl --length 3m
                                         the hands worth seeing again, with their times
  highnoon luck data/recordings/X.jsonl  what each bot won, what of it was luck, and what it earned
  highnoon youtube data/recordings/X.jsonl --stream-began 2026-11-21T20:00:00Z
                                         chapters, captions and a description for the video of the evening
  highnoon publish data/recordings --to site
                                         what is over, as a site for any web host; or --to s3://bucket/2026
  highnoon replay X.phh                  published hands through the same pages
  highnoon new my-bot                    a bot that plays as it stands, in a folder of your own
  highnoon probe my-bot                  what it cannot do yet: messages in pieces, all-in, late answers and more
  highnoon spar my-bot --against careful,loose
                                         which is better, on mirrored deals, and how sure that is
  highnoon fork data/recordings/X.jsonl --bot NAME --with my-bot
                                         what a new version would have done otherwise
  highnoon check submissions --report reports
                                         what contestants handed in: folders or zips, files, pictures, a practice game

exit status: 0 all is well; 1 something failed or a recording is refuted; 2 the command line is wrong;
             3 a recording holds as far as it goes, but is not there to its end
"""


def command_line() -> CommandParser:
    """The parser of the command line; of what it returns `command` is the command's name, the rest its arguments."""
    parser = CommandParser(
        prog="highnoon", description=_ABOUT, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    place, shared = shared_arguments()
    commands = Commands(parser.add_subparsers(title="commands", metavar="COMMAND", required=True), place, shared)
    for add_command in (
        contests.add_demo,
        contests.add_practice,
        recordings.add_replay,
        recordings.add_serve,
        recordings.add_index,
        recordings.add_verify,
        videos.add_clip,
        recordings.add_export,
        videos.add_highlights,
        recordings.add_luck,
        videos.add_youtube,
        recordings.add_publish,
        recordings.add_import,
        submissions.add_new,
        submissions.add_probe,
        submissions.add_spar,
        submissions.add_fork,
        submissions.add_decisions,
        submissions.add_check,
        _add_guide,
        submissions.add_init,
        contests.add_tournament,
        contests.add_worker,
    ):
        add_command(commands)
    return parser


def _add_guide(commands: Commands) -> None:
    written = commands.add(
        "guide",
        "write the guide, which the program serves at /guide, as files",
        more="The pages open in a browser from the folder itself, and on any web host under any address.",
    )
    written.add_argument(
        "--out", type=anywhere, required=True, dest="folder", metavar="DIR", help="the folder, made if need be"
    )

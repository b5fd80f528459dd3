"""The arguments of all commands: their names, values and help. Runs no command."""

import argparse

from msgspec import Struct

from broadcast.obs.websocket import PASSWORD
from server.command_line.parser import CommandParser
from server.command_line.values import (
    anywhere,
    existing,
    folder,
    length_ms,
    network,
    pace,
    signed_ms,
    stream_began,
    worded,
)
from server.config.settings import PRACTICE_KEPT
from server.game.contests import CONTESTS
from server.version import VERSION

PORT = 5000
ARENA_PORT = 8000
"""For the Arena, whose bots listen on port 5000 by default."""
PRACTISED = ("quick-draw", "enova", "arena")
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
  highnoon practice --contest arena      the same for bots that are called; so does enova
  highnoon init submissions              event.toml for all who handed something in, every setting explained
  highnoon tournament event.toml         the evening: bots in boxes, the desk, the show; again after a crash: it goes on
  highnoon tournament event.toml --rehearse              the same as a rehearsal, which leaves the evening alone
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
  highnoon youtube data/recordings/X.jsonl --stream-began 2026-11-21T20:00:00Z
                                         chapters, captions and a description for the video of the evening
  highnoon replay X.phh                  published hands through the same pages
  highnoon check submissions --report reports
                                         what contestants handed in: folders or zips, files, pictures, a practice game

exit status: 0 all is well; 1 something failed or a recording is refuted; 2 the command line is wrong;
             3 a recording holds as far as it goes, but is not there to its end
"""


class _Commands(Struct, frozen=True):
    """Where the commands' parsers are added; `place` and `shared` have arguments that several of them take."""

    parsers: "argparse._SubParsersAction[CommandParser]"
    place: CommandParser
    shared: CommandParser

    def add(self, name: str, about: str, *parents: CommandParser, more: str = "") -> CommandParser:
        """A parser for the command `name`: `about` is its line in the list of commands, `more` opens its own help."""
        command = self.parsers.add_parser(name, help=about, description=more or about, parents=parents)
        command.set_defaults(command=name)
        return command


def command_line() -> CommandParser:
    """The parser of the command line; of what it returns `command` is the command's name, the rest its arguments."""
    parser = CommandParser(
        prog="highnoon", description=_ABOUT, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    place, shared = _shared()
    commands = _Commands(parser.add_subparsers(title="commands", metavar="COMMAND", required=True), place, shared)
    for add_command in (
        _add_demo,
        _add_practice,
        _add_replay,
        _add_serve,
        _add_index,
        _add_verify,
        _add_clip,
        _add_export,
        _add_highlights,
        _add_youtube,
        _add_import,
        _add_check,
        _add_guide,
        _add_init,
        _add_tournament,
    ):
        add_command(commands)
    return parser


def _shared() -> tuple[CommandParser, CommandParser]:
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


def _add_obs(command: CommandParser) -> None:
    at = f"OBS whose scenes follow, such as 127.0.0.1:4455; its password is taken from ${PASSWORD}"
    command.add_argument("--obs", default="", metavar="ADDRESS", help=at)


def _add_demo(commands: _Commands) -> None:
    played = commands.add("demo", "play a whole contest with twelve house bots and broadcast it", commands.shared)
    played.add_argument(
        "--contest", choices=tuple(CONTESTS), default="quick-draw", help="which contest (default: %(default)s)"
    )
    _add_obs(played)


def _add_practice(commands: _Commands) -> None:
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


def _add_serve(commands: _Commands) -> None:
    served = commands.add(
        "serve", "serve what was recorded: recordings, replays, proofs, results; until Ctrl-C", commands.place
    )
    served.set_defaults(speed=1.0, seed=None)
    served.add_argument(
        "data", type=folder, nargs="?", default="data", metavar="DATA", help="the data folder (default: ./%(default)s)"
    )


def _add_index(commands: _Commands) -> None:
    indexed = commands.add(
        "index",
        "make the index of the recordings anew, from the recordings themselves",
        more="Reads every finished recording of a data folder into a new index, which /recordings searches.",
    )
    indexed.add_argument(
        "--data", default="data", type=folder, metavar="DIR", help="where recordings are (default: ./%(default)s)"
    )


def _add_verify(commands: _Commands) -> None:
    proved = commands.add("verify", "prove a recording: numbering, sums, chips, decks, draws, prizes")
    proved.add_argument("file", type=existing, metavar="FILE", help="a recording (.jsonl)")
    proved.add_argument("--json", action="store_true", dest="as_json", help="tell it as JSON, for other programs")


def _add_import(commands: _Commands) -> None:
    imported = commands.add("import", "make a recording of published hands")
    imported.add_argument("file", type=existing, metavar="FILE", help="hands of no-limit hold'em (.phh, .phhs)")
    imported.add_argument("--out", type=anywhere, metavar="PATH", help="the recording (default: beside it, .jsonl)")


def _add_check(commands: _Commands) -> None:
    checked = commands.add(
        "check", "check what contestants handed in: one bot, one player, or all; folders or zip archives"
    )
    checked.add_argument(
        "path", type=existing, metavar="PATH", help="a bot's folder, a player's, or one of all players"
    )
    how = checked.add_mutually_exclusive_group()
    how.add_argument(
        "--runner", choices=("auto", "docker", "light"), default="auto", help="how to run bots (default: %(default)s)"
    )
    how.add_argument("--no-run", action="store_true", help="do not build the bots and play with them")
    checked.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or name of the server that bots have hard-coded; may be given more than once",
    )
    checked.add_argument(
        "--report",
        type=anywhere,
        metavar="PLACE",
        help="write pages to send: one for each player into a folder, or all in one file that ends in .html",
    )


def _add_init(commands: _Commands) -> None:
    begun = commands.add("init", "write the event file of a tournament from the folder in which all players' bots lie")
    begun.add_argument("folder", type=folder, metavar="FOLDER", help="a folder or zip archive in it for each player")
    begun.add_argument(
        "--out", type=anywhere, default="event.toml", metavar="EVENT.toml", help="the file (default: ./%(default)s)"
    )


def _add_guide(commands: _Commands) -> None:
    written = commands.add(
        "guide",
        "write the guide, which the program serves at /guide, as files",
        more="The pages open in a browser from the folder itself, and on any web host under any address.",
    )
    written.add_argument("--out", type=anywhere, required=True, metavar="DIR", help="the folder, made if need be")


def _add_tournament(commands: _Commands) -> None:
    held = commands.add(
        "tournament",
        "hold the event described in a file, or go on with it after a crash",
        more="Holds the event described in a file. Started again after a crash it goes on where it broke off.",
    )
    held.add_argument("file", type=existing, metavar="EVENT.toml", help="the event; highnoon init writes one")
    speed = "pace of the show, in place of the file's; 0: no pace"
    held.add_argument("--speed", type=worded(pace), metavar="X", help=speed)
    held.add_argument("--readmit", action="store_true", help="let bots come back that were lost before a crash")
    held.add_argument(
        "--rehearse",
        action="store_true",
        help="a rehearsal, in a data folder beside the evening's and with another seed; the evening is not touched",
    )
    held.add_argument("--again", action="store_true", help="begin anew; the recording that is there is kept")


def _add_replay(commands: _Commands) -> None:
    shown = commands.add("replay", "show a recording through the same pages", commands.shared)
    shown.add_argument(
        "file", type=existing, metavar="FILE", help="a recording (.jsonl), or published hands (.phh, .phhs)"
    )
    how = shown.add_mutually_exclusive_group()
    how.add_argument("--as-live", action="store_true", help="a rehearsal: with the desk, as if it happened now")
    _add_reel(how, "show only the best hands, as many as fit into this length, such as 3m")
    _add_obs(shown)


def _add_reel(command: argparse._ActionsContainer, about: str) -> None:
    command.add_argument("--highlights", type=worded(length_ms), metavar="TIME", help=about)


def _add_highlights(commands: _Commands) -> None:
    listed = commands.add("highlights", "list the hands worth seeing again, with their times")
    listed.add_argument("file", type=existing, metavar="RECORDING", help="a recording (.jsonl)")
    listed.add_argument("--length", type=worded(length_ms), metavar="TIME", help="a reel no longer than this: 3m")
    listed.add_argument("--json", action="store_true", help="as JSON, times in milliseconds")


def _add_youtube(commands: _Commands) -> None:
    youtube = commands.add("youtube", "write chapters, captions and a description for a video")
    youtube.add_argument("file", type=existing, metavar="RECORDING", help="a recording (.jsonl)")
    zero = youtube.add_mutually_exclusive_group()
    at = "where in the video the show begins, such as 0:03:20; --offset=-0:02:00 if the video began later (default: 0)"
    zero.add_argument("--offset", type=worded(signed_ms), default=0, metavar="TIME", help=at)
    when = "when the stream began, such as 2026-11-21T20:00:00Z, for the show that ran live"
    zero.add_argument("--stream-began", type=worded(stream_began), metavar="WHEN", help=when)
    of = youtube.add_mutually_exclusive_group()
    of.add_argument("--film", action="store_true", help="for a replay, though the diary of the live show is there")
    _add_reel(of, "for a clip of the best hands of this length, such as 3m")
    youtube.add_argument("--out", type=anywhere, metavar="DIR", help="where to (default: ./RECORDING-youtube)")


def _add_clip(commands: _Commands) -> None:
    filmed = commands.add("clip", "make a film of a hand or of the best ones, with sound, without OBS")
    filmed.add_argument("recording", type=existing, metavar="RECORDING", help="a recording (.jsonl), or .phh, .phhs")
    what = filmed.add_mutually_exclusive_group(required=True)
    what.add_argument("--hand", type=int, metavar="N", help="this hand, as the address of its replay counts")
    _add_reel(what, "the best hands, no longer than this: 3m")
    filmed.add_argument("--shape", choices=("wide", "tall"), default="wide", help="tall: for phones (default: wide)")
    filmed.add_argument("--theme", choices=("western", "plain"), default="western", help="its look (default: western)")
    filmed.add_argument(
        "--out", type=anywhere, metavar="FILE.mp4", help="the film (default: named after the recording)"
    )
    filmed.add_argument(
        "--preview", type=anywhere, metavar="FILE.webp", help="its last seconds, small, as a moving picture"
    )


def _add_export(commands: _Commands) -> None:
    exported = commands.add("export", "write a recording's hands as hand histories that other programs read")
    exported.add_argument(
        "file", type=existing, metavar="RECORDING", help="a recording (.jsonl), or a .phh or .phhs file"
    )
    form = exported.add_mutually_exclusive_group(required=True)
    for name, of in (
        ("phh", "one hand in the PHH format (TOML)"),
        ("phhs", "all hands in the PHH format"),
        ("text", "as text in the manner of PokerStars"),
    ):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=of)
    exported.add_argument("--hand", type=int, metavar="N", help="this hand alone, counted from the recording's first")
    exported.add_argument("--out", type=anywhere, metavar="PATH", help="where to (default: the standard output)")

"""The arguments of commands that show, search, prove, convert and film recordings."""

from server.command_line.parser import Commands, add_obs, add_reel, add_scheduler
from server.command_line.values import (
    anywhere,
    existing,
    folder,
    length_ms,
    number,
    numbers,
    signed_ms,
    stream_began,
    worded,
)
from server.contests import CONTESTS
from server.hand_histories.hand_log import KNOWN


def add_replay(commands: Commands) -> None:
    shown = commands.add("replay", "show a recording through the same pages", commands.shared)
    shown.add_argument(
        "path", type=existing, metavar="FILE", help="a recording (.jsonl), or published hands (.phh, .phhs, .ohh, .txt)"
    )
    how = shown.add_mutually_exclusive_group()
    how.add_argument("--as-live", action="store_true", help="a rehearsal: with the desk, as if it happened now")
    add_reel(how, "show only the best hands, as many as fit into this length, such as 3m")
    add_obs(shown)


def add_serve(commands: Commands) -> None:
    served = commands.add(
        "serve", "serve what was recorded: recordings, replays, proofs, results; until Ctrl-C", commands.serving
    )
    served.add_argument(
        "data", type=folder, nargs="?", default="data", metavar="DATA", help="the data folder (default: ./%(default)s)"
    )


def add_index(commands: Commands) -> None:
    indexed = commands.add(
        "index",
        "rebuild the index of the recordings from the recordings themselves",
        more="Reads every finished recording of a data folder into a new index, which /recordings searches.",
    )
    indexed.add_argument(
        "--data", default="data", type=folder, metavar="DIR", help="where recordings are (default: ./%(default)s)"
    )


def add_verify(commands: Commands) -> None:
    proved = commands.add("verify", "prove a recording: numbering, sums, chips, decks, draws, prizes")
    proved.add_argument("path", type=existing, metavar="FILE", help="a recording (.jsonl)")
    proved.add_argument("--json", action="store_true", dest="as_json", help="print JSON for other programs")


_LUCK_HELP = """\
Each card of the board makes the hands of some bots worth more, and of others less: that is luck, exactly, and adds up
to 0 in each hand. What a bot has won without it, it has earned. The more games there are, the surer that is; a whole
tournament in which chips are kept from table to table is one. From five games on there is a 95 % interval, and for
each two bots the chance that one is better: that it earns more a game.
"""
_LUCK_EXAMPLES = """\
examples:
  highnoon luck data/recordings/X.jsonl
  highnoon luck data/recordings --json         all recordings of a folder together
  highnoon luck data/recordings/X.ledger       the games of a season that are over; or its folder
"""


def add_luck(commands: Commands) -> None:
    counted = commands.add(
        "luck",
        "show what each bot won, how much of it was luck, and what it earned",
        more=_LUCK_HELP,
        examples=_LUCK_EXAMPLES,
    )
    counted.add_argument(
        "paths",
        type=existing,
        nargs="+",
        metavar="RECORDING",
        help="a recording (.jsonl), .phh, .phhs, a season (.ledger), or a folder of recordings or of a season",
    )
    counted.add_argument("--json", action="store_true", dest="as_json", help="print JSON, in chips")


_PUBLISH_HELP = """\
Writes recordings as a site that any static web host can serve, under any path, with no program of ours behind it: the
list, replays, proofs, and the recordings themselves. Pages do not say who won until a visitor asks. What is at PLACE
stays: publishing again adds recordings and newer pages, sends nothing twice, and resumes where it was interrupted.
"""
_PUBLISH_EXAMPLES = """\
examples:
  highnoon publish data/recordings --to ~/public_html/poker
  highnoon publish data/recordings/X.jsonl --to s3://bucket/2026 --address https://poker.example/2026

The credentials of a bucket come from the environment variables of its cloud, such as AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT_URL names another server that speaks S3.
"""


def add_publish(commands: Commands) -> None:
    published = commands.add(
        "publish",
        "write recordings as a site for any web host or bucket",
        more=_PUBLISH_HELP,
        examples=_PUBLISH_EXAMPLES,
    )
    published.add_argument(
        "paths", type=existing, nargs="+", metavar="RECORDING", help="a recording (.jsonl), or a folder of them"
    )
    published.add_argument(
        "--to", required=True, metavar="PLACE", help="a folder, or s3://bucket, gs://bucket, az://container"
    )
    published.add_argument(
        "--address", default="", metavar="URL", help="where visitors will find it, for the pictures of links"
    )


def add_export(commands: Commands) -> None:
    exported = commands.add("export", "write a recording's hands as hand histories that other programs read")
    exported.add_argument(
        "path", type=existing, metavar="RECORDING", help="a recording (.jsonl), or a .phh or .phhs file"
    )
    form = exported.add_mutually_exclusive_group(required=True)
    for name, of in (
        ("phh", "one hand in the PHH format (TOML)"),
        ("phhs", "all hands in the PHH format"),
        ("text", "as text in the manner of PokerStars"),
        *((log.name, f"as {log.title}") for each in CONTESTS.values() if (log := each.hand_log)),
    ):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=of)
    exported.add_argument(
        "--hand", type=int, dest="number", metavar="N", help="only this hand, counted from the recording's first"
    )
    exported.add_argument("--out", type=anywhere, metavar="PATH", help="the file (default: standard output)")


def add_import(commands: Commands) -> None:
    imported = commands.add("import", "make a recording of published hands")
    imported.add_argument("path", type=existing, metavar="FILE", help=f"hands of no-limit hold'em: {KNOWN}")
    imported.add_argument("--strict", action="store_true", help="refuse the file if any hand cannot be played")
    imported.add_argument("--out", type=anywhere, metavar="PATH", help="the recording (default: beside it, .jsonl)")


def add_clip(commands: Commands) -> None:
    filmed = commands.add(
        "clip",
        "make films of hands, or of the best ones, with sound and without OBS",
        more="Makes a film of a hand or of the best ones together, or one film for each of several hands: "
        "highnoon clip X.jsonl --hand 12; highnoon clip X.jsonl --highlights 3m; "
        "highnoon clip X.jsonl --best 20 --out clips",
    )
    filmed.add_argument("recording", type=existing, metavar="RECORDING", help="a recording (.jsonl), or .phh, .phhs")
    what = filmed.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--hand",
        type=worded(numbers),
        default=(),
        dest="hands",
        metavar="N[,N...]",
        help="this hand, by the number in the address of its replay; several get a film each",
    )
    what.add_argument(
        "--best", type=number(1, 1_000_000), default=0, metavar="N", help="this many of the best hands, a film for each"
    )
    add_reel(what, "the best hands, no longer than this: 3m")
    filmed.add_argument("--shape", choices=("wide", "tall"), default="wide", help="tall: for phones (default: wide)")
    filmed.add_argument("--theme", choices=("western", "plain"), default="western", help="its look (default: western)")
    filmed.add_argument(
        "--out",
        type=anywhere,
        metavar="FILE.mp4",
        help="the film, or the folder of several (default: here, named after the recording)",
    )
    filmed.add_argument(
        "--preview", type=anywhere, metavar="FILE.webp", help="a small moving picture of its last seconds"
    )
    add_scheduler(filmed, "film, if they have Chromium and FFmpeg")


def add_highlights(commands: Commands) -> None:
    listed = commands.add("highlights", "list the hands worth watching again, with their times")
    listed.add_argument("path", type=existing, metavar="RECORDING", help="a recording (.jsonl)")
    listed.add_argument(
        "--length", type=worded(length_ms), dest="length_ms", metavar="TIME", help="a reel no longer than this: 3m"
    )
    listed.add_argument("--json", dest="as_json", action="store_true", help="as JSON, times in milliseconds")


def add_youtube(commands: Commands) -> None:
    youtube = commands.add("youtube", "write chapters, captions and a description for a video")
    youtube.add_argument("path", type=existing, metavar="RECORDING", help="a recording (.jsonl)")
    zero = youtube.add_mutually_exclusive_group()
    at = "where in the video the show begins, such as 0:03:20; --offset=-0:02:00 if the video began later (default: 0)"
    zero.add_argument("--offset", type=worded(signed_ms), default=0, dest="offset_ms", metavar="TIME", help=at)
    when = "when the stream began, such as 2026-11-21T20:00:00Z, for the show that ran live"
    zero.add_argument("--stream-began", type=worded(stream_began), dest="began_ms", metavar="WHEN", help=when)
    of = youtube.add_mutually_exclusive_group()
    of.add_argument("--film", action="store_true", help="for a replay, even if there is a diary of the live show")
    add_reel(of, "for a clip of the best hands of this length, such as 3m")
    youtube.add_argument(
        "--no-results", dest="results", action="store_false", help="chapters and description do not say who won"
    )
    youtube.add_argument("--out", type=anywhere, metavar="DIR", help="the folder (default: ./RECORDING-youtube)")

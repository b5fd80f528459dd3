"""The arguments of the commands that make videos and their texts: clip, highlights, youtube."""

from server.command_line.parser import Commands, add_reel, add_scheduler
from server.command_line.values import anywhere, existing, length_ms, number, numbers, signed_ms, stream_began, worded


def add_clip(commands: Commands) -> None:
    filmed = commands.add(
        "clip",
        "make films of hands, or one of the best ones, with sound, without OBS",
        more="Makes a film of a hand or of the best ones together, or of several hands one film each: "
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
        help="this hand, as the address of its replay counts; several are a film each",
    )
    what.add_argument(
        "--best", type=number(1, 1_000_000), default=0, metavar="N", help="so many of the best, a film each"
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
        "--preview", type=anywhere, metavar="FILE.webp", help="its last seconds, small, as a moving picture"
    )
    add_scheduler(filmed, "film, if they have Chromium and FFmpeg")


def add_highlights(commands: Commands) -> None:
    listed = commands.add("highlights", "list the hands worth seeing again, with their times")
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
    of.add_argument("--film", action="store_true", help="for a replay, though the diary of the live show is there")
    add_reel(of, "for a clip of the best hands of this length, such as 3m")
    youtube.add_argument(
        "--no-results", dest="results", action="store_false", help="chapters and description do not say who won"
    )
    youtube.add_argument("--out", type=anywhere, metavar="DIR", help="where to (default: ./RECORDING-youtube)")

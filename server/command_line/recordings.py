"""The arguments of commands that show, search, prove, convert and film recordings."""

from server.command_line.parser import CommandParser, Commands, add_highlights_option, add_obs, add_scheduler
from server.command_line.values import (
    any_path,
    argument_type,
    existing_folder,
    existing_path,
    read_length_ms,
    read_numbers,
    read_signed_ms,
    read_stream_start_ms,
    whole_number_between,
)
from server.contests import CONTESTS
from server.hand_histories.hand_log import KNOWN_FORMATS


def add_replay(commands: Commands) -> CommandParser:
    command = commands.add("replay", "show a recording in the pages of a live show", commands.show_parser)
    command.add_argument(
        "path",
        type=existing_path,
        metavar="FILE",
        help="a recording (.jsonl), or published hands (.phh, .phhs, .ohh, .txt)",
    )
    mode_group = command.add_mutually_exclusive_group()
    mode_group.add_argument(
        "--as-live", action="store_true", help="rehearse: show it with the desk, as if it were live"
    )
    add_highlights_option(mode_group, "show only the best hands that fit into this length, such as 3m")
    add_obs(command)
    return command


def add_serve(commands: Commands) -> CommandParser:
    command = commands.add(
        "serve", "serve recordings, replays, proofs and results, until Ctrl-C", commands.serve_parser
    )
    command.add_argument(
        "data",
        type=existing_folder,
        nargs="?",
        default="data",
        metavar="DATA",
        help="the data folder (default: ./%(default)s)",
    )
    return command


def add_index(commands: Commands) -> CommandParser:
    command = commands.add(
        "index",
        "rebuild the index of the recordings from the recordings themselves",
        more="Reads every finished recording of a data folder into a new index, which the page /recordings uses.",
    )
    command.add_argument(
        "--data",
        default="data",
        type=existing_folder,
        metavar="DIR",
        help="where recordings are (default: ./%(default)s)",
    )
    return command


def add_verify(commands: Commands) -> CommandParser:
    command = commands.add("verify", "prove a recording: numbering, checksums, chips, decks, draws, prizes")
    command.add_argument("path", type=existing_path, metavar="FILE", help="a recording (.jsonl)")
    command.add_argument("--json", action="store_true", dest="as_json", help="print JSON for other programs")
    return command


_LUCK_HELP = """\
Each card of the board changes how much each bot's hand is worth. The sum of these changes is the bot's luck, which is
computed exactly. In each hand, all bots' luck adds up to 0. A bot's winnings minus its luck are its earnings. The more
games there are, the more certain the earnings are. A whole tournament counts as one game if bots keep their chips from
table to table. With five games or more, each bot has a 95 % interval, and each pair of bots has the chance that one
earns more per game than the other. If all bots had the same cards, deals count instead of games. A bot's earnings then
have two parts: the part that came from the other bots' play before the bot's first decision in each hand, and the part
that came from its own play. The results page of such an evening may compare winnings instead of earnings.
"""
_LUCK_EXAMPLES = """\
examples:
  highnoon luck data/recordings/X.jsonl
  highnoon luck data/recordings --json         all recordings in a folder together
  highnoon luck data/recordings/X.ledger       the finished games of a season
"""


def add_luck(commands: Commands) -> CommandParser:
    command = commands.add(
        "luck",
        "show what each bot won, how much of it was luck, and what it earned",
        more=_LUCK_HELP,
        examples=_LUCK_EXAMPLES,
    )
    command.add_argument(
        "paths",
        type=existing_path,
        nargs="+",
        metavar="RECORDING",
        help="a recording (.jsonl), .phh, .phhs, a season (.ledger) or its folder, or a folder of recordings",
    )
    command.add_argument("--json", action="store_true", dest="as_json", help="print JSON, in chips")
    return command


_PUBLISH_HELP = """\
Writes recordings as a web site that any static web host can serve under any path, without running this program. The
site has a list of the recordings, replays, proofs, and the recordings themselves. Its first page says who won the
latest show. Other pages say who won only if a visitor asks. Files that are already at PLACE stay. Publishing again adds
recordings and newer pages, and sends no file twice. If publishing was interrupted, it resumes where it stopped.
"""
_PUBLISH_EXAMPLES = """\
examples:
  highnoon publish data/recordings --to ~/public_html/poker
  highnoon publish data/recordings/X.jsonl --to s3://bucket/2026 --address https://poker.example/2026

The credentials of a bucket come from the environment variables of its cloud, such as AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT_URL names another server that speaks S3.
"""


def add_publish(commands: Commands) -> CommandParser:
    command = commands.add(
        "publish",
        "write recordings as a site for any web host or bucket",
        more=_PUBLISH_HELP,
        examples=_PUBLISH_EXAMPLES,
    )
    command.add_argument(
        "paths", type=existing_path, nargs="+", metavar="RECORDING", help="a recording (.jsonl), or a folder of them"
    )
    command.add_argument(
        "--to", required=True, metavar="PLACE", help="a folder, or s3://bucket, gs://bucket, az://container"
    )
    command.add_argument(
        "--address", default="", metavar="URL", help="the site's address for visitors, used in link previews"
    )
    return command


_OGRAF_HELP = """\
Writes five graphics for renderers that support EBU OGraf 1.0: lower third, standings, table, champion, storyline.
The graphics show a recording, in real time or frame by frame, or the live show of a server.
"""
_OGRAF_EXAMPLES = """\
examples:
  highnoon ograf data/recordings/X.jsonl --out graphics
  highnoon ograf --server http://192.168.1.20:8000 --out graphics
  highnoon ograf --server "https://poker.example/?channel=practice-1" --out graphics
"""


def add_ograf(commands: Commands) -> CommandParser:
    command = commands.add(
        "ograf",
        "write graphics for television renderers (EBU OGraf)",
        more=_OGRAF_HELP,
        examples=_OGRAF_EXAMPLES,
    )
    source_group = command.add_mutually_exclusive_group(required=True)
    source_group.add_argument(
        "recording", type=existing_path, nargs="?", metavar="RECORDING", help="a recording (.jsonl)"
    )
    source_group.add_argument("--server", metavar="URL", help="the server whose show the graphics follow")
    command.add_argument("--event", type=existing_path, metavar="FILE", help="an event file with the branding to show")
    command.add_argument("--out", type=any_path, required=True, metavar="DIR", help="a new folder")
    return command


def add_export(commands: Commands) -> CommandParser:
    command = commands.add("export", "write a recording's hands as hand histories that other programs read")
    command.add_argument(
        "path", type=existing_path, metavar="RECORDING", help="a recording (.jsonl), or a .phh or .phhs file"
    )
    form_group = command.add_mutually_exclusive_group(required=True)
    for name, about in (
        ("phh", "one hand in the PHH format (TOML)"),
        ("phhs", "all hands in the PHH format"),
        ("text", "as text in the style of PokerStars"),
        *((log.name, f"as {log.title}") for contest in CONTESTS.values() if (log := contest.hand_log)),
    ):
        form_group.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=about)
    command.add_argument(
        "--hand",
        type=int,
        dest="number",
        metavar="N",
        help="only the hand with this number in the replay, which counts only hands of tables that were on air",
    )
    command.add_argument("--out", type=any_path, metavar="PATH", help="the file (default: standard output)")
    return command


def add_import(commands: Commands) -> CommandParser:
    command = commands.add("import", "make a recording from published hands")
    command.add_argument("path", type=existing_path, metavar="FILE", help=f"hands of no-limit hold'em: {KNOWN_FORMATS}")
    command.add_argument("--strict", action="store_true", help="refuse the file if any hand cannot be played")
    command.add_argument("--out", type=any_path, metavar="PATH", help="the recording (default: FILE.jsonl beside it)")
    return command


def add_clip(commands: Commands) -> CommandParser:
    command = commands.add(
        "clip",
        "make films of hands, with sound and without OBS",
        more="Makes a film of one hand, a film of the best hands together, or a film for each of several hands: "
        "highnoon clip X.jsonl --hand 12; highnoon clip X.jsonl --highlights 3m; "
        "highnoon clip X.jsonl --best 20 --out clips; highnoon clip X.jsonl --evening --out clips",
    )
    command.add_argument(
        "recording", type=existing_path, metavar="RECORDING", help="a recording (.jsonl), or .phh, .phhs"
    )
    hands_group = command.add_mutually_exclusive_group(required=True)
    hands_group.add_argument(
        "--hand",
        type=argument_type(read_numbers),
        default=(),
        dest="hands",
        metavar="N[,N...]",
        help="the hand with this number in the address of its replay; several hands get a film each",
    )
    hands_group.add_argument(
        "--best",
        type=whole_number_between(1, 1_000_000),
        default=0,
        metavar="N",
        help="the N best hands, a film for each",
    )
    add_highlights_option(hands_group, "the best hands that fit into this length, such as 3m")
    hands_group.add_argument(
        "--evening",
        action="store_true",
        help="the evening in 60, 180 and 600 seconds, wide and tall, each with captions (.vtt) and chapters (.txt)",
    )
    command.add_argument("--shape", choices=("wide", "tall"), default="wide", help="tall: for phones (default: wide)")
    command.add_argument("--theme", choices=("western", "plain"), default="western", help="the look (default: western)")
    command.add_argument(
        "--out",
        type=any_path,
        metavar="FILE.mp4",
        help="the film, or a folder for several films (default: in the working folder, named after the recording)",
    )
    command.add_argument(
        "--preview",
        type=any_path,
        metavar="FILE.webp",
        help="also make a small moving picture of the film's last seconds",
    )
    add_scheduler(command, "film, if they have Chromium and FFmpeg")
    return command


def add_highlights(commands: Commands) -> CommandParser:
    command = commands.add("highlights", "list the hands worth watching again, with their times")
    command.add_argument("path", type=existing_path, metavar="RECORDING", help="a recording (.jsonl)")
    command.add_argument(
        "--length",
        type=argument_type(read_length_ms),
        dest="length_ms",
        metavar="TIME",
        help="only a reel of this length: 3m",
    )
    command.add_argument("--json", dest="as_json", action="store_true", help="print JSON, with times in milliseconds")
    return command


def add_youtube(commands: Commands) -> CommandParser:
    command = commands.add("youtube", "write chapters, captions and a description for a video")
    command.add_argument("path", type=existing_path, metavar="RECORDING", help="a recording (.jsonl)")
    start_group = command.add_mutually_exclusive_group()
    offset_help = (
        "when in the video the show begins, such as 0:03:20; --offset=-0:02:00 if the video began later (default: 0)"
    )
    start_group.add_argument(
        "--offset", type=argument_type(read_signed_ms), default=0, dest="offset_ms", metavar="TIME", help=offset_help
    )
    began_help = "when the stream began, such as 2026-11-21T20:00:00Z, for a video of the live show"
    start_group.add_argument(
        "--stream-began", type=argument_type(read_stream_start_ms), dest="began_ms", metavar="WHEN", help=began_help
    )
    video_group = command.add_mutually_exclusive_group()
    video_group.add_argument(
        "--film", action="store_true", help="for a video of the replay, even if there is a diary of the live show"
    )
    add_highlights_option(video_group, "for a clip of the best hands that fit into this length, such as 3m")
    command.add_argument(
        "--no-results", dest="results", action="store_false", help="do not say who won in chapters and description"
    )
    command.add_argument("--out", type=any_path, metavar="DIR", help="the folder (default: ./RECORDING-youtube)")
    return command

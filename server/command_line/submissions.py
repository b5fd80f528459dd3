"""The arguments of commands for contestants' bots and submissions: new, probe, spar, fork, check, init."""

from server.command_line.parser import CommandParser, Commands, add_scheduler
from server.command_line.values import anywhere, existing, folder, number, worded
from server.contests import CONTESTS, DEFAULT
from server.shuffle import parse_seed

CALLED = " or ".join(each.id for each in CONTESTS.values() if each.called)


def add_new(commands: Commands) -> None:
    made = commands.add(
        "new",
        "make a folder with a bot to start from",
        more="Makes a folder with a bot that plays as it stands, and says what to do next: "
        "highnoon new my-bot --language python",
    )
    made.add_argument("folder", type=anywhere, metavar="FOLDER", help="the new folder")
    made.add_argument(
        "--contest", choices=tuple(CONTESTS), default=DEFAULT, help="which contest (default: %(default)s)"
    )
    made.add_argument(
        "--language",
        choices=("python", "javascript", "java", "cpp"),
        default="python",
        help="what it is written in (default: %(default)s)",
    )
    made.add_argument("--name", default="", metavar="NAME", help="the bot's name (default: the folder's)")


def add_probe(commands: Commands) -> None:
    probed = commands.add(
        "probe",
        "try bots in the situations of their contest, and say what they cannot do",
        more="Plays scripted hands: first to act, all-in, few chips, split pots, messages in pieces and several at "
        "once, unknown fields, odd names, chat, late and refused answers: highnoon probe my-bot; "
        "highnoon probe submissions, with a line for each bot in it; "
        'highnoon probe "python3 bot.py {server}"; highnoon probe http://127.0.0.1:5001; '
        "highnoon probe tcp://127.0.0.1:5000, and then start the bot yourself",
    )
    probed.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help="a folder, a command in quotes, an address, or tcp://HOST:PORT; several, or a folder of submissions, are "
        "tried at the same time, one for each processor",
    )
    _add_contest(probed)
    add_scheduler(probed, "try the bots")
    probed.add_argument(
        "--json", dest="as_json", action="store_true", help="print JSON instead of words; for several bots a list"
    )


def add_spar(commands: Commands) -> None:
    sparred = commands.add(
        "spar",
        "play two or more bots against one another, as fast as they can, until it is certain which is better",
        more="Plays mirrored deals: each bot plays each deal from every seat, with full stacks. A bot is a house style "
        "(careful, loose, aggressive, calling, random, chatty), a folder as it is submitted, a command in quotes or an "
        "address: highnoon spar my-bot --against careful,loose; "
        'highnoon spar "python3 bot.py {server}" --against "python3 old/bot.py {server}"; '
        "highnoon spar http://127.0.0.1:5001 --against random",
    )
    sparred.add_argument("bot", metavar="A", help="your bot")
    sparred.add_argument(
        "--against",
        required=True,
        type=lambda text: tuple(text.split(",")),
        metavar="B[,C...]",
        help="the others, separated by commas; in a contest for two each plays each",
    )
    _add_contest(sparred)
    sparred.add_argument(
        "--hands",
        type=number(1, 1_000_000),
        default=2000,
        metavar="N",
        help="at most this many hands, fewer if it is certain earlier (default: %(default)s)",
    )
    sparred.add_argument(
        "--seed", type=worded(parse_seed), metavar="HEX", help="the cards of an earlier match (default: unguessable)"
    )
    sparred.add_argument("--record", type=anywhere, metavar="DIR", help="a folder for recordings, one for each table")
    sparred.add_argument(
        "--page", type=anywhere, metavar="FILE", help="write the result with its graph as an HTML page"
    )
    add_scheduler(sparred, "play the deals")
    sparred.add_argument("--json", dest="as_json", action="store_true", help="print JSON instead of words")


def add_fork(commands: Commands) -> None:
    forked = commands.add(
        "fork",
        "ask a new version of a bot every question that the old one was asked, and list the differences",
        more="The new version gets the same cards, chips and messages as the old one; its answers change nothing "
        'in the hands: highnoon fork data/recordings/X.jsonl --bot "Billy the Kid" --with my-bot',
    )
    forked.add_argument("path", type=existing, metavar="RECORDING", help="a recording in which the bot has played")
    forked.add_argument("--bot", required=True, dest="name", metavar="NAME", help="its name there")
    forked.add_argument(
        "--with", dest="text", required=True, metavar="BOT", help="the new version: a folder, a command, an address"
    )
    forked.add_argument("--json", dest="as_json", action="store_true", help="print JSON instead of words")


def add_decisions(commands: Commands) -> None:
    decided = commands.add(
        "decisions",
        "show what a bot knew at each decision, and what its answers gave up",
        more="What an answer gave up is exact where a call or fold ended the betting: all cards are then known, "
        "and only the board is to come. For every decision --json has the cards, the pot, what the bot could do, "
        "what a call had to win, what its cards were worth, what it did, and how long it thought: "
        'highnoon decisions data/recordings/X.jsonl --bot "Billy the Kid"',
    )
    decided.add_argument("path", type=existing, metavar="RECORDING", help="a recording in which the bot has played")
    decided.add_argument("--bot", required=True, dest="name", metavar="NAME", help="its name there")
    decided.add_argument("--json", dest="as_json", action="store_true", help="print all decisions as JSON")


def add_check(commands: Commands) -> None:
    checked = commands.add(
        "check",
        "check submissions: of one bot, one player or all; folders or zip archives",
        more="Builds and starts each bot, and plays a game with it. The files of its folder show which contest "
        "it is for. For one bot: highnoon check my-bot. For all, with a page to send to each player: "
        "highnoon check submissions --report reports",
    )
    checked.add_argument(
        "path", type=existing, metavar="PATH", help="a bot's folder, a player's, or one of all players"
    )
    how = checked.add_mutually_exclusive_group()
    how.add_argument(
        "--runner", choices=("auto", "docker", "light"), default="auto", help="how to run bots (default: %(default)s)"
    )
    how.add_argument(
        "--no-run", action="store_const", const=None, dest="runner", help="do not build the bots or play with them"
    )
    checked.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or name of the server that bots have hard-coded; may be repeated",
    )
    checked.add_argument(
        "--build-network",
        action="store_true",
        help="let Dockerfiles fetch from the public web during builds (build_network in the event file)",
    )
    checked.add_argument(
        "--registry",
        action="append",
        default=[],
        dest="registries",
        metavar="HOST",
        help="a registry, besides Docker Hub, whose images Dockerfiles may build on; may be repeated",
    )
    checked.add_argument(
        "--report",
        type=anywhere,
        metavar="PLACE",
        help="write pages to send: one for each player to a folder, or all to one file that ends in .html",
    )
    checked.add_argument(
        "--json", dest="as_json", action="store_true", help="print the result as JSON, and all else on standard error"
    )


def add_init(commands: Commands) -> None:
    begun = commands.add("init", "write the event file of a tournament for a folder of all players' bots")
    begun.add_argument(
        "folder", type=folder, metavar="FOLDER", help="the folder, with a folder or zip archive for each player"
    )
    begun.add_argument(
        "--out", type=anywhere, default="event.toml", metavar="EVENT.toml", help="the file (default: ./%(default)s)"
    )


def _add_contest(command: CommandParser) -> None:
    command.add_argument(
        "--contest",
        choices=tuple(CONTESTS),
        default="",
        help=f"which contest (default: {DEFAULT}; a bot at http://... is asked whether it is of {CALLED})",
    )

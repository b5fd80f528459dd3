"""The arguments of commands for contestants' bots and submissions: new, probe, spar, fork, decisions, check, init."""

from server.command_line.parser import CommandParser, Commands, add_scheduler
from server.command_line.values import any_path, argument_type, existing_folder, existing_path, whole_number_between
from server.contests import CONTESTS, DEFAULT
from server.shuffle import parse_seed

HTTP_CONTESTS = " or ".join(contest.id for contest in CONTESTS.values() if contest.uses_http)


def add_new(commands: Commands) -> CommandParser:
    command = commands.add(
        "new",
        "make a folder with a bot to start from",
        more="The bot plays without any changes. The command prints what to do next. Example: "
        "highnoon new my-bot --language python",
    )
    command.add_argument("folder", type=any_path, metavar="FOLDER", help="the new folder")
    command.add_argument(
        "--contest", choices=tuple(CONTESTS), default=DEFAULT, help="which contest (default: %(default)s)"
    )
    command.add_argument(
        "--language",
        choices=("python", "javascript", "java", "cpp"),
        default="python",
        help="the programming language of the bot (default: %(default)s)",
    )
    command.add_argument("--name", default="", metavar="NAME", help="the bot's name (default: the folder's)")
    return command


def add_probe(commands: Commands) -> CommandParser:
    command = commands.add(
        "probe",
        "try bots in the situations of their contest, and list their mistakes",
        more="Plays scripted hands: first to act, all-in, few chips, split pots, messages in pieces or several at "
        "once, unknown fields, odd names, chat, late and refused answers. Examples: highnoon probe my-bot; "
        "highnoon probe submissions, for a line about each bot in that folder; "
        'highnoon probe "python3 bot.py {server}"; highnoon probe http://127.0.0.1:5001; '
        "highnoon probe tcp://127.0.0.1:5000, and then start the bot yourself",
    )
    command.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help="a folder, a command in quotes, an address, or tcp://HOST:PORT; several bots, or all in a folder of "
        "submissions, are tried at the same time, one per processor",
    )
    _add_contest(command)
    add_scheduler(command, "try the bots")
    command.add_argument(
        "--json", dest="as_json", action="store_true", help="print JSON instead of text; for several bots, a list"
    )
    return command


def add_spar(commands: Commands) -> CommandParser:
    command = commands.add(
        "spar",
        "play two or more bots against one another at full speed until it is certain which is better",
        more="Plays mirrored deals: each bot plays each deal from every seat, with full stacks. A bot is a house style "
        "(careful, loose, aggressive, calling, random, chatty), a submission's folder, a command in quotes or an "
        "address: highnoon spar my-bot --against careful,loose; "
        'highnoon spar "python3 bot.py {server}" --against "python3 old/bot.py {server}"; '
        "highnoon spar http://127.0.0.1:5001 --against random",
    )
    command.add_argument("bot", metavar="A", help="your bot")
    command.add_argument(
        "--against",
        required=True,
        type=lambda text: tuple(text.split(",")),
        metavar="B[,C...]",
        help="the opponents, separated by commas; in a contest for two, every pair of bots plays",
    )
    _add_contest(command)
    command.add_argument(
        "--hands",
        type=whole_number_between(1, 1_000_000),
        default=2000,
        metavar="N",
        help="the maximum number of hands; the match ends earlier once the result is certain (default: %(default)s)",
    )
    command.add_argument(
        "--seed",
        type=argument_type(parse_seed),
        metavar="HEX",
        help="the seed of an earlier match, for the same cards (default: unguessable)",
    )
    command.add_argument("--record", type=any_path, metavar="DIR", help="a folder for recordings, one per table")
    command.add_argument(
        "--page", type=any_path, metavar="FILE", help="also write the result and its graph as an HTML page"
    )
    add_scheduler(command, "play the deals")
    command.add_argument("--json", dest="as_json", action="store_true", help="print JSON instead of text")
    return command


def add_fork(commands: Commands) -> CommandParser:
    command = commands.add(
        "fork",
        "ask a new version of a bot every question that the old one was asked, and list the differences",
        more="The new version gets the same cards, chips and messages as the old one, and its answers do not change "
        'the hands: highnoon fork data/recordings/X.jsonl --bot "Billy the Kid" --with my-bot',
    )
    command.add_argument(
        "path", type=existing_path, metavar="RECORDING", help="a recording in which the bot has played"
    )
    command.add_argument("--bot", required=True, dest="name", metavar="NAME", help="the bot's name in the recording")
    command.add_argument(
        "--with", dest="text", required=True, metavar="BOT", help="the new version: a folder, a command, an address"
    )
    command.add_argument("--json", dest="as_json", action="store_true", help="print JSON instead of text")
    return command


def add_decisions(commands: Commands) -> CommandParser:
    command = commands.add(
        "decisions",
        "show what a bot knew at each decision, and how many chips its answers gave up",
        more="A fold gave up chips if a call was worth more, and a call gave up chips if a fold was worth more. The "
        "number of chips is shown only if it is known exactly. It is known if the call or fold ended the betting, "
        "because then all hole cards are known, and only the board is to come. For every decision, --json has the "
        "cards, the pot, the possible actions, how often a call had to win, the worth of the bot's cards, its action, "
        "and its thinking time: "
        'highnoon decisions data/recordings/X.jsonl --bot "Billy the Kid"',
    )
    command.add_argument(
        "path", type=existing_path, metavar="RECORDING", help="a recording in which the bot has played"
    )
    command.add_argument("--bot", required=True, dest="name", metavar="NAME", help="the bot's name in the recording")
    command.add_argument("--json", dest="as_json", action="store_true", help="print all decisions as JSON")
    return command


def add_check(commands: Commands) -> CommandParser:
    command = commands.add(
        "check",
        "check submissions (folders or zip archives) of one bot, one player or all players",
        more="Builds and starts each bot, and plays a game with it. The files in the bot's folder show for which "
        "contest it was written. For one bot: highnoon check my-bot. For all bots, with a page to send to each player: "
        "highnoon check submissions --report reports",
    )
    command.add_argument(
        "path", type=existing_path, metavar="PATH", help="the folder of a bot, of a player, or of all players"
    )
    runner_group = command.add_mutually_exclusive_group()
    runner_group.add_argument(
        "--runner", choices=("auto", "docker", "light"), default="auto", help="how to run bots (default: %(default)s)"
    )
    runner_group.add_argument(
        "--no-run", action="store_const", const=None, dest="runner", help="do not build the bots or play with them"
    )
    command.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or name of the server that bots have hard-coded; may be repeated",
    )
    command.add_argument(
        "--build-network",
        action="store_true",
        help="let Dockerfiles fetch from the public web during builds (build_network in the event file)",
    )
    command.add_argument(
        "--registry",
        action="append",
        default=[],
        dest="registries",
        metavar="HOST",
        help="a registry, besides Docker Hub, whose images Dockerfiles may build on; may be repeated",
    )
    command.add_argument(
        "--report",
        type=any_path,
        metavar="PLACE",
        help="write pages to send to players: one per player into a folder, or all into one file that ends in .html",
    )
    command.add_argument(
        "--event",
        type=existing_path,
        metavar="FILE",
        help="an event file, which is also checked, with its logo; the pages show its branding",
    )
    command.add_argument(
        "--json",
        dest="as_json",
        action="store_true",
        help="print the result as JSON, and everything else to standard error",
    )
    return command


def add_init(commands: Commands) -> CommandParser:
    command = commands.add("init", "write an event file for a tournament of all bots in a folder")
    command.add_argument(
        "folder",
        type=existing_folder,
        metavar="FOLDER",
        help="the folder, with a folder or zip archive for each player",
    )
    command.add_argument(
        "--out", type=any_path, default="event.toml", metavar="EVENT.toml", help="the file (default: ./%(default)s)"
    )
    return command


def _add_contest(command: CommandParser) -> None:
    command.add_argument(
        "--contest",
        choices=tuple(CONTESTS),
        default="",
        help=f"which contest (default: {DEFAULT}; a bot at http://... is asked whether it plays {HTTP_CONTESTS})",
    )

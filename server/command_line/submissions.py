"""The arguments of the commands for what contestants make and hand in: new, check, init."""

from server.command_line.common import Commands
from server.command_line.values import anywhere, existing, folder
from server.game.contests import CONTESTS


def add_new(commands: Commands) -> None:
    """Adds the command `new`."""
    made = commands.add(
        "new",
        "make a folder with a bot to begin with",
        more="Makes a folder with a bot that plays as it stands, and says what to do next: "
        "highnoon new my-bot --contest quick-draw --language python",
    )
    made.add_argument("folder", type=anywhere, metavar="FOLDER", help="the folder, which is made")
    made.add_argument(
        "--contest", choices=tuple(CONTESTS), default="quick-draw", help="which contest (default: %(default)s)"
    )
    made.add_argument(
        "--language",
        choices=("python", "javascript"),
        default="python",
        help="what it is written in (default: %(default)s)",
    )
    made.add_argument("--name", default="", metavar="NAME", help="the bot's name (default: the folder's)")


def add_check(commands: Commands) -> None:
    """Adds the command `check`."""
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


def add_init(commands: Commands) -> None:
    """Adds the command `init`."""
    begun = commands.add("init", "write the event file of a tournament from the folder in which all players' bots lie")
    begun.add_argument("folder", type=folder, metavar="FOLDER", help="a folder or zip archive in it for each player")
    begun.add_argument(
        "--out", type=anywhere, default="event.toml", metavar="EVENT.toml", help="the file (default: ./%(default)s)"
    )

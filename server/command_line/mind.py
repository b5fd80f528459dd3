"""The arguments of `highnoon mind`, a bot that asks a language model."""

from server.command_line.parser import CommandParser, Commands
from server.command_line.values import any_path, argument_type, existing_path, read_amount, whole_number_between
from server.contests import CONTESTS, DEFAULT


def add_mind(commands: Commands) -> CommandParser:
    command = commands.add(
        "mind",
        "play as a bot that asks a language model for every decision",
        more="The model may be behind any OpenAI-compatible address: Ollama, vLLM, llama.cpp, or a hosted service. A "
        "service's key goes into the environment variable HIGHNOON_MIND_KEY. Example: "
        "highnoon mind --url http://localhost:11434/v1 --model qwen3 localhost:5000",
    )
    command.add_argument(
        "given",
        nargs="*",
        metavar="ARGUMENT",
        help="the arguments that a starter bot of the contest takes, such as localhost:5000",
    )
    command.add_argument(
        "--contest", choices=tuple(CONTESTS), default=DEFAULT, help="which contest (default: %(default)s)"
    )
    command.add_argument("--url", metavar="URL", help="the API's base URL, such as http://localhost:11434/v1")
    command.add_argument("--model", metavar="MODEL", help="the model's name at that URL")
    command.add_argument("--name", default="Mind", metavar="NAME", help="the bot's name (default: %(default)s)")
    _add_files(command)
    _add_limits(command)
    command.add_argument(
        "--on-failure",
        choices=("miss", "fold"),
        help="what to do if the model has no answer: miss the turn, or check or fold with a note that says why "
        "(default: miss; fold if a missed turn ends the bot's game)",
    )
    command.add_argument(
        "--no-thoughts", dest="thoughts", action="store_false", help="do not send the model's reasons to the server"
    )
    command.add_argument(
        "--listen",
        default="127.0.0.1",
        metavar="HOST",
        help="this machine's address, if the contest's bots are web servers (default: %(default)s)",
    )
    return command


def _add_files(command: CommandParser) -> None:
    command.add_argument(
        "--prompt",
        type=existing_path,
        metavar="FILE",
        help="your own prompt, a Jinja template (default: the program's prompt)",
    )
    command.add_argument(
        "--write-prompt", type=any_path, metavar="FILE", help="write the program's prompt into a file, and play no game"
    )
    command.add_argument(
        "--transcript", type=any_path, metavar="FILE", help="add every question and answer to this file, as JSON lines"
    )


def _add_limits(command: CommandParser) -> None:
    money = argument_type(read_amount)
    command.add_argument(
        "--max-tokens",
        type=whole_number_between(1, 999_999_999),
        metavar="N",
        help="the maximum number of tokens for the whole run",
    )
    command.add_argument("--max-cost", type=money, metavar="X", help="the maximum cost of the whole run, in dollars")
    command.add_argument(
        "--price-in", type=money, metavar="X", help="the price of a million tokens of questions, in dollars"
    )
    command.add_argument(
        "--price-out", type=money, metavar="X", help="the price of a million tokens of answers, in dollars"
    )
    command.add_argument(
        "--answer-tokens",
        type=whole_number_between(16, 100_000),
        default=400,
        metavar="N",
        help="the maximum number of tokens in one answer (default: %(default)s)",
    )
    command.add_argument(
        "--seconds",
        type=money,
        metavar="X",
        help="the time for a decision in seconds, if the organiser has changed it (default: the contest's time)",
    )

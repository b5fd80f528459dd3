"""`highnoon mind`: a bot that asks a language model. It plays in every contest, in the contest's own protocol."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import UNSET, Struct

from server.app.mind import table_connections
from server.app.mind.budget import Limits
from server.app.mind.failure import Failure
from server.app.mind.mind import Mind
from server.app.mind.mind_bot import MindBot, OnFailure, PlayOptions, default_on_failure
from server.app.mind.model import Model
from server.app.mind.prompt import DEFAULT_PROMPT, Prompt
from server.app.mind.transcript import MindTranscript
from server.console import print_to_stderr, say
from server.contests import CONTESTS
from server.contests.contest import HOST, NAME, PORT, SERVER, Contest
from server.errors import Refusal
from server.text.characters import printable

KEY_VARIABLE, SECRET_VARIABLE = "HIGHNOON_MIND_KEY", "HIGHNOON_MIND_SECRET"
"""The environment variables for the key of the model's server and for the bot's secret in a tournament."""
WARM_UP_SECONDS = 25.0
"""How many seconds a model may take to answer a test question before the game. The limit is long because the model's
server may have to load the model.
"""
_PLACEHOLDER = re.compile(r"\{[a-z]+\}")


class MindOptions(Struct, frozen=True):
    """The options of the command, as in `highnoon mind --help`. An option without a default is None if left out."""

    given: Sequence[str]
    contest: str
    url: str | None
    model: str | None
    name: str
    prompt: Path | None
    write_prompt: Path | None
    transcript: Path | None
    max_tokens: int | None
    max_cost: float | None
    price_in: float | None
    price_out: float | None
    answer_tokens: int
    seconds: float | None
    on_failure: OnFailure | None
    thoughts: bool
    listen: str


async def mind(options: MindOptions) -> int:
    """Plays until the game is over, and returns 0. Raises Refusal, OSError."""
    if options.write_prompt:
        _write_prompt(options.write_prompt)
        return 0
    contest = CONTESTS[options.contest]
    values = _placeholder_values(contest, options.given)
    name = _check_name(contest, values.get(NAME, options.name))
    if not options.url or not options.model:
        raise Refusal("no model is named: give --url, such as http://localhost:11434/v1, and --model with its name")
    model = Model(_check_url(options.url), options.model, _read_key())
    play_options = _play_options(contest, options)
    prompt = Prompt(options.prompt or DEFAULT_PROMPT, contest, name, play_options.decision_seconds)
    with MindTranscript(options.transcript, model.hide_key) as transcript:
        thinker = Mind(model, prompt, _limits(options), transcript, print_to_stderr)
        mind_bot = MindBot(contest.wire(), thinker, play_options, print_to_stderr)
        try:
            if not contest.starts_with_game:  # otherwise the game has begun, and allows more time for the first answer
                await _warm_up(thinker)
            await _play(contest, mind_bot, name, values, options.listen)
        finally:
            await model.close()
            print_to_stderr(_summary(thinker))
    return 0


async def _warm_up(thinker: Mind) -> None:
    try:
        await thinker.warm_up(WARM_UP_SECONDS)
    except Failure as failure:
        raise Refusal(f"the model cannot play: {failure}") from None


async def _play(contest: Contest, mind_bot: MindBot, name: str, values: Mapping[str, str], listen: str) -> None:
    address = f"{listen}:{values.get(PORT, '')}"
    request = mind_bot.wire.registration(name, os.environ.get(SECRET_VARIABLE, ""), address)

    async def enter() -> None:
        if request and SERVER in values:
            await table_connections.register(values[SERVER], request, print_to_stderr)

    if contest.uses_http:
        from server.app.mind.web_server import serve_mind  # noqa: PLC0415  other bots start a second sooner without it

        await serve_mind(mind_bot, listen, int(values[PORT]), enter)
    elif request:
        port = table_connections.read_port(await table_connections.register(values[SERVER], request, print_to_stderr))
        await table_connections.play_over_tcp(mind_bot, values[SERVER].rpartition(":")[0].strip("[]"), port)
    elif PORT in values:
        await table_connections.play_over_tcp(mind_bot, values[HOST], int(values[PORT]))
    else:
        await table_connections.play_over_stdio(mind_bot)


def _placeholder_values(contest: Contest, given: Sequence[str]) -> dict[str, str]:
    """Returns the values of the contest's placeholders, such as "{port}", from the command-line arguments `given`."""
    patterns = contest.command.starter_arguments.split()
    # An HTTP bot needs no server's address, because its author may register it in another way.
    fewest = 1 if contest.uses_http else len(patterns)
    if not fewest <= len(given) <= len(patterns):
        needs = contest.command.starter_arguments or "no arguments"
        raise Refusal(f"a bot of {contest.name} is started with {needs}, not with {' '.join(given) or 'nothing'}")
    values: dict[str, str] = {}
    for pattern, text in zip(patterns, given, strict=False):
        prefix, _, suffix = _PLACEHOLDER.sub("\0", pattern).partition("\0")
        (placeholder,) = _PLACEHOLDER.findall(pattern)
        values[placeholder] = text.removeprefix(prefix).removesuffix(suffix or "\0").rstrip("/")
    if not values.get(PORT, "0").isdecimal():
        raise Refusal(f"the port must be a number, not {values[PORT]!r}")
    return values


def _check_name(contest: Contest, name: str) -> str:
    try:
        return contest.bot_name(name)
    except ValueError as error:
        raise Refusal(f"{printable(name)!r} cannot be the bot's name: {error}") from None


def _check_url(url: str) -> str:
    """Checks the address of the model's server, and returns it. Raises Refusal."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refusal(f"--url should be an address such as http://localhost:11434/v1: {error}") from None
    if port == 0 or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise Refusal(f"--url should be an address such as http://localhost:11434/v1, not {printable(parts.path)!r}")
    if parts.username or parts.password:
        raise Refusal(f"--url has a password in it: put the key into the environment variable {KEY_VARIABLE}")
    return url


def _read_key() -> str:
    """Returns the key in the environment variable KEY_VARIABLE, or "". Raises Refusal if the value cannot be a key. The
    message does not quote the value, because it may be a secret.
    """
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise Refusal(
            f"the environment variable {KEY_VARIABLE} should have a key: letters, digits and signs, without spaces"
        )
    return key


def _limits(options: MindOptions) -> Limits:
    if options.max_cost is not None and (options.price_in is None or options.price_out is None):
        raise Refusal("--max-cost needs the prices: give --price-in and --price-out, for a million tokens each")
    return Limits(
        options.answer_tokens,
        UNSET if options.max_tokens is None else options.max_tokens,
        UNSET if options.max_cost is None else options.max_cost,
        options.price_in or 0.0,
        options.price_out or 0.0,
    )


def _play_options(contest: Contest, options: MindOptions) -> PlayOptions:
    rules, stage = contest.format.rules, contest.format.stages[0]
    bank = rules.time_bank_ms
    return PlayOptions(
        on_failure=options.on_failure or default_on_failure(contest),
        sends_thoughts=options.thoughts,
        decision_seconds=options.seconds or rules.think_ms / 1000,
        hand_seconds=None if bank is UNSET else bank / 1000 / stage.hands,
    )


def _write_prompt(path: Path) -> None:
    if path.exists():
        raise Refusal(f"{path} already exists: name another file")
    path.write_bytes(DEFAULT_PROMPT.read_bytes())
    say(f"  prompt          {path}\nChange it, and give it to the bot with --prompt.")


def _summary(thinker: Mind) -> str:
    budget = thinker.budget
    cost = f", cost {budget.cost:.4f}" if budget.cost else ""
    return (
        f"{thinker.question_count} decisions, {thinker.missed_count} without an answer; "
        f"{budget.tokens_in + budget.tokens_out:,} tokens{cost}"
    )

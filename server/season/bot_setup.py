"""Prepares a season's bot: builds it in a box (a sandbox), tests it in a game against itself, and starts it."""

import asyncio
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.bots.sandbox.runner import BotCommands, CannotRun, PipedBox, Runner, Say, Usage
from server.contests.upac.rules import RULE_TEXTS
from server.game.events import Entrant
from server.season.outcome import GameOutcome
from server.season.play_game import THINK_MS, Contender, play_test_game
from server.shuffle import fresh_seed
from server.submissions.submission import Submission

BUILD_SECONDS = 60.0
"""The time limit of a build, in seconds. Builds run one at a time, so a slow build delays all other uploads."""
POLL_SECONDS = 0.5
"""How many seconds pass between measurements of memory and processor use in a test game."""


class PreparedBot(Struct, frozen=True):
    """A prepared bot. A bot with `faults` may not play. The runner, which starts boxes, calls the bot `runner_name`."""

    runner_name: str = ""
    faults: tuple[str, ...] = ()
    test_outcome: GameOutcome | None = None
    """The outcome of the test game, or None if no test game was played."""
    usage: Usage = Usage()
    """The peaks of memory and processor use in the test game. Each is the higher peak of the bot's two instances."""


async def prepare_bot(
    submission: Submission, runner: Runner, journal: Path, say: Say, *, think_ms: int = THINK_MS
) -> PreparedBot:
    """Builds the bot and plays its test game, recorded at `journal`. Passes each line of the build's output to `say`.

    Raises OSError if the disk fails permanently. Faults of the bot raise no exception, but are listed in the result.
    """
    if submission.faults:
        return PreparedBot(faults=submission.faults)
    try:
        runner_name = await build_submission(submission, runner, say)
    except CannotRun as error:
        return PreparedBot(faults=(str(error),))
    contender = contender_of(Entrant(1, submission.name), runner, runner_name)
    outcome, peak_usage = await _play_test_game(contender, journal, think_ms)
    return PreparedBot(runner_name, _list_faults(outcome), outcome, peak_usage)


async def _play_test_game(contender: Contender, journal: Path, think_ms: int) -> tuple[GameOutcome, Usage]:
    """Plays the test game. Returns the outcome, and the peaks of memory and processor use."""
    boxes, peak_usage = list[PipedBox](), Usage()

    async def start(log: Path) -> PipedBox:
        boxes.append(await contender.start(log))
        return boxes[-1]

    watched = replace(contender, start=start)
    game = asyncio.ensure_future(play_test_game(watched, seed=fresh_seed(), journal=journal, think_ms=think_ms))
    try:
        while not game.done():
            await asyncio.wait({game}, timeout=POLL_SECONDS)
            for box in list(boxes):
                peak_usage = peak_usage.updated_with(await box.usage())
        return game.result(), peak_usage
    finally:
        game.cancel()
        await asyncio.gather(game, return_exceptions=True)


def _list_faults(outcome: GameOutcome) -> tuple[str, ...]:
    if not outcome.forfeited:
        return ()
    broken = outcome.fault and outcome.fault != "disconnected"
    rule = f" The rule: {RULE_TEXTS.rule_on(outcome.fault, asked=True)}" if broken else ""
    return (f"It did not pass its test game: {outcome.reason}.{rule}",)


async def build_submission(submission: Submission, runner: Runner, say: Say) -> str:
    """Builds a bot. Returns the name by which `runner` knows the bot. If the build fails, raises CannotRun with the end
    of the build's log.
    """
    commands = BotCommands(submission.run, submission.build)
    return await runner.build_piped(submission.name, submission.folder, commands, say)


def contender_of(entrant: Entrant, runner: Runner, runner_name: str) -> Contender:
    """Returns a built bot as a contender. Each game starts it in a new box."""
    return Contender(entrant, partial(runner.start_piped, entrant.name, runner_name))

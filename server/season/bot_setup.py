"""Prepares a season's bot: builds it in its box, tests it in a game against itself, and starts it for games."""

import asyncio
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.bots.sandbox.runner import CannotRun, Orders, Piped, Runner, Say, Usage
from server.contests.upac.rules import WORDS
from server.game.events import Entrant
from server.season.game import THINK_MS, Contender, trial_game
from server.season.outcome import GameOutcome
from server.shuffle import fresh_seed
from server.submissions.submission import Submission

BUILD_SECONDS = 60.0
"""The time limit of a build, in seconds. Builds run one at a time, so a slow build delays all other uploads."""
LOOK_SECONDS = 0.5
"""The time between measurements of memory and processor use in a test game."""


class Prepared(Struct, frozen=True):
    """A prepared bot. It may play unless it has `faults`. `built` is the runner's name for the bot."""

    built: str = ""
    faults: tuple[str, ...] = ()
    test: GameOutcome | None = None
    """The outcome of the test game; None if it was not played."""
    usage: Usage = Usage()
    """The peak use of memory and processor in the test game, of the program that used more."""


async def prepare(
    submission: Submission, runner: Runner, journal: Path, say: Say, *, think_ms: int = THINK_MS
) -> Prepared:
    """Builds the bot and plays its test game, recorded at `journal`. Passes each line of the build's output to `say`.

    Raises OSError if the disk fails permanently. Faults of the bot raise no exception.
    """
    if submission.faults:
        return Prepared(faults=submission.faults)
    try:
        built = await build(submission, runner, say)
    except CannotRun as error:
        return Prepared(faults=(str(error),))
    contender = contender_of(Entrant(1, submission.name), runner, built)
    outcome, used = await _play_test_game(contender, journal, think_ms)
    return Prepared(built, _faults(outcome), outcome, used)


async def _play_test_game(contender: Contender, journal: Path, think_ms: int) -> tuple[GameOutcome, Usage]:
    """Plays the test game. Returns its outcome, and the peak use of memory and processor of the program that used
    more.
    """
    boxes, used = list[Piped](), Usage()

    async def start(log: Path) -> Piped:
        boxes.append(await contender.start(log))
        return boxes[-1]

    watched = replace(contender, start=start)
    game = asyncio.ensure_future(trial_game(watched, seed=fresh_seed(), journal=journal, think_ms=think_ms))
    try:
        while not game.done():
            await asyncio.wait({game}, timeout=LOOK_SECONDS)
            for box in list(boxes):
                used = used.updated_with(await box.usage())
        return game.result(), used
    finally:
        game.cancel()
        await asyncio.gather(game, return_exceptions=True)


def _faults(outcome: GameOutcome) -> tuple[str, ...]:
    if not outcome.forfeited:
        return ()
    broken = outcome.fault and outcome.fault != "disconnected"
    rule = f" The rule: {WORDS.rule_on(outcome.fault, asked=True)}" if broken else ""
    return (f"It did not pass its test game: {outcome.reason}.{rule}",)


async def build(submission: Submission, runner: Runner, say: Say) -> str:
    """Builds a bot, and returns the runner's name for the bot. Raises CannotRun, with the end of the build's log, if
    the build fails.
    """
    orders = Orders(submission.run, submission.build)
    return await runner.build_piped(submission.name, submission.folder, orders, say)


def contender_of(entrant: Entrant, runner: Runner, built: str) -> Contender:
    """Returns a built bot as a contender. Each game starts it in a new box."""
    return Contender(entrant, partial(runner.start_piped, entrant.name, built))

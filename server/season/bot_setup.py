"""Prepares a UPAC bot for play: builds it in its box, plays a test game of it against itself, starts it for games."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec import Struct

from server.bots.messages.expected import rule_on
from server.bots.sandbox.runner import CannotRun, Orders, Piped, PipedRunner, Say
from server.game.contests import UPAC_CONTEST
from server.game.events import Entrant
from server.season.game import THINK_MS, Contender, trial_game
from server.season.outcome import GameOutcome
from server.shuffle import fresh_seed
from server.submissions.upac import UpacSubmission

BUILD_SECONDS = 60.0
"""The longest a build may take in a season: bots are built one after the other, and the others wait."""


class Prepared(Struct, frozen=True):
    """The result. Without `faults` the bot may play; `built` is then what `contender_of` takes."""

    built: str = ""
    faults: tuple[str, ...] = ()
    test: GameOutcome | None = None
    """How the test game went; None where it was not played."""


async def prepare(
    submission: UpacSubmission, runner: PipedRunner, journal: Path, say: Say, *, think_ms: int = THINK_MS
) -> Prepared:
    """Builds the bot and plays its test game, recorded at `journal`; `say` hears what the build prints.

    Never raises for the bot's doing; OSError where the disk fails for good.
    """
    if submission.faults:
        return Prepared(faults=submission.faults)
    try:
        built = await build(submission, runner, say)
    except CannotRun as error:
        return Prepared(faults=(str(error),))
    contender = contender_of(Entrant(1, submission.name), runner, built)
    outcome = await trial_game(contender, seed=fresh_seed(), journal=journal, think_ms=think_ms)
    return Prepared(built, _faults(outcome), outcome)


def _faults(outcome: GameOutcome) -> tuple[str, ...]:
    if not outcome.forfeited:
        return ()
    broken = outcome.fault and outcome.fault != "disconnected"
    rule = f" The rule: {rule_on(UPAC_CONTEST.contest, outcome.fault, asked=True)}" if broken else ""
    return (f"It did not pass its test game: {outcome.reason}.{rule}",)


async def build(submission: UpacSubmission, runner: PipedRunner, say: Say) -> str:
    """Builds a bot and returns what the runner calls it; needed again after a restart.

    Raises CannotRun with the end of the build's log.
    """
    orders = Orders(submission.run, submission.build)
    return await runner.build_piped(submission.name, submission.folder, orders, say)


def contender_of(entrant: Entrant, runner: PipedRunner, built: str) -> Contender:
    """A built bot as a contender; each game starts it in a box of its own."""
    return Contender(entrant, starter(entrant.name, runner, built))


def starter(name: str, runner: PipedRunner, built: str) -> Callable[[Path], Awaitable[Piped]]:
    """What starts a built bot; its standard error goes to the file that is given."""

    async def start(log: Path) -> Piped:
        return await runner.start_piped(name, built, log)

    return start

"""Tries one bot from its start to its end: whether it comes to the table, and then every situation."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, to_builtins

from server.app.probe.trial import Check, Trial, passed
from server.app.probe.wires import OddCalls, OddConnection, OddJson, Wire
from server.app.sparring.folders import Boxes
from server.app.sparring.seats import Seats, Ways
from server.app.sparring.sides import Side
from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import Dialect
from server.bots.sandbox.output_log import printed_in
from server.bots.sandbox.runner import CannotRun, Say
from server.bots.transports.connection import Connection
from server.contests import CONTESTS
from server.errors import Refusal

COMES = "comes to the table"
MAX_LAST_WORDS = 8
"""Lines that a bot printed before it left."""


class Hears(Struct, frozen=True):
    """Who hears how it goes: `check` each check as it is known, `progress` in words what is being done."""

    check: Callable[[Check], object]
    progress: Say


def _nothing(_told: object) -> None:
    """Nobody hears it."""


NOBODY = Hears(_nothing, _nothing)


async def tried(  # noqa: PLR0917 (which bot of what, where, who hears it, and with what of ours)
    side: Side, contest: str, work: Path, hears: Hears, boxes: Boxes | None = None, trial: Trial | None = None
) -> list[Check]:
    """Every check of a bot; only the first where it does not come. Files go into `work`; `boxes` as `Seats` has them.

    `trial` is what it is put to, by default every situation with the same cards as ever. Raises OSError.
    """
    trial = trial or Trial(contest, side.name)
    ways = _Odd(trial.wire)
    async with Seats(contest, trial.entrants, trial.hear, work, hears.progress, ways, boxes, lambda _: trial) as seats:
        try:
            bot = await seats.seat(1, side, bytes(32))
        except (Refusal, CannotRun) as error:
            checks = does_not_come(contest, str(error))
            hears.check(checks[0])
            return checks
        came = Check(COMES, CONTESTS[contest].told["comes"], True, "it is there", "")
        hears.check(came)
        return [came, *await trial.run(bot, hears.check)]


def last_words(work: Path) -> str:
    """The last lines that the bot printed in the trial whose files are in `work`; "" where it has no log here."""
    return "\n".join(printed_in(work / "printed-1.log").splitlines()[-MAX_LAST_WORDS:])


def does_not_come(contest: str, why: str) -> list[Check]:
    """The one check of a bot that cannot be played with."""
    return [Check(COMES, CONTESTS[contest].told["comes"], False, why, "it is there within 30 seconds")]


def as_json(checks: Sequence[Check]) -> dict[str, object]:
    """The checks of a bot as programs read them."""
    good = passed(checks)
    return {"passed": good, "failed": len(checks) - good, "checks": [to_builtins(check) for check in checks]}


class _Odd(Ways):
    """Ways on which messages come as the wire of a trial says."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def connection(self, connection: Connection) -> Connection:
        return OddConnection(connection, self._wire)

    def dialect(self, dialect: Dialect) -> Dialect:
        return OddJson(dialect, self._wire)

    def calls(self, dialect: HttpDialect) -> HttpDialect:
        return OddCalls(dialect, self._wire)

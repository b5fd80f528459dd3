"""`highnoon probe BOT`: tries a bot in the situations of its contest, and says in plain words what it cannot do."""

import json
import sys
import tempfile
from pathlib import Path

from msgspec import to_builtins

from server.app.probe.trial import Check, Trial, passed
from server.app.probe.wires import OddCalls, OddConnection, OddJson, Wire
from server.app.sparring.seats import Seats, Ways
from server.app.sparring.sides import Side, read_sides
from server.bots.dialects.http_calls import HttpDialect
from server.bots.protocols import Connection, Dialect
from server.bots.sandbox.runner import CannotRun
from server.console import plain, say
from server.errors import Refusal

COMES = "comes to the table"
_COMES = {
    "quick-draw": "A bot registers by POST /register and connects to the port that it is told.",
    "enova": "A bot answers GET /player/ready and POST /player/seat with status 200.",
    "arena": "A bot listens at the address that it was entered with.",
    "upac": "A bot is built and started by the commands of its bot.json.",
}


async def probe(text: str, contest: str, *, as_json: bool) -> int:
    """Tries the bot that `text` names and prints each check; 0 if it passes all, else 1.

    Raises Refusal where there is no such bot, OSError.
    """
    try:
        (side,) = read_sides([text], contest)
    except ValueError as error:
        raise Refusal(str(error)) from None
    if side.kind == "house":
        raise Refusal(f"{side.text} is a style of the house: give a bot of your own")
    with tempfile.TemporaryDirectory(prefix="highnoon-probe-", ignore_cleanup_errors=True) as work:
        checks = await _checks(side, contest, Path(work), quiet=as_json)
    if as_json:
        good = passed(checks)
        told = {"passed": good, "failed": len(checks) - good, "checks": [to_builtins(check) for check in checks]}
        sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    else:
        say(f"{plain(side.name)}: {passed(checks)} of {len(checks)} checks passed")
    return 0 if all(check.ok for check in checks) else 1


async def _checks(side: Side, contest: str, work: Path, *, quiet: bool) -> list[Check]:
    tell = (lambda _: None) if quiet else _tell
    trial = Trial(contest, side.name)
    async with Seats(contest, trial.entrants, trial.hear, work, _progress, _Odd(trial.wire)) as seats:
        try:
            bot = await seats.seat(1, side, bytes(32))
        except (Refusal, CannotRun) as error:
            came = Check(COMES, _COMES[contest], False, str(error), "it is there within 30 seconds")
            tell(came)
            return [came]
        came = Check(COMES, _COMES[contest], True, "it is there", "")
        tell(came)
        return [came, *await trial.run(bot, tell)]


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


def _progress(line: str) -> None:
    """Says how it goes on standard error, so that the result stands alone."""
    print(plain(line), file=sys.stderr, flush=True)


def _tell(check: Check) -> None:
    say(f"  {'ok  ' if check.ok else 'FAIL'}  {check.name}")
    if not check.ok:
        say(f"        it said      {plain(check.said)}")
        say(f"        expected     {plain(check.expected)}")
        say(f"        the rule     {check.rule}")
    elif check.expected:
        say(f"        remark       {plain(check.said)}: {plain(check.expected)}")

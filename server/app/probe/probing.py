"""Tries out one bot. Tests whether the bot connects, and then how it plays in every situation of its contest."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from msgspec import to_builtins
from msgspec.structs import replace

from server.app.probe.trial import Check, Trial, count_passed
from server.app.sparring.bot_launcher import BotLauncher, Wrappers
from server.app.sparring.sides import Side
from server.bots.dialects.http_calls import HttpDialect, Request
from server.bots.sandbox.output_log import end_of_log
from server.bots.sandbox.runner import CannotRun, Say
from server.bots.sandbox.shared_runner import SharedRunner
from server.bots.transports.connection import Connection
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Event
from server.game.view import View

MESSAGE_PIECES = 5
"""In one situation, the bot gets each message in about this many pieces."""
UNKNOWN_FIELDS = {"zz_unknown": {"of": ["a later", "version"], "number": 1.5, "nothing": None}}

COMES_TO_TABLE = "comes to the table"
MAX_OUTPUT_LINES = 8
"""Only the last lines of a bot's output are shown, at most this many."""


async def probe_bot(
    side: Side,
    contest_id: str,
    work_folder: Path,
    shared_runner: SharedRunner | None = None,
    trial: Trial | None = None,
    *,
    on_check: Callable[[Check], object] = lambda _: None,
    say: Say = lambda _: None,
) -> list[Check]:
    """Tries the bot of `side` and returns all checks, or only the first check if the bot does not connect. `side` says
    how the bot is started or reached, and what it is called.

    Files go into `work_folder`. `shared_runner`, if given, runs the bot's box (sandbox). The default trial has every
    situation, and has the same cards each time. Calls `on_check` with each check as soon as the check is made, and
    `say` with the progress. Raises OSError.
    """
    trial = trial or Trial(contest_id, side.name)
    wrappers = Wrappers(partial(QuirkyConnection, trial=trial), partial(QuirkyDialect, trial=trial))
    async with BotLauncher(
        contest_id, trial.entrants, trial.apply, work_folder, say, wrappers, shared_runner, lambda _: trial
    ) as launcher:
        try:
            bot = await launcher.launch(1, side, bytes(32))
        except (Refusal, CannotRun) as error:
            checks = failed_arrival(contest_id, str(error))
            on_check(checks[0])
            return checks
        arrival = Check(
            COMES_TO_TABLE, CONTESTS[contest_id].rule_texts.rules_by_topic["comes"], True, "it is there", ""
        )
        on_check(arrival)
        return [arrival, *await trial.run(bot, on_check)]


def read_last_output(work_folder: Path) -> str:
    """Returns the last lines of output of the bot whose log is in `work_folder`, or "" if there is no log."""
    return "\n".join(end_of_log(work_folder / "printed-1.log").splitlines()[-MAX_OUTPUT_LINES:])


def failed_arrival(contest_id: str, why: str) -> list[Check]:
    """Returns the checks of a bot that cannot play: a single failed check, with the reason `why`."""
    return [
        Check(
            COMES_TO_TABLE,
            CONTESTS[contest_id].rule_texts.rules_by_topic["comes"],
            False,
            why,
            "it is there within 30 seconds",
        )
    ]


def to_json_object(checks: Sequence[Check]) -> dict[str, object]:
    """Returns a bot's checks, for JSON."""
    passed = count_passed(checks)
    return {"passed": passed, "failed": len(checks) - passed, "checks": [to_builtins(check) for check in checks]}


class QuirkyConnection:
    """A connection that sends messages in unusual ways during a trial."""

    def __init__(self, connection: Connection, trial: Trial) -> None:
        self._connection = connection
        self._trial = trial
        self._delayed_message = b""
        self.attach, self.drain, self.close = connection.attach, connection.drain, connection.close

    def send(
        self, message: bytes, *, droppable: bool = False, on_sent: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Sends a message as the situation demands: with unknown fields, in pieces, or together with the next request.

        Droppable messages (refusals and logs) are never delayed, because the bot might be waiting for them.
        """
        message_quirk = self._trial.message_quirk
        if message_quirk == "unknown fields" and not droppable:
            message = json.dumps({**UNKNOWN_FIELDS, **json.loads(message)}, ensure_ascii=False).encode() + b"\n"
        if message_quirk == "glued" and on_sent is None and not droppable:
            self._delayed_message += message
            return lambda: None
        message, self._delayed_message = self._delayed_message + message, b""
        if message_quirk == "pieces":
            size = max(1, len(message) // MESSAGE_PIECES)
            while len(message) > size:
                self._connection.send(message[:size])
                message = message[size:]
        return self._connection.send(message, droppable=droppable and message_quirk != "pieces", on_sent=on_sent)


class QuirkyDialect:
    """A dialect of HTTP calls that adds unknown fields during a trial."""

    def __init__(self, dialect: HttpDialect, trial: Trial) -> None:
        self._dialect = dialect
        self._trial = trial
        self.notified_events, self.read = dialect.notified_events, dialect.read

    def ask(self, view: View) -> Request:
        return self._add_unknown_fields(self._dialect.ask(view))

    def notify(self, event: Event, view: View) -> list[Request]:
        return [self._add_unknown_fields(request) for request in self._dialect.notify(event, view)]

    def _add_unknown_fields(self, request: Request) -> Request:
        if self._trial.message_quirk != "unknown fields" or not request.body:
            return request
        if request.content_type == "application/json":
            return replace(request, body=json.dumps({**UNKNOWN_FIELDS, **json.loads(request.body)}).encode())
        fields = [("zz_unknown[of][0]", "a later version"), *parse_qsl(request.body.decode(), keep_blank_values=True)]
        return replace(request, body=urlencode(fields).encode())

"""Checks a submitted bot in a trial game: builds it, starts it in its box (sandbox), and lets it play against house
bots.
"""

import asyncio
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.app.bot_registration import serve_registration
from server.app.check.check_results import TrialRemarks, build_log_end
from server.app.check.checker import play_situations
from server.app.decisions.faults import FaultReport
from server.app.practice.games.plan import plan_game, practice_format
from server.app.practice.games.table import PracticeTable
from server.app.sparring.sides import Side
from server.bots.house.characters import CHARACTERS, Character
from server.bots.sandbox.output_log import end_of_log
from server.bots.sandbox.runner import CannotRun, Exit, Runner, Say, SocketBox
from server.bots.sandbox.shared_runner import SharedRunner
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import BotListener, BotNotConnected
from server.config.settings import Settings
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, BotDisconnected, Entrant, Event, GameStarted, HandEnded
from server.registration.practice_options import HouseSettings
from server.registration.register import Registration
from server.shuffle import fresh_seed
from server.submissions.submission import Submission
from server.text.characters import printable
from server.text.look_alikes import look_alike

HANDS = 6
SEATS = 6
ARRIVAL_SECONDS = 30.0
"""How long a bot may take, from its start, to register and connect. A slower bot fails the check."""
END_SECONDS = 2.0
"""How long to wait for a bot to exit after its connection was lost. The way it exits often explains the loss."""
GAME_SECONDS = 240.0
"""The time limit for a game. A bot that uses all its time on every turn comes close to this limit."""
MAX_FAULTS = 5
"""The maximum number of faults to report."""
CALM_STYLES = ("calling", "careful")
"""Styles that rarely raise, so that the tested bot has more turns."""
WATCH_SECONDS = 0.5
"""How many seconds pass between two measurements of a bot's memory and processor time."""
_NUMBER = re.compile(r"[0-9.]+")
"""Matches numbers in faults. If several faults differ only in their numbers, only one fault is reported."""
_HARD_CODED_HINT = (
    " It never called /register. If its code has a fixed address of the server, check with --known-as ADDRESS."
)


async def run_trial_game(submission: Submission, runner: Runner, work_folder: Path, say: Say) -> TrialRemarks:
    """Builds the bot and plays a game with it in a strict box. There, the bot runs as the user `nobody` and may write
    only to /tmp. If the bot does not register, it gets a second try in a box that is not strict.

    Files go into `work_folder`. `say` reports progress. Never raises, whatever the bot does.
    """

    async def build() -> str:
        return await runner.build(submission.name, submission.folder, say)

    shared_runner = SharedRunner(runner)
    try:
        built = await shared_runner.build_once(f"quick-draw {submission.folder}", build)
    except CannotRun as error:
        return TrialRemarks(faults=[f"{build_log_end(str(error))} Build it yourself to see everything: docker build ."])
    for strict in (True, False):
        say("plays in its box" if strict else "plays in a less strict box")
        try:
            trial_remarks = await _TrialRun(submission, work_folder, strict=strict).play(runner, built)
        except CannotRun as error:
            trial_remarks = TrialRemarks(faults=[build_log_end(str(error))])
        if trial_remarks.registered or runner.kind == "light":  # A light runner has only one kind of box.
            break
    if not strict and trial_remarks.registered:
        trial_remarks.notes.append(
            "It does not run as the user nobody with only /tmp writable; it ran with these two rules relaxed."
        )
    # After a fault or warning, the author must mend the bot before more is tested.
    if not (trial_remarks.faults or trial_remarks.warnings):
        side = Side("folder", str(submission.folder), submission.name)
        situation_remarks = await play_situations(side, "quick-draw", work_folder / "situations", shared_runner, say)
        trial_remarks.faults += situation_remarks.faults
        trial_remarks.warnings += situation_remarks.warnings
        trial_remarks.notes += situation_remarks.notes
        trial_remarks.printed = situation_remarks.printed or trial_remarks.printed
    return trial_remarks


class _TrialRun:
    """One start of a bot, and the game that it plays."""

    def __init__(self, submission: Submission, work_folder: Path, *, strict: bool) -> None:
        self._submission = submission
        self._work_folder = work_folder / ("strict" if strict else "relaxed")
        self._settings = Settings(data=self._work_folder, speed=0.0, seed=fresh_seed())
        self._strict = strict
        self._trial_remarks = TrialRemarks()
        self._other_names: list[str] = []
        """The names under which the bot registered, except the name in its bot_config.json."""
        self._disconnect_reason = ""
        """Why the bot's connection was lost, or "" while it is connected."""
        self._faults: list[FaultReport] = []

    async def play(self, runner: Runner, built: str) -> TrialRemarks:
        """Starts the built image or program and plays the game. Raises CannotRun if it does not start."""
        self._work_folder.mkdir(parents=True, exist_ok=True)
        log = self._work_folder / "printed.log"
        running = await runner.start(self._submission.name, built, log, strict=self._strict)
        self._trial_remarks.box = running.box
        try:
            await self._watch(running)
        finally:
            await running.stop()
        self._trial_remarks.printed = end_of_log(log)
        return self._trial_remarks

    async def _watch(self, running: SocketBox) -> None:
        """Measures the bot until its game is over, or until the bot exits without having connected. Then reports
        faults.
        """
        exit_task = asyncio.create_task(running.wait_for_exit())
        game_task = asyncio.create_task(self._arrive_and_play(running))
        try:
            # If a bot exits after it has connected, the other bots finish the game.
            while not game_task.done() and (self._trial_remarks.arrived_seconds or not exit_task.done()):
                pending: set[asyncio.Task[Any]] = {game_task} if exit_task.done() else {game_task, exit_task}
                await asyncio.wait(pending, timeout=WATCH_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                self._trial_remarks.usage = self._trial_remarks.usage.updated_with(await running.usage())
            if game_task.done():
                game_task.result()
            if self._disconnect_reason:
                await asyncio.wait({exit_task}, timeout=END_SECONDS)
            self._report_names()
            self._report_end(exit_task.result() if exit_task.done() else None)
        finally:
            for task in (exit_task, game_task):
                task.cancel()
            await asyncio.gather(exit_task, game_task, return_exceptions=True)

    async def _arrive_and_play(self, running: SocketBox) -> None:
        listener = BotListener(running.game_socket, "", ARRIVAL_SECONDS)
        try:
            async with serve_registration(running.register_socket, listener.port, 1, self._note_registration):
                start = asyncio.get_running_loop().time()
                connection = await listener.accept()
                self._trial_remarks.arrived_seconds = asyncio.get_running_loop().time() - start
                await self._play_game(connection)
        except BotNotConnected:
            self._report_absence()
        finally:
            listener.close()

    def _note_registration(self, registration: Registration) -> None:
        self._trial_remarks.registered = registration.name
        if registration.name != self._submission.name:
            self._other_names.append(registration.name)

    async def _play_game(self, connection: TcpConnection) -> None:
        name = self._submission.name
        contest, epoch = practice_format(QUICK_DRAW_FORMAT, SEATS, HANDS), secrets.token_hex(8)
        plan = plan_game(
            self._settings,
            [name],
            contest,
            _opponents(name),
            channel="check",
            epoch=epoch,
            house_settings=HouseSettings(),
        )
        table = PracticeTable(plan, lambda _, fault: self._faults.append(fault))
        try:
            async with asyncio.timeout(GAME_SECONDS):
                (guest,) = await table.play_connected([connection])
            guest.hang_up()
        except TimeoutError:
            self._trial_remarks.warnings.append(
                f"It answers too slowly: the game took more than {GAME_SECONDS:g} seconds."
            )
        finally:
            await connection.aclose()
        self._report_game([entry.event for entry in table.bus.entries])

    def _report_end(self, end: Exit | None) -> None:
        """Reports a bot that exited or hung up before its game was over."""
        if end and (self._disconnect_reason or not self._trial_remarks.answers_ms):
            hint = "" if self._trial_remarks.registered else _HARD_CODED_HINT
            fault = f"It did not stay until the end of its game: {printable(end.reason).rstrip('.')}.{hint}"
        elif self._disconnect_reason:
            fault = f"During the game it {printable(self._disconnect_reason)}."
        else:
            return
        self._trial_remarks.faults.append(
            f"{fault} In a tournament no bot is started twice, and there is no rejoining."
        )

    def _report_absence(self) -> None:
        if self._trial_remarks.registered:
            fault = "It registered but never connected to its port."
        else:
            fault = (
                f"It did not register within {ARRIVAL_SECONDS:g} seconds: POST /register on port "
                f"5000.{_HARD_CODED_HINT}"
            )
        self._trial_remarks.faults.append(fault)

    def _report_names(self) -> None:
        if self._other_names:
            names = " and ".join(f'"{printable(name)}"' for name in dict.fromkeys(self._other_names[:3]))
            own_name = f'"{self._submission.name}", the name in bot_config.json'
            self._trial_remarks.notes.append(f"It registered as {names}; but it always plays as {own_name}.")

    def _report_game(self, events: Sequence[Event]) -> None:
        """Reports the answers and faults of the tested bot, which is bot 1."""
        seats = next((event.seats for event in events if isinstance(event, GameStarted)), ())
        answers = [event for event in events if isinstance(event, ActionTaken) and seats[event.seat] == 1]
        self._trial_remarks.answers_ms = [answer.think_ms for answer in answers if answer.fault != "disconnected"]
        self._trial_remarks.hands = sum(isinstance(event, HandEnded) for event in events)
        faulty_count = sum(answer.fault not in ("", "disconnected") for answer in answers)
        if faulty_count:
            self._trial_remarks.warnings.append(
                f"{faulty_count} of {len(answers)} times no valid answer came within 3 seconds, and the hand was lost."
            )
        distinct_faults: dict[str, FaultReport] = {}
        for fault in self._faults:
            distinct_faults.setdefault(_NUMBER.sub("", fault.words.partition(": ")[2]), fault)
        self._trial_remarks.warnings += map(_describe, list(distinct_faults.values())[:MAX_FAULTS])
        reasons = [event.reason for event in events if isinstance(event, BotDisconnected) and event.bot == 1]
        self._disconnect_reason = reasons[0] if reasons else ""


def _describe(fault: FaultReport) -> str:
    """Returns a fault as text: the wrong messages, what was expected, and the rule."""
    sent = f" It sent {' and '.join(' '.join(message.split()) for message in fault.sent)}." if fault.sent else ""
    expected = f" Expected: {fault.expected}." if fault.expected else ""
    return f"{fault.words[:1].upper()}{fault.words[1:]}.{sent}{expected} The rule: {fault.rule}"


def _opponents(name: str) -> list[tuple[Character, Entrant]]:
    """Returns house bots for the other seats, calm ones first. They have no pictures, because nobody watches."""
    others = [character for character in CHARACTERS if not look_alike(character.name, name)]
    calm_first = sorted(others, key=lambda character: character.style not in CALM_STYLES)
    return [(character, Entrant(0, character.name)) for character in calm_first[: SEATS - 1]]

"""Plays one game of a season between two bots that run as processes, and writes its journal and logs."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.bots.late_starting_bot import START_MS, LateStartingBot
from server.bots.sandbox.runner import CannotRun, PipedBox
from server.bots.transports.stdio import StdioConnection
from server.contests.upac.dialect import UpacDialect
from server.contests.upac.rules import UPAC_FORMAT
from server.game.events import Entrant, Event, FaultNoted, HandStarted, TournamentEnded
from server.game.formats import Format
from server.journal.begin_journal import BegunRecording, begin_journal
from server.journal.bus import Bus
from server.season.game_log import GameLog
from server.season.outcome import SIDES, GameOutcome, files_of, outcome_of, public_fault
from server.tournament.director import Director

ROUNDS_PER_GAME = 100
TEST_ROUNDS = 5
"""How many rounds a test game has. The contest's rules say: "A test game is queued to verify that there aren't any
simple errors with running the bot".
"""
THINK_MS = UPAC_FORMAT.rules.think_ms
EXIT_SECONDS = 0.3
"""How many seconds a bot may take to exit after its standard input is closed."""


class Contender(Struct, frozen=True):
    """One side of a game. `start` takes a file for the standard error of the bot's program, and starts the program.

    The entrant's rating is in hundredths of a point. If a side's rating is 0, the game is not rated.
    """

    entrant: Entrant
    start: Callable[[Path], Awaitable[PipedBox]]


async def play_game(
    defender: Contender,
    challenger: Contender,
    *,
    seed: bytes,
    journal: Path,
    rounds: int = ROUNDS_PER_GAME,
    think_ms: int = THINK_MS,
    start_ms: int = START_MS,
    start_time: str | None = None,
) -> GameOutcome:
    """Plays a game to its end, or resumes it from its journal, then stops both programs.

    The defender has the small blind in round 1. A bot has `think_ms` for each action, and `start_ms` more for its first
    action. A bot that cannot be started loses. If the journal is new, `start_time` is its start time (UTC, ISO 8601),
    by default now. Raises OSError if the disk fails permanently. Raises JournalDamaged or Diverged if the journal
    belongs to another game. Faults of a bot raise no exception.
    """
    game = _Game(
        (defender, challenger), seed, begin_journal(journal, start_time), game_format(rounds, think_ms), start_ms
    )
    try:
        return await game.play()
    finally:
        await game.close()


async def play_test_game(contender: Contender, *, seed: bytes, journal: Path, think_ms: int = THINK_MS) -> GameOutcome:
    """Plays TEST_ROUNDS rounds of a bot against itself. The bot passes the test if no side loses by a fault. Raises the
    errors of `play_game`.
    """
    defender = Contender(Entrant(1, contender.entrant.name), contender.start)
    challenger = Contender(Entrant(2, contender.entrant.name), contender.start)
    return await play_game(defender, challenger, seed=seed, journal=journal, rounds=TEST_ROUNDS, think_ms=think_ms)


class _Game:
    """A game in progress."""

    def __init__(
        self,
        contenders: tuple[Contender, Contender],
        seed: bytes,
        begun_recording: BegunRecording,
        contest_format: Format,
        start_ms: int,
    ) -> None:
        self._contenders = contenders
        self._entrants = [contender.entrant for contender in contenders]
        self._files = files = files_of(begun_recording.journal.path)
        self._contest_format = contest_format
        self._start_ms = start_ms
        self._programs: list[PipedBox] = []
        self._bots: list[LateStartingBot] = []
        self._bus = Bus(begun_recording.journal, time.monotonic)
        self._bus.load(begun_recording.entries)
        self._log = GameLog(files.public_log, time.monotonic)
        self._director = Director(contest_format, self._entrants, seed=seed, bus=self._bus)
        self._bus.listeners.append(self._log_round)

    async def play(self) -> GameOutcome:
        if any(isinstance(event, TournamentEnded) for event in self._events()):
            return outcome_of(self._events(), self._files)
        for error in await asyncio.gather(self._seat(0), self._seat(1), return_exceptions=True):
            if error:  # both starts are over now, so `close` finds and stops both programs
                raise error
        await self._director.run()
        outcome = outcome_of(self._events(), self._files)
        self._log.add_system_line(_result_line(outcome))
        return outcome

    async def close(self) -> None:
        """Stops both programs and closes the files."""
        for bot in self._bots:
            bot.hang_up()
        if self._programs:  # most bots exit when their input closes, and some first write a last line to their log
            exits = [asyncio.ensure_future(program.wait_for_exit()) for program in self._programs]
            await asyncio.wait(exits, timeout=EXIT_SECONDS)
        await asyncio.gather(*(program.stop() for program in self._programs))
        self._log.close()
        self._bus.close()

    async def _seat(self, side: int) -> None:
        """Starts the program of one side. A bot that cannot be started is absent, and loses on its first turn."""
        bot = self._entrants[side].bot
        log = self._files.challenger_log if side else self._files.defender_log
        try:
            program = await self._contenders[side].start(log)
        except (CannotRun, OSError) as error:
            self._director.record_bot_event(FaultNoted(bot, "disconnected", f"could not be started: {error}"))
            return
        self._programs.append(program)

        async def end_reason() -> str:
            return (await program.wait_for_exit()).reason

        connection = StdioConnection(program.stdin, program.stdout, end_reason, asyncio.get_running_loop())
        record = self._log.record(SIDES[side].title())
        seated_bot = LateStartingBot(bot, UpacDialect(), connection, self._director.record_bot_event, record=record)
        seated_bot.start_ms = self._start_ms
        self._bots.append(seated_bot)
        self._director.add_bot(seated_bot)

    def _log_round(self, event: Event) -> None:
        if isinstance(event, HandStarted):
            self._log.add_system_line(f"round {event.hand}/{self._contest_format.stages[0].hands}")

    def _events(self) -> Iterator[Event]:
        return (entry.event for entry in self._bus.entries)


def _result_line(outcome: GameOutcome) -> str:
    defender, challenger = outcome.stacks
    why = public_fault(outcome.fault, outcome.reason)
    forfeit_text = f"{outcome.forfeited.title()} loses the game ({why}); " if outcome.forfeited else ""
    return f"{forfeit_text}Defender {defender}, Challenger {challenger}"


def game_format(rounds: int = ROUNDS_PER_GAME, think_ms: int = THINK_MS) -> Format:
    """Returns the format of one game of `rounds` rounds, with `think_ms` for each action."""
    (stage,) = UPAC_FORMAT.stages
    rules = replace(UPAC_FORMAT.rules, think_ms=think_ms)
    return replace(UPAC_FORMAT, rules=rules, stages=(replace(stage, hands=rounds),))

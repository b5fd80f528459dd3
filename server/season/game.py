"""One UPAC game of two bots that run as processes: director, journal, wires and logs joined, and what came of it.

Who meets whom, and what becomes of their ratings, is for others.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from server.bots.dialects.upac import Upac
from server.bots.patient import START_MS, PatientBot
from server.bots.sandbox.runner import CannotRun, Piped
from server.bots.transports.stdio import StdioWire
from server.game.contests import UPAC_CONTEST
from server.game.events import (
    BotDisconnected,
    BotRated,
    Entrant,
    Event,
    Fault,
    FaultNoted,
    GameForfeited,
    HandEnded,
    HandStarted,
    TournamentEnded,
)
from server.game.tournament import Contest, forfeit
from server.journal.bus import Bus
from server.journal.resume import begin_journal
from server.season.game_log import GameLog
from server.tournament.director import Director

ROUNDS = 100
TRIAL_ROUNDS = 5
""" "A test game is queued to verify that there aren't any simple errors with running the bot"."""
THINK_MS = UPAC_CONTEST.rules.think_ms
END_SECONDS = 0.3
"""Between the end of a bot's input and its being stopped."""
CHIPS = UPAC_CONTEST.starting_stack
Side = Literal["", "defender", "challenger"]
SIDES: tuple[Side, Side] = ("defender", "challenger")


class Contender(Struct, frozen=True):
    """A bot that is to play. `start` starts its program for one game, what it says besides going to the file given.

    Its entrant's rating is in hundredths; where one of both has none (0) the game is not rated.
    """

    entrant: Entrant
    start: Callable[[Path], Awaitable[Piped]]


class GameFiles(Struct, frozen=True):
    """Where all of a game is kept."""

    journal: Path
    public: Path
    """Every line to and from both bots."""
    defender: Path
    challenger: Path
    """What a bot says on its standard error: for its owner only."""


class GameOutcome(Struct, frozen=True):
    """How a game went. All pairs are defender's, challenger's; `stacks` are 100 chips in all."""

    files: GameFiles
    stacks: tuple[int, int]
    rounds: int
    ratings: tuple[int, int]
    """After the game, in hundredths; 0 where they have none."""
    forfeited: Side = ""
    """Who lost it by a fault, 0 to 1."""
    fault: Fault = ""
    reason: str = ""
    """What the fault was, in words for its owner."""


def files_of(journal: Path) -> GameFiles:
    """The files of the game with that journal; they lie beside it."""
    return GameFiles(journal, *(journal.with_suffix(f".{kind}.log") for kind in ("public", *SIDES)))


async def play_game(
    defender: Contender,
    challenger: Contender,
    *,
    seed: bytes,
    journal: Path,
    rounds: int = ROUNDS,
    think_ms: int = THINK_MS,
    start_ms: int = START_MS,
) -> GameOutcome:
    """Plays a game to its end, or on from where its journal breaks off; neither bot's doing raises.

    The defender has the small blind in round 1. A bot has `think_ms` for an action, `start_ms` more for its first; one
    that cannot be started loses. Both are stopped afterwards.
    Raises OSError where the disk fails for good, JournalDamaged and Diverged for a journal that is another game's.
    """
    game = _Game((defender, challenger), seed, files_of(journal), _contest(rounds, think_ms), start_ms)
    try:
        return await game.play()
    finally:
        await game.close()


async def trial_game(contender: Contender, *, seed: bytes, journal: Path, think_ms: int = THINK_MS) -> GameOutcome:
    """Five rounds of a bot against itself; it has passed if nobody has forfeited the game."""
    one = Contender(Entrant(1, contender.entrant.name), contender.start)
    other = Contender(Entrant(2, contender.entrant.name), contender.start)
    return await play_game(one, other, seed=seed, journal=journal, rounds=TRIAL_ROUNDS, think_ms=think_ms)


class _Game:
    """One game on its way."""

    def __init__(
        self,
        contenders: tuple[Contender, Contender],
        seed: bytes,
        files: GameFiles,
        contest: Contest,
        start_ms: int,
    ) -> None:
        self._contenders = contenders
        self._entrants = [contender.entrant for contender in contenders]
        self._files = files
        self._contest = contest
        self._start_ms = start_ms
        self._running: list[Piped] = []
        self._bots: list[PatientBot] = []
        begun = begin_journal(files.journal)
        self._bus = Bus(begun.journal, time.monotonic)
        self._bus.load(begun.entries)
        self._log = GameLog(files.public, time.monotonic)
        self._director = Director(contest, self._entrants, seed=seed, bus=self._bus, gate=_open_gate)
        self._bus.listeners.append(self._heard)

    async def play(self) -> GameOutcome:
        if any(isinstance(entry.event, TournamentEnded) for entry in self._bus.entries):
            return self._outcome()
        for seated in await asyncio.gather(self._seat(0), self._seat(1), return_exceptions=True):
            if seated:  # Both are waited for: what has been started is to be stopped.
                raise seated
        await self._director.run()
        outcome = self._outcome()
        self._log.system(_words(outcome))
        return outcome

    async def close(self) -> None:
        """Ends both programs, and closes the files."""
        for bot in self._bots:
            bot.hang_up()
        if self._running:  # Most end by themselves when their input does, and some have a last word for their log.
            ends = [asyncio.ensure_future(running.ended()) for running in self._running]
            await asyncio.wait(ends, timeout=END_SECONDS)
        await asyncio.gather(*(running.stop() for running in self._running))
        self._log.close()
        self._bus.close()

    async def _seat(self, at: int) -> None:
        """Starts one program; a bot that cannot be started stays absent, and so loses when it is asked."""
        bot = self._entrants[at].bot
        log = self._files.challenger if at else self._files.defender
        try:
            running = await self._contenders[at].start(log)
        except (CannotRun, OSError) as error:
            self._director.hear(FaultNoted(bot, "disconnected", f"could not be started: {error}"))
            return
        self._running.append(running)

        async def ended() -> str:
            return (await running.ended()).reason

        wire = StdioWire(running.stdin, running.stdout, ended, asyncio.get_running_loop())
        told = self._log.wire(SIDES[at].title(), wire)
        seated = PatientBot(bot, Upac(), told, self._director.hear)
        seated.start_ms = self._start_ms
        self._bots.append(seated)
        self._director.welcome(seated)

    def _heard(self, event: Event) -> None:
        if isinstance(event, HandStarted):
            self._log.system(f"round {event.hand}/{self._contest.stages[0].hands}")

    def _outcome(self) -> GameOutcome:
        stacks, ratings = [CHIPS, CHIPS], [entrant.rating for entrant in self._entrants]
        outcome = GameOutcome(self._files, (CHIPS, CHIPS), 0, (0, 0))
        rounds, said = 0, dict[tuple[int, bool], str]()
        """What was wrong with a bot: that it was gone, or something else."""
        for event in (entry.event for entry in self._bus.entries):
            match event:
                case HandEnded(stacks=after):
                    rounds, stacks = rounds + 1, list(after)
                case GameForfeited(seat=seat, fault=fault):
                    stacks = list(forfeit(seat, stacks))
                    why = self._why(fault, said.get((self._entrants[seat].bot, fault == "disconnected"), ""))
                    outcome = replace(outcome, forfeited=SIDES[seat], fault=fault, reason=why)
                case FaultNoted(bot=bot, fault=fault, detail=why):
                    said[bot, fault == "disconnected"] = why
                case BotDisconnected(bot=bot, reason=why):
                    said[bot, True] = why
                case BotRated(bot=bot, rating=rating):
                    ratings[[entrant.bot for entrant in self._entrants].index(bot)] = rating
        return replace(outcome, stacks=_pair(stacks), ratings=_pair(ratings), rounds=rounds)

    def _why(self, fault: Fault, reason: str) -> str:
        match fault:
            case "timeout":
                return f"no action came within {self._contest.rules.think_ms / 1000:g} s"
            case "disconnected":
                return reason or "it was gone"
            case _:
                return f"an invalid action: {reason}"


def _pair(numbers: list[int]) -> tuple[int, int]:
    return numbers[0], numbers[1]


def fault_in_public(fault: Fault, reason: str) -> str:
    """What everybody is told of a fault: of a bot that was gone how it ended, and no more than that."""
    return reason.partition(":")[0] if fault == "disconnected" and reason else fault


def _words(outcome: GameOutcome) -> str:
    defender, challenger = outcome.stacks
    why = fault_in_public(outcome.fault, outcome.reason)
    lost = f"{outcome.forfeited.title()} loses the game ({why}); " if outcome.forfeited else ""
    return f"{lost}Defender {defender}, Challenger {challenger}"


def _contest(rounds: int, think_ms: int) -> Contest:
    (duel,) = UPAC_CONTEST.stages
    rules = replace(UPAC_CONTEST.rules, think_ms=think_ms)
    return replace(UPAC_CONTEST, rules=rules, stages=(replace(duel, hands=rounds),))


async def _open_gate() -> None:
    """The table waits for nobody."""

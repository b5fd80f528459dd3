"""Runs the processes that play practice games. Each game goes to the process with the fewest games."""

import asyncio
import itertools
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from server.app.decisions.faults import FaultReport
from server.app.practice.games.child import Alive, Child
from server.app.practice.games.plan import BotEndpoint, FaultReported, GameOver, GamePlan, GamesGrown, PlayGame
from server.bots.transports.http import Address
from server.journal.journal import JournalDamaged

FromProcess = Alive | GamesGrown | FaultReported | GameOver


class GameLost(Exception):
    """A game was lost. The message, such as "because it failed", completes a text that begins "has lost its game, "."""


class _Game(Struct, eq=False):
    """A running game. `on_growth` is called when the game's recording has new entries, and `on_fault` when a bot makes
    a fault. The result of `end_reason` says why the game was lost, or is "" if the game ended well.
    """

    on_growth: Callable[[int], object]
    on_fault: Callable[[int, FaultReport], object]
    end_reason: asyncio.Future[str]


class GameProcess:
    """A process that plays games."""

    def __init__(self, folder: Path, recordings_kept: int) -> None:
        self.lag_ms = 0.0
        """How late the event loop of the process was in its last report, in milliseconds."""
        self.games: dict[int, _Game] = {}
        self.child = Child(
            "server.app.practice.games.process",
            (str(folder), str(recordings_kept)),
            msgspec.json.Decoder[FromProcess](FromProcess),
            self._on_message,
            self._on_end,
        )

    def _on_message(self, message: FromProcess) -> None:
        match message:
            case Alive(lag_ms=lag_ms):
                self.lag_ms = lag_ms
            case GamesGrown(entries=entries):
                for number, seq in entries.items():
                    self._report_growth(number, seq)
            case FaultReported(number=number, bot=bot, fault=fault):
                if game := self.games.get(number):
                    game.on_fault(bot, fault)
            case GameOver(number=number, why=why):
                self._end_game(number, why)

    def _report_growth(self, number: int, seq: int) -> None:
        if game := self.games.get(number):
            try:
                game.on_growth(seq)
            except (OSError, JournalDamaged) as error:
                self._end_game(number, f"whose recording cannot be read: {error}")

    def _end_game(self, number: int, why: str) -> None:
        game = self.games.get(number)
        if game and not game.end_reason.done():
            game.end_reason.set_result(why)

    def _on_end(self, why: str) -> str:
        self.lag_ms = 0.0
        lost_games = len(self.games)
        for number in self.games:
            self._end_game(number, f"because the process that played it {why}")
        return f"it is restarted; games lost with it: {lost_games}"


class GameProcesses:
    """All game processes."""

    def __init__(self, folder: Path, recordings_kept: int, count: int) -> None:
        """Starts no process yet. The `count` processes together keep the latest `recordings_kept` recordings in
        `folder`.
        """
        self.all = [GameProcess(folder, recordings_kept) for _ in range(count)]
        self._game_numbers = itertools.count(1)

    async def play(
        self,
        plan: GamePlan,
        bots: Sequence[BotEndpoint],
        on_growth: Callable[[int], object],
        on_fault: Callable[[int, FaultReport], object],
    ) -> None:
        """Plays a game to its end with the authors' `bots`, which are sockets or, for HTTP bots, addresses.

        When the recording grows, calls `on_growth` with its number of entries. For each fault of a bot, calls
        `on_fault` with the bot's number and the fault. Raises GameLost.
        """
        process = min(self.all, key=lambda process: len(process.games))
        addresses = tuple(bot for bot in bots if isinstance(bot, Address))
        order = PlayGame(next(self._game_numbers), plan, addresses)
        game = _Game(on_growth, on_fault, asyncio.get_running_loop().create_future())
        process.games[order.number] = game
        try:
            process.child.send(order, [bot for bot in bots if isinstance(bot, socket.socket)])
            why = await game.end_reason
        except OSError as error:
            why = f"whose connection could not be handed over: {error.strerror}"
        finally:
            del process.games[order.number]
        if why:
            raise GameLost(why)

"""Writes reports for the authors of bots: a file for each bot and each finished game of an evening, which is one run
of a tournament.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from server.app.decisions.faults import BotRecord, FaultReport
from server.app.decisions.transcript import Transcript, read_compressed, write_compressed
from server.bots.sandbox.runner import Usage
from server.game.events import Event, GameEnded, GameStarted

MAX_FAULTS = 50
"""How many of a bot's faults, such as late answers, are kept for a game. Further faults are counted, but not kept."""
MAX_BYTES = 512 << 20
"""The limit on the total size of an evening's reports, in bytes."""
_LINK_LENGTH = 32


class ProgramEnd(Struct, frozen=True):
    """How the program of a bot in a sandbox ended before the contest was over, and the last lines that it printed."""

    how: str = ""
    printed: str = ""
    game: int = 0
    """The number of the game in which the program ended, or 0 if it ended before the first game."""


class GameReport(Struct, frozen=True):
    """The report on a bot in one game. `more` is the number of faults that were not kept in `faults`.

    For a bot in a sandbox, `usage` is the memory and processor time from the bot's start to the end of this game.
    """

    transcript: Transcript = Transcript()
    faults: tuple[FaultReport, ...] = ()
    more: int = 0
    usage: Usage = Usage()


class AuthorReports:
    """Records the messages to and from all bots of an evening. Writes a report for each bot after each game."""

    def __init__(self, folder: Path, contest_id: str, max_bytes: int = MAX_BYTES) -> None:
        """Writes the reports into `folder`, until the folder's files have `max_bytes` bytes in total."""
        self._folder = folder
        self._contest_id = contest_id
        self._bytes_left = (
            max_bytes - sum(path.stat().st_size for path in folder.glob("*")) if folder.is_dir() else max_bytes
        )
        self._bot_reports: dict[int, _BotReport] = {}
        self._game = 0
        self._seats: tuple[int, ...] = ()
        self._write_lock = asyncio.Lock()
        self._write_tasks: set[asyncio.Task[None]] = set()

    def record_of(self, bot: int) -> "_BotReport":
        """The record of a bot's messages and faults."""
        return self._bot_reports.setdefault(bot, _BotReport(self._contest_id, bot))

    def record_usage(self, bot: int, usage: Usage) -> None:
        """Records how much memory and processor time a bot in a sandbox has used since its start."""
        self.record_of(bot).usage = usage

    def record_end(self, bot: int, ended: ProgramEnd) -> None:
        """Writes a file that says how the program of a bot in a sandbox ended. The file survives restarts. An empty
        `ended` says that the program is running again.
        """
        end = ProgramEnd(ended.how, ended.printed, self._game)
        self._write_soon(lambda: end, end_path(self._folder, bot))

    def apply(self, event: Event) -> None:
        """Applies the next event of the contest. Call this method within the running event loop."""
        if isinstance(event, GameStarted):
            self._game, self._seats = event.game, event.seats
            for bot_report in self._bot_reports.values():
                bot_report.begin_game()
        for bot_report in self._bot_reports.values():
            bot_report.apply(event)
        if isinstance(event, GameEnded):
            for bot, bot_report in self._bot_reports.items():
                if bot in self._seats:
                    self._write_soon(bot_report.report(), report_path(self._folder, bot, self._game))

    async def wait_until_written(self) -> None:
        """Waits until all reports are written."""
        await asyncio.gather(*self._write_tasks)

    def _write_soon(self, report: Callable[[], Struct], path: Path) -> None:
        task = asyncio.create_task(self._write(report, path))
        self._write_tasks.add(task)
        task.add_done_callback(self._write_tasks.discard)

    async def _write(self, report: Callable[[], Struct], path: Path) -> None:
        async with self._write_lock:
            if self._bytes_left <= 0:
                return
            try:
                self._bytes_left -= await asyncio.to_thread(lambda: write_compressed(path, report()))
            except OSError as error:
                logging.getLogger(__name__).error("a bot's report on a game could not be written: %s", error)


class _BotReport(BotRecord):
    def __init__(self, contest_id: str, bot: int) -> None:
        self.usage = Usage()
        super().__init__(contest_id, bot, self._keep_fault)

    def begin_game(self) -> None:
        super().begin_game()
        self._faults: list[FaultReport] = []
        self._unkept_faults = 0

    def report(self) -> Callable[[], GameReport]:
        """Returns a function that makes the report on this game. The function is slow, so call it in a thread."""
        messages, faults, more, usage = self.messages, tuple(self._faults), self._unkept_faults, self.usage
        return lambda: GameReport(messages.transcript(), faults, more, usage)

    def _keep_fault(self, fault: FaultReport) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(fault)
        else:
            self._unkept_faults += 1


def reports_folder(journal: Path) -> Path:
    """The folder with the reports on an evening whose recording is `journal`."""
    return journal.with_name(f"{journal.stem}-authors")


def report_path(folder: Path, bot: int, game: int) -> Path:
    """The file with the report on bot number `bot` in game number `game`."""
    return folder / f"{bot}-{game}.notes"


def read_report(folder: Path, bot: int, game: int) -> GameReport | None:
    """Reads the report on a bot in a game. Returns None if the report is missing or unreadable."""
    return read_compressed(report_path(folder, bot, game), GameReport)


def end_path(folder: Path, bot: int) -> Path:
    """The file that records how a bot's program ended."""
    return folder / f"{bot}.end"


def read_end(folder: Path, bot: int) -> ProgramEnd:
    """Reads how a bot's program ended. Returns an empty `ProgramEnd` if nothing is known."""
    return read_compressed(end_path(folder, bot), ProgramEnd) or ProgramEnd()


def author_link(secret: str, bot: int, name: str) -> str:
    """Returns the last part of the link to an author's page. Nobody can guess it without the evening's `secret`."""
    identity = f"{bot}\0{name}".encode(errors="replace")
    return hmac.new(bytes.fromhex(secret), identity, sha256).hexdigest()[:_LINK_LENGTH]

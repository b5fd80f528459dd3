"""Reports on the bots of an evening, each for the bot's author only: a file for each bot and finished game."""

import asyncio
import hmac
import logging
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from server.app.decisions.faults import BotRecord, OwnFault
from server.app.decisions.transcript import Transcript, pack, unpacked
from server.bots.sandbox.runner import Usage
from server.game.events import Event, GameEnded, GameStarted

MAX_FAULTS = 50
"""How many faults of a game are kept; further ones are only counted."""
MAX_BYTES = 512 << 20
"""The limit on the size of all reports of an evening."""
_LINK_LENGTH = 32


class Ended(Struct, frozen=True):
    """How a boxed bot ended before its contest, in words, and the last lines that it printed."""

    how: str = ""
    printed: str = ""
    game: int = 0
    """The game in which it ended; 0 before the first."""


class GameReport(Struct, frozen=True):
    """The report on a bot in one game; `more` is the number of faults beyond those in `faults`.

    `usage` is what a boxed bot used from its start to the end of this game.
    """

    transcript: Transcript = Transcript()
    faults: tuple[OwnFault, ...] = ()
    more: int = 0
    usage: Usage = Usage()


class AuthorReports:
    """Records the messages to and from all bots of an evening and writes them game by game."""

    def __init__(self, folder: Path, contest: str, room: int = MAX_BYTES) -> None:
        """The files go into `folder` and have at most `room` bytes in total."""
        self._folder = folder
        self._contest = contest
        self._left = room - sum(path.stat().st_size for path in folder.glob("*")) if folder.is_dir() else room
        self._bots: dict[int, _BotReport] = {}
        self._game = 0
        self._seats: tuple[int, ...] = ()
        self._one = asyncio.Lock()
        self._writing: set[asyncio.Task[None]] = set()

    def record(self, bot: int) -> "_BotReport":
        """The record of a bot."""
        return self._bots.setdefault(bot, _BotReport(self._contest, bot))

    def record_usage(self, bot: int, usage: Usage) -> None:
        """Records what a boxed bot has used since its start."""
        self.record(bot).usage = usage

    def record_end(self, bot: int, ended: Ended) -> None:
        """Records how a boxed bot ended; an empty `ended` records its start. The server's next run knows it too."""
        end = Ended(ended.how, ended.printed, self._game)
        self._later(lambda: end, end_path(self._folder, bot))

    def hear(self, event: Event) -> None:
        """Applies the next event of the contest; call it within the running event loop."""
        if isinstance(event, GameStarted):
            self._game, self._seats = event.game, event.seats
            for bot in self._bots.values():
                bot.begin()
        for bot in self._bots.values():
            bot.hear(event)
        if isinstance(event, GameEnded):
            for number, bot in self._bots.items():
                if number in self._seats:
                    self._later(bot.report(), report_path(self._folder, number, self._game))

    async def settled(self) -> None:
        """Waits until everything is written."""
        await asyncio.gather(*self._writing)

    def _later(self, report: Callable[[], Struct], path: Path) -> None:
        task = asyncio.create_task(self._write(report, path))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write(self, report: Callable[[], Struct], path: Path) -> None:
        async with self._one:
            if self._left <= 0:
                return
            try:
                self._left -= await asyncio.to_thread(lambda: pack(path, report()))
            except OSError as error:
                logging.getLogger(__name__).error("the report on a game is missing for its author: %s", error)


class _BotReport(BotRecord):
    """The record of one bot with its faults; `begin` starts a new game."""

    def __init__(self, contest: str, bot: int) -> None:
        self.usage = Usage()
        super().__init__(contest, bot, self._keep)

    def begin(self) -> None:
        super().begin()
        self._found: list[OwnFault] = []
        self._more = 0

    def report(self) -> Callable[[], GameReport]:
        """Returns a function that makes the report on this game, which takes some time."""
        messages, faults, more, usage = self.messages, tuple(self._found), self._more, self.usage
        return lambda: GameReport(messages.transcript(), faults, more, usage)

    def _keep(self, fault: OwnFault) -> None:
        if len(self._found) < MAX_FAULTS:
            self._found.append(fault)
        else:
            self._more += 1


def reports_folder(journal: Path) -> Path:
    """The folder of the reports on the evening whose journal is at `journal`."""
    return journal.with_name(f"{journal.stem}-authors")


def report_path(folder: Path, bot: int, game: int) -> Path:
    """The file of the report on a bot's game, by their numbers."""
    return folder / f"{bot}-{game}.notes"


def read_report(folder: Path, bot: int, game: int) -> GameReport | None:
    """The report on a bot in a game; None if there is none."""
    return unpacked(report_path(folder, bot, game), GameReport)


def end_path(folder: Path, bot: int) -> Path:
    """The file that records how a bot ended."""
    return folder / f"{bot}.end"


def read_end(folder: Path, bot: int) -> Ended:
    """How a bot ended, if known."""
    return unpacked(end_path(folder, bot), Ended) or Ended()


def author_link(secret: str, bot: int, name: str) -> str:
    """The end of the link to an author's page, which cannot be guessed without the evening's secret."""
    identity = f"{bot}\0{name}".encode(errors="replace")
    return hmac.new(bytes.fromhex(secret), identity, sha256).hexdigest()[:_LINK_LENGTH]

"""Builds the uploads of a season one at a time, and tests each of them in a game against itself. An upload is one
version of a player's bot.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path

from server.bots.sandbox.runner import CannotRun, PipedBox, Say
from server.console import say
from server.game.events import Entrant, Event
from server.journal.journal import JournalDamaged
from server.season.events import BotActivated, BotBuilt, BotTested
from server.season.files import SeasonFiles
from server.season.ledger import Ledger
from server.season.play_game import Contender, play_test_game
from server.season.season_state import Upload
from server.shuffle import key_of
from server.text.characters import printable
from server.tournament.resumable_log import Diverged

StartBot = Callable[[Path], Awaitable[PipedBox]]
"""A function that starts a bot. The bot's standard error goes to the given file."""
BuildBot = Callable[[Upload, Say], Awaitable[StartBot]]
"""A function that builds an upload and reports its progress through `Say`. It returns a function that starts the bot,
or raises CannotRun or OSError.
"""
KEPT_LINES = 15
"""How many lines at the end of a build's output are kept."""
MAX_CHARACTERS = 300
"""How many characters of a fault, or of a line of a build's output, are kept."""


class Builds:
    """Builds, tests and activates the uploads of one season. The ledger is the season's record."""

    def __init__(self, ledger: Ledger, store: SeasonFiles, build_bot: BuildBot, seed: bytes) -> None:
        self.start_functions: dict[int, StartBot] = {}
        """The functions that start the built uploads, keyed by upload number."""
        self.to_activate: set[int] = set()
        """The uploads that will play for their players as soon as the uploads are ready."""
        self._ledger = ledger
        self._store = store
        self._build_bot = build_bot
        self._seed = seed
        self._queue: list[int] = []
        self._current_upload = 0
        """The upload that is being built or tested, or 0."""
        self._last_builds: dict[int, int] = {}
        """For each player, the number of the player's last build. Builds are numbered from 1."""
        self._activity = ""
        """The state of the current upload as text, such as "being built"."""
        self._output_lines: dict[int, deque[str]] = {}
        self._changed = asyncio.Event()

    def queue_build(self, upload: int, *, activate: bool = False) -> None:
        """Queues an upload to be built and, if needed, tested. With `activate`, lets it play afterwards."""
        if activate:
            self.to_activate.add(upload)
        if upload not in self._queue and upload != self._current_upload:
            self._queue.append(upload)
        self._notify()

    def count_unbuilt(self, player: int) -> int:
        """Returns how many uploads of a player are queued, being built or being tested."""
        uploads = self._ledger.standings.uploads
        return sum(uploads[number].player == player for number in (*self._queue, self._current_upload) if number)

    def remove_player(self, player: int) -> None:
        """Removes a player's uploads from the queue."""
        uploads = self._ledger.standings.uploads
        self._queue = [number for number in self._queue if uploads[number].player != player]
        self._notify()

    @property
    def queue_length(self) -> int:
        """How many uploads are waiting to be built."""
        return len(self._queue)

    def progress(self, upload: Upload) -> str:
        """Returns the state of an upload as text, such as "being built", "ready" or "plays"."""
        if upload.number == self._current_upload:
            return self._activity
        if upload.number in self._queue:
            earlier_count = self._build_order().index(upload.number) + bool(self._current_upload)
            return f"waiting to be built, {earlier_count} ahead of it" if earlier_count else "waiting to be built"
        if upload.fault:
            return "cannot play"
        active = self._ledger.standings.players[upload.player].active == upload.number
        return "plays" if active else "ready" if upload.ready else "waiting"

    def lines(self, upload: int) -> Sequence[str]:
        """Returns the last lines of output from an upload's build, for its owner."""
        return tuple(self._output_lines.get(upload, ()))

    async def activate(self, upload: Upload) -> None:
        """Lets a ready upload play for its player from the player's next game on."""
        assert upload.ready, "an upload is activated only after its test game"
        if upload.number in self.start_functions:
            await self._activate(upload)
        else:
            self.queue_build(upload.number, activate=True)

    async def run(self) -> None:
        """Builds the queued uploads one at a time until cancelled. Raises OSError if the ledger cannot be written."""
        while True:
            while not self._queue:
                await self._changed.wait()
            self._current_upload = self._build_order()[0]
            self._queue.remove(self._current_upload)
            upload = self._ledger.standings.uploads[self._current_upload]
            self._last_builds[upload.player] = max(self._last_builds.values(), default=0) + 1
            await self._prepare(upload)
            self._current_upload = 0
            self._notify()

    async def wait_until_built(self, awaited: Collection[int] | None = None) -> None:
        """Waits until no upload is queued or being built. If `awaited` is given, waits only for the uploads with these
        numbers.
        """
        while any(awaited is None or number in awaited for number in (*self._queue, self._current_upload) if number):
            await self._changed.wait()

    def _build_order(self) -> list[int]:
        """Returns the queue in building order. Players take turns, so a player with many uploads does not delay the
        others.
        """
        uploads, queued_counts, turns = self._ledger.standings.uploads, Counter[int](), dict[int, tuple[int, int]]()
        for number in self._queue:
            player = uploads[number].player
            turns[number] = queued_counts[player], self._last_builds.get(player, 0)
            queued_counts[player] += 1
        return sorted(self._queue, key=lambda number: turns[number])

    async def _prepare(self, upload: Upload) -> None:
        fault = await self._build(upload)
        if fault or not upload.built:
            await self._write(BotBuilt(upload.number, fault))
        if not fault and not upload.tested:
            self._activity = "playing five rounds against itself"
            fault = await self._test(upload)
            await self._write(BotTested(upload.number, fault))
        if fault:
            name = printable(self._ledger.standings.players[upload.player].name)
            say(f"  {printable(upload.name)} ({name}) cannot play: {printable(fault)}")
            for line in () if upload.built else self._output_lines[upload.number]:
                say(f"    {printable(line.strip())}")
        elif upload.number in self.to_activate and upload.ready:
            await self._activate(upload)
        self.to_activate.discard(upload.number)

    async def _build(self, upload: Upload) -> str:
        self._activity = "being built"
        lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._output_lines[upload.number] = lines
        try:
            self.start_functions[upload.number] = await self._build_bot(
                upload, lambda line: lines.append(line[:MAX_CHARACTERS])
            )
        except OSError as error:
            return f"it could not be built here ({error.strerror}); upload it again"
        except CannotRun as error:
            lines.extend(line[:MAX_CHARACTERS] for line in str(error).splitlines()[1:])
            return str(error).partition("\n")[0][:MAX_CHARACTERS]
        return ""

    async def _test(self, upload: Upload) -> str:
        contender = Contender(Entrant(1, upload.name), self.start_functions[upload.number])
        seed = key_of(self._seed, f"test {upload.number}")
        try:
            self._store.delete_test(upload.number)
            outcome = await play_test_game(contender, seed=seed, journal=self._store.test_files(upload.number).journal)
        except (OSError, Diverged, JournalDamaged) as error:
            return f"its test game could not be played here ({error}); upload it again"[:MAX_CHARACTERS]
        return f"in its test game: {outcome.reason}"[:MAX_CHARACTERS] if outcome.forfeited else ""

    async def _activate(self, upload: Upload) -> None:
        player = self._ledger.standings.players[upload.player]
        await self._ledger.write(lambda: [] if player.removed else [BotActivated(upload.number)])

    async def _write(self, event: Event) -> None:
        await self._ledger.write(lambda: [event])

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

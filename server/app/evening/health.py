"""Collects what the operator's desk shows about the card room, which is the process that runs the bots and the table.
The desk shows the progress of the game, the state of the bots, and the space on the disk.
"""

import asyncio
import contextlib
import shutil
from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from server.app.results.deal_pace import DealPace
from server.game import events
from server.game.events import Event
from server.journal.journal import Journal
from server.journal.studio_link import BotHealth, Health
from server.text.characters import printable
from server.text.grammar import out_of

TICK_SECONDS = 1.0
SLOW_WRITE_MEMORY_SECONDS = 60.0
"""The slowest write to the journal is remembered for this many seconds."""


class TableHealth:
    """Collects, from the events of a tournament, what the desk shows."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self.on_change: Callable[[], object] = lambda: None
        """A function that is called every second, and at once when the desk should show a change."""
        self.trouble = ""
        self.preparing = "getting ready"
        """What is being prepared before the first stage, as text for the desk."""
        self.make_notice: Callable[[], str] = lambda: ""
        """A function that returns a notice for the operator, or "". It is called before the start."""
        self.bots: dict[int, BotHealth] = {}
        self.pace = DealPace()
        """Estimates how long the remaining deals will take."""
        self.journal = journal
        self._clock = clock
        self._stage = events.StageStarted(0, "", 0, 0, (), ())
        self._game_number = self._hand_count = self._hand_number = self._deal_number = 0
        self._seats: tuple[int, ...] = ()
        self.is_over = False
        self._entry_count = 0
        self._lag_ms = 0.0
        self._recent_writes: list[tuple[float, float]] = []
        """For each recent write to the journal: when it happened, in seconds of `clock`, and how many milliseconds it
        took.
        """

    # -- events

    def apply(self, event: Event) -> None:
        self._entry_count += 1
        self._recent_writes.append((self._clock(), self.journal.write_ms))
        self.pace.apply(event, self._clock())
        match event:
            case events.TournamentOpened(entrants=entrants, rules=rules):
                self.bots = {entrant.bot: BotHealth(entrant.bot, "missing") for entrant in entrants}
                if rules.exhibition_bank_ms is not UNSET:
                    # In an exhibition, an answer counts as slow if it takes time from the bot's time bank.
                    slow_ms = rules.think_ms + 1
                    self.bots = {bot: replace(health, slow_ms=slow_ms) for bot, health in self.bots.items()}
            case events.StageStarted():
                self._stage, self._game_number, self._deal_number = event, 0, 1
            case events.DealEnded(deal=deal):
                self._deal_number = deal + 1
            case events.GameStarted(seats=seats, hands=hands):
                self._game_number, self._hand_number = self._game_number + 1, 0
                self._hand_count, self._seats = hands, seats
            case events.HandStarted(hand=hand):
                self._hand_number = hand
            case events.TournamentEnded():
                self.is_over = True
            case _:
                self._apply_to_bot(event)

    def _apply_to_bot(self, event: Event) -> None:
        match event:
            case events.ActionTaken(seat=seat, think_ms=ms, fault=fault):
                bot = self.bots[self._seats[seat]]
                slowest, faults = max(bot.slowest_ms, ms), bot.faults + bool(fault)
                self.update_bot(bot.bot, turns=bot.turns + 1, last_ms=ms, slowest_ms=slowest, faults=faults)
            case events.BotConnected(bot=number):
                self.update_bot(number, state="here", note="", since="", log="")
            case events.BotDisconnected(bot=number, reason=reason):
                self.update_bot(number, state="gone", note=reason, since=self._describe_position())
            case events.BotWithdrawn(bot=number, reason=reason):
                self.update_bot(number, state="withdrawn", note=reason)
            case events.FaultNoted(bot=number, detail=detail):
                self.update_bot(number, faults=self.bots[number].faults + 1, note=detail)

    def update_bot(self, bot: int, **changes: object) -> None:
        """Changes fields of a bot's `BotHealth`."""
        self.bots[bot] = replace(self.bots[bot], **changes)

    def set_trouble(self, trouble: str) -> None:
        """Sets the reason why the table waits. `trouble` is "" once play continues."""
        if trouble != self.trouble:
            self.trouble = trouble
            self.on_change()

    async def measure_lag(self) -> None:
        """Measures the event loop's lag and calls `on_change` every second. Never returns."""
        while True:
            expected_at = self._clock() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            self._lag_ms = max(0.0, (self._clock() - expected_at) * 1000)
            self.on_change()

    # -- the report

    @property
    def has_connected_bot(self) -> bool:
        return any(bot.state == "here" for bot in self.bots.values())

    def report(self) -> Health:
        self._recent_writes = [
            write for write in self._recent_writes if self._clock() - write[0] < SLOW_WRITE_MEMORY_SECONDS
        ]
        disk_free_bytes = 0
        with contextlib.suppress(OSError):  # the folder may have been removed
            disk_free_bytes = shutil.disk_usage(self.journal.path.parent).free
        return Health(
            doing=self._describe_progress(),
            trouble=self.trouble,
            notice="" if self._stage.stage else self.make_notice(),
            entries=self._entry_count,
            journal_bytes=self.journal.size,
            write_ms=max((ms for _, ms in self._recent_writes), default=0.0),
            disk_free_bytes=disk_free_bytes,
            lag_ms=self._lag_ms,
            bots=tuple(self.bots.values()),
        )

    def _describe_position(self) -> str:
        game = f"game {self._game_number}, " if self._stage.games != 1 else ""
        return f"{game}hand {max(self._hand_number, 1)}" if self._game_number else "the start"

    def _describe_progress(self) -> str:
        if self.is_over:
            return "the tournament is over"
        if not self._stage.stage:
            return self.preparing
        title, games = printable(self._stage.title), self._stage.games
        if self._stage.deals:
            deal = min(self._deal_number, self._stage.deals)
            return f"{title}, deal {out_of(deal, self._stage.deals)}{self.pace.time_left_text}"
        game = f", game {out_of(self._game_number, games)}" if games != 1 else ""
        return f"{title}{game}, hand {out_of(self._hand_number, self._hand_count)}" if self._game_number else title

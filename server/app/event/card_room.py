"""The card room of an event: journal, bus, health, gate and director joined, or joined again after a crash."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from broadcast.on_air.diary import forget_others
from server.app.event.health import TableHealth
from server.game.events import (
    BotConnected,
    BotDisconnected,
    BotWithdrawn,
    ControlSet,
    CueGiven,
    Entrant,
    Event,
    HandEnded,
    StageEnded,
    StageStarted,
    TournamentEnded,
)
from server.game.tournament import Format
from server.journal.bus import Bus
from server.journal.resume import Begun, begin_journal
from server.tournament.control_values import Controls
from server.tournament.director import Director
from server.tournament.gate import Gate


def begin_recording(path: Path) -> Begun:
    """Begins the journal at `path`, or resumes the one that is there; a diary of another journal is removed.

    The diary says what was on air; a wrong one would have the show wait for the wrong hands. Raises OSError, and
    JournalDamaged where the journal was altered.
    """
    begun = begin_journal(path)
    diary = path.with_suffix(".air")
    if begun.entries:
        forget_others(diary, len(begun.entries))
    else:
        diary.unlink(missing_ok=True)
    return begun


class CardRoom:
    """One tournament: its bus, health, gate and director. A tournament that the journal holds in part is resumed."""

    def __init__(
        self,
        begun: Begun,
        entrants: Sequence[Entrant],
        *,
        contest: Format,
        seed: bytes,
        prizes_cents: Sequence[int],
        hand_pause_seconds: float = 0.0,
    ) -> None:
        """Raises OSError where the journal cannot be written, Diverged where it is of another tournament."""
        self._hand_pause_seconds = hand_pause_seconds
        self._hand_over = False
        self.bus = Bus(begun.journal, time.monotonic)
        self.bus.load(begun.entries)
        self.health = TableHealth(begun.journal, time.monotonic)
        self.gate = Gate(Controls())
        for listener in (self.gate.heard, self.health.heard, self._heard):
            for entry in begun.entries:
                listener(entry.event)
            self.bus.listeners.append(listener)
        self.director = Director(
            contest,
            entrants,
            seed=seed,
            bus=self.bus,
            gate=self._next_hand,
            prizes_cents=prizes_cents,
            stage_cut=lambda: self.gate.controls.stage_end,
            trouble=self.health.say,
        )

    def _heard(self, event: Event) -> None:
        self._hand_over = self._hand_over or isinstance(event, HandEnded)

    async def _next_hand(self) -> None:
        """Returns when the next hand may be dealt, after the organiser's pause between hands."""
        if self._hand_over and self._hand_pause_seconds:
            self._hand_over = False
            await asyncio.sleep(self._hand_pause_seconds)
        await self.gate()

    def request(self, event: ControlSet | CueGiven, stage: int = 0) -> str:
        """Writes an event that the operator wants, who saw `stage` on air; returns "", or in words why it did not."""
        ends = isinstance(event, ControlSet) and event.control == "stage_end" and event.value
        if why := self._why_not_end(stage) if ends else self.gate.why_not(event):
            return why
        try:
            self.bus.publish(event)
        except OSError as error:
            return f"the journal does not take it: {error.strerror}"
        return ""

    def _why_not_end(self, number: int) -> str:
        """Why the stage on air cannot be ended, in words: it must be the one at the table, too. "" if it can."""
        stages = [entry.event for entry in self.bus.entries if isinstance(entry.event, StageStarted)]
        if not any(stage.stage == number for stage in stages):
            return "that stage has not begun at the table" if number else "no stage is on air yet"
        over = [entry.event.stage for entry in self.bus.entries if isinstance(entry.event, StageEnded)]
        title = next(stage.title for stage in stages if stage.stage == number)
        return f"the table has ended {title} already; what is left of it has only to be shown" if number in over else ""

    @property
    def over(self) -> bool:
        """Whether the tournament has been played to its end."""
        return any(isinstance(entry.event, TournamentEnded) for entry in reversed(self.bus.entries))

    def gone(self) -> set[int]:
        """The numbers of bots that were lost before the journal broke off: "there is no rejoining the tournament"."""
        gone: set[int] = set()
        for entry in self.bus.entries:
            match entry.event:
                case BotConnected(bot=bot):
                    gone.discard(bot)
                case BotDisconnected(bot=bot) | BotWithdrawn(bot=bot):
                    gone.add(bot)
                case _:
                    pass
        return gone

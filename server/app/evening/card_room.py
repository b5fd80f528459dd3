"""The card room plays a tournament. Its bus records the events, and its director runs the games. Its gate can hold up
the next hand. Its health is what the operator's desk shows. After a crash, the card room is restored from the journal.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from broadcast.on_air.diary import delete_foreign_diary
from broadcast.show.finish_estimator import MAX_FACTOR, MIN_FACTOR, FinishEstimator
from broadcast.show.main_table import choose_main_table
from server.app.evening.health import TableHealth
from server.game import events
from server.game.formats import Format
from server.game.tournament import next_stage, open_tournament, start_stage
from server.journal.begin_journal import BegunRecording, begin_journal
from server.journal.bus import Bus
from server.tournament.control_values import Controls
from server.tournament.director import Director
from server.tournament.pause_gate import PauseGate

FINISH_TOLERANCE_SECONDS = 3600.0
"""The organiser's finishing time may lie at most this many seconds outside the range of possible times. Otherwise, the
organiser is asked to confirm it.
"""


def begin_recording(path: Path) -> BegunRecording:
    """Starts or resumes the journal at `path`. Also removes the diary (the file of what has been on air) that belongs
    to an earlier journal at the same path.

    Raises OSError, JournalDamaged.
    """
    begun_recording = begin_journal(path)
    diary = path.with_suffix(".air")
    if begun_recording.entries:
        delete_foreign_diary(diary, len(begun_recording.entries))
    else:
        diary.unlink(missing_ok=True)
    return begun_recording


class CardRoom:
    """A tournament's event bus, health, pause gate and director. If the journal has an unfinished tournament, resumes
    it.
    """

    def __init__(
        self,
        begun_recording: BegunRecording,
        entrants: Sequence[events.Entrant],
        *,
        contest_format: Format,
        seed: bytes,
        prizes_cents: Sequence[int],
        hand_pause_seconds: float = 0.0,
        tables_at_once: int = 1,
    ) -> None:
        """Raises OSError if the journal cannot be written, or Diverged if the journal is from another tournament."""
        self._hand_pause_seconds = hand_pause_seconds
        self.bus = Bus(begun_recording.journal, time.monotonic)
        self.bus.load(begun_recording.entries)
        self.health = TableHealth(begun_recording.journal, time.monotonic)
        self.pause_gate = PauseGate(Controls())
        for listener in (self.pause_gate.apply, self.health.apply):
            for entry in begun_recording.entries:
                listener(entry.event)
            self.bus.listeners.append(listener)
        self.health.pace.forget_durations()  # how long deals took before a crash says nothing about the next deals
        self.director = Director(
            contest_format,
            entrants,
            seed=seed,
            bus=self.bus,
            gate=self._wait_for_next_hand,
            prizes_cents=prizes_cents,
            is_stage_cut=lambda: self.pause_gate.controls.stage_end,
            on_trouble=self.health.set_trouble,
            tables_at_once=tables_at_once,
            choose_main_table=choose_main_table,
        )

    async def _wait_for_next_hand(self) -> None:
        """Waits `hand_pause_seconds` between hands, and then until the pause gate allows the next hand."""
        if self.pause_gate.hands_dealt and self._hand_pause_seconds:
            await asyncio.sleep(self._hand_pause_seconds)
        await self.pause_gate()

    def request(self, event: events.ControlSet | events.CueGiven, stage: int = 0) -> str:
        """Records an event that the operator requested. When the operator made the request, stage number `stage` was on
        air. Returns "", or why the event was refused.
        """
        ends_stage = isinstance(event, events.ControlSet) and event.control == "stage_end" and event.value
        if why := self._why_stage_cannot_end(stage) if ends_stage else self.pause_gate.why_cannot_play_unseen(event):
            return why
        try:
            self.bus.publish(event)
        except OSError as error:
            return f"the journal cannot be written: {error.strerror}"
        return ""

    def _why_stage_cannot_end(self, number: int) -> str:
        """Returns why stage `number` cannot be ended early. Returns "" if the table still plays this stage."""
        stages = [entry.event for entry in self.bus.entries if isinstance(entry.event, events.StageStarted)]
        if not any(stage.stage == number for stage in stages):
            return "that stage has not begun at the table" if number else "no stage is on air"
        ended_stages = [entry.event.stage for entry in self.bus.entries if isinstance(entry.event, events.StageEnded)]
        title = next(stage.title for stage in stages if stage.stage == number)
        return f"the table has already ended {title}; only its show is still running" if number in ended_stages else ""


def finish_time_question(
    contest_format: Format, entrants: Sequence[events.Entrant], finish_by: float, show_speed: float, now: float
) -> str:
    """Returns a question to the organiser if the first stage is unlikely to end at the time `finish_by`. Returns "" if
    the time is plausible or not set.

    `finish_by` and `now` are in seconds since 1970. `show_speed` is the show's speed, or 0 for a show without waits.
    The governor multiplies the speed by MIN_FACTOR to MAX_FACTOR, so that the stage ends in time.
    """
    opened = events.TournamentOpened(
        contest_format.contest,
        contest_format.title,
        contest_format.rules,
        contest_format.starting_stack,
        tuple(entrants),
        "",
    )
    tournament = open_tournament(opened)
    first_stage = next_stage(contest_format, tournament)
    if not (finish_by and show_speed and first_stage):
        return ""
    stage = start_stage(contest_format, tournament, *first_stage)
    estimate = FinishEstimator()
    estimate.record(stage, 0)
    fastest, slowest = (now + estimate.eta_s(show_speed * factor) for factor in (MAX_FACTOR, MIN_FACTOR))
    if fastest - FINISH_TOLERANCE_SECONDS <= finish_by <= slowest + FINISH_TOLERANCE_SECONDS:
        return ""
    return (
        f"finish_trials_by is {_day_and_time(finish_by)}. If {stage.title} starts now, at {_day_and_time(now)}, "
        f"it will end between {_day_and_time(fastest)} and {_day_and_time(slowest)}, depending on the governor. "
        "Is that time what you meant? If not, fix it in the event file and restart the program; if so, continue."
    )


def _day_and_time(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment).astimezone():%A %H:%M %Z}"

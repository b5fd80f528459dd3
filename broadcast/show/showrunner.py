"""Turns the journal, which records a contest, into the log of what viewers see. Once a hand is over at the table, it
goes on air, event by event.

The operator's changes take effect at once, ahead of queued hands. But no change can put a hand on air before the hand
is over. The words of muted bots stay off the air.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil
from typing import TypeVar

from msgspec.structs import replace

from broadcast.commentary.commentary import describe_on_air
from broadcast.commentary.storylines.earlier_facts import EarlierFacts
from broadcast.commentary.storylines.storyline import Storyline, TalkingPoints
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import AiredLine, Diary, DiaryLine, ReplayLine, entries_on_air, is_from_desk
from broadcast.on_air.events import (
    CaptionSpoken,
    FocusChanged,
    LineSpoken,
    PaceChanged,
    ReplayEnded,
    ReplayStarted,
    SceneShown,
    StorylineShown,
    ThoughtShown,
    TroubleShown,
)
from broadcast.on_air.picture import reduce
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.table_state import TableEntry, follow_with_tables
from broadcast.show.airing import Airing
from broadcast.show.commentator_aids import StorylineOnAir, Tempo
from broadcast.show.deal_lengths import DealLengths
from broadcast.show.finish_estimator import FinishEstimator
from broadcast.show.hold_times import FILLER_WAIT_MS, REPLAY_END_MS, REPLAY_START_MS
from broadcast.show.playback import TOLERANCE_MS, Playback, wait_for_wake
from broadcast.show.replays import Replay, Replays
from broadcast.show.shots import Shot, ShotMaker, Voice
from broadcast.show.show_queue import ShowQueue
from broadcast.show.status import ShowStatus, live_picture, stage_on_air
from broadcast.show.thoughts import ActionMoment, Thoughts, unread_ms
from server.game import events
from server.game.events import Event
from server.journal.journal import Entry

Part = TypeVar("Part", TableEntry, Shot)
HOLD_POINTS = (
    events.HandStarted,
    events.GameStarted,
    events.GameEnded,
    events.StageStarted,
    events.StageEnded,
    events.TournamentEnded,
)
"""While the operator holds the show, it stops before the next of these events. A pause stops it at once."""
PACE_TOLERANCE = 0.03
"""A change of the pace is put on air only if the relative change is larger than this."""
_BOT_WORD_EVENTS = (*events.BOT_TEXT_EVENTS, ThoughtShown, LineSpoken)
"""Events that are not shown while the operator mutes their bot."""


class Showrunner:
    """Puts the journal of one contest on `air`, event by event. At speed 0, the show runs as fast as possible."""

    def __init__(
        self,
        air: AirLog,
        *,
        clock: Callable[[], float],
        wait: Callable[[float, asyncio.Event], Awaitable[None]] = wait_for_wake,
        on_hand_shown: Callable[[int], object] = lambda _: None,
        on_crowned: Callable[[], object] = lambda: None,
        finish_by: FinishEstimator | None = None,
        past_lines: Sequence[DiaryLine] = (),
        diary: Diary | None = None,
        with_filler: bool = False,
        odds: OddsCalculator | None = None,
        voice: Voice | None = None,
    ) -> None:
        """Calls `on_hand_shown` after each hand, with the number of hands shown so far. Calls `on_crowned` once the
        champion has been on air.

        `past_lines` has the diary's lines about what was on air before this process started. The entries in these lines
        are not sent again. What goes on air from now on is added to `diary`. `with_filler` says whether the best hands
        are replayed while no new hand is ready. Chances to win are shown only with `odds`. At speed 0 no chances are
        shown, because nobody could read them. `voice` speaks captions.
        """
        self.recalled = asyncio.Event()
        """Set once `run` has restored what was on air before a restart. The picture is then what viewers saw last."""
        self._air = air
        self._clock = clock
        self._on_hand_shown = on_hand_shown
        self._on_crowned = on_crowned
        self._finish_estimator = finish_by or FinishEstimator()
        self._past_lines = past_lines
        self._uses_filler = with_filler and air.speed > 0
        self._playback = Playback(air.speed, clock, wait)
        self._airing = Airing(air, self._playback, diary, clock)
        self._shot_maker = ShotMaker(odds if air.speed else None, voice)
        self._thoughts = Thoughts(past_lines)
        self._replays = Replays()
        self.storyline = StorylineOnAir(lambda text: self._airing.put(Shot((StorylineShown(text),), 0)))
        self.tempo = Tempo()
        self._queue = ShowQueue()
        self._last_past_seq = {False: 0, True: 0}
        """The number of the last entry that an earlier process put on air: `[True]` for the operator's entries,
        `[False]` for all others.
        """
        self._hands_shown = 0
        self._is_reading_requested = False
        """Whether to show the reading scores next. The scores say how true the bots' thoughts were. The scores are
        shown if the operator asks for them, or to fill the time.
        """
        self._has_ended = False
        self._is_waiting = False
        self._idle_ms = 0.0
        """How long the queue has been empty, in milliseconds of the show."""

    async def run(self, entries: AsyncIterator[Entry]) -> None:
        """Shows all `entries`. Raises what the iterator raises, and IndexError if an entry has a seat that does not
        exist. These errors may be in an ExceptionGroup.
        """
        table_entries = _with_coverage(follow_with_tables(entries))
        await self._recall(table_entries)
        self.recalled.set()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(table_entries))
            while (group := await self._next_group()) is not None:
                await self._show_group(group)
        self.storyline.end()

    async def show_replays(self, replays: Sequence[Replay]) -> None:
        """Shows `replays` one after the other. The hands may be from another show."""
        self._replays.queued = [*replays]
        await self._show_queued_replays()

    def use_earlier_contests(self, earlier: EarlierFacts) -> None:
        """Lets storylines include earlier contests from now on."""
        self._shot_maker.use_earlier_contests(earlier)

    def show_trouble(self, text: str) -> None:
        """Puts on air why the show must wait. An empty text means that the wait is over. Does nothing if `text` is
        already on air.
        """
        if text != self._air.picture.desk.trouble:
            self._airing.put(Shot((TroubleShown(text),), 0))

    @property
    def talking_points(self) -> TalkingPoints:
        """What commentators may talk about now."""
        return self._shot_maker.commentary.talking_points

    def announce(self, line: Storyline, *, pinned: bool) -> None:
        """Puts a storyline on the lower third until viewers have had time to read it. A `pinned` storyline stays until
        it is removed.
        """
        self._shot_maker.announce(line)
        self.storyline.show(line.text, pinned=pinned)

    @property
    def status(self) -> ShowStatus:
        """The state of the show for the desk. The `governor` multiplies the speed so that the show ends on time."""
        pace = self._playback.pace
        return ShowStatus(
            self._air.picture.scene,
            describe_on_air(self._air.picture),
            self._hands_shown,
            self._queue.hand_count,
            self._finish_estimator.eta_s(pace),
            pace,
            self._playback.governor,
            self._waiting_reason(),
            self._air.speed or 1.0,
            self._finish_estimator.has_deadline,
            stage_on_air(self._air.picture),
            tuple(number for number, bot in self._air.picture.bots.items() if bot.place),
            live_picture(self._air.picture).is_over,
        )

    def _waiting_reason(self) -> str:
        controls = self._playback.controls
        if controls.card:
            return f"the {controls.card.partition(' until ')[0]} card is up"
        if controls.paused:
            return "paused"
        if not self._is_waiting or self._air.picture.is_over:
            return ""
        if self._queue.next_group:
            return "held"
        has_started = controls.started or self._air.picture.stage
        return "waiting for the table" if has_started else "waiting for the start"

    async def _recall(self, entries: AsyncIterator[TableEntry]) -> None:
        """Restores at full speed what was on air before this process started. Viewers get only the final picture."""
        last_seq = max((line.seq for line in self._past_lines if isinstance(line, AiredLine)), default=0)
        past: list[TableEntry] = []
        last_seq = max(last_seq, self._thoughts.last_seq)
        while (past[-1].seq if past else 0) < last_seq and (entry := await anext(entries, None)):
            past.append(entry)
        await self._thoughts.recall(past)
        past = [self._thoughts.with_belief(entry) for entry in past]  # adds whether the bot believed it was ahead
        await self._shot_maker.prepare_past_odds(past)
        for entry, line in entries_on_air(self._past_lines, past):
            self._last_past_seq[is_from_desk(entry.event)] = entry.seq
            shot = self._make_shot(entry, int(line.hold_ms * self._playback.ungoverned_pace), is_recalled=True)
            self._airing.recall(shot, line)
            self._shot_maker.voice.recall(entry)
            self._playback.apply(entry.event)
        self._replays.replayed_hands |= {
            (line.game, line.hand) for line in self._past_lines if isinstance(line, ReplayLine)
        }
        self._airing.resume()
        if past:
            self._air.refresh()
            self._set_pace()
        for entry in past:
            self._accept(entry)

    async def _read(self, entries: AsyncIterator[TableEntry]) -> None:
        async for entry in entries:
            self._accept(entry)
        self._queue.flush_deal()
        self._has_ended = True
        self._playback.wake()

    def _accept(self, entry: TableEntry) -> None:
        if not is_from_desk(entry.event):
            if not self._queue.accept(entry):
                return
            self._shot_maker.prepare(self._queue, self._last_past_seq[False])
        elif entry.seq > self._last_past_seq[True]:
            self._apply_control(entry)
        if self._replays.is_filler and self._queue.has_interruption and not self._playback.is_frozen:
            self._replays.stop()  # a new hand or another new event is ready
            self._playback.end_hold()
        self._playback.wake()

    def _apply_control(self, entry: TableEntry) -> None:
        """Puts an entry by the operator on air, and applies it."""
        event = entry.event
        self._airing.put(self._make_shot(entry, 0), entry.seq)
        match event:
            case events.ControlSet():
                self._playback.apply(event)
                self._set_pace()
            case events.CueGiven(cue="next"):
                if not self._playback.controls.card:
                    self._replays.stop()
                self._playback.skip(ready=self._queue.next_group is not None)
            case events.CueGiven(cue="reading"):
                self._is_reading_requested = True
                if self._replays.is_filler:
                    self._replays.stop()
            case events.CueGiven(cue=cue):
                self._replays.queue_for_cue(cue)

    async def _next_group(self) -> Sequence[TableEntry] | None:
        """Waits until the next group (a hand, or an entry between hands) may be shown. Returns None at the end of the
        journal.
        """
        while True:
            group = self._queue.next_group
            is_hold_point = group is None or isinstance(group[0].event, HOLD_POINTS)
            if self._is_reading_requested and is_hold_point and not self._playback.is_frozen:
                await self._show_reading()
            elif self._replays.queued and is_hold_point and not self._playback.is_frozen:
                await self._show_queued_replays()
            elif group and (
                group[-1].seq <= self._last_past_seq[False] or self._playback.may_begin(is_hold_point=is_hold_point)
            ):
                self._idle_ms = 0.0
                return self._queue.pop()
            elif group is None and self._has_ended:
                return None
            else:
                await self._wait_for_change()

    async def _wait_for_change(self) -> None:
        """Waits for a change, or until the reading scores or a replay should fill the time."""
        self._is_waiting = True
        self._idle_ms += await self._playback.wait_for_change(
            FILLER_WAIT_MS - self._idle_ms if self._may_fill() else None
        )
        self._is_waiting = False
        if self._may_fill() and self._idle_ms >= FILLER_WAIT_MS - TOLERANCE_MS:
            self._idle_ms = 0.0
            self._is_reading_requested = self._shot_maker.commentary.has_new_reading
            if not self._is_reading_requested:
                self._replays.queue_filler()

    def _may_fill(self) -> bool:
        """Whether the reading scores or a replay may fill the time. Nothing fills the time while the show is sped up in
        order to end on time.
        """
        playback, is_over = self._playback, self._air.picture.is_over
        is_quiet = self._queue.next_group is None and not (playback.is_frozen or playback.controls.held or is_over)
        has_filler = self._replays.can_fill or self._shot_maker.commentary.has_new_reading
        return self._uses_filler and is_quiet and playback.governor <= 1 and has_filler

    async def _show_group(self, group: Sequence[TableEntry]) -> None:
        """Puts a group on air. Leaves out entries that were on air before this process started."""
        self._shot_maker.prepare(self._queue, self._last_past_seq[False])
        is_hand = isinstance(group[0].event, events.HandStarted)
        notes = self._queue.notes if is_hand else []
        await self._thoughts.read_group(group, notes)
        if notes:
            self._airing.record_notes_read(notes[-1].seq)
        group = [self._thoughts.with_belief(entry) for entry in group]
        times = self._shot_maker.hold_times(group)
        moments = list(zip_longest(group, times, [entry.event for entry in group[1:]]))
        if is_hand:
            self._shot_maker.voice.prepare_thoughts(self._thoughts.hand_thoughts)
            self.tempo.rate_hand(sum(times))
        for entry, hold_ms, next_event in moments:
            if entry.seq > self._last_past_seq[False] and self._may_be_shown(entry.event):
                await self._airing.hold(self._make_shot(entry, hold_ms, next_event), entry.seq)
        last_event = group[-1].event
        if isinstance(last_event, events.HandEnded):
            self._hands_shown += 1
            self._on_hand_shown(self._hands_shown)
            self._set_pace(after_hand=True)
        if isinstance(last_event, events.DealEnded):
            # Only one table of the deal was shown hand by hand. The hands of the deal's other tables count now.
            self._hands_shown += sum(table.hands for table in group[-1].tables[1:])
            self._on_hand_shown(self._hands_shown)
        if isinstance(last_event, events.HandEnded | events.GameEnded):
            self._playback.hold_again()  # if the operator's "next" let a held show go on, the show stops again
        if isinstance(last_event, events.TournamentEnded):
            self._on_crowned()

    def _make_shot(
        self, entry: TableEntry, hold_ms: int, next_event: Event | None = None, *, is_recalled: bool = False
    ) -> Shot:
        """Returns the shot of `entry` with its commentary. From now on the entry counts as shown.

        `next_event` is the next event of the hand. With `is_recalled`, the shot is the same as when it was on air
        before.
        """
        shot = self._shot_maker.make_shot(entry, hold_ms)
        if not is_from_desk(entry.event):
            shot = self._with_thought(shot, entry, is_recalled=is_recalled)
            shot = shot if is_recalled else self._with_time_to_read(shot, entry, next_event)
            self._finish_estimator.record(entry.event, shot.hold_ms)
            self._replays.record(self._air.picture, shot)
        return shot

    def _with_thought(self, shot: Shot, entry: TableEntry, *, is_recalled: bool) -> Shot:
        """If `entry` is an action, adds the bot's thought about it, unless this thought stays off the air. If `entry`
        is a note (what a bot wrote about its action), adds which claims in the note are true.
        """
        if is_recalled:
            chosen = self._thoughts.recalled_thought(entry)
        else:
            pace = self._playback.pace
            hold_ms = int(shot.hold_ms / pace) if pace else 0
            moment = ActionMoment(self._air.picture, self._airing.now_ms, hold_ms, pace)
            chosen = self._thoughts.choose_thought(entry, moment)
        if checked := self._thoughts.claims_to_show(entry):
            return replace(shot, events=(*shot.events, checked))
        if not chosen:
            return shot
        is_silent = any(isinstance(event, FocusChanged) and event.silent for event in shot.events)
        line = None if is_recalled or is_silent else self._shot_maker.voice.line_for_thought(chosen.event)
        spoken = (line,) if line else ()
        return replace(shot, events=(*shot.events, chosen.event, *spoken), note=chosen.note)

    def _with_time_to_read(self, shot: Shot, entry: TableEntry, next_event: Event | None) -> Shot:
        """Keeps a shot on air until viewers have read the thoughts that disappear after the shot."""
        picture, at_ms, pace = self._air.picture, self._airing.now_ms, self._playback.pace
        if not pace or not (shot.note or any(line.is_thought for line in picture.chat)):
            return shot
        for event in shot.events:
            picture = reduce(picture, picture.seq + 1, at_ms, int(shot.hold_ms / pace), event)
        left_ms = unread_ms(picture.chat, at_ms, entry, next_event)
        return replace(shot, hold_ms=max(shot.hold_ms, ceil(left_ms * pace)))

    async def _show_reading(self) -> None:
        """Shows the reading scores, then returns to the earlier scene. Does nothing if the bots have made no claims."""
        self._is_reading_requested, picture = False, self._air.picture
        reading_events = self._shot_maker.commentary.reading_events()
        if reading_events:
            await self._airing.hold(Shot(tuple(reading_events), SCENES["reading"].hold_ms))
            self._airing.put(Shot((CaptionSpoken(picture.caption), SceneShown(picture.scene)), 0))

    async def _show_queued_replays(self) -> None:
        """Shows the queued replays one after the other, as they were on air, but without words that are muted now."""
        while replay := self._replays.pop_next():
            self._airing.record_replay(replay.game, replay.hand)
            await self._airing.hold(
                Shot((ReplayStarted(replay.hand, replay.picture, replay.caption),), REPLAY_START_MS)
            )
            for shot in self._unmuted(replay.shots):
                if self._replays.is_on_air:
                    await self._airing.hold(replace(shot, events=tuple(filter(self._may_be_shown, shot.events))))
        await self._airing.hold(Shot((ReplayEnded(),), REPLAY_END_MS))

    def _unmuted(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Yields those of `parts` that the operator lets viewers see now."""
        for part in parts:
            if self._may_be_shown(part.event):
                yield part

    def _may_be_shown(self, event: Event) -> bool:
        """Whether the operator lets viewers see `event`. Hides the words of muted bots, and all thoughts while thoughts
        are switched off.
        """
        controls = self._playback.controls
        is_thought = isinstance(event, events.NoteGiven | ThoughtShown) or (
            isinstance(event, LineSpoken) and event.bot > 0
        )
        if is_thought and not controls.thoughts:
            return False
        return not (isinstance(event, _BOT_WORD_EVENTS) and event.bot in controls.chat_off)

    def _set_pace(self, *, after_hand: bool = False) -> None:
        """Updates the governor's factor, and puts the pace on air if it has changed."""
        playback = self._playback
        if not playback.controls.governed:
            playback.governor = 1.0
        elif after_hand:
            playback.governor = self._finish_estimator.update_governor(self._clock(), playback.ungoverned_pace)
        if abs(playback.pace - self._air.pace) > PACE_TOLERANCE * self._air.pace:
            self._airing.put(Shot((PaceChanged(round(playback.pace, 3)),), 0))


async def _with_coverage(entries: AsyncIterator[TableEntry]) -> AsyncIterator[TableEntry]:
    """Yields all `entries`. To the entry that ends a deal, adds how much of the deal to tell (its `coverage`)."""
    lengths = DealLengths()
    async for entry in entries:
        yield lengths.add_coverage(entry)

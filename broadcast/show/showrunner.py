"""From house log to on-air log: a hand goes on air when it is finished at the table, event by event, at its pace.

What the operator does acts as soon as it stands in the log, out of turn. It never brings a hand on air sooner.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from broadcast.commentary.commentary import doing
from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import Again, Aired, Diary, Line, of_the_desk, recalled
from broadcast.on_air.events import PaceChanged, ReplayEnded, ReplayStarted, TroubleShown
from broadcast.on_air.log import AirLog
from broadcast.on_air.table_state import TableEntry, following_tables
from broadcast.show.finish_by import FinishBy
from broadcast.show.hold_times import FILLER_AFTER, REPLAY_BEGINS, REPLAY_ENDS
from broadcast.show.playback import TRIFLE_MS, Playback
from broadcast.show.queue import Feed
from broadcast.show.replays import Repeats, Take
from broadcast.show.shots import Shot, Shots
from broadcast.show.stage import SeenStage, seen_stage
from server.game.events import (
    ChatSent,
    ControlSet,
    CueGiven,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    StageEnded,
    StageStarted,
    TournamentEnded,
)
from server.journal.journal import Entry
from server.tournament.controls import Controls

Part = TypeVar("Part", TableEntry, Shot)
STOPS = (HandStarted, GameStarted, GameEnded, StageStarted, StageEnded, TournamentEnded)
"""Events that a show does not begin while the operator holds it."""
TRIFLE = 0.03
"""A change of the pace by a smaller share is not put on air."""


class ShowStatus(Struct, frozen=True):
    """What the desk shows of the show."""

    scene: str
    doing: str
    """In plain words: "High Noon, hand 7 of 24"."""
    hands_shown: int
    hands_ahead: int
    """Hands finished at the table that have not begun on air."""
    eta_s: float
    """Seconds until the present stage is over, at the present pace; 0: unknown."""
    pace: float
    """What viewers see: the operator's speed and the governor's."""
    governor: float
    """The governor's share, 1.0 if there is none."""
    waiting: str
    """Why nothing moves, "" while it does."""
    planned: float = 1.0
    """The pace without the operator's speed and without the governor's."""
    timed: bool = False
    """Whether there is a time by which the present stage should be over."""
    stage: SeenStage | None = None
    """On air."""


class Showrunner:
    """Puts the log of one contest on `air`, event by event. An `air` of speed 0 goes as fast as it can."""

    def __init__(
        self,
        air: AirLog,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        shown: Callable[[int], object] = lambda _: None,
        crowned: Callable[[], object] = lambda: None,
        finish_by: FinishBy | None = None,
        past: Sequence[Line] = (),
        diary: Diary | None = None,
        fills: bool = False,
        odds: OddsWorker | None = None,
    ) -> None:
        """`shown` is told how many hands of the log have been on air, after each; `crowned` when the champion has been.

        What a diary tells of the `past` was on air before: it is taken in silently, and counts as shown. What goes on
        air from now on is noted in `diary`. A show that `fills` shows marked hands again while the table has nothing
        ready. Without `odds` nobody's chances are told, nor at speed 0, where nobody could read them.
        """
        self.recalled = asyncio.Event()
        """Set once what was on air before this process is so again."""
        self._air = air
        self._clock = clock
        self._tell_shown = shown
        self._tell_crowned = crowned
        self._finish_by = finish_by or FinishBy()
        self._lines = past
        self._diary = diary
        self._fills = fills and air.speed > 0
        self._playback = Playback(air.speed, clock, sleep)
        self._shots = Shots(odds if air.speed else None)
        self._repeats = Repeats()
        self._feed = Feed()
        self._begun = clock()
        self._past = {False: 0, True: 0}
        """The last entry that was on air before this process: of the table, and of the desk."""
        self._shown = 0
        self._ended = False
        self._standing = False
        self._still_ms = 0.0
        """How long nothing has been ready."""

    async def run(self, entries: AsyncIterator[Entry]) -> None:
        """Shows all of `entries`, to the end. Raises what `entries` raise, and IndexError for a forged recording."""
        followed = following_tables(entries)
        await self._recall(followed)
        self.recalled.set()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(followed))
            while (group := await self._next()) is not None:
                await self._show(group)

    async def again(self, takes: Sequence[Take]) -> None:
        """Shows `takes` one after the other: hands of this show or of another one."""
        self._repeats.want(takes)
        await self._replay()

    def trouble(self, text: str) -> None:
        """Puts on air why everybody waits; "" once the wait is over. Nothing where it is on air already."""
        if text != self._air.picture["desk"]["trouble"]:
            self._put(Shot((TroubleShown(text),), 0))

    @property
    def controls(self) -> Controls:
        """What the operator has set, as far as the show has read the log."""
        return self._playback.controls

    @property
    def status(self) -> ShowStatus:
        """What the desk shows of the show at this moment."""
        pace = self._playback.pace
        return ShowStatus(
            self._air.picture["scene"],
            doing(self._air.picture),
            self._shown,
            self._feed.hands,
            self._finish_by.eta_s(pace),
            pace,
            self._playback.governor,
            self._why_waiting(),
            self._air.speed or 1.0,
            self._finish_by.timed,
            seen_stage(self._air.picture),
        )

    def _why_waiting(self) -> str:
        controls = self._playback.controls
        if controls.card:
            return f"the {controls.card} card is up"
        if controls.paused:
            return "paused"
        if not self._standing:
            return ""
        if self._feed.next:
            return "held"
        begun = controls.started or self._air.picture["stage"]
        return "waiting for the table" if begun else "waiting for the start"

    # -- reading

    async def _recall(self, entries: AsyncIterator[TableEntry]) -> None:
        """Takes in what was on air before this process began: at once, and no viewer is sent it."""
        last = max((line.seq for line in self._lines if isinstance(line, Aired)), default=0)
        past: list[TableEntry] = []
        while len(past) < last and (entry := await anext(entries, None)):
            past.append(entry)
        await self._shots.prepare_past_odds(past)
        for entry, line in recalled(self._lines, past):
            self._past[of_the_desk(entry.event)] = entry.seq
            for event in self._shot(entry, int(line.hold_ms * self._playback.asked)).events:
                self._air.recall(event, line.at_ms, line.hold_ms)
            self._playback.obey(entry.event)
        self._repeats.seen((line.game, line.hand) for line in self._lines if isinstance(line, Again))
        self._begun = self._clock() - self._air.at_ms / 1000
        if self._diary:
            self._diary.begin(self._air.at_ms)
        if past:
            self._air.refresh()
            self._set_pace()
        for entry in past:
            self._take(entry)

    async def _read(self, entries: AsyncIterator[TableEntry]) -> None:
        async for entry in entries:
            self._take(entry)
        self._ended = True
        self._playback.wake()

    def _take(self, entry: TableEntry) -> None:
        if not of_the_desk(entry.event):
            self._feed.take(entry)
            self._shots.prepare_odds(self._feed.next_hand(self._past[False]))
        elif entry.seq > self._past[True]:
            self._obey(entry)
        self._break_off()
        self._playback.wake()

    def _obey(self, entry: TableEntry) -> None:
        """Does what the operator asked for, and puts it on air."""
        event = entry.event
        self._put(self._shot(entry, 0), entry.seq)
        match event:
            case ControlSet():
                self._playback.obey(event)
                self._set_pace()
            case CueGiven(cue="next"):
                if not self._playback.controls.card:
                    self._repeats.stop()
                self._playback.skip(ready=self._feed.next is not None)
            case CueGiven(cue=cue):
                self._repeats.ask(cue)

    def _break_off(self) -> None:
        """Ends what only fills the time as soon as the table has something for viewers to see."""
        if self._repeats.filling and self._feed.presses and not self._playback.frozen:
            self._repeats.stop()
            self._playback.cut()

    # -- showing

    async def _next(self) -> Sequence[TableEntry] | None:
        """What is to be shown now, as soon as there is something that may be; None at the end of the log."""
        while True:
            group = self._feed.next
            if (
                self._repeats.wanted
                and not self._playback.frozen
                and (group is None or isinstance(group[0].event, STOPS))
            ):
                await self._replay()
            elif group and self._may_begin(group):
                self._still_ms = 0.0
                return self._feed.pop()
            elif group is None and self._ended:
                return None
            else:
                await self._stand()

    async def _stand(self) -> None:
        """Waits for a change; if the table takes long, for no longer than until the time is filled."""
        self._standing = True
        self._still_ms += await self._playback.change(FILLER_AFTER - self._still_ms if self._may_fill() else None)
        self._standing = False
        if self._may_fill() and self._still_ms >= FILLER_AFTER - TRIFLE_MS:
            self._still_ms = 0.0
            self._repeats.fill()

    def _may_fill(self) -> bool:
        """Whether there is time for a hand that was on air before: never while the governor is in a hurry."""
        playback, over = self._playback, self._air.picture["scene"] == "champion"
        quiet = self._feed.next is None and not (playback.frozen or playback.controls.held or over)
        return self._fills and quiet and playback.governor <= 1 and self._repeats.can_fill

    def _may_begin(self, group: Sequence[TableEntry]) -> bool:
        known = group[-1].seq <= self._past[False]
        return known or self._playback.may_begin(stop=isinstance(group[0].event, STOPS))

    async def _show(self, group: Sequence[TableEntry]) -> None:
        """Puts a hand on air, or what is between two; what was on air before is passed over."""
        self._shots.prepare_odds(self._feed.next_hand(self._past[False]))
        holds = dict(zip((entry.seq for entry in group), self._shots.hold_times(group), strict=True))
        for entry in self._unmuted(group):
            if entry.seq > self._past[False]:
                await self._hold_on_air(self._shot(entry, holds[entry.seq]), entry.seq)
        ended = group[-1].event
        if isinstance(ended, HandEnded):
            self._shown += 1
            self._tell_shown(self._shown)
            self._set_pace(after_hand=True)
        if isinstance(ended, HandEnded | GameEnded):
            self._playback.passed()
        if isinstance(ended, TournamentEnded):
            self._tell_crowned()

    def _shot(self, entry: TableEntry, hold: int) -> Shot:
        """`entry` with its commentary; from here on it counts as shown."""
        shot = self._shots.with_commentary(entry, hold)
        if not of_the_desk(entry.event):
            self._finish_by.note(entry.event, shot.hold)
            self._repeats.note(self._air.picture, shot)
        return shot

    async def _replay(self) -> None:
        """Shows hands again, exactly as they were, one after the other."""
        while take := self._repeats.begin():
            if self._diary:
                self._diary.append(Again(take.game, take.hand, self._now_ms()))
            await self._hold_on_air(Shot((ReplayStarted(take.hand, take.picture, take.told),), REPLAY_BEGINS))
            for shot in self._unmuted(take.shots):
                if self._repeats.goes_on:
                    await self._hold_on_air(shot)
        await self._hold_on_air(Shot((ReplayEnded(),), REPLAY_ENDS))

    async def _hold_on_air(self, shot: Shot, seq: int = 0) -> None:
        self._put(shot, seq)
        await self._playback.hold(shot.hold)

    def _put(self, shot: Shot, seq: int = 0) -> None:
        """Puts a shot on air; `seq` is its number in the house log, if it stands there."""
        at_ms = self._now_ms()
        hold_ms = int(shot.hold / self._playback.pace) if self._playback.pace else 0
        for event in shot.events:
            self._air.put(event, at_ms, hold_ms)
        if self._diary and seq:
            self._diary.append(Aired(seq, at_ms, hold_ms))

    def _now_ms(self) -> int:
        """Milliseconds since the show began, by its own clock."""
        return int((self._clock() - self._begun) * 1000)

    def _unmuted(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Each of `parts` in its turn, without the chat of bots that are muted by then."""
        for part in parts:
            if not (isinstance(part.event, ChatSent) and part.event.bot in self._playback.controls.chat_off):
                yield part

    def _set_pace(self, *, after_hand: bool = False) -> None:
        """Asks the governor for its share, and puts the pace on air where it has changed by more than `TRIFLE`."""
        playback = self._playback
        if not playback.controls.governed:
            playback.governor = 1.0
        elif after_hand:
            playback.governor = self._finish_by.governor(self._clock(), playback.asked)
        if abs(playback.pace - self._air.pace) > TRIFLE * self._air.pace:
            self._put(Shot((PaceChanged(round(playback.pace, 3)),), 0))

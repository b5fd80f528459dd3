"""Puts a show on air shot by shot. A shot is one moment, such as a bet with its caption. Records in the diary, a file,
when each shot was on air.
"""

from collections.abc import Callable

from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import AiredLine, Diary, NotesRead, ReplayLine, ThoughtLine, spoken_line
from broadcast.on_air.events import LineSpoken
from broadcast.show.playback import Playback
from broadcast.show.shots import Shot, caption_of


class Airing:
    """Puts shots on `air`."""

    def __init__(self, air: AirLog, playback: Playback, diary: Diary | None, clock: Callable[[], float]) -> None:
        """`clock` returns seconds. Without a `diary`, nothing is recorded."""
        self._air = air
        self._playback = playback
        self._diary = diary
        self._clock = clock
        self._start = clock()

    def recall(self, shot: Shot, line: AiredLine) -> None:
        """After a restart, puts an earlier shot back into the log of what was on air, with the times in `line`. Sends
        nothing to viewers.
        """
        for event in shot.events:
            self._air.recall(event, line.at_ms, line.hold_ms)

    def resume(self) -> None:
        """Sets the show's time to the time of the last recalled shot. Records in the diary that this process has
        started.
        """
        self._start = self._clock() - self._air.at_ms / 1000
        if self._diary:
            self._diary.record_start(self._air.at_ms)

    def put(self, shot: Shot, seq: int = 0) -> None:
        """Puts a shot on air. `seq` is the number of the shot's entry in the journal (the contest's recording), or 0 if
        it has none.
        """
        at_ms = self.now_ms
        hold_ms = int(shot.hold_ms / self._playback.pace) if self._playback.pace else 0
        for event in shot.events:
            self._air.put(event, at_ms, hold_ms)
        if self._diary and seq:
            self._diary.append(AiredLine(seq, at_ms, hold_ms))
            if shot.note:
                self._diary.append(ThoughtLine(seq, shot.note))
            for event in shot.events:
                if isinstance(event, LineSpoken) and not event.bot:
                    self._diary.append(spoken_line(seq, caption_of(shot.events), event))

    async def hold(self, shot: Shot, seq: int = 0) -> None:
        """Puts a shot on air, and waits until its time on screen is over."""
        self.put(shot, seq)
        await self._playback.hold(shot.hold_ms)

    def record_notes_read(self, note: int) -> None:
        """Records that the show has read the bots' notes about the next hand, up to entry number `note`."""
        if self._diary:
            self._diary.append(NotesRead(note))

    def record_replay(self, game: int, hand: int) -> None:
        """Records that the replay of a hand starts now."""
        if self._diary:
            self._diary.append(ReplayLine(game, hand, self.now_ms))

    @property
    def now_ms(self) -> int:
        """The show's time in milliseconds."""
        return round((self._clock() - self._start) * 1000)

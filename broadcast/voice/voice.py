"""Speaks the captions of a show. If the organiser wants it, also speaks the bots' thoughts.

A copy of the show's commentary runs one hand ahead, so that sounds are ready when their captions go on air. A caption's
sound is written to the media folder only when the caption goes on air. A sound that is not ready is left out, because
the show never waits. A thought waits until the caption that is shown with it has been spoken. While a thought is
spoken, routine captions are left out, and a more important caption ends the thought.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.diary import NOTHING_SPOKEN, SpokenLines, is_from_desk, sound_name
from broadcast.on_air.events import LineSpoken, ThoughtShown
from broadcast.on_air.picture_speech import thought_ms
from broadcast.on_air.table_state import TableEntry
from broadcast.show.shots import ShotMaker, Voice, caption_of
from broadcast.voice.bot_voices import can_be_spoken
from broadcast.voice.speaker import NoSpeech, Speaker, Speech
from broadcast.voice.spoken_captions import MIN_WEIGHT_FOR_ALL, Caption, UpcomingEntry, captions_of
from server.game.events import Event

RETRY_SECONDS = 60.0
"""After the speech program has failed, the voice pauses for this many seconds."""
MAX_SOUND_BYTES = 500_000_000
"""The limit for all sounds of a show together, in bytes: far more than a long evening needs."""
MAX_THOUGHTS = 24
"""At most this many thoughts of a hand are prepared."""
MAX_THOUGHT_WAIT_MS = 1500
"""A thought is not spoken if it would have to wait longer than this, in milliseconds, for the caption shown with it."""
INTERRUPTING_WEIGHT = 45
"""A caption of at least this weight (its importance, 0 to 100) ends the thought that is being spoken. A caption of less
weight is left out instead.
"""
PACE_MARGIN = 1.03
"""The time for a line is divided by this number, in case the show speeds up before the line is on air."""


class ShowVoice(Voice):
    """Speaks those captions of a show that matter and fit into their time."""

    def __init__(
        self,
        speaker: Speaker,
        media: Path,
        odds: OddsCalculator,
        *,
        pace: Callable[[], float],
        log: Callable[[str], object],
        for_all: bool = True,
        spoken: SpokenLines = NOTHING_SPOKEN,
        clock: Callable[[], float] = time.monotonic,
        speaker_of_bot: Callable[[int], Speaker] | None = None,
    ) -> None:
        """Sounds are written to the folder `media`. `pace` returns the speed of the show, where 1 is normal. `odds`
        calculates the bots' chances of winning. `clock` returns seconds.

        `log` is called with the reason whenever the voice fails. If `for_all` is false, only pages with
        `?voice=describe` play the lines. `spoken` has the lines that were spoken before this process started.
        `speaker_of_bot` returns the speaker of a bot's thoughts. With None, thoughts are not spoken.
        """
        super().__init__(spoken)
        self.trouble = ""
        """Why the voice fails, or "" while it works."""
        self.lines_spoken = 0
        """The number of lines spoken on air."""
        self._speaker = speaker
        self._media = media
        self._odds = odds
        self._pace = pace
        self._log = log
        self._min_weight_for_all = MIN_WEIGHT_FOR_ALL if for_all else 1000  # no caption weighs 1000
        self._clock = clock
        self._shots = ShotMaker(odds)
        self.commentaries = [self._shots.commentary]
        self._speaker_of_bot = speaker_of_bot
        self._tasks = asyncio.Queue[Callable[[], Awaitable[None]]]()
        self._thoughts: dict[ThoughtShown, Speech] = {}
        """The spoken thoughts of the hand on air."""
        self._busy_until = self._thought_until = 0.0
        """The times, by the clock, at which the current caption and the current thought end."""
        self._ready_lines: dict[int, tuple[Caption, Speech]] = {}
        self._last_followed_seq = 0
        """The number of the last entry that the voice's copy of the commentary has followed."""
        self._on_air_seq = 0
        self._retry_at = 0.0
        self._bytes_left = MAX_SOUND_BYTES

    async def run(self) -> None:
        while True:
            task = await self._tasks.get()
            await task()
            self._tasks.task_done()

    async def wait_until_done(self) -> None:
        """Returns once everything that was requested is prepared."""
        await self._tasks.join()

    def recall(self, entry: TableEntry) -> None:
        """Follows an entry that was on air before this process started, without preparing speech for it."""
        if not is_from_desk(entry.event):
            self._shots.make_shot(entry, 0)
            self._last_followed_seq = entry.seq

    def prepare(self, group: Sequence[TableEntry]) -> None:
        self._tasks.put_nowait(partial(self._prepare_group, group))

    def prepare_thoughts(self, thoughts: Sequence[ThoughtShown]) -> None:
        if self._speaker_of_bot:
            self._tasks.put_nowait(partial(self._speak_thoughts, thoughts[:MAX_THOUGHTS]))

    def line_for_thought(self, shown: ThoughtShown) -> LineSpoken | None:
        speech = self._thoughts.pop(shown, None)
        waits_ms = 1000 * max(0.0, self._busy_until - self._clock())
        if speech is None or waits_ms > MAX_THOUGHT_WAIT_MS:
            return None
        self._thought_until = self._clock() + (waits_ms + speech.ms) / 1000
        name = self._write_sound(speech)
        return LineSpoken(name, speech.ms, self._min_weight_for_all > MIN_WEIGHT_FOR_ALL, shown.bot) if name else None

    def line_for_entry(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """Returns the line to speak with `entry`, and writes the line's sound. `shown` goes on air with `entry`."""
        self._on_air_seq = entry.seq
        if entry.seq not in self._ready_lines:
            return super().line_for_entry(entry, shown)
        caption, speech = self._ready_lines.pop(entry.seq)
        if caption.text != caption_of(shown) or speech.ms * self._pace() > caption.room_ms:
            return super().line_for_entry(entry, shown)
        now = self._clock()
        if caption.weight < INTERRUPTING_WEIGHT and now < self._thought_until:
            return None
        name = self._write_sound(speech)
        if not name:
            return None
        self.lines_spoken += 1
        self._busy_until, self._thought_until = now + speech.ms / 1000, 0.0
        return LineSpoken(name, speech.ms, caption.weight < self._min_weight_for_all)

    def _write_sound(self, speech: Speech) -> str:
        """Writes the file of a sound that goes on air now. Returns its name, or "" if it cannot be written."""
        name = sound_name(secrets.randbits(64))
        try:
            (self._media / name).write_bytes(speech.sound)
        except OSError as error:
            self._note_failure(f"its sound file cannot be written: {error.strerror}")
            return ""
        self._bytes_left -= len(speech.sound)
        if self._bytes_left <= 0:
            self._note_failure(f"its sounds have reached {MAX_SOUND_BYTES // 1_000_000} MB")
        return name

    # -- ahead of the show

    async def _prepare_group(self, group: Sequence[TableEntry]) -> None:
        await self._prepare_lines(captions_of(await self._follow(group)))

    async def _follow(self, group: Sequence[TableEntry]) -> list[UpcomingEntry]:
        """Returns the entries of `group` as they will be on air. A group is a hand, or one entry between hands."""
        await self._odds.wait_until_done()
        holds = self._shots.hold_times(group)
        shown = list[UpcomingEntry]()
        for entry, hold in zip(group, holds, strict=True):
            if entry.seq > self._last_followed_seq:
                shot = self._shots.make_shot(entry, hold)
                shown.append(UpcomingEntry(entry.seq, entry.event, caption_of(shot.events), shot.hold_ms))
                self._last_followed_seq = entry.seq
                await asyncio.sleep(0)
        return shown

    async def _prepare_lines(self, captions: Sequence[Caption]) -> None:
        self._ready_lines = {seq: ready for seq, ready in self._ready_lines.items() if seq > self._on_air_seq}
        free_at = 0.0
        for caption in captions:
            may_speak = self._clock() >= self._retry_at and self._bytes_left > 0
            due = may_speak and caption.seq > self._on_air_seq and caption.at_ms >= free_at
            room_ms = caption.room_ms / self._pace() / PACE_MARGIN
            if due and (speech := await self._speak(self._speaker, caption.text, room_ms)):
                self._ready_lines[caption.seq] = caption, speech
                free_at = caption.at_ms + speech.ms * self._pace()

    async def _speak_thoughts(self, thoughts: Sequence[ThoughtShown]) -> None:
        """Speaks each thought within the time for which it will be shown. Forgets the thoughts of the last hand."""
        self._thoughts = {}
        for shown in thoughts:
            if not (self._speaker_of_bot and self._clock() >= self._retry_at and self._bytes_left > 0):
                return
            if can_be_spoken(shown.text):
                speech = await self._speak(self._speaker_of_bot(shown.bot), shown.text, thought_ms(shown.text))
                if speech:
                    self._thoughts[shown] = speech

    async def _speak(self, speaker: Speaker, text: str, room_ms: float) -> Speech | None:
        try:
            speech = await asyncio.to_thread(speaker.speak_within, text, room_ms)
        except NoSpeech as error:
            self._note_failure(str(error))
            return None
        self.trouble = ""
        return speech

    def _note_failure(self, why: str) -> None:
        self._retry_at = self._clock() + RETRY_SECONDS
        if why != self.trouble:
            self.trouble = why
            self._log(why)

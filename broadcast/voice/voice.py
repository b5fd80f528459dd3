"""The voice of a show: a second commentary over the next hand, whose captions are spoken before they are on air.

No sound is in the folder of media before its caption is on air. The show never waits for the voice: what is not ready
in time is left out.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import NOTHING, Spoken, of_the_desk, sound_name
from broadcast.on_air.events import LineSpoken
from broadcast.on_air.table_state import TableEntry
from broadcast.show.shots import Shots, Voice, caption_of
from broadcast.voice.choice import FOR_ALL, Caption, Shown, captions_of
from broadcast.voice.speaker import NoSpeech, Speaker, Speech
from server.game.events import Event

AGAIN_SECONDS = 60.0
"""A program that has failed is not asked again before."""
MOST_BYTES = 500_000_000
"""Of all that is spoken in one show; it is far more than a long evening takes."""
SPARE = 1.03
"""The show may become so much faster until a line is on air."""


class _Ready(Struct, frozen=True):
    """A caption that is ready to be spoken."""

    caption: Caption
    speech: Speech

    def fits(self, text: str, pace: float) -> bool:
        """Whether it says `text`, and has the time for it in a show of that pace."""
        return self.caption.text == text and self.speech.ms * pace <= self.caption.room_ms


class ShowVoice(Voice):
    """Speaks the captions of one show that are worth it and fit into their time."""

    def __init__(
        self,
        speaker: Speaker,
        media: Path,
        odds: OddsWorker,
        *,
        pace: Callable[[], float],
        log: Callable[[str], object],
        for_all: bool = True,
        past: Spoken = NOTHING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Sounds go into the folder `media`; `pace` is how fast the show goes, `odds` those that it shows.

        `log` is told in one line why nothing is said. Unless it is `for_all`, everything spoken is for pages that
        describe the picture. `past` is what was said before this process began. `clock` gives seconds.
        """
        super().__init__(past)
        self.trouble = ""
        """Why nothing is spoken, "" while there is no trouble."""
        self.said = 0
        """How many lines it has spoken on air."""
        self._speaker = speaker
        self._media = media
        self._odds = odds
        self._pace = pace
        self._log = log
        self._least_for_all = FOR_ALL if for_all else 1000
        self._clock = clock
        self._shots = Shots(odds)
        self.commentaries = [self._shots.commentary]
        self._groups = asyncio.Queue[Sequence[TableEntry]]()
        self._ready: dict[int, _Ready] = {}
        self._followed = 0
        """The last entry that the second commentary has seen."""
        self._on_air = 0
        """The last entry that went on air."""
        self._again_at = 0.0
        self._bytes_left = MOST_BYTES

    async def run(self) -> None:
        """Prepares what is to be spoken, until it is cancelled."""
        while True:
            group = await self._groups.get()
            await self._prepare_lines(captions_of(await self._follow(group)))
            self._groups.task_done()

    async def done(self) -> None:
        """Returns when all that was given is prepared."""
        await self._groups.join()

    def recall(self, entry: TableEntry) -> None:
        """Takes in an entry that was on air before this process began."""
        if not of_the_desk(entry.event):
            self._shots.with_commentary(entry, 0)
            self._followed = entry.seq

    def prepare(self, group: Sequence[TableEntry]) -> None:
        """Takes in what will be on air next, in the order of the log."""
        self._groups.put_nowait(group)

    def line(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """What is spoken with `entry`, which goes on air now as the events `shown`. Its sound is there from now on."""
        self._on_air = entry.seq
        ready = self._ready.pop(entry.seq, None)
        if not ready or not ready.fits(caption_of(shown), self._pace()):
            return super().line(entry, shown)
        name = sound_name(secrets.randbits(64))
        try:
            (self._media / name).write_bytes(ready.speech.sound)
        except OSError as error:
            self._fail(f"its sound cannot be written: {error.strerror}")
            return None
        self.said += 1
        self._bytes_left -= len(ready.speech.sound)
        if self._bytes_left <= 0:
            self._fail(f"its sounds have come to {MOST_BYTES // 1_000_000} MB")
        return LineSpoken(name, ready.speech.ms, ready.caption.weight < self._least_for_all)

    # -- ahead of the show

    async def _follow(self, group: Sequence[TableEntry]) -> list[Shown]:
        """What of `group` will be on air."""
        await self._odds.done()
        holds = self._shots.hold_times(group)
        shown = list[Shown]()
        for entry, hold in zip(group, holds, strict=True):
            if entry.seq > self._followed:
                shot = self._shots.with_commentary(entry, hold)
                shown.append(Shown(entry.seq, entry.event, caption_of(shot.events), shot.hold))
                self._followed = entry.seq
                await asyncio.sleep(0)
        return shown

    async def _prepare_lines(self, captions: Sequence[Caption]) -> None:
        self._ready = {seq: ready for seq, ready in self._ready.items() if seq > self._on_air}
        free_at = 0.0
        for caption in captions:
            may_speak = self._clock() >= self._again_at and self._bytes_left > 0
            due = may_speak and caption.seq > self._on_air and caption.at_ms >= free_at
            if due and (speech := await self._spoken(caption)):
                self._ready[caption.seq] = _Ready(caption, speech)
                free_at = caption.at_ms + speech.ms * self._pace()

    async def _spoken(self, caption: Caption) -> Speech | None:
        try:
            speech = await asyncio.to_thread(
                self._speaker.fitting, caption.text, caption.room_ms / self._pace() / SPARE
            )
        except NoSpeech as error:
            self._fail(str(error))
            return None
        self.trouble = ""
        return speech

    def _fail(self, why: str) -> None:
        self._again_at = self._clock() + AGAIN_SECONDS
        if why != self.trouble:
            self.trouble = why
            self._log(why)

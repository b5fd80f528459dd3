"""Makes the shots of a show. A shot is a recorded event, such as a bet, with its captions, odds, focus, spoken line and
time on screen.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.commentary import Commentary
from broadcast.commentary.drama import drama_of
from broadcast.commentary.storylines.earlier_facts import EarlierFacts
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.diary import NOTHING_SPOKEN, SpokenLines
from broadcast.on_air.events import CaptionSpoken, FocusChanged, LineSpoken, ThoughtShown
from broadcast.on_air.table_state import TableEntry
from broadcast.show.attention import Attention
from broadcast.show.hold_times import hold_times, hold_with_commentary
from broadcast.show.show_queue import ShowQueue
from server.game.events import ControlSet, CueGiven, Event, HandEnded, HandStarted


class Shot(Struct, frozen=True, gc=False):
    """The events that go on air at one moment, and how long they hold the screen, in milliseconds at speed 1."""

    events: tuple[Event, ...]
    hold_ms: int
    note: int = 0
    """If the shot shows a bot's thought, the number of the thought's entry in the journal (the contest's recording),
    else 0.
    """

    @property
    def event(self) -> Event:
        """The recorded event. The other events are the commentary on it."""
        return self.events[0]


class Voice:
    """Speaks the captions of one show. This base class only repeats the lines that were `spoken` in an earlier run."""

    def __init__(self, spoken: SpokenLines = NOTHING_SPOKEN) -> None:
        self._spoken = spoken
        self.commentaries: list[Commentary] = []
        """The voice's own commentaries. They have read entries that are not on air yet."""

    def recall(self, entry: TableEntry) -> None:
        """Records an entry that was on air before this process started."""

    def prepare(self, group: Sequence[TableEntry]) -> None:
        """Prepares for the next `group` of entries: a whole hand, or one entry between hands. Groups come in journal
        order.
        """

    def prepare_thoughts(self, thoughts: Sequence[ThoughtShown]) -> None:
        """Prepares for the thoughts that may be shown in the hand that goes on air now."""

    def line_for_thought(self, shown: ThoughtShown) -> LineSpoken | None:
        """Returns the line to speak with a thought that is shown now, or None."""

    def line_for_entry(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """Returns the line to speak with `entry`, or None. The entry goes on air now, with the commentary `shown`."""
        spoken = self._spoken.get(entry.seq)
        return spoken.line if spoken and spoken.speaks(caption_of(shown)) else None


def caption_of(shown: Sequence[Event]) -> str:
    """Returns the caption among the events `shown`, or "" if there is none."""
    return next((event.text for event in reversed(shown) if isinstance(event, CaptionSpoken)), "")


class ShotMaker:
    """Makes the shots of one show. Without an odds calculator, shots have no chances to win.

    Without a voice, nothing is spoken.
    """

    def __init__(self, odds: OddsCalculator | None, voice: Voice | None = None) -> None:
        self._odds = odds
        self.voice = voice or Voice()
        self.commentary = Commentary()
        self._attention = Attention()

    def use_earlier_contests(self, earlier: EarlierFacts) -> None:
        """Lets storylines include earlier contests from now on."""
        for commentary in (self.commentary, *self.voice.commentaries):
            commentary.storylines.earlier_facts = earlier

    def announce(self, line: Storyline) -> None:
        """Marks a storyline as announced."""
        for commentary in (self.commentary, *self.voice.commentaries):
            commentary.announce(line)

    def prepare(self, queue: ShowQueue, after_seq: int) -> None:
        """Lets the odds calculator and the voice prepare for the queued entries after entry number `after_seq`, up to
        the next whole hand.
        """
        for group in queue.preview_groups(after_seq):
            if self._odds and isinstance(group[-1].event, HandEnded):
                self._odds.prepare(group)
            self.voice.prepare(group)

    async def prepare_past_odds(self, past: Sequence[TableEntry]) -> None:
        """Waits until the odds of all past hands are computed, because replays and statistics need them."""
        if self._odds and past:
            self._odds.prepare(past)
            await self._odds.wait_until_done()

    def hold_times(self, entries: Sequence[TableEntry]) -> list[int]:
        """Returns how long each of `entries` holds the screen, in ms at speed 1. The times depend on the hand's drama
        (`score`) and on how much of the hand's deal is told (`coverage`).
        """
        odds = self._odds.computed_odds(entries) if self._odds else {}
        score = drama_of(entries, odds).score if isinstance(entries[0].event, HandStarted) else None
        return hold_times([entry.event for entry in entries], self.commentary.sounds_ms(), score, entries[0].coverage)

    def make_shot(self, entry: TableEntry, hold_ms: int) -> Shot:
        """Returns the shot of `entry`.

        The shot holds the screen for `hold_ms` ms at speed 1, or longer if its commentary needs more time. From now on
        the entry counts as shown. An entry by the operator gets no commentary and does not hold the screen. The
        operator's name is left out.
        """
        if isinstance(entry.event, ControlSet | CueGiven):
            return Shot((replace(entry.event, operator=""),), 0)
        odds = self._odds.odds_after(entry) if self._odds else []
        added = [*self.commentary.events_after(entry, odds), *odds]
        hold_ms = hold_with_commentary(hold_ms, entry.event, added, entry.coverage)
        line = self.voice.line_for_entry(entry, added)
        focus = self._attention.events_after(entry, odds)
        # At a silent moment, the caption is spoken only for viewers who cannot see the picture.
        if line and any(isinstance(event, FocusChanged) and event.silent for event in focus):
            line = replace(line, describe=True)
        added += focus
        return Shot((entry.event, *added, line) if line else (entry.event, *added), hold_ms)

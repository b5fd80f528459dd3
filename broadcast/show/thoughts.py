"""Chooses which thoughts of bots go on air, each with the action that it is about. No I/O.

A thought is worth more if its action is about more chips. Thoughts that are untrue, or about an act that decides a big
pot, are worth most. Repeated thoughts are worth little. The next street or the winner is shown only after a thought has
been read. After an act that decides a big pot, nothing new is shown until the thought has been read. All choices depend
only on what has been on air, the show's pace, and the thought itself. So they do not give away how the hand continues.
"""

import asyncio
import math
import re
from collections.abc import Iterable, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.commentary.belief import believes_ahead
from broadcast.commentary.claims.claim import Reading
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.thought_excerpt import choose_excerpt, comparable_sentences
from broadcast.on_air.diary import DiaryLine, NotesRead, ThoughtLine
from broadcast.on_air.events import ThoughtChecked, ThoughtShown
from broadcast.on_air.picture_speech import chat_after, thought_read_at_ms
from broadcast.on_air.picture_state import Chat, State
from broadcast.on_air.shared_types import Checked
from broadcast.on_air.table_state import TableEntry
from broadcast.show.attention import BIG_POT, has_less_than_pair
from server.game.events import ActionTaken, Event, HandStarted, NoteGiven, PotAwarded, StreetDealt, TurnStarted
from server.journal.journal import Entry

MIN_WORTH = 0.035
"""Only thoughts that are worth at least this much go on air. Routine folds before the flop are worth less."""
BASE_WORTH, RISK_WORTH = 0.04, 0.5
"""A thought is worth BASE_WORTH, plus the pot as a fraction of all chips, plus RISK_WORTH if its bot has bet its whole
stack. A smaller bet adds less, in proportion.
"""
DECISIVE_FACTOR, UNTRUE_FACTOR, FOLDED_FACTOR, REPEATED_FACTOR = 3.0, 3.0, 0.4, 0.3
"""These factors multiply the worth of a thought. DECISIVE_FACTOR is for a decisive act, and FOLDED_FACTOR for a fold.
UNTRUE_FACTOR is for an untrue claim or an estimate that is far off. REPEATED_FACTOR is for what the bot has said
before.
"""
REPLACING_FACTOR = 1.5
"""A new thought may replace the thought on screen if it is worth at least this many times as much."""
MAX_PACE = 3.0
"""Thoughts go on air only up to this pace; 1 is normal. At a higher pace, nobody could read a thought in time."""
REMEMBERED_THOUGHTS, MIN_SHARED_FRACTION = 3, 0.7
"""A thought is compared with its bot's last REMEMBERED_THOUGHTS thoughts. It repeats one of those thoughts if at least
MIN_SHARED_FRACTION of the different words in these two thoughts are in both.
"""
_WORDS = re.compile(r"\w+")
_Tally = tuple[int, int]
"""How many claims a bot has made, and how many of them were false."""


class ChosenThought(Struct, frozen=True):
    """A thought to put on air: a part of the bot's note, which is entry number `note` of the journal. `checked_note`
    has all claims of the note.
    """

    event: ThoughtShown
    note: int
    checked_note: ThoughtChecked


class ActionMoment(Struct, frozen=True):
    """The moment of an action. `picture` is the picture before the action. The other fields are the time, how long the
    action is on screen, and the pace of the show. All times are in real milliseconds.
    """

    picture: State
    at_ms: int
    hold_ms: int
    pace: float


class Thoughts:
    """Follows the entries that go on air, and chooses the thoughts to show with them."""

    def __init__(self, past_lines: Iterable[DiaryLine] = ()) -> None:
        """`past_lines` has the diary's lines about what was on air before a restart. When the past is recalled, only
        the thoughts in these lines are shown.
        """
        lines = list(past_lines)
        self._past_notes = {line.seq: line.note for line in lines if isinstance(line, ThoughtLine)}
        self.last_seq = max((line.note for line in lines if isinstance(line, NotesRead | ThoughtLine)), default=0)
        """The number of the last entry that was read before a restart."""
        self._reader = ThoughtReader()
        self._notes: dict[int, ChosenThought] = {}
        """The notes on the hand on air, keyed by the number of the action in the hand."""
        self._recalled: dict[int, ChosenThought] = {}
        """The notes that were read before a restart, keyed by the numbers of their entries."""
        self._action_number = 0
        self._recent_words: dict[int, tuple[frozenset[str], ...]] = {}
        """The words of the last thoughts of each bot that were on air."""
        self._told_sentences: dict[int, set[str]] = {}
        """For each bot, the sentences of its thoughts that were on air before the latest hand was read."""
        self._shown: list[ThoughtShown] = []
        """The thoughts that have been on air since the latest hand was read."""
        self._action_seqs: list[int] = []
        """The entry numbers of the acts in the latest hand that was read."""
        self._believed_ahead_seqs: set[int] = set()
        """The entry numbers of acts whose bots believed that they were ahead."""
        self._last_worth = 0.0
        """What the last thought on air was worth."""
        self._claim_counts: dict[int, _Tally] = {}
        """For each bot, the number of claims in its notes so far, and the number of false claims among them."""
        self._counts_after_note: dict[int, _Tally] = {}
        """The bot's `_claim_counts` after each note, keyed by the note's entry number. After a restart, some notes are
        read again but not counted again.
        """

    def claims_to_show(self, entry: Entry) -> ThoughtChecked | None:
        """Returns the claims and estimates to put on air if `entry` is a note that has any, otherwise None."""
        chosen = self._recalled.get(entry.seq)
        if not chosen and isinstance(entry.event, NoteGiven):
            chosen = self._notes.get(entry.event.action)
        return chosen.checked_note if chosen and chosen.note == entry.seq and chosen.checked_note.checked else None

    @property
    def hand_thoughts(self) -> list[ThoughtShown]:
        """The thoughts that may be shown in the hand on air, in the order of their actions."""
        return [self._notes[action].event for action in sorted(self._notes)]

    async def recall(self, past: Sequence[Entry]) -> None:
        """Reads the entries up to number `last_seq`, which were read before a restart."""
        self._recalled = {chosen.note: chosen for chosen in await self._read_all(past)}

    def with_belief(self, entry: TableEntry) -> TableEntry:
        """Returns `entry`, with `believes_ahead` set if the acting bot thought that it was ahead. The entry must have
        been read.
        """
        return replace(entry, believes_ahead=True) if entry.seq in self._believed_ahead_seqs else entry

    async def read_group(self, group: Sequence[Entry], notes: Sequence[Entry]) -> None:
        """Reads the entries that go on air next: a hand and the `notes` on it, or an entry between hands."""
        chosen = await self._read_all([*group, *notes])
        if any(isinstance(entry.event, HandStarted) for entry in group):
            self._notes = {thought.checked_note.action: thought for thought in chosen}

    def recalled_thought(self, entry: TableEntry) -> ChosenThought | None:
        """Returns the thought that was on air with `entry` before this process started, or None if there was none."""
        self._count_action(entry)
        chosen = self._recalled.get(self._past_notes.get(entry.seq, 0))
        if chosen:
            self._record(entry, chosen.event)
        return chosen

    def choose_thought(self, entry: TableEntry, moment: ActionMoment) -> ChosenThought | None:
        """Returns the thought to put on air with `entry`, or None for no thought. `entry` goes on air now."""
        self._count_action(entry)
        chosen = self._notes.get(self._action_number)
        is_told = entry.coverage.detail == "full" and isinstance(entry.event, ActionTaken)
        if not (chosen and is_told and self._may_show(entry, chosen.event, moment)):
            return None
        self._record(entry, chosen.event)
        return chosen

    def _may_show(self, entry: TableEntry, thought: ThoughtShown, moment: ActionMoment) -> bool:
        """Whether a thought may be shown now: it is worth enough, and there is time to read it."""
        picture, at_ms = moment.picture, moment.at_ms
        is_off = picture.desk.thoughts is False or thought.bot in picture.desk.chat_off
        if is_off or moment.pace == 0 or moment.pace > MAX_PACE:
            return False
        worth = self._worth_of(entry, thought)
        is_busy = any(line.is_thought and line.to_ms > at_ms for line in picture.chat)
        if worth < MIN_WORTH or (is_busy and worth < REPLACING_FACTOR * self._last_worth):
            return False
        lines = chat_after(picture, picture.seq + 1, at_ms, moment.hold_ms, thought)
        from_ms = next((line.from_ms for line in lines if line.seq == picture.seq + 1), None)
        # a decisive act stays on screen until its thought has been read
        return from_ms is not None and (is_decisive(entry) or from_ms - at_ms <= moment.hold_ms / 2)

    async def _read_all(self, entries: Iterable[Entry]) -> list[ChosenThought]:
        """Reads entries one by one. Lets other tasks run after each note, because reading a note takes milliseconds."""
        thoughts, past_notes = list[ChosenThought](), {*self._past_notes.values()}
        for entry in entries:
            if isinstance(entry.event, HandStarted):
                self._begin_hand()
            if isinstance(entry.event, ActionTaken):
                self._action_seqs.append(entry.seq)
            if chosen := self._read(entry):
                thoughts.append(chosen)
                self._shown += [chosen.event] if entry.seq in past_notes else []
                await asyncio.sleep(0)
        return thoughts

    def _begin_hand(self) -> None:
        for thought in self._shown:
            self._told_sentences.setdefault(thought.bot, set()).update(comparable_sentences(thought.text))
        self._shown, self._action_seqs = [], []

    def _read(self, entry: Entry) -> ChosenThought | None:
        """Reads an entry. If the entry is a note, returns the part that may be shown, otherwise None."""
        reading, note = self._reader.apply(entry.event), entry.event
        if not isinstance(note, NoteGiven):
            return None
        full_text = note.text if note.thought is UNSET else note.thought
        marks = _checked_claims(reading) if reading else ()
        if reading and believes_ahead(full_text, reading):
            self._believed_ahead_seqs.add(self._action_seqs[note.action - 1])
        part = choose_excerpt(full_text, marks, self._told_sentences.get(note.bot, ()))
        checked_note = ThoughtChecked(note.bot, note.action, marks)
        thought = ThoughtShown(note.bot, part.text, part.checked, *self._count_claims(entry.seq, checked_note))
        return ChosenThought(thought, entry.seq, checked_note)

    def _count_claims(self, note: int, checked_note: ThoughtChecked) -> _Tally:
        """Returns how many claims the bot has made up to this note, and how many of those claims were false."""
        if note not in self._counts_after_note:
            count, false_count = self._claim_counts.get(checked_note.bot, (0, 0))
            claims = [mark for mark in checked_note.checked if not mark.estimate]
            false_count += sum(not claim.right for claim in claims)
            self._claim_counts[checked_note.bot] = count + len(claims), false_count
            self._counts_after_note[note] = self._claim_counts[checked_note.bot]
        return self._counts_after_note[note]

    def _count_action(self, entry: TableEntry) -> None:
        if isinstance(entry.event, HandStarted):
            self._action_number = 0
        self._action_number += isinstance(entry.event, ActionTaken)

    def _record(self, entry: TableEntry, thought: ThoughtShown) -> None:
        self._shown.append(thought)
        self._last_worth = self._worth_of(entry, thought)
        recent_words = (_words_of(thought), *self._recent_words.get(thought.bot, ()))
        self._recent_words[thought.bot] = recent_words[:REMEMBERED_THOUGHTS]

    def _worth_of(self, entry: TableEntry, thought: ThoughtShown) -> float:
        """Returns what a thought is worth to viewers, or 0 if `entry` is not an action."""
        action, table = entry.event, entry.table
        if not isinstance(action, ActionTaken):
            return 0.0
        seat = table.seats[action.seat]
        worth = BASE_WORTH + table.pot / max(1, sum(other.starting_stack for other in table.seats))
        worth += RISK_WORTH * seat.committed / max(1, seat.starting_stack)
        words = _words_of(thought)
        is_repeated = any(
            len(words & other) >= MIN_SHARED_FRACTION * len(words | other)
            for other in self._recent_words.get(thought.bot, ())
        )
        factors = (
            DECISIVE_FACTOR if is_decisive(entry) else 1,
            UNTRUE_FACTOR if any(not mark.right for mark in thought.checked) else 1,
            FOLDED_FACTOR if action.act == "fold" else 1,
            REPEATED_FACTOR if is_repeated else 1,
        )
        return worth * math.prod(factors)


def is_decisive(entry: TableEntry) -> bool:
    """Whether an entry is an act that decides a big pot. In such an act, a bot puts its last chips in, plays on against
    a bot that is all in, or bluffs. A bluff is a bet with less than a pair by a bot that does not believe it is ahead.
    """
    act, table = entry.event, entry.table
    if not isinstance(act, ActionTaken) or act.act not in ("call", "bet", "raise"):
        return False
    is_all_in = any(seat.is_in_hand and seat.all_in for seat in table.seats)
    is_bluff = act.act != "call" and has_less_than_pair(table, act.seat) and not entry.believes_ahead
    return (is_all_in or is_bluff) and table.pot >= BIG_POT * sum(seat.starting_stack for seat in table.seats)


def unread_ms(lines: Sequence[Chat], at_ms: int, entry: TableEntry, next_event: Event | None) -> int:
    """Returns how many milliseconds `entry` must stay on air so that viewers can read the thoughts among `lines`.

    The thought about a decisive act is shown for its whole time. If `next_event` deals a street or awards a pot, it
    ends all thoughts. If `next_event` starts a turn, it ends only the thoughts of the bot to act. The thoughts that end
    are shown for at least two thirds of their time.
    """
    full_time, ending_thoughts = is_decisive(entry), [line for line in lines if line.is_thought]
    if isinstance(next_event, TurnStarted) and not full_time:
        ending_thoughts = [line for line in ending_thoughts if line.bot == entry.table.bots[next_event.seat]]
    elif not full_time and not isinstance(next_event, StreetDealt | PotAwarded):
        return 0
    return max((thought_read_at_ms(line, full_time=full_time) - at_ms for line in ending_thoughts), default=0)


def _checked_claims(reading: Reading) -> tuple[Checked, ...]:
    """Returns the claims and the estimates of winning, in the order of the text. Leaves out an estimate that overlaps a
    claim.
    """
    claims = [Checked(claim.start, claim.end, claim.right, claim.truth) for claim in reading.claims]
    estimates = [
        Checked(
            estimate.start,
            estimate.end,
            not estimate.is_far_off,
            f"real: {estimate.shown}",
            estimate=True,
            close=estimate.is_close or UNSET,
        )
        for estimate in reading.estimates
        if estimate.real_chance is not None
        and all(estimate.end <= claim.start or claim.end <= estimate.start for claim in claims)
    ]
    return tuple(sorted([*claims, *estimates], key=lambda mark: mark.start))


def _words_of(thought: ThoughtShown) -> frozenset[str]:
    return frozenset(_WORDS.findall(thought.text.lower()))

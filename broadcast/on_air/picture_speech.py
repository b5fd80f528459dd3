"""Decides when each line of chat and each thought is on screen. `static/js/overlay/reducer-speech.js` does the same.

No I/O. A line waits while viewers read another line, in silent moments, and while the picture shows what is at stake. A
line that waits too long is dropped. Each bot has at most one line in the queue. Thoughts are shown before chat. A
thought ends when its bot's next turn starts, when the next street is dealt, or when a pot is won. After two thirds of
its reading time, a thought also ends if a new thought waits. Chat stays at most until the award of a pot is over.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from broadcast.on_air.events import FocusChanged, StakesShown, StorylineTold, ThoughtShown
from broadcast.on_air.picture_state import Chat, State
from broadcast.on_air.shared_types import Checked
from server.game.events import ActionTaken, ChatSent, Event, PotAwarded, StreetDealt, TurnStarted

MAX_WAIT_MS = 5000
"""A line is dropped if it has to wait for more milliseconds than this."""
MIN_SHOWN_MS, MAX_CHAT_MS = 2500, 7000
"""The shortest time for which a line is shown, and the longest for which chat is shown, in milliseconds."""
WORD_MS, NOTICE_CHAT_MS = 375, 1000
"""The time to read a word, and the time to notice the line, in milliseconds."""
CHARACTER_MS, NOTICE_THOUGHT_MS, MAX_THOUGHT_MS = 60, 600, 10_000
"""A thought is read more slowly than chat: at 17 characters a second, like subtitles. The values, in milliseconds, are
the times to read a character and to notice the thought, and the longest time on screen.
"""


def reading_ms(text: str) -> int:
    """Returns for how many milliseconds a line of chat is shown."""
    return min(MAX_CHAT_MS, max(MIN_SHOWN_MS, WORD_MS * len(text.split()) + NOTICE_CHAT_MS))


def thought_ms(text: str, checked: Sequence[Checked] = ()) -> int:
    """Returns for how many milliseconds a thought is shown. Viewers read its `text` and the corrections beside its
    false claims and its estimates.
    """
    characters = len(text) + sum(len(mark.truth) + len(" []") for mark in checked if mark.truth)
    return min(MAX_THOUGHT_MS, max(MIN_SHOWN_MS, CHARACTER_MS * characters + NOTICE_THOUGHT_MS))


def thought_read_at_ms(thought: Chat, *, full_time: bool = False) -> int:
    """Returns when a thought has been on screen for two thirds of its time, in milliseconds of the show. With
    `full_time`, returns when its whole time on screen is over.
    """
    ms = thought_ms(thought.text, thought.checked or ())
    return thought.from_ms + (ms if full_time else 2 * ms // 3)


_CHAT_EVENTS = (
    TurnStarted, ActionTaken, StakesShown, FocusChanged, StreetDealt, PotAwarded, ChatSent, StorylineTold, ThoughtShown,
)  # fmt: skip


def chat_after(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> tuple[Chat, ...]:
    """Returns the lines that are on screen or waiting after `event`, with their times."""
    is_loud = isinstance(event, FocusChanged) and not event.silent
    if not isinstance(event, _CHAT_EVENTS) or is_loud:
        return state.chat
    acting_bot = state.seats[event.seat].bot if isinstance(event, TurnStarted | ActionTaken) else None
    lines = tuple(
        line for line in state.chat if line.to_ms > at_ms and not (line.is_thought and line.bot == acting_bot)
    )
    if isinstance(event, ChatSent | StorylineTold | ThoughtShown):
        return _add_line(state, lines, seq, at_ms, hold_ms, event) if event.bot in state.seated_bots else lines
    if isinstance(event, TurnStarted | ActionTaken):
        return lines
    if isinstance(event, StreetDealt):
        return tuple(line for line in lines if not line.is_thought)
    if isinstance(event, PotAwarded):
        # drops thoughts and waiting lines, and keeps the line on screen at most until the award is over
        chat = (line for line in lines if line.from_ms <= at_ms and not line.is_thought)
        return tuple(replace(line, to_ms=min(line.to_ms, at_ms + hold_ms)) for line in chat)
    thoughts = tuple(line for line in lines if line.is_thought)
    staying = thoughts if isinstance(event, FocusChanged) else tuple(_shorten(line, at_ms) for line in thoughts)
    return _postpone(staying, (line for line in lines if not line.is_thought), at_ms, at_ms + hold_ms)


def _add_line(  # noqa: PLR0917 (the lines, and the entry)
    state: State,
    lines: tuple[Chat, ...],
    seq: int,
    at_ms: int,
    hold_ms: int,
    event: ChatSent | StorylineTold | ThoughtShown,
) -> tuple[Chat, ...]:
    """Adds the words of a bot at the table, or words about that bot. A thought stays on screen for at least
    `hold_ms`.
    """
    if isinstance(event, ThoughtShown):
        thought = Chat(
            *(seq, at_ms, event.bot, event.text),
            checked=event.checked,
            street=state.hand.street if state.hand else UNSET,
            claims=event.claims,
            false_claims=event.false_claims,
        )
        earlier = tuple(_shorten(line, at_ms) for line in lines if line.is_thought)
        others = (line for line in lines if not line.is_thought and line.bot != event.bot)
        first = _enqueue(earlier, thought, at_ms, at_ms + hold_ms)
        return _postpone(first, others, at_ms, at_ms)
    if event.bot in (line.bot for line in lines):
        return lines
    return _enqueue(lines, Chat(seq, at_ms, event.bot, event.text, about=isinstance(event, StorylineTold)), at_ms)


def _shorten(thought: Chat, at_ms: int) -> Chat:
    """Ends a thought once two thirds of its reading time are over."""
    return replace(thought, to_ms=min(thought.to_ms, max(at_ms, thought_read_at_ms(thought))))


def _postpone(first: tuple[Chat, ...], lines: Iterable[Chat], at_ms: int, until_ms: int) -> tuple[Chat, ...]:
    """Moves the `lines` so that they follow `first`, and do not begin before `until_ms`. Drops a line that has been
    shown for half of its time.
    """
    postponed = first
    for line in lines:
        if line.from_ms + line.to_ms > 2 * at_ms:
            postponed = _enqueue(postponed, line, until_ms)
    return postponed


def _enqueue(lines: tuple[Chat, ...], line: Chat, earliest_ms: int, min_to_ms: int = 0) -> tuple[Chat, ...]:
    from_ms = max(earliest_ms, lines[-1].to_ms if lines else 0)
    if from_ms - line.at_ms > MAX_WAIT_MS:
        return lines
    length = thought_ms(line.text, line.checked or ()) if line.is_thought else reading_ms(line.text)
    return (*lines, replace(line, from_ms=from_ms, to_ms=max(from_ms + length, min_to_ms)))

"""Who speaks when: one voice at a time, in order. The twin of `static/js/overlay/reducer-speech.js`. Pure.

A line waits until others are read, in silent moments, and while the picture shows what is at stake, or is
dropped. Each bot has at most one line in the queue, and the lines of a hand end with its pot. A thought comes before
all chat, and ends when its bot acts again or a pot is won; whatever else follows, it stays for two thirds of its time.
It never begins on a later street than its own: it was held against the board of that street.
"""

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from broadcast.on_air.events import FocusChanged, StakesShown, StorylineTold, ThoughtShown
from broadcast.on_air.picture_state import Chat, State
from server.game.events import ActionTaken, ChatSent, Event, PotAwarded, StreetDealt

PATIENCE_MS = 4000
"""A line that has to wait for more milliseconds than this is dropped."""
MIN_MS, MAX_MS = 2500, 7000
"""The shortest and the longest time for which a line is shown, in milliseconds."""
WORD_MS, GLANCE_MS = 375, 1000
"""The milliseconds that it takes to read a word, and to notice the line."""
CHARACTER_MS, LOOK_MS, LONGEST_MS = 60, 600, 10_000
"""A thought is read more slowly than chat. These are the milliseconds that it takes for each character, and to notice
it, and the most that it is shown.
"""


def reading_ms(text: str) -> int:
    """Returns how long a line is shown so that it can be read, in milliseconds."""
    return min(MAX_MS, max(MIN_MS, WORD_MS * len(text.split()) + GLANCE_MS))


def thought_ms(text: str) -> int:
    """Returns how long a thought is shown so that it can be read, in milliseconds: 60 for each character."""
    return min(LONGEST_MS, max(MIN_MS, CHARACTER_MS * len(text) + LOOK_MS))


def chat_after(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> tuple[Chat, ...]:
    """Returns the lines that are shown or wait after the entry, with their times."""
    changing = (
        ActionTaken | StakesShown | FocusChanged | StreetDealt | PotAwarded | ChatSent | StorylineTold | ThoughtShown
    )
    is_loud = isinstance(event, FocusChanged) and not event.silent
    if not isinstance(event, changing) or is_loud:
        return state.chat
    acts = state.seats[event.seat].bot if isinstance(event, ActionTaken) else None
    lines = tuple(line for line in state.chat if line.to_ms > at_ms and not (line.is_thought and line.bot == acts))
    if isinstance(event, ChatSent | StorylineTold | ThoughtShown):
        return _spoken(state, lines, seq, at_ms, event) if event.bot in state.sitting else lines
    if isinstance(event, ActionTaken):
        return lines
    if isinstance(event, StreetDealt):
        begun = (line for line in lines if not line.is_thought or line.from_ms <= at_ms)
        return tuple(_shortened(line, at_ms) if line.is_thought else line for line in begun)
    if isinstance(event, PotAwarded):
        # waiting lines and thoughts are dropped; the line on screen ends with the pot
        chat = (line for line in lines if line.from_ms <= at_ms and not line.is_thought)
        return tuple(replace(line, to_ms=min(line.to_ms, at_ms + hold_ms)) for line in chat)
    thoughts = tuple(line for line in lines if line.is_thought)
    staying = thoughts if isinstance(event, FocusChanged) else tuple(_shortened(line, at_ms) for line in thoughts)
    return _postpone(staying, (line for line in lines if not line.is_thought), at_ms, at_ms + hold_ms)


def _spoken(
    state: State, lines: tuple[Chat, ...], seq: int, at_ms: int, event: ChatSent | StorylineTold | ThoughtShown
) -> tuple[Chat, ...]:
    """Adds the words of a bot at the table, or words about that bot."""
    if isinstance(event, ThoughtShown):
        street = state.hand.street if state.hand else UNSET
        thought = Chat(seq, at_ms, event.bot, event.text, checked=event.checked, street=street)
        earlier = tuple(_shortened(line, at_ms) for line in lines if line.is_thought)
        others = (line for line in lines if not line.is_thought and line.bot != event.bot)
        return _postpone(_enqueue(earlier, thought, at_ms), others, at_ms, at_ms)
    if event.bot in (line.bot for line in lines):
        return lines
    return _enqueue(lines, Chat(seq, at_ms, event.bot, event.text, about=isinstance(event, StorylineTold)), at_ms)


def _shortened(thought: Chat, at_ms: int) -> Chat:
    """Ends a thought once two thirds of its time are over."""
    enough = thought.from_ms + 2 * thought_ms(thought.text) // 3
    return replace(thought, to_ms=min(thought.to_ms, max(at_ms, enough)))


def _postpone(first: tuple[Chat, ...], lines: Iterable[Chat], at_ms: int, until_ms: int) -> tuple[Chat, ...]:
    """Moves the lines to after `first` and `until_ms`. Drops a line that has been shown for half of its time."""
    later = first
    for line in lines:
        if line.from_ms + line.to_ms > 2 * at_ms:
            later = _enqueue(later, line, until_ms)
    return later


def _enqueue(lines: tuple[Chat, ...], line: Chat, free_ms: int) -> tuple[Chat, ...]:
    from_ms = max(free_ms, lines[-1].to_ms if lines else 0)
    if from_ms - line.at_ms > PATIENCE_MS:
        return lines
    length = thought_ms(line.text) if line.is_thought else reading_ms(line.text)
    return (*lines, replace(line, from_ms=from_ms, to_ms=from_ms + length))

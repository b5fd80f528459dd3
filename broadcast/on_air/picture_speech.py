"""Who speaks when: one voice at a time, in order. The twin of `static/js/overlay/reducer-speech.js`. Pure.

A line waits until the earlier lines have been read. It also waits in silent moments, and while the picture shows what
is at stake. A line that would be shown too late is dropped. Each bot has at most one line in the queue, so a talkative
bot leaves room for others. Only bots at the table speak. The lines of a hand end with its pot, because "I fold" would
be wrong during the next hand.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from broadcast.on_air.events import FocusChanged, StakesShown, StorylineTold
from broadcast.on_air.picture_state import Chat, State
from server.game.events import ChatSent, Event, PotAwarded

PATIENCE_MS = 4000
"""A line that has to wait for more milliseconds than this is dropped."""
MIN_MS, MAX_MS = 2500, 7000
"""The shortest and the longest time for which a line is shown, in milliseconds."""
WORD_MS, GLANCE_MS = 375, 1000
"""The milliseconds that it takes to read a word, and to notice the line."""


def reading_ms(text: str) -> int:
    """Returns how long a line is shown so that it can be read, in milliseconds."""
    return min(MAX_MS, max(MIN_MS, WORD_MS * len(text.split()) + GLANCE_MS))


def chat_after(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> tuple[Chat, ...]:
    """Returns the lines that are shown or wait after the entry, with their times."""
    if not isinstance(event, StakesShown | FocusChanged | PotAwarded | ChatSent | StorylineTold):
        return state.chat
    lines = tuple(line for line in state.chat if line.to_ms > at_ms)
    if isinstance(event, FocusChanged) and not event.silent:
        return state.chat
    if isinstance(event, StakesShown | FocusChanged):
        return _postpone(lines, at_ms, at_ms + hold_ms)
    if isinstance(event, PotAwarded):
        # waiting lines are dropped; the line on screen ends with the pot
        return tuple(replace(each, to_ms=min(each.to_ms, at_ms + hold_ms)) for each in lines if each.from_ms <= at_ms)
    if event.bot in (line.bot for line in lines) or event.bot not in state.sitting:
        return lines
    return _enqueue(lines, Chat(seq, at_ms, event.bot, event.text, about=isinstance(event, StorylineTold)), at_ms)


def _postpone(lines: Iterable[Chat], at_ms: int, until_ms: int) -> tuple[Chat, ...]:
    """Moves the lines to after `until_ms`. Drops a line that has already been shown for half of its time."""
    later: tuple[Chat, ...] = ()
    for line in lines:
        if line.from_ms + line.to_ms > 2 * at_ms:
            later = _enqueue(later, line, until_ms)
    return later


def _enqueue(lines: tuple[Chat, ...], line: Chat, free_ms: int) -> tuple[Chat, ...]:
    from_ms = max(free_ms, lines[-1].to_ms if lines else 0)
    if from_ms - line.at_ms > PATIENCE_MS:
        return lines
    return (*lines, replace(line, from_ms=from_ms, to_ms=from_ms + reading_ms(line.text)))

"""Phrases that name something a bot may have: cards, a made hand, a draw. Each has a function that checks whether the
bot has it. No I/O.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge

Check = Callable[[BotKnowledge, re.Match[str]], bool | None]
"""Returns whether the bot holds the hand or draw that the matched words name, or None if people would disagree."""


class Phrase(Struct, frozen=True):
    """A regular expression for words that name something a bot can have, and the check whether the bot has it."""

    words: re.Pattern[str]
    check: Check


class Fact(Struct, frozen=True):
    """A regular expression for words that state a fact, and their check.

    The check returns "" if the words are right, and the truth in a few words if they are wrong. It returns None if it
    cannot tell. With `allows_hedging`, the words are a claim even after "I think" or "I must". With `about_self`, the
    words are a claim only if the bot speaks of itself.
    """

    words: re.Pattern[str]
    check: Callable[[BotKnowledge, re.Match[str]], str | None]
    allows_hedging: bool = False
    about_self: bool = False


class Mention(Struct, frozen=True):
    """A part of a sentence, from `start` to `end`, whose words name something of a `kind` such as "draw"."""

    start: int
    end: int
    kind: str
    found: re.Match[str]
    check: Check


def phrase(words: str, check: Check) -> Phrase:
    """Returns a phrase for the regular expression `words`, changed so that it matches only whole words."""
    return Phrase(_whole(words), check)


def fact(
    words: str,
    check: Callable[[BotKnowledge, re.Match[str]], str | None],
    *,
    allows_hedging: bool = False,
    about_self: bool = False,
) -> Fact:
    """Returns a fact for the regular expression `words`, changed so that it matches only whole words."""
    return Fact(_whole(words), check, allows_hedging, about_self)


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{words})(?![\w'])")


def verdict(right: bool | None, truth: str) -> str | None:
    """Returns the result of a fact's check: "" if `right`, `truth` if wrong, None if uncertain."""
    return None if right is None else "" if right else truth


def mentions(text: str, kind: str, phrases: Iterable[Phrase]) -> Iterator[Mention]:
    """Yields all mentions of `phrases` in `text`, even if they overlap."""
    for each in phrases:
        for found in each.words.finditer(text):
            yield Mention(found.start(), found.end(), kind, found, each.check)


def longest_mentions(found: Iterable[Mention]) -> list[Mention]:
    """Returns the mentions in order, without those that overlap a longer mention."""
    kept: list[Mention] = []
    for each in sorted(found, key=lambda mention: (mention.start - mention.end, mention.start)):
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda mention: mention.start)

"""Reads the sentence of a storyline, and finds out from the journal alone whether it is true."""

import re
from collections.abc import Iterable
from functools import cache

from server.text.grammar import number_in_words
from tests.commentary.storyteller.evening import Evening
from tests.commentary.storyteller.sentences import SENTENCES

WORDS = {"once": 1, "twice": 2} | {number_in_words(number): number for number in range(2, 13)}


def is_true(evening: Evening, text: str) -> bool:
    """Whether the storyline `text` is true. Raises AssertionError if it is not a storyline."""
    text = re.sub(r"\b1 ((?:more )?(?:chip|big blind|hand|game|(?:rating )?point))\b", r"1 \1s", text)
    # In a series, a bot is only out of a game.
    text = re.sub(r"(?<=out) of this game|(?<=second) in this game", "", text)
    names, players = tuple(evening.names), tuple({*evening.players.values()})
    for pattern, (form, kinds) in _forms(names, players).items():
        if found := form.fullmatch(text):
            words = (_word(evening, *each) for each in zip(kinds, found.groups(), strict=True))
            return SENTENCES[pattern](evening, *words)
    raise AssertionError(f"not a storyline: {text}")


def _word(evening: Evening, kind: str, word: str) -> str | int | float:
    match kind:
        case "b":
            return evening.names[word]
        case "n":
            return WORDS[word] if word in WORDS else int(word.removesuffix(" times").replace(",", ""))
        case "o":
            return int(word[:-2])
        case "m":
            return round(100 * float(word.removeprefix("$").replace(",", "")))
        case "f":
            return float(word.replace(",", ""))
        case _:
            return word


@cache
def _forms(names: tuple[str, ...], players: tuple[str, ...]) -> dict[str, tuple[re.Pattern[str], list[str]]]:
    """Each sentence as a regular expression, with the kinds of its words.

    b is a bot, p a player, n a number, o a place, m money, f a decimal, w a chance or a hand; t is a title, which is
    not checked.
    """
    kinds = {
        "b": _any(names), "p": _any(players), "n": rf"{'|'.join(WORDS)}|\d[\d,]*(?: times)?", "o": r"\d+\w\w",
        "f": r"[\d,]+(?:\.\d)?", "m": r"\$[\d,]+(?:\.\d\d)?", "w": r"less than 1%|\d+%|(?:with |a )?[a-z ]+",
        "s": r"(?:now has|is now up|is now down) [\d,]+", "d": "(?:doub|trip|quadrup)led", "g": "gained|lost",
    }  # fmt: skip
    forms = {}
    for pattern in SENTENCES:
        words = re.findall(r"\{(\w)\}", pattern)
        form = re.escape(pattern).replace(r"\{t\}", ".+")
        for kind, words_of_kind in kinds.items():
            form = form.replace(rf"\{{{kind}\}}", f"({words_of_kind})")
        forms[pattern] = re.compile(form), [kind for kind in words if kind != "t"]
    return forms


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"

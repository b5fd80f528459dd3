"""Puts a sentence into the plain words of poker: replaces slang, corrects typing errors, and writes "two and a half" as
"2.5". So the patterns of claims need only the plain words. No I/O.

A thought is a text in which a bot explains its action. The module also says where in the thought each character of the
result comes from.
"""

import re
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

_HAVE = r"(?:(?<=have )|(?<=got )|(?<=with )|(?<=dealt )|(?<=hold )|(?<=pocket ))"
_PLAIN: tuple[tuple[str, str], ...] = (
    (r"big slick", "ace-king"),
    (rf"pocket (?:rockets|bullets)|{_HAVE}(?:rockets|bullets)", "pocket aces"),
    (rf"{_HAVE}cowboys", "kings"),
    (r"so+o?ted", "suited"),
    (r"(?:double|two|both)[- ](?:ended|sided)|open (?:at|on) both ends|double[- ]ender", "open-ended"),
    (r"gut[- ]?shots?|gutt(?:y|ies)|gutter ?ball|inside draw", "gutshot"),
    (r"(?<=flush )redraw|(?<=straight )redraw", "draw"),
    (r"fd", "flush draw"),
    (r"bigs", "big blinds"),
    *(
        (rf"after {verb}ing(?= (?:(?:on )?the )?(?:flop|turn|river|pre))", f"and {past}")
        for verb, past in (
            ("bett", "bet"),
            ("check", "checked"),
            ("rais", "raised"),
            ("call", "called"),
            ("lead", "led"),
        )
    ),
    (r"full boat", "full house"),
    (r"(?:really|definitely|certainly|obviously|sadly|luckily|somehow) (?=\w)", ""),
)
"""Patterns of slang, each with its plain words. Words that change no claim are replaced by nothing."""
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SLANG = re.compile(
    "|".join(rf"(?<![\w'-])(?P<s{index}>{words})(?:(?<= )|(?![\w']))" for index, (words, _) in enumerate(_PLAIN))
    + rf"|(?<![\w'-])(?P<number>{'|'.join(_SMALL)}|\d+) and a half(?!\w)(?! (?:pot|time|street))"
    + r"|(?<![\w'-])(?P<typed>[a-z]{4,})(?![\w'])"
    + r"|(?P<bold>[*`]+)|(?<= ) +"
)
_SWAPPED = (
    "pair", "flush", "straight", "board", "button", "blind", "check", "checked", "raise", "raised", "called", "folded",
    "limped", "gutshot", "draw", "river", "suited", "offsuit", "hearts", "spades", "clubs", "diamonds", "kicker",
    "position", "players", "jacks", "queens", "kings", "eights", "nines", "sevens", "overpair", "behind", "stack",
)  # fmt: skip
"""Words that are recognised even if two neighbouring letters are swapped."""
_MISTYPED = ("straight", "diamonds", "position", "opponent", "opponents", "overpair", "overcards", "backdoor")
"""Long words that are recognised even if one of their inner letters is missing, doubled or wrong."""


def _errors() -> Iterator[tuple[str, str]]:
    """Yields mistyped words, each with the right word."""
    for word in _SWAPPED:
        for index in range(len(word) - 1):
            yield word[:index] + word[index + 1] + word[index] + word[index + 2 :], word
    for word in _MISTYPED:
        for index in range(1, len(word) - 1):
            yield from (
                (word[:index] + put + word[index + 1 :], word) for put in ("", 2 * word[index], *ascii_lowercase)
            )


_CORRECTIONS: Mapping[str, str] = {wrong: word for wrong, word in _errors() if wrong not in _MISTYPED}


def in_plain_words(sentence: str, start: int) -> tuple[str, int, tuple[int, ...]]:
    """Returns the sentence in plain words, its `start` in the thought, and each character's position in the thought.

    After these positions comes the position of the sentence's end. If nothing was replaced, there are no positions.
    """
    text, positions, replaced_to = "", list[int](), 0
    for found in _SLANG.finditer(sentence):
        plain = _plain(found)
        if plain == found[0]:
            continue
        text += sentence[replaced_to : found.start()] + plain
        positions += [*range(start + replaced_to, start + found.start()), *[start + found.start()] * len(plain)]
        replaced_to = found.end()
    if not replaced_to:
        return sentence, start, ()
    return text + sentence[replaced_to:], start, (*positions, *range(start + replaced_to, start + len(sentence) + 1))


def _plain(found: re.Match[str]) -> str:
    if found["typed"]:
        return _CORRECTIONS.get(found[0], found[0])
    if found["bold"] or found[0].isspace():
        return ""
    if number := found["number"]:
        return f"{number if number.isdigit() else 1 + _SMALL.index(number)}.5"
    return next(plain for index, (_, plain) in enumerate(_PLAIN) if found[f"s{index}"] is not None)

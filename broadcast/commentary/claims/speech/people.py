"""Finds the people that a sentence names ("he", "Belle and Wyatt", "both blinds", "nobody") and what it says of them.
No I/O.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.names import NOT_AT_TABLE, names_pattern, seats_by_name
from broadcast.commentary.claims.speech.words import number_of
from server.game.hand import seats_clockwise

SEATS = r"(?:the )?(?:button|small blind|big blind|btn|bb|sb|cut-?off|co|hijack|hj|utg|under the gun)"
"""Matches the names of seats."""
HE = r"(?:he|she|villain|(?:my |the |this |that )?(?:only )?opponent)"
SOME = r"(?:(?:one|two|three|four|five|both|all|[2-5])(?: of)?(?: the| my)?(?: other| more)?)"
_MANY = r"(?:players?|opponents?|people|folks|others?|limpers?|callers?|raisers?|bots|guys|them|of them)"
_OTHERS = (
    rf"(?:all (?:two|three|four|five)(?: of us)?|(?:no one|no-one|nobody|everyone|everybody|someone"
    rf"|somebody)(?: else)?|n(?:one|either) of them|{SOME}(?: {_MANY})?)"
)
_BLINDS = r"(?:both|two|the)(?: the)? blinds"
_WHO = (
    rf"(?:we (?:both|all)|i|we|they(?: all| both)?|{HE}|(?:the )?{{names}}|{_BLINDS}|{SEATS}|{_OTHERS}|the rest"
    rf"|the other (?:two|three|four|players|opponents))"
)


class NamedPeople(Struct, frozen=True):
    """People that a sentence names with the `words` from `start` to `end`.

    `seats` are the seats to which the words refer, or () if that is uncertain. `quantity` says how many of these seats
    are meant: "all", "none", "any", or a number. `possible_seats` are all seats to which the words may refer. With
    `is_self`, the bot means itself.
    """

    words: str
    start: int
    end: int
    seats: tuple[int, ...]
    possible_seats: tuple[int, ...]
    quantity: Literal["all", "none", "any"] | int = "all"
    is_self: bool = False


class Statement(Struct, frozen=True):
    """What a sentence says about the people `who`, in the words from `start` to `end`.

    `found` is the match of these words without the name: "raised" in "Belle has raised". `is_negated` says that the
    sentence denies the act: "Belle has not raised". `is_continued` says that another act comes between the name and
    this act: "called" in "Belle checked and called".
    """

    who: NamedPeople
    start: int
    end: int
    found: re.Match[str]
    is_negated: bool = False
    is_continued: bool = False
    is_exclusive: bool = False
    """Whether the sentence excludes all other people: "Belle alone"."""


_SAME = r"(?!(?:he|she|they|we|nobody|no one)\b)"
"""Rejects a word after "and" that begins another clause: "she" in "I raised Belle and she called"."""
_BETWEEN = re.compile(
    r"(?:, (?!who)[a-z]+(?: [a-z]+){0,3},)?(?: ?(?:(?:slowed down|woke up|came in|came out|stepped in"
    r"|stayed in) and|(?:, |,)?\bwho\b|'s|'re|'m|'ve|\b(?:is|are|am|was|were|been|has"
    r"|have|had|just|then|already|simply|only|also|even"
    r"|both|all|first|again|there|now|still|merely|quietly|promptly|quickly|next|instead|too|did|do|does|got|left"
    r"|yet|so far|either|(?P<alone>alone|and (?:nobody|no one) else)"
    r"|(?P<no>not|never)|(?P<nt>did|do|does|has|have|had|is|are|was|were)n't)\b))* ?"
)
"""Matches the words that may stand between people and what the sentence says about them."""
_WHOSE = re.compile(r"'s (?:[a-z]+ )?(?:bet|raise|open|lead|shove|jam|limp|range|re-?raise|[34]-?bet)s?\b")
"""Matches words after a name which show that only the named bot's bet is meant: "I called Buck's raise and checked"."""
_JOINED = re.compile(
    r"(?:^|[,;]|\band|\bthen|\bbut|&)[,; ]*(?:(?:and|just|then|also|now|even|again|only|merely|has|have) )*$"
)
"""Matches words after which the sentence says more about the same people."""
_CLAUSE_START = re.compile(r"(?:^|[,;:]|\b(?:and|so|but|with|while))\W*$")
"""Matches the text before a word if the word begins a clause."""


def seat_called(known: BotKnowledge, words: str) -> int | None:
    """Returns the seat that words such as "the button" or "HJ" name. Returns -1 if nobody sits in that seat, and None
    if the words name no seat.
    """
    find = _SEAT_FINDERS.get(words.removeprefix("the ").replace("-", ""))
    return find(known) if find else None


def seats_dealt_in(known: BotKnowledge) -> list[int]:
    """Returns the seats dealt in, clockwise from the button's left."""
    seats = len(known.starting_stacks)
    return [seat for seat in seats_clockwise(known.button + 1, seats) if known.starting_stacks[seat]]


def _under_the_gun(known: BotKnowledge) -> int:
    seats = seats_dealt_in(known)
    if len(seats) < 4 or known.blinds[1] not in seats:
        return -1
    return seats[(seats.index(known.blinds[1]) + 1) % len(seats)]


def _before_button(steps: int) -> Callable[[BotKnowledge], int]:
    def seat(known: BotKnowledge) -> int:
        seats = seats_dealt_in(known)
        named_seat = seats[-1 - steps] if len(seats) > 3 + steps and seats[-1] == known.button else -1
        return -1 if named_seat in known.blinds else named_seat

    return seat


_SEAT_FINDERS: Mapping[str, Callable[[BotKnowledge], int]] = {
    **dict.fromkeys(("button", "btn", "dealer", "dealer button"), lambda known: known.button),
    **dict.fromkeys(("small blind", "sb"), lambda known: known.blinds[0]),
    **dict.fromkeys(("big blind", "bb"), lambda known: known.blinds[1]),
    **dict.fromkeys(("cutoff", "co"), _before_button(1)),
    **dict.fromkeys(("hijack", "hj"), _before_button(2)),
    **dict.fromkeys(("utg", "under the gun"), _under_the_gun),
}


def _other_seats(known: BotKnowledge) -> tuple[int, ...]:
    return tuple(seat for seat, stack in enumerate(known.starting_stacks) if seat != known.seat and stack)


_GROUPS: tuple[tuple[str, Callable[[BotKnowledge], tuple[int, ...]], Literal["all", "none", "any", "number"]], ...] = (
    ("(?:i|we)$", lambda known: (known.seat,), "all"),
    ("we (?:both|all)|all .* of us", lambda known: known.live, "all"),
    (".*blinds$", lambda known: known.blinds, "all"),
    ("nobody|no one|no-one|none|neither", _other_seats, "none"),
    ("someone|somebody", _other_seats, "any"),
    ("every|both|all|they|the other", lambda known: known.opponents, "all"),
    ("(?P<number>one|two|three|four|five|[2-5])", _other_seats, "number"),
)
"""Each row has a pattern of words that name people, and a function that returns the people's seats. The last field says
how many of these people the words mean.
"""


def find_people(text: str, known: BotKnowledge) -> list[NamedPeople]:
    """Returns the people that a sentence names, in order. Leaves out names that only say whose bet it is: "Buck's
    raise".
    """
    found = _pattern(names_pattern(known)).finditer(text)
    return [_people_of(known, each) for each in found if not _WHOSE.match(text, each.end())]


@lru_cache(4)
def _pattern(names: str) -> re.Pattern[str]:
    one = _WHO.replace("{names}", names)
    joined = rf"(?:(?:, {one})*,? and | & |\+){_SAME}{one}"
    begins = r"(?<![\w'-])(?<!\d )(?<!last )(?<!first )(?:(?<!and )|(?!nobody|no one))"
    return re.compile(rf"{begins}(?P<who>{one}(?:{joined})?)(?: both| all)?(?![\w-])")


def _people_of(known: BotKnowledge, found: re.Match[str]) -> NamedPeople:
    """Returns the people that the matched words name.

    Their `seats` are () if it is uncertain who is meant, or if one of the people is not at the table.
    """
    words, span = found["who"], found.span()
    parts = re.split(r",? and |, | & |\+", words)
    if len(parts) > 1 and re.fullmatch(_BLINDS, parts[0]):
        parts[:1] = ["small blind", "big blind"]
    seats = [_seat_of(known, part) for part in parts]
    if all(seat is not None and seat >= 0 for seat in seats):
        chosen = tuple(seat for seat in seats if seat is not None)
        return NamedPeople(words, *span, chosen, chosen)
    if len(parts) > 1 or seats == [NOT_AT_TABLE]:
        return NamedPeople(words, *span, (), (), "any")
    for pattern, seats_of, quantity in _GROUPS:
        if named := re.match(pattern, words):
            count = int(number_of(named["number"])) if quantity == "number" else quantity
            chosen = seats_of(known)
            possible_seats = _other_seats(known) if quantity == "any" or chosen == known.opponents else chosen
            return NamedPeople(words, *span, chosen, possible_seats, count, words in ("i", "we"))
    one = len(known.opponents) == 1 and seats == [None]
    return NamedPeople(words, *span, known.opponents if one else (), _other_seats(known), "all" if one else "any")


def _seat_of(known: BotKnowledge, word: str) -> int | None:
    """Returns the seat that a bot's name or a seat's name means.

    Returns `NOT_AT_TABLE` for a bot that is not at the table, and -2 for a seat in which nobody sits. Returns None if
    `word` names no bot and no seat.
    """
    names = seats_by_name(known)
    if (name := word if word in names else word.removeprefix("the ")) in names:
        return names[name]
    seat = seat_called(known, word)
    return -2 if seat == -1 else seat


def find_statements(
    text: str, named: Sequence[NamedPeople], words: re.Pattern[str], default_people: NamedPeople | None = None
) -> Iterator[Statement]:
    """Yields a statement for each match of the pattern `words` that says something about people in the sentence.

    `named` are all people in the sentence, in order. After "and", a comma or "then", a match without a name is about
    the same people as the match before it. If `default_people` is given, a match at the beginning of a clause is about
    `default_people`.
    """
    last: Statement | None = None
    for found in words.finditer(text) if named or default_people else ():
        who = next((each for each in reversed(named) if each.end <= found.start()), None)
        if default_people and _CLAUSE_START.search(text[: found.start()]):
            last = Statement(default_people, found.start(), found.end(), found)
            yield last
            continue
        if who is None:
            continue
        between = text[who.end : found.start()]
        if (adverbs := _BETWEEN.fullmatch(between)) and not (
            between == "'s " and " " not in found[0] and not found[0].endswith("ed")
        ):
            negated, alone = bool(adverbs["no"] or adverbs["nt"]), bool(adverbs["alone"])
            last = Statement(who, who.start, found.end(), found, negated, is_exclusive=alone)
        elif last and who is last.who and _JOINED.search(text[last.end : found.start()]):
            last = Statement(who, found.start(), found.end(), found, is_continued=True)
        else:
            continue
        if who.possible_seats:
            yield last

"""Chooses the part of a thought (a bot's comment on its action) that the picture shows. No I/O.

The part has at most `MAX_CHARACTERS`, so it fits into three lines. Sentences with a false claim are chosen first. Next
come sentences about the bot's hand, its beliefs, its decision or its reasons. English words reveal such sentences.
Sentences that were shown before come last. If a sentence is too long, only some of its clauses or words are chosen.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from broadcast.on_air.shared_types import Checked
from server.text.characters import clip_text

MAX_CHARACTERS = 110
"""The maximum length of a part. Dots for omitted text count, and so does the truth shown beside each false claim."""
MIN_FILLED_CHARACTERS = 60
"""A part with fewer characters than this also gets sentences around it, if they fit."""
MIN_PART_CHARACTERS = 20
"""When a sentence is cut, the part that is kept has room for at least this many characters."""
MIN_STOCK_WORDS = 4
"""A sentence with fewer words than this, such as "I call.", may be shown again and again."""
_ELLIPSIS = " … "
_ENDS, _QUOTES = r".!?…\u3002\uff01\uff1f", r"\"'\u201d\u2019)"
"""The characters that end a sentence, also in Chinese and Japanese, and the quotes and brackets that may follow them.
"""
_PAUSES = r",;:—\u2013"
_WIDE_PAUSES = r"\uff0c\uff1b\uff1a\u3001"
_SENTENCE = re.compile(rf"(?:[^{_ENDS}]|[.!?…](?![\s{_QUOTES}]|$))*(?:[{_ENDS}]+[{_QUOTES}]*|$)\s*")
_CLAUSE = re.compile(
    rf"(?<=[{_PAUSES}])\s+|(?<=[{_WIDE_PAUSES}])|\s+(?=(?:because|since|so|but|and|while|although|if)\b)", re.I
)
_TRAILING_PAUSES = re.compile(rf"[\s{_PAUSES}{_WIDE_PAUSES}]+$")
_WORDS = re.compile(r"\w+")
_GIVES_A_REASON = re.compile(
    r"\b(?:because|since|therefore|hence|otherwise|hoping|so (?:I|that|we)|in order to|which means|to (?:deny|protect|"
    r"build|induce|represent|see|get)|makes? sense|worth|reason)\b",
    re.I,
)
_STATES_A_BELIEF = re.compile(
    r"\b(?:odds|equity|ahead|(?<!\d )(?<!chips )behind|beats?|beaten|best hand|favou?rite|underdog|dominat\w+|bluff\w*|"
    r"value|range|weak|strong|\d+ ?%)",
    re.I,
)
_NAMES_OWN_HAND = re.compile(
    r"^(?:(?!\b(?:he|she|they|his|her|their|any|every|opponents?)\b).)*?"
    r"(?:\b(?:outs?|draws?|pair|trips|sets?|straight|flush|full house|quads|kicker|nuts|overcards?|blockers?|suited|"
    r"pocket|\w+[ -]high|(?-i:[2-9TJQK][cdhs]))\b|[2-9TJQKA][\u2660\u2663\u2665\u2666])",
    re.I | re.S,
)
_STATES_A_DECISION = re.compile(
    r"(?:^|\b(?:I|so|let['\u2019]s|easy|just|going to|have to|must|['\u2019](?:m|ll))\b(?: \w+){0,2} )"
    r"(?:fold|call|check|bet|rais|shov|jam|all[- ]in)",
    re.I,
)
_TELLING_PATTERNS = ((_GIVES_A_REASON, 4), (_STATES_A_BELIEF, 3), (_NAMES_OWN_HAND, 3), (_STATES_A_DECISION, 2))
"""Patterns for what a sentence can tell (a reason, a belief, the hand, a decision), and the points for each."""
_ESTIMATE_INDEX, _ESTIMATE_POINTS = len(_TELLING_PATTERNS), 3
"""The index and the points for an estimate of the chance to win."""
_Span = tuple[int, int]
"""The start and the end of a part of a thought."""


class Excerpt(Struct, frozen=True):
    """A part of a thought, with the checked claims in it.

    `text` has dots where words of a sentence are left out, and where whole sentences in the middle are left out.
    """

    text: str
    checked: tuple[Checked, ...] = ()


def choose_excerpt(thought: str, checked: Sequence[Checked] = (), shown_before: Collection[str] = ()) -> Excerpt:
    """Returns the part of `thought` to show, with the `checked` claims in it.

    The part contains the first untrue claim that fits. `shown_before` are the bot's sentences that were shown before,
    in the form that `comparable_words` returns. They are left out if any new sentence of the thought earns points.
    """
    sentences = list(_spans(thought, _SENTENCE))
    new_sentences = [span for span in sentences if comparable_words(thought[slice(*span)]) not in shown_before]
    if len(new_sentences) == len(sentences) or not any(_told_indexes(thought, span, checked) for span in new_sentences):
        if _shown_characters((0, len(thought)), checked) <= MAX_CHARACTERS:
            return Excerpt(thought, tuple(checked))
        new_sentences = sentences
    untrue = next((claim for claim in checked if not claim.right and _fits(claim, new_sentences)), None)
    around = [span for span in new_sentences if untrue and span[0] <= untrue.start and untrue.end <= span[1]]
    telling = [
        span
        for span in new_sentences
        if _shown_characters(span, checked) <= MAX_CHARACTERS and _told_indexes(thought, span, checked)
    ]
    first = max(
        around or telling or new_sentences, key=lambda span: (_worth(_told_indexes(thought, span, checked)), -span[0])
    )
    if _shown_characters(first, checked) > MAX_CHARACTERS:
        return _part_of_sentence(thought, first, checked, untrue)
    return _join_parts(thought, sorted(_extend(thought, new_sentences, first, checked)), checked, sentences)


def comparable_words(sentence: str) -> str:
    """Returns the words of a sentence in lower case. Two sentences with the same words are taken for one sentence.

    Returns "" for a short sentence, which may be repeated.
    """
    words = _WORDS.findall(sentence.casefold())
    return " ".join(words) if len(words) >= MIN_STOCK_WORDS else ""


def comparable_sentences(thought: str) -> set[str]:
    """Returns what `comparable_words` returns for each sentence of `thought`, without the short sentences."""
    return {comparable_words(thought[slice(*span)]) for span in _spans(thought, _SENTENCE)} - {""}


def _extend(thought: str, new_sentences: Sequence[_Span], first: _Span, checked: Sequence[Checked]) -> set[_Span]:
    """Returns the sentence `first`, and as many other parts of the thought as fit.

    First adds sentences and clauses that tell something new, the most important first. If the result is still short,
    adds the neighbours of `first`.
    """
    chosen, told_indexes = {first}, _told_indexes(thought, first, checked)

    def fits(span: _Span) -> bool:
        sizes = [_shown_characters(each, checked) + len(_ELLIPSIS) for each in (*chosen, span)]
        return sum(sizes) <= MAX_CHARACTERS  # the last part's ellipsis is room for dots at both ends

    def news(span: _Span) -> int:
        return _worth(_told_indexes(thought, span, checked) - told_indexes)

    def parts() -> Iterator[_Span]:
        """Yields the sentences not chosen yet. If a sentence does not fit, yields its clauses."""
        for span in new_sentences:
            if span not in chosen:
                yield from [span] if fits(span) else _clauses(thought, *span)

    while more := [span for span in parts() if span not in chosen and news(span) and fits(span)]:
        best = max(more, key=lambda span: (news(span), -span[0]))
        chosen, told_indexes = {*chosen, best}, told_indexes | _told_indexes(thought, best, checked)
    first_index = new_sentences.index(first)
    for span in (*new_sentences[first_index + 1 :], *reversed(new_sentences[:first_index])):
        if sum(end - start for start, end in chosen) < MIN_FILLED_CHARACTERS and span not in chosen and fits(span):
            chosen.add(span)
    return chosen


def _join_parts(
    thought: str, chosen: Sequence[_Span], checked: Sequence[Checked], sentences: Sequence[_Span]
) -> Excerpt:
    """Returns the `chosen` sentences and clauses, with dots where words or whole sentences are left out."""
    sentence_starts, sentence_ends = ({span[at] for span in sentences} for at in (0, 1))
    text, claims = "" if chosen[0][0] in sentence_starts else "…", list[Checked]()
    for (_, before), (start, end) in pairwise([(-1, -1), *chosen]):
        between = thought[max(before, 0) : start]
        text += "" if before < 0 else between if not between.strip() else _ELLIPSIS
        claims += _checked_within(checked, start, end, len(text) - start)
        text += thought[start:end]
    return Excerpt(text if chosen[-1][1] in sentence_ends else f"{_TRAILING_PAUSES.sub('', text)}…", tuple(claims))


def _checked_within(checked: Sequence[Checked], start: int, end: int, shift: int) -> list[Checked]:
    """Returns the claims between `start` and `end`, with their positions moved by `shift` characters."""
    return [
        replace(claim, start=claim.start + shift, end=claim.end + shift)
        for claim in checked
        if start <= claim.start and claim.end <= end
    ]


def _shown_characters(span: _Span, checked: Sequence[Checked]) -> int:
    """Returns how many characters a part of the thought takes on screen, with the truths beside its claims."""
    start, end = span
    truths = (len(claim.truth) + 3 for claim in checked if claim.truth and start <= claim.start and claim.end <= end)
    return end - start + sum(truths)


def _fits(claim: Checked, sentences: Sequence[_Span]) -> bool:
    around = any(start <= claim.start and claim.end <= end for start, end in sentences)
    return around and _shown_characters((claim.start, claim.end), [claim]) <= MAX_CHARACTERS - 2


def _told_indexes(thought: str, span: _Span, checked: Sequence[Checked]) -> set[int]:
    """Returns the indices of the `_TELLING_PATTERNS` that a sentence matches, and also `_ESTIMATE_INDEX` if it has an
    estimate.
    """
    estimates = (claim for claim in checked if claim.estimate and span[0] <= claim.start and claim.end <= span[1])
    return {_ESTIMATE_INDEX for _ in estimates} | {
        index for index, (words, _) in enumerate(_TELLING_PATTERNS) if words.search(thought[slice(*span)])
    }


def _worth(tells: set[int]) -> int:
    return sum(_ESTIMATE_POINTS if index == _ESTIMATE_INDEX else _TELLING_PATTERNS[index][1] for index in tells)


def _part_of_sentence(thought: str, sentence: _Span, checked: Sequence[Checked], untrue: Checked | None) -> Excerpt:
    """Cuts a sentence that is too long. Returns its `untrue` claim or its reason, and as many words around it as
    fit.
    """
    begin, end = sentence
    because = _GIVES_A_REASON.search(thought, begin, end)
    first = because.start() if because else begin
    last, truth = first, 0
    if untrue:
        first, last, truth = untrue.start, untrue.end, len(untrue.truth) + 3
    max_characters = MAX_CHARACTERS - truth
    clauses = list(_clauses(thought, begin, end))
    start = begin
    if last - begin > max_characters - 1 or first >= clauses[0][1]:
        # Start at the beginning of the sentence if the clause with the claim or reason then still fits. Otherwise,
        # start at that clause.
        ends = next(stop for _, stop in clauses if stop >= last)
        if ends - begin > max_characters - 1:
            start = next(start for start, stop in clauses if first < stop)
            start = start if last - start <= max_characters - 2 else first
    stop, room = end, end - start
    while (
        (over := _shown_characters((start, stop), checked) + 2 - MAX_CHARACTERS) > 0
        and stop > last
        and room > MIN_PART_CHARACTERS
    ):
        room = max(MIN_PART_CHARACTERS, stop - start - over)
        stops = [stop for _, stop in clauses if max(last, start) <= stop <= start + room]
        filled = stops and stops[-1] - start >= MIN_FILLED_CHARACTERS // 2
        stop = stops[-1] if filled else max(last, _end_of_word(thought, start, room))
    if over > 0 and untrue:
        start, stop = first, last
    words = _TRAILING_PAUSES.sub("", thought[start:stop]) if stop < end else thought[start:stop]
    dots = ("…" if start > begin else "", "…" if stop < end and not words.endswith("…") else "")
    inside = _checked_within(checked, start, start + len(words), len(dots[0]) - start)
    return Excerpt(f"{dots[0]}{words}{dots[1]}", tuple(inside))


def _end_of_word(thought: str, start: int, room: int) -> int:
    """Returns the end of the last word that fits into `room` characters from `start`.

    If there is no space in the second half of those characters, returns the end of the last letter that fits.
    """
    window = thought[start : start + room + 1]
    space = window.rfind(" ")
    return start + (space if space > room // 2 else len(clip_text(window, room + 1)) - 1)


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[_Span]:
    """Yields the start and the end of each match, without spaces at its end. Skips matches that have only spaces."""
    for found in pattern.finditer(text):
        if words := found[0].rstrip():
            yield found.start(), found.start() + len(words)


def _clauses(text: str, begin: int, end: int) -> Iterator[_Span]:
    start = begin
    for found in _CLAUSE.finditer(text, begin, end):
        yield start, found.start()
        start = found.end()
    yield start, end

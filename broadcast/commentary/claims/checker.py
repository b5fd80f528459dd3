"""Finds the claims in a bot's thought, and checks them against what the bot could know. No I/O."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from broadcast.commentary.claims.claim import Claim
from broadcast.commentary.claims.kinds import (
    announced,
    beaten,
    board,
    chance,
    chips,
    draws,
    history,
    made_hand,
    own_cards,
    players,
    position,
    price,
)
from broadcast.commentary.claims.speech.bot_knowledge import BOARD_SIZES, STREETS, BotKnowledge
from broadcast.commentary.claims.speech.mention import Mention, longest_mentions, mentions
from broadcast.commentary.claims.speech.names import NOT_AT_TABLE, names_pattern, seats_by_name
from broadcast.commentary.claims.speech.people import find_people
from broadcast.commentary.claims.speech.sentences import (
    Ownership,
    Sentence,
    Span,
    is_about_self,
    is_judged,
    is_reasoned,
    is_stated,
    ownership,
    sentences,
)

MAX_THOUGHT_CHARACTERS = 600
"""Only this many characters at the beginning of a thought are read."""
_LABEL = re.compile(r"\W*(?:\w+[:,]|(?:this|that|it) is|it's|that's)?\W*")
"""Matches a label at the beginning of a thought: "**Read:** "."""
MAX_WORDS_BEFORE_ACT = 2
"""If more words than this come before an announced act, they count as the reason for the act: "I hold a pair, so I
call". An announcement with a reason is a claim only if it is false.
"""
MAX_MENTIONS = 25
"""If a sentence has more names of hands and cards than this, it is not searched for claims about the bot's own hand.
The search would take long, and a long list says nothing about the bot's own hand.
"""


@lru_cache(256)
def claims_in(thought: str, known: BotKnowledge) -> tuple[Claim, ...]:
    """Returns the claims in `thought`, in order. They do not overlap.

    If a bot announces several acts and does one of them, the other announcements are not false, because the bot was
    only weighing those acts. Some words name a hand only to judge it: "JT is pretty". Such words are a claim only if
    they are false.
    """
    found = [
        (each, claim)
        for each in sentences(thought[:MAX_THOUGHT_CHARACTERS])
        for claim in _without_overlaps(_claims(each, known))
    ]
    done = any(claim.kind == announced.KIND and claim.right for _, claim in found)
    return tuple(
        replace(claim, start=each.position_in_thought(claim.start), end=each.position_in_thought(claim.end))
        for each, claim in found
        if not _is_left_out(each, claim, has_done_act=done)
    )


def _is_left_out(sentence: Sentence, claim: Claim, *, has_done_act: bool) -> bool:
    """Whether `claim` is left out. `has_done_act` says whether the bot does an act that it has announced in this
    thought.
    """
    if claim.kind == announced.KIND and not claim.right:
        return has_done_act
    if claim.kind == announced.KIND and len(sentence.text[: claim.start].split()) > MAX_WORDS_BEFORE_ACT:
        return claim.right  # the words before the act give the reason for it
    if claim.kind == history.KIND and claim.right and is_reasoned(sentence, claim.end):
        return True  # the bot only draws a conclusion from the act: "she called, so she has a king"
    return claim.right and is_judged(sentence, claim.start, claim.end)


def estimates_in(thought: str) -> tuple[tuple[int, int, float], ...]:
    """Returns (start, end, chance) for each estimate of winning in `thought`. The chance is from 0 to 1."""
    return tuple(
        (sentence.position_in_thought(start), sentence.position_in_thought(end), value)
        for sentence in sentences(thought[:MAX_THOUGHT_CHARACTERS])
        for start, end, value in chance.estimates(sentence)
    )


def _without_overlaps(claims: Iterable[Claim]) -> list[Claim]:
    """Returns the claims in order, without those that overlap a longer claim."""
    kept: list[Claim] = []
    for each in sorted(claims, key=lambda claim: (claim.start - claim.end, claim.start)):
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda claim: claim.start)


def _claims(sentence: Sentence, known: BotKnowledge) -> Iterator[Claim]:
    """Yields the claims of a sentence. They may overlap, and their `start` and `end` are positions in the sentence."""
    yield from _claims_of_having(sentence, known)
    yield from _claims_about_people(sentence, known)
    names = names_pattern(known)
    board_kinds = ((board, board.FACTS), (beaten, beaten.FACTS), (draws, draws.FACTS), (made_hand, made_hand.FACTS))
    for kind, facts in (*(board_kinds if known.board else ()), *_FACTS):
        if kind in _QUICK_PATTERNS and not _QUICK_PATTERNS[kind].search(sentence.text):
            continue
        for each in facts:
            for found in each.words.finditer(sentence.text):
                if not is_stated(sentence, found.start(), found.end(), allows_hedging=each.allows_hedging):
                    continue
                if (each.about_self and not is_about_self(sentence, found.start(), names)) or _names_absent_bot(
                    found, known
                ):
                    continue
                truth = each.check(known, found)  # "" if the words are right, None if this is uncertain
                if truth is not None:
                    yield Claim(found.start(), found.end(), kind.KIND, not truth, truth)


_FACTS = tuple((kind, kind.FACTS) for kind in (price, announced, own_cards, history, players, position, chips))
_QUICK_PATTERNS = {kind: kind.WORDS for kind in (beaten, players, position, chips, price)}
"""For each kind of claim, a pattern for a quick search. A sentence without a match makes no claim of this kind."""


def _claims_about_people(sentence: Sentence, known: BotKnowledge) -> Iterator[Claim]:
    """Yields the claims that a sentence makes about people, such as "Belle raised"."""
    named = find_people(sentence.text, known)
    for kind in (history, players, position, chips, price):
        for start, end, truth in kind.claims_about_people(sentence.text, named, known):
            if truth is not None and is_stated(sentence, start, end):
                yield Claim(start, end, kind.KIND, not truth, truth)


def _names_absent_bot(found: re.Match[str], known: BotKnowledge) -> bool:
    """Whether the words name a bot that is not at the table."""
    named = found.groupdict()
    who = named.get("who") or named.get("other") or ""
    return seats_by_name(known).get(who.removeprefix("the "), 0) == NOT_AT_TABLE


def _claims_of_having(sentence: Sentence, known: BotKnowledge) -> Iterator[Claim]:
    """Yields the claims that the bot has a made hand, a draw or cards, or does not have them."""
    kinds = {each.KIND: each for each in ((made_hand, draws, own_cards) if known.board else (own_cards,))}
    found = [each for kind in kinds for each in mentions(sentence.text, kind, kinds[kind].PHRASES)]
    if len(found) > MAX_MENTIONS:
        return
    spans = {
        Span(each.start, each.end, own_cards.matches_own_ranks(known, each)): each for each in longest_mentions(found)
    }
    others = [each.start for each in spans.values() if own_cards.is_other_hand(known, each)]
    for span, owned in ownership(sentence, spans):
        mention = spans[span]
        right = _is_right(mention, owned, known)
        is_only_other_hand = others == [span.start] and (own_cards.is_whole_hand(mention) or not known.board)
        opens_thought = is_only_other_hand and sentence.start == 0 and _LABEL.fullmatch(sentence.text[: span.start])
        if owned.is_unattributed and not right and others and others[0] <= span.start and not opens_thought:
            continue  # these words are about another bot's hand
        if right is not None:
            truth = "" if right else kinds[mention.kind].truth(known, mention.found[0])
            yield Claim(span.start, span.end, mention.kind, right, truth)


def _is_right(mention: Mention, owned: Ownership, known: BotKnowledge) -> bool | None:
    """Whether a claim is right: that the bot has the mentioned hand, or that the bot does not have it.

    Returns None if this is uncertain.
    """
    has = _has_hand(mention, owned, known)
    return has if has is None or owned.has_hand else not has


def _has_hand(mention: Mention, owned: Ownership, known: BotKnowledge) -> bool | None:
    """Whether the bot has the mentioned hand, or had it on the earlier street that the claim is about. Returns None if
    this is uncertain.
    """
    if not owned.street or mention.kind == own_cards.KIND:
        return mention.check(known, mention.found)
    streets = STREETS[1:] if owned.street == "some" else (owned.street,)
    dealt = [street for street in streets if 3 <= BOARD_SIZES[street] <= len(known.board)]
    if mention.kind == draws.KIND:
        dealt = [street for street in dealt if street != "river"]  # no card comes after the river, so nothing is a draw
    if owned.came_on_street and dealt and mention.kind == made_hand.KIND:
        before = STREETS[STREETS.index(dealt[0]) - 1]
        if mention.check(known.on_street(before), mention.found):
            return False  # the street did not bring the hand: the bot already had it
    answers = [mention.check(known.on_street(street), mention.found) for street in dealt]
    return True if True in answers else None if None in answers or not answers else False

"""Writes a sentence (the bridge) before each part of a reel, a film of the best hands. The bridge says what happened
since the previous part. No I/O.
"""

from collections.abc import Sequence

from broadcast.film.highlights import FilmPart
from broadcast.film.outline import FilmHand, Outline
from broadcast.film.reel_film import GLANCE_MS, MS_PER_CHARACTER
from server.text.grammar import join_within_width, name_in_sentence, number_in_words

MIN_BRIDGE_MS = 2000
"""The shortest time for which a sentence is on screen, in milliseconds."""


def bridge_ms(text: str) -> int:
    """Returns how long a sentence is on screen, in milliseconds. Returns 0 for ""."""
    return max(MIN_BRIDGE_MS, GLANCE_MS + MS_PER_CHARACTER * len(text)) if text else 0


def bridge_sentences(outline: Outline, parts: Sequence[FilmPart]) -> tuple[str, ...]:
    """Returns a sentence for each of `parts`, the parts of a reel. A part that begins after its hand has ended shows
    the champion.
    """
    previous_hands = [0, *(part.hand for part in parts)]
    return tuple(
        _bridge(outline, previous_hand, part) for previous_hand, part in zip(previous_hands, parts, strict=False)
    )


def _bridge(outline: Outline, previous_hand: int, part: FilmPart) -> str:
    """Returns the sentence before `part`. `previous_hand` is the hand of the previous part, or 0 if `part` is the first
    part.
    """
    hands, names = outline.hands, {bot.bot: name_in_sentence(bot.name) for bot in outline.bots}
    hand = hands[part.hand]
    is_champion = part.seq > hand.last_seq
    missed = hands[previous_hand + 1 : part.hand + is_champion]
    losers = [names.get(bot, "") for each in missed for bot, _ in each.out]
    facts = [f"{join_within_width(losers)} {'is' if len(losers) == 1 else 'are'} out"] if losers else []
    if is_champion:
        champion = names.get(outline.champion, "")
        led = [_leaders(each, hand) == [outline.champion] for each in (hands[previous_hand], *missed)]
        kept = missed and all(led)
        chips = f" with {hand.stacks[str(outline.champion)]:,} chips" if led[-1] else ""
        facts.append(f"{champion} {'keeps the lead and wins' if kept else 'wins'}{chips}")
        lead_in = f"{_capitalized(hand.which)}, the last: " if missed else ""
        return lead_in + ", and ".join(facts)
    before = hands[part.hand - 1]
    if leaders := _leaders(before, hand):
        who = join_within_width([names.get(bot, "") for bot in leaders])
        verb, most = "leads" if len(leaders) == 1 else "lead", before.stacks[str(leaders[0])]
        facts.append(f"{who} {verb} with {most:,} chips")
    lead_in = _lead_in(hands[previous_hand], hand, part.hand - previous_hand if previous_hand else 0)
    return f"{lead_in}: {', and '.join(facts)}" if facts else lead_in


def _lead_in(shown: FilmHand, hand: FilmHand, hands_later: int) -> str:
    """Returns words such as "Three hands later". `shown` is the hand of the previous part. Names `hand` instead if it
    is in another game, or if it is the first hand of the reel (`hands_later` is 0).
    """
    if not hands_later or _game(shown) != _game(hand):
        return f"{hand.stage}, {hand.which}"
    return "The next hand" if hands_later == 1 else f"{_capitalized(number_in_words(hands_later))} hands later"


def _leaders(before: FilmHand, hand: FilmHand) -> list[int]:
    """Returns the bots with the most chips after `before`. Returns [] if `hand` is in another game or in a deal."""
    if hand.deal or _game(before) != _game(hand):
        return []
    stacks = {bot: before.stacks[str(bot)] for bot in before.seats}
    return [bot for bot, stack in stacks.items() if stack == max(stacks.values())]


def _game(hand: FilmHand) -> tuple[str, int]:
    return hand.stage, hand.game


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]

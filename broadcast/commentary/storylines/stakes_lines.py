"""Storylines about what is at stake next: the line, the end of a stage, the hands that are left, the blinds. Pure."""

from collections.abc import Iterator

from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline
from server.game.rules import level_of
from server.text.grammar import counted

SOON = 5
"""What happens within this many hands is worth telling."""
COMING = 20
"""What happens only after more hands than this is not mentioned."""


def stakes_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """All lines about what is at stake that are true now."""
    if facts.stage is None or not facts.hands:
        return
    yield from _line(facts, name)
    yield from _last_two(facts, name)
    yield from _hands_left(facts, name)
    yield from _games_left(facts)
    yield from _blinds(facts)


def _line(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """The bots just above and below the line, and whether one more elimination ends the stage."""
    stage, ranked = facts.stage, [*facts.stacks.items()]
    if stage is None or not 0 < stage.advance < len(ranked):
        return
    (above, most), (below, least) = ranked[stage.advance - 1 : stage.advance + 1]
    if most > least and [chips for _, chips in ranked].count(most) == [chips for _, chips in ranked].count(least) == 1:
        gap = counted(most - least, "chip")
        text = f"{name(above)} holds the last of {stage.advance} places, {gap} ahead of {name(below)}."
        yield Storyline("at stake", "the line", (above, below), text, "worth telling", (facts.last,))
    if len(ranked) == stage.advance + 1:
        text = f"One more elimination, and the last {stage.advance} ride on to {stage.next_title}."
        yield Storyline("at stake", "one more out", (), text, "worth telling", (facts.last,))


def _last_two(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    stage, stacks = facts.stage, [*facts.stacks.items()]
    if stage and not stage.advance and len(stacks) == 2 < facts.field and not facts.series:
        (one, most), (other, least) = stacks
        text = f"Only {name(one)} and {name(other)} are left, with {most:,} and {least:,} chips."
        yield Storyline("at stake", "last two", (one, other), text, "worth telling", (facts.last,))


def _hands_left(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """How many hands of the last game are left, and who leads."""
    stage = facts.stage
    left = facts.hand_limit - facts.last.hand if facts.is_playing and facts.last.game == facts.number.game else 0
    is_last = stage is not None and stage.games == 1 and not stage.advance
    if stage and is_last and left > COMING:
        text = f"{left} hands are left in {stage.title}."
        yield Storyline("at stake", "hands to go", (), text, "for a pause", (facts.last,))
    if is_last and 0 < left <= COMING and facts.lead.leader in facts.stacks and len(facts.stacks) > 1:
        first, second, *_ = facts.stacks.values()
        text = (
            f"{name(facts.lead.leader)} leads by {counted(first - second, 'chip')} with {counted(left, 'hand')} left."
        )
        importance: Importance = "worth telling" if left <= SOON else "for a pause"
        yield Storyline("at stake", "hands left", (facts.lead.leader,), text, importance, (facts.last,))


def _games_left(facts: EveningFacts) -> Iterator[Storyline]:
    stage = facts.stage
    if stage and stage.games > 1 and facts.is_playing:
        left = stage.games - facts.games - 1
        text = f"At most {counted(left, 'more game')} of {stage.title} follow{'s' if left == 1 else ''} this one."
        if not left:
            text = f"This is the last game of {stage.title}."
        yield Storyline("at stake", "games left", (), text, "for a pause", (facts.last,))


def _blinds(facts: EveningFacts) -> Iterator[Storyline]:
    """The next blinds. Says nothing between games, because each game begins with the first level."""
    rules, hand = facts.rules, facts.last.hand
    if not rules.hands_per_level or facts.last.game != facts.number.game or not facts.is_playing:
        return
    left = rules.hands_per_level - (hand - 1) % rules.hands_per_level
    now, then = level_of(rules, hand), level_of(rules, hand + left)
    if (now.small, now.big) != (then.small, then.big) and left <= COMING:
        when = "with the next hand" if left == 1 else f"in {left} hands"
        text = f"The blinds go up to {then.small:,}/{then.big:,} {when}."
        importance: Importance = "worth telling" if left <= SOON else "for a pause"
        yield Storyline("at stake", "next blinds", (), text, importance, (facts.last,))

"""Storylines about what is at stake next: who advances to the next stage, when the stage ends, and the prizes.

No I/O.
"""

from collections.abc import Iterator, Sequence

from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline
from server.game.rules import level_of
from server.text.grammar import count_text, dollar_text, number_in_words, ordinal

MAX_HANDS_SOON = 5
"""Higher blinds, and the end of the last game, are worth telling if they are at most this many hands away."""
MAX_HANDS_AHEAD = 20
"""Storylines mention higher blinds if they are at most this many hands away. They mention the lead in the last game if
the end of that game is at most this many hands away.
"""


def stakes_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields all storylines about what is at stake now."""
    if facts.stage is None or not facts.hands_played:
        return
    yield from _advancing_lines(facts, name)
    yield from _heads_up_lines(facts, name)
    yield from _hands_left_lines(facts, name)
    yield from _games_left_lines(facts)
    yield from _blind_lines(facts)
    yield from _prize_lines(facts, name)


def _advancing_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Names the last bot that would advance, and the bot just behind it. If one more elimination ends the stage, also
    says so.
    """
    stage, ranked = facts.stage, [*facts.stacks.items()]
    if stage is None or not 0 < stage.advance < len(ranked):
        return
    (above, most), (below, least) = ranked[stage.advance - 1 : stage.advance + 1]
    if most > least and [chips for _, chips in ranked].count(most) == [chips for _, chips in ranked].count(least) == 1:
        gap = count_text(most - least, "chip")
        text = f"{name(above)} holds the last qualifying place, {gap} ahead of {name(below)}."
        yield Storyline("at stake", "the line", (above, below), text, "worth telling", (facts.last_hand,))
    if len(ranked) == stage.advance + 1:
        text = f"One more elimination, and the last {number_in_words(stage.advance)} ride on to {stage.next_title}."
        yield Storyline("at stake", "one more out", (), text, "worth telling", (facts.last_hand,))


def _heads_up_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    stage, stacks = facts.stage, [*facts.stacks.items()]
    if stage and not stage.advance and len(stacks) == 2 < facts.field_size and not facts.is_series:
        (one, most), (other, least) = stacks
        text = f"We're heads-up: {name(one)} with {count_text(most, 'chip')}, {name(other)} with {least:,}."
        yield Storyline("at stake", "last two", (one, other), text, "worth telling", (facts.last_hand,))


def _hands_left_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says how many hands of the contest's last game are left. If few are left, also says who leads."""
    stage = facts.stage
    left = (
        facts.hand_limit - facts.last_hand.hand
        if facts.is_playing and facts.last_hand.game == facts.current_hand.game
        else 0
    )
    is_last = stage is not None and stage.games == 1 and not stage.advance
    if stage and is_last and left > MAX_HANDS_AHEAD:
        text = f"{left} hands to go in {stage.title}."
        yield Storyline("at stake", "hands to go", (), text, "for a pause", (facts.last_hand,))
    if is_last and 0 < left <= MAX_HANDS_AHEAD and facts.lead.leader in facts.stacks and len(facts.stacks) > 1:
        first, second, *_ = facts.stacks.values()
        text = (
            f"{name(facts.lead.leader)} leads by {count_text(first - second, 'chip')} with "
            f"{count_text(left, 'hand')} left."
        )
        importance: Importance = "worth telling" if left <= MAX_HANDS_SOON else "for a pause"
        yield Storyline("at stake", "hands left", (facts.lead.leader,), text, importance, (facts.last_hand,))


def _games_left_lines(facts: EveningFacts) -> Iterator[Storyline]:
    stage = facts.stage
    if stage and stage.games > 1 and facts.is_playing:
        left = stage.games - facts.games_played - 1
        text = f"Up to {count_text(left, 'more game')} in {stage.title} after this one."
        if not left:
            text = f"This is the last game of {stage.title}."
        yield Storyline("at stake", "games left", (), text, "for a pause", (facts.last_hand,))


def _blind_lines(facts: EveningFacts) -> Iterator[Storyline]:
    """Says when the blinds go up. Says nothing between games, because each game starts again with the first blinds."""
    rules, hand = facts.rules, facts.last_hand.hand
    if not rules.hands_per_level or facts.last_hand.game != facts.current_hand.game or not facts.is_playing:
        return
    left = rules.hands_per_level - (hand - 1) % rules.hands_per_level
    now, then = level_of(rules, hand), level_of(rules, hand + left)
    if (now.small, now.big) != (then.small, then.big) and left <= MAX_HANDS_AHEAD:
        when = "with the next hand" if left == 1 else f"in {left} hands"
        text = f"The blinds go up to {then.small:,}/{then.big:,} {when}."
        importance: Importance = "worth telling" if left <= MAX_HANDS_SOON else "for a pause"
        yield Storyline("at stake", "next blinds", (), text, importance, (facts.last_hand,))


def _prize_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says what the places pay. In the last stage, also says what the next elimination is worth, and to whom."""
    prizes, stage, ranked = facts.opening_facts.prizes, facts.stage, [*facts.stacks]
    if not prizes:
        return
    text = f"The winner takes all the prize money, {dollar_text(prizes[0])}."
    if len(prizes) > 1:
        places = f"{dollar_text(prizes[0])} for 1st, down to {dollar_text(prizes[-1])} for {ordinal(len(prizes))}"
        text = f"The top {number_in_words(len(prizes))} are paid: {places}."
    yield Storyline("prize money", "prizes", (), text, "for a pause", (facts.last_hand,))
    players = {facts.opening_facts.player_of(bot) for bot in ranked}
    is_last = stage is not None and not stage.advance and not facts.is_series
    # A player wins only one prize. So if a player has two bots left, the places alone do not decide the prizes.
    if is_last and len(players) == len(ranked) > 1 and not any(facts.bots[bot].is_withdrawn for bot in ranked):
        yield from _next_elimination_lines(facts, name, ranked)
        yield from _paid_place_lines(facts, name, ranked)


def _next_elimination_lines(facts: EveningFacts, name: Name, ranked: Sequence[int]) -> Iterator[Storyline]:
    prizes, left = facts.opening_facts.prizes, len(ranked)
    if left > len(prizes) + 1:
        return
    next_prize_cents, guaranteed_cents = (prizes[left - 1] if left <= len(prizes) else 0), min(prizes[: left - 1])
    if left == 2:
        one, other = ranked
        second = dollar_text(next_prize_cents) if next_prize_cents else "nothing"
        text = (
            f"{name(one)} and {name(other)} are playing for {dollar_text(guaranteed_cents)}. Second place pays "
            f"{second}."
        )
        yield Storyline("prize money", "last two", (one, other), text, "worth telling", (facts.last_hand,))
        return
    text = f"The next bot out gets {dollar_text(next_prize_cents) if next_prize_cents else 'nothing'}"
    sure = (
        f", and everybody else is guaranteed at least {dollar_text(guaranteed_cents)}."
        if guaranteed_cents > next_prize_cents
        else "."
    )
    importance: Importance = "worth telling" if guaranteed_cents > next_prize_cents else "for a pause"
    yield Storyline("prize money", "next out", (), text + sure, importance, (facts.last_hand,))


def _paid_place_lines(facts: EveningFacts, name: Name, ranked: Sequence[int]) -> Iterator[Storyline]:
    """Says which bot is in the last paid place, and what the first and the second place pay."""
    prizes, stacks, paid = facts.opening_facts.prizes, facts.stacks, len(facts.opening_facts.prizes)
    chips = [stacks[bot] for bot in ranked]
    if len(ranked) > paid and chips.count(chips[paid - 1]) == chips.count(chips[paid]) == 1:
        inside, outside = ranked[paid - 1 : paid + 1]
        gap = count_text(chips[paid - 1] - chips[paid], "chip")
        text = f"{name(inside)} holds the last paying spot, {gap} ahead of {name(outside)}."
        importance: Importance = "worth telling" if len(ranked) == paid + 1 else "background"
        yield Storyline("prize money", "last in the money", (inside, outside), text, importance, (facts.last_hand,))
    if facts.lead.leader == ranked[0] and len(ranked) > 2 and len(prizes) > 1 and prizes[0] > prizes[1]:
        first, second = dollar_text(prizes[0]), dollar_text(prizes[1])
        text = f"As things stand, {name(ranked[0])} wins {first}. Second place pays {second}."
        yield Storyline("prize money", "worth of the lead", (ranked[0],), text, "background", (facts.last_hand,))

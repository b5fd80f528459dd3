"""Storylines about how bots play: streaks and records, pressure, clocks and faults. No I/O."""

from collections.abc import Iterator

from broadcast.commentary.storylines.bot_facts import Extreme
from broadcast.commentary.storylines.chip_lead import leader_of
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import MAX_HANDS_LATELY, Importance, Name, Storyline, importance_by_age
from server.text.grammar import count_text, number_in_words, times_text, with_article

MAX_STREAK_CHANCE = 1 / 20
"""A streak of wins, or of hands without a win, is mentioned if its probability by pure chance is below this."""
STREAK_GRADES: tuple[tuple[float, Importance], ...] = (
    (1 / 500, "just now"), (1 / 100, "worth telling"), (MAX_STREAK_CHANCE, "background"),
)  # fmt: skip
"""Rows of (probability, importance). A streak gets the importance of the first row whose probability is higher than the
streak's probability by pure chance.
"""
MIN_STREAK, MIN_DROUGHT = 3, 5
MIN_BLUFFS_CAUGHT = 2
MIN_HANDS_FOR_RECORDS = 10
"""The biggest pot and the longest thought are not called records before this many hands have been played."""
MIN_LONGEST_THOUGHT_MS = 1000
MIN_LARGE_WIN_STACKS = 0.3
"""The biggest win is mentioned only if it is at least this many starting stacks."""
MIN_POTS_WON = 5
GREAT_HAND = ("straight", "flush", "full house", "four of a kind", "royal flush")
SHORT_BLINDS, VERY_SHORT_BLINDS = 10, 5
"""A bot with at most SHORT_BLINDS big blinds is short of chips. With at most VERY_SHORT_BLINDS, it is very short."""
MIN_STACK_BLINDS, MAX_STACK_BLINDS = 1, 100
"""A stack is told in big blinds only if it has at least MIN_STACK_BLINDS and at most MAX_STACK_BLINDS of them."""
MIN_ALL_INS_SURVIVED, MIN_ALL_IN_DECISIONS, MIN_TIMEOUTS = 2, 3, 2


def streak_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about streaks of wins, and of hands without a win (droughts), that are unlikely by chance."""
    is_duel = len(facts.stacks) == 2  # one bot's hands without a win are the other bot's wins
    for bot in facts.alive:
        each = facts.bots[bot]
        importance = next((grade for chance, grade in STREAK_GRADES if each.streak_chance < chance), None)
        if importance and len(each.winning_streak) >= MIN_STREAK:
            text = f"{name(bot)} has won {number_in_words(len(each.winning_streak))} pots in a row."
            yield Storyline("streaks", "streak", (bot,), text, importance, tuple(each.winning_streak))
        is_long = len(each.drought) >= MIN_DROUGHT and not is_duel
        if importance and is_long and bot not in facts.disconnected:  # an absent bot cannot win
            text = f"{name(bot)} hasn't won a pot in {len(each.drought)} hands."
            importance = "worth telling" if importance == "just now" else importance
            yield Storyline("streaks", "drought", (bot,), text, importance, tuple(each.drought))


def record_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about a record of tonight that the last hand has set."""
    pot, thought = facts.records.biggest_pot, facts.records.longest_thought
    if facts.hands_played < MIN_HANDS_FOR_RECORDS:
        return
    if pot and pot.hand == facts.last_hand and _is_large(facts, pot):
        text = f"{name(pot.bot)} has just won {pot.amount:,} chips, the biggest win of the night so far."
        yield Storyline("first and largest", "biggest pot", (pot.bot,), text, "just now", (pot.hand,))
    if thought and thought.hand == facts.last_hand and thought.amount >= MIN_LONGEST_THOUGHT_MS:
        text = (
            f"{name(thought.bot)} took {thought.amount / 1000:.1f} seconds to decide, the longest think of the night."
        )
        yield Storyline("clocks and faults", "longest thought", (thought.bot,), text, "for a pause", (thought.hand,))


def _is_large(facts: EveningFacts, pot: Extreme) -> bool:
    """Whether a win is large enough to be mentioned."""
    return pot.amount >= MIN_LARGE_WIN_STACKS * facts.starting_stack


def caught_bluff_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about bots that have been caught bluffing."""
    for bot in facts.alive:
        hands = facts.bots[bot].bluffs_caught
        if len(hands) >= MIN_BLUFFS_CAUGHT:
            text = f"{name(bot)} has been caught bluffing {times_text(len(hands))} tonight."
            yield Storyline("style", "bluffs caught", (bot,), text, "background", tuple(hands))


def standing_record_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about the evening's records that still stand, and about what happened first."""
    records = facts.records
    pot, best, first, out = records.biggest_pot, records.best_hand, records.first_all_in, records.first_elimination
    if pot and _is_large(facts, pot) and (pot.hand != facts.last_hand or facts.hands_played < MIN_HANDS_FOR_RECORDS):
        text = f"{name(pot.bot)} has the biggest win of the night so far: {pot.amount:,} chips."
        yield Storyline("first and largest", "biggest pot so far", (pot.bot,), text, "background", (pot.hand,))
    if best and best.bot and best.ranking.startswith(GREAT_HAND):
        text = f"{name(best.bot)} has shown the best hand of the night: {with_article(best.ranking.split(',')[0])}."
        yield Storyline("first and largest", "best hand", (best.bot,), text, "for a pause", (best.hand,))
    if first and first.bot:
        text = f"{name(first.bot)} won the first all-in showdown of the night: {first.amount:,} chips."
        yield Storyline("first and largest", "first all-in", (first.bot,), text, "for a pause", (first.hand,))
    if out:
        text = f"{name(out.bot)} was the first bot out tonight, after {count_text(out.amount, 'hand')}."
        yield Storyline("first and largest", "first out", (out.bot,), text, "for a pause", (out.hand,))
    won = {bot: each.hands_won for bot, each in facts.bots.items()}
    top_bot = leader_of(won)
    if top_bot and won[top_bot] >= MIN_POTS_WON and len(facts.bots) > 2:  # for two bots, `series_lines` tells the score
        text = f"{name(top_bot)} has won {won[top_bot]} hands tonight, more than anybody else."
        yield Storyline(
            "streaks", "most pots", (top_bot,), text, "for a pause", tuple(facts.bots[top_bot].winning_hands)
        )


def pressure_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about who is short of chips, who has faced bets for all its chips, and who has survived being
    all in.
    """
    yield from _short_stack_lines(facts, name)
    folded = [
        decision
        for bot in facts.stacks
        for decision in facts.bots[bot].all_in_decisions[-1:]
        if not decision.has_called
    ]
    for bot in facts.stacks:
        decisions, survived = facts.bots[bot].all_in_decisions, facts.bots[bot].all_ins_survived
        latest = decisions[-1] if decisions else None
        ago = facts.hands_since(latest.hand) if latest else MAX_HANDS_LATELY + 1
        if latest and ago <= MAX_HANDS_LATELY and latest.has_called and latest.hand in survived:
            text = f"{name(bot)} called off its last {latest.chips:,} chips and survived."
            yield Storyline("pressure", "called for its life", (bot,), text, importance_by_age(ago), (latest.hand,))
        elif latest and ago <= MAX_HANDS_LATELY and latest == max(folded, key=lambda each: each.hand, default=None):
            text = f"Facing a bet for its last {latest.chips:,} chips, {name(bot)} folded."
            importance: Importance = "background" if importance_by_age(ago) == "just now" else "for a pause"
            yield Storyline("pressure", "folded for its life", (bot,), text, importance, (latest.hand,))
    decision_counts = {bot: len(facts.bots[bot].all_in_decisions) for bot in facts.stacks}
    top_bot = leader_of(decision_counts)
    if top_bot and decision_counts[top_bot] >= MIN_ALL_IN_DECISIONS:
        decisions = facts.bots[top_bot].all_in_decisions
        called = sum(decision.has_called for decision in decisions)
        every = {0: ", and folded every time", len(decisions): ", and called every time"}
        how_often = every.get(called, f", and called {times_text(called)}")
        text = (
            f"{name(top_bot)} has faced a decision for all its chips {times_text(len(decisions))} tonight{how_often}."
        )
        hands = tuple(decision.hand for decision in decisions)
        yield Storyline("pressure", "bets for all its chips", (top_bot,), text, "background", hands)
    survival_counts = {bot: len(facts.bots[bot].all_ins_survived) for bot in facts.stacks}
    top_bot = leader_of(survival_counts)
    if top_bot and survival_counts[top_bot] >= MIN_ALL_INS_SURVIVED:
        text = f"{name(top_bot)} has survived {survival_counts[top_bot]} all-ins tonight, more than anybody else."
        hands = tuple(facts.bots[top_bot].all_ins_survived)
        yield Storyline("pressure", "all-ins survived", (top_bot,), text, "background", hands)


def _in_blinds(blinds: float) -> str:
    """Writes a number of big blinds: "1 big blind", "2.5 big blinds", "24 big blinds"."""
    rounded = f"{blinds:,.{0 if blinds >= SHORT_BLINDS else 1}f}".removesuffix(".0")
    return f"{rounded} big blind{'' if rounded == '1' else 's'}"


def _short_stack_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    last_bot = leader_of({bot: -chips for bot, chips in facts.stacks.items()})
    if not (last_bot and facts.big_blind and facts.hands_played) or len(facts.stacks) < 2:
        return
    chips, blinds = facts.stacks[last_bot], facts.stacks[last_bot] / facts.big_blind
    lost = facts.starting_stack - chips
    if facts.is_capped:  # a hand can cost only a part of a stack
        where = "is" if len(facts.stacks) == 2 else "is last,"
        text = f"{name(last_bot)} {where} {'down' if lost > 0 else 'up'} {abs(lost):,} chips."
    else:
        where = "trails" if len(facts.stacks) == 2 else "is the short stack"
        in_blinds = f", or {_in_blinds(blinds)}" if MIN_STACK_BLINDS <= blinds <= MAX_STACK_BLINDS else ""
        text = f"{name(last_bot)} {where} with {count_text(chips, 'chip')}{in_blinds}."
    importance: Importance = "for a pause"
    if not facts.is_capped and blinds <= SHORT_BLINDS:
        importance = "worth telling" if blinds <= VERY_SHORT_BLINDS else "background"
    yield Storyline("pressure", "short stack", (last_bot,), text, importance, (facts.last_hand,))


def clock_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about who has run out of time, and who is no longer connected."""
    for bot in facts.stacks:
        late, since = facts.bots[bot].timeouts, facts.bots[bot].away_since
        if len(late) >= MIN_TIMEOUTS:
            text = f"{name(bot)} has timed out {times_text(len(late))} tonight."
            yield Storyline("clocks and faults", "late", (bot,), text, "background", tuple(late))
        elif late and facts.hands_since(late[-1]) <= MAX_HANDS_LATELY:
            text = f"{name(bot)} has timed out for the first time tonight."
            yield Storyline("clocks and faults", "late", (bot,), text, "worth telling", tuple(late))
        if since is not None and facts.hands_played - since > 0:
            text = f"{name(bot)} has been offline for {count_text(facts.hands_played - since, 'hand')}."
            yield Storyline("clocks and faults", "offline", (bot,), text, "worth telling", ())

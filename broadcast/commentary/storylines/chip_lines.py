"""Storylines about chips: leads taken and lost, comebacks and falls, and who has won and lost lately. Pure."""

from collections import Counter
from collections.abc import Iterator

from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.lead import leader_of
from broadcast.commentary.storylines.storyline import LATELY, Importance, Name, Storyline, by_age
from server.text.grammar import counted, in_words, kind_name

LONG_REIGN = 5
"""A bot's loss of the lead is news if the bot had led for at least this many hands in a row."""
MANY_CHANGES = 3
"""The number of changes of the lead is mentioned if it is at least this."""
CLOSE = 0.1
"""The top three are close if the third is behind the first by at most this fraction of the first's chips."""
LARGE_SHARE = 40
"""A leader's share of all chips is mentioned only if it is at least this many percent, and if at least `FROM_MANY` bots
have chips.
"""
FROM_MANY = 3
LOW, BACK = 0.2, 1.0
"""A bot has made a comeback if it was down to at most `LOW` starting stacks, and now has at least `BACK` of them."""
HIGH, FALLEN = 1.6, 0.5
"""A bot has fallen if it had at least `HIGH` starting stacks, and now has at most `FALLEN` of them."""
LARGE_POT = 10
"""The last hand is news if its winner won at least this many big blinds."""
MIN_CHANGE = 10
"""A gain, win or loss of fewer big blinds than this is not mentioned."""
MULTIPLES = {2: "doubled", 3: "tripled", 4: "quadrupled"}
MIN_WINDOW = 5
"""Gains and losses are mentioned once this many hands of a stage have been played."""


def chip_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields all storylines about chips that are true now, except comebacks. The show itself does not announce them."""
    for find in (_lead, _lost_lead, _gap, _share, _close, _double_ups, _form, _lately):
        yield from find(facts, name)


def comebacks(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about bots that were nearly out and have recovered, and bots that had many chips and now have
    few.
    """
    for bot in facts.alive:
        each = facts.bots[bot]
        low, high, stack = each.lowest, each.highest, each.stack
        if low and low.amount <= LOW * facts.starting_stack and stack >= BACK * facts.starting_stack:
            text = f"{name(bot)} was down to {low.amount:,} chips, and is back up to {stack:,}."
            yield Storyline("comebacks", "comeback", (bot,), text, "worth telling", (low.hand, facts.last))
        if high and high.amount >= HIGH * facts.starting_stack and stack <= FALLEN * facts.starting_stack:
            text = f"{name(bot)} was up to {high.amount:,} chips at one point, and is now down to {stack:,}."
            yield Storyline("comebacks", "fall", (bot,), text, "worth telling", (high.hand, facts.last))


def standing_words(facts: EveningFacts, bot: int) -> str:
    """Says how many chips a bot has: "now has 7,300 chips". If a hand can cost only a part of a stack, says how many it
    has won or lost: "is now up 300 chips".
    """
    if not facts.is_capped:
        return f"now has {facts.bots[bot].stack:,} chips"
    change = facts.bots[bot].stack - facts.starting_stack
    return f"is now {'down' if change < 0 else 'up'} {abs(change):,} chips"


def _lead(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    lead, leader, led = facts.lead, facts.lead.leader, tuple(facts.lead.since)
    if leader not in facts.stacks:
        return
    ago, where = len(led) - 1, standing_words(facts, leader)
    if ago <= LATELY and lead.before:
        text = f"{name(leader)} has taken the lead from {name(lead.before)} and {where}."
        yield Storyline("the lead", "lead", (leader,), text, by_age(ago), led[:1])
    elif ago:
        text = f"{name(leader)} has led for {len(led)} hands and {where}."
        yield Storyline("the lead", "lead", (leader,), text, "background", led[:1])
    if lead.changes >= MANY_CHANGES:
        text = f"The lead has changed hands {lead.changes} times, and {name(leader)} is in front now."
        yield Storyline("the lead", "lead changes", (leader,), text, "background", led[:1])


def _lost_lead(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    lead, ago = facts.lead, len(facts.lead.since) - 1
    if lead.leader and lead.before in facts.stacks and lead.reign >= LONG_REIGN and ago <= LATELY:
        text = f"{name(lead.before)} has lost the lead after {lead.reign} hands in front."
        importance: Importance = "worth telling" if ago <= LATELY // 2 else "background"
        yield Storyline("the lead", "lost lead", (lead.before,), text, importance, tuple(lead.since[:1]))


def _gap(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    first, *others = [*facts.stacks.items()] or [(0, 0)]
    second, chips = others[0] if others else (0, 0)
    is_alone = len(others) < 2 or others[1][1] < chips
    if second and first[1] == chips and is_alone and facts.hands:
        text = f"{name(first[0])} and {name(second)} are level at the top, with {counted(chips, 'chip')} each."
        yield Storyline("the lead", "level", (first[0], second), text, "for a pause", (facts.last,))
    elif facts.lead.leader and second and is_alone and facts.hands:
        text = f"{name(first[0])} leads {name(second)} by {counted(first[1] - chips, 'chip')}."
        yield Storyline("the lead", "gap", (first[0], second), text, "for a pause", (facts.last,))


def _share(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    stacks, leader = facts.stacks, facts.lead.leader
    share = 100 * stacks[leader] // sum(stacks.values()) if leader in stacks else 0
    if share >= LARGE_SHARE and len(stacks) >= FROM_MANY:
        others = in_words(len(stacks) - 1)
        text = f"{name(leader)} has {share}% of the chips in play. The other {others} share the rest."
        yield Storyline("the lead", "share of chips", (leader,), text, "background", (facts.last,))


def _close(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    first, second, third, *_ = [*facts.stacks.items(), *[(0, 0)] * 3]
    if third[0] and facts.hands and not facts.is_capped and 0 < first[1] - third[1] <= CLOSE * first[1]:
        text = f"Only {first[1] - third[1]:,} chips separate the top three, with {name(first[0])} in front."
        bots = (first[0], second[0], third[0])
        yield Storyline("the lead", "close at the top", bots, text, "worth telling", (facts.last,))


def _double_ups(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot in facts.stacks:
        double = facts.bots[bot].double_up
        if double and (ago := facts.ago(double.hand)) <= LATELY:
            times = MULTIPLES[min(double.after // double.before, max(MULTIPLES))]
            text = f"{name(bot)} has {times} up to {double.after:,} chips."
            yield Storyline("comebacks", "double-up", (bot,), text, by_age(ago), (double.hand,))


def _form(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says who has gained most and who has lost most in the latest hands. With two bots, says only who has gained."""
    if len(facts.latest) < MIN_WINDOW:
        return
    change = Counter[int]()
    for played in facts.latest:
        change.update(played.changes)
    for verb, sign in (("gained", 1), ("lost", -1)):
        most = leader_of({bot: sign * chips for bot, chips in change.items() if sign * chips > 0})
        is_news = sign * change[most] >= MIN_CHANGE * facts.big_blind and not (sign < 0 and facts.field <= 2)
        if most in facts.stacks and is_news and facts.field == 2:
            other = next(bot for bot in facts.here if bot != most)
            taken, many = f"{change[most]:,} chips from {name(other)}", len(facts.latest)
            text = f"{name(most)} has taken {taken} in the last {many} hands."
            hands = tuple(each.number for each in facts.latest if each.changes.get(most, 0) > 0)
            yield Storyline("form", verb, (most, other), text, "background", hands)
        elif most in facts.stacks and is_news:
            amount, many = sign * change[most], len(facts.latest)
            text = f"{name(most)} has {verb} {amount:,} chips in the last {many} hands, more than anybody else."
            hands = tuple(each.number for each in facts.latest if sign * each.changes.get(most, 0) > 0)
            yield Storyline("form", verb, (most,), text, "background", hands)


def _lately(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says who won the last hand, and who had the biggest win in the latest hands before it."""
    if not facts.latest:
        return
    last = facts.latest[-1]
    if last.won and (last.ranking or last.won.amount >= MIN_CHANGE * facts.big_blind):
        chips = counted(last.won.amount, "chip")
        text = f"The last hand went to {name(last.won.bot)} without a showdown: {chips}."
        if last.ranking:
            text = f"{name(last.won.bot)} won {chips} in the last hand with {kind_name(last.ranking)}."
        importance: Importance = "just now" if last.won.amount >= LARGE_POT * facts.big_blind else "for a pause"
        yield Storyline("form", "last hand", (last.won.bot,), text, importance, (last.number,))
    won = [each.won for each in facts.latest if each.won]
    most = max(won, key=lambda each: each.amount, default=None)
    record = facts.records.biggest_pot
    if not most or most.amount < MIN_CHANGE * facts.big_blind or len(facts.latest) < MIN_WINDOW:
        return
    if most.hand == last.number or (record and record.hand == most.hand):
        return
    if [each.amount for each in won].count(most.amount) == 1:
        text = f"{name(most.bot)} had the biggest win of the last {len(facts.latest)} hands: {most.amount:,} chips."
        yield Storyline("form", "biggest win lately", (most.bot,), text, "background", (most.hand,))

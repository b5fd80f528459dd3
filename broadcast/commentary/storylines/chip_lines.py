"""Storylines about chips: leads taken and lost, comebacks and falls, and who has won and lost lately. No I/O."""

from collections import Counter
from collections.abc import Iterator

from broadcast.commentary.storylines.chip_lead import leader_of
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import MAX_HANDS_LATELY, Importance, Name, Storyline, importance_by_age
from server.text.grammar import count_text, hand_kind_text, number_in_words

MIN_HANDS_LED = 5
"""If a bot has led for at least this many hands in a row, it is news when the bot loses the lead."""
MANY_CHANGES = 3
"""Changes of the lead are mentioned if there have been at least this many."""
MAX_TOP_THREE_GAP = 0.1
"""The top three are close if the third bot is behind the first by at most this fraction of the first bot's chips."""
LARGE_SHARE = 40
"""A leader's share of all chips is mentioned only if it is at least this many percent, and if at least
`MIN_BOTS_FOR_SHARE` bots have chips.
"""
MIN_BOTS_FOR_SHARE = 3
COMEBACK_LOW, COMEBACK_BACK = 0.2, 1.0
"""A bot has made a comeback if it was down to at most `COMEBACK_LOW` starting stacks, and now has at least
`COMEBACK_BACK` of them.
"""
FALL_HIGH, FALL_LOW = 1.6, 0.5
"""A bot has fallen if it had at least `FALL_HIGH` starting stacks, and now has at most `FALL_LOW` of them."""
LARGE_POT = 10
"""The last hand is news if its winner won at least this many big blinds."""
MIN_CHANGE = 10
"""Gains, losses and wins are mentioned only if they are at least this many big blinds. A win in the last hand may be
smaller if the hand had a showdown.
"""
MULTIPLES = {2: "doubled", 3: "tripled", 4: "quadrupled"}
MIN_LATEST_HANDS = 5
"""Gains and losses are mentioned once this many hands of a stage have been played."""


def chip_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields the storylines about chips, except those of `comebacks`. Only commentators get these storylines. `name`
    returns the name of a bot.
    """
    for find in (
        _lead_lines,
        _lost_lead_lines,
        _gap_lines,
        _share_lines,
        _close_lines,
        _double_up_lines,
        _form_lines,
        _latest_hand_lines,
    ):
        yield from find(facts, name)


def comebacks(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about bots that were nearly out and have recovered, and bots that had many chips and now have
    few.
    """
    for bot in facts.alive:
        each = facts.bots[bot]
        low, high, stack = each.lowest, each.highest, each.stack
        if low and low.amount <= COMEBACK_LOW * facts.starting_stack and stack >= COMEBACK_BACK * facts.starting_stack:
            text = f"{name(bot)} was down to {low.amount:,} chips, and is back up to {stack:,}."
            yield Storyline("comebacks", "comeback", (bot,), text, "worth telling", (low.hand, facts.last_hand))
        if high and high.amount >= FALL_HIGH * facts.starting_stack and stack <= FALL_LOW * facts.starting_stack:
            text = f"{name(bot)} was up to {high.amount:,} chips at one point, and is now down to {stack:,}."
            yield Storyline("comebacks", "fall", (bot,), text, "worth telling", (high.hand, facts.last_hand))


def standing_words(facts: EveningFacts, bot: int) -> str:
    """Says how many chips a bot has: "now has 7,300 chips". If a hand can cost only a part of a stack, says what the
    bot has won or lost instead: "is now up 300 chips".
    """
    if not facts.is_capped:
        return f"now has {facts.bots[bot].stack:,} chips"
    change = facts.bots[bot].stack - facts.starting_stack
    return f"is now {'down' if change < 0 else 'up'} {abs(change):,} chips"


def _lead_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    lead, leader, led = facts.lead, facts.lead.leader, tuple(facts.lead.hands_led)
    if leader not in facts.stacks:
        return
    ago, where = len(led) - 1, standing_words(facts, leader)
    if ago <= MAX_HANDS_LATELY and lead.previous_leader:
        text = f"{name(leader)} has taken the lead from {name(lead.previous_leader)} and {where}."
        yield Storyline("the lead", "lead", (leader,), text, importance_by_age(ago), led[:1])
    elif ago:
        text = f"{name(leader)} has led for {len(led)} hands and {where}."
        yield Storyline("the lead", "lead", (leader,), text, "background", led[:1])
    if lead.changes >= MANY_CHANGES:
        text = f"The lead has changed hands {lead.changes} times, and {name(leader)} is in front now."
        yield Storyline("the lead", "lead changes", (leader,), text, "background", led[:1])


def _lost_lead_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    lead, ago = facts.lead, len(facts.lead.hands_led) - 1
    if (
        lead.leader
        and lead.previous_leader in facts.stacks
        and lead.previous_hands_led >= MIN_HANDS_LED
        and ago <= MAX_HANDS_LATELY
    ):
        text = f"{name(lead.previous_leader)} has lost the lead after {lead.previous_hands_led} hands in front."
        importance: Importance = "worth telling" if ago <= MAX_HANDS_LATELY // 2 else "background"
        yield Storyline("the lead", "lost lead", (lead.previous_leader,), text, importance, tuple(lead.hands_led[:1]))


def _gap_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    first, *others = [*facts.stacks.items()] or [(0, 0)]
    second, chips = others[0] if others else (0, 0)
    is_alone = len(others) < 2 or others[1][1] < chips
    if second and first[1] == chips and is_alone and facts.hands_played:
        text = f"{name(first[0])} and {name(second)} are level at the top, with {count_text(chips, 'chip')} each."
        yield Storyline("the lead", "level", (first[0], second), text, "for a pause", (facts.last_hand,))
    elif facts.lead.leader and second and is_alone and facts.hands_played:
        text = f"{name(first[0])} leads {name(second)} by {count_text(first[1] - chips, 'chip')}."
        yield Storyline("the lead", "gap", (first[0], second), text, "for a pause", (facts.last_hand,))


def _share_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    stacks, leader = facts.stacks, facts.lead.leader
    share = 100 * stacks[leader] // sum(stacks.values()) if leader in stacks else 0
    if share >= LARGE_SHARE and len(stacks) >= MIN_BOTS_FOR_SHARE:
        others = number_in_words(len(stacks) - 1)
        text = f"{name(leader)} has {share}% of the chips in play. The other {others} share the rest."
        yield Storyline("the lead", "share of chips", (leader,), text, "background", (facts.last_hand,))


def _close_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    first, second, third, *_ = [*facts.stacks.items(), *[(0, 0)] * 3]
    if (
        third[0]
        and facts.hands_played
        and not facts.is_capped
        and 0 < first[1] - third[1] <= MAX_TOP_THREE_GAP * first[1]
    ):
        text = f"Only {first[1] - third[1]:,} chips separate the top three, with {name(first[0])} in front."
        bots = (first[0], second[0], third[0])
        yield Storyline("the lead", "close at the top", bots, text, "worth telling", (facts.last_hand,))


def _double_up_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot in facts.stacks:
        double = facts.bots[bot].double_up
        if double and (ago := facts.hands_since(double.hand)) <= MAX_HANDS_LATELY:
            times = MULTIPLES[min(double.after // double.before, max(MULTIPLES))]
            text = f"{name(bot)} has {times} up to {double.after:,} chips."
            yield Storyline("comebacks", "double-up", (bot,), text, importance_by_age(ago), (double.hand,))


def _form_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says who has gained most and who has lost most in the latest hands. With two bots, says only who has gained."""
    if len(facts.latest_hands) < MIN_LATEST_HANDS:
        return
    change = Counter[int]()
    for played in facts.latest_hands:
        change.update(played.stack_changes)
    for verb, sign in (("gained", 1), ("lost", -1)):
        top_bot = leader_of({bot: sign * chips for bot, chips in change.items() if sign * chips > 0})
        is_news = sign * change[top_bot] >= MIN_CHANGE * facts.big_blind and not (sign < 0 and facts.field_size <= 2)
        if top_bot in facts.stacks and is_news and facts.field_size == 2:
            other = next(bot for bot in facts.stage_bots if bot != top_bot)
            taken, many = f"{change[top_bot]:,} chips from {name(other)}", len(facts.latest_hands)
            text = f"{name(top_bot)} has taken {taken} in the last {many} hands."
            hands = tuple(each.number for each in facts.latest_hands if each.stack_changes.get(top_bot, 0) > 0)
            yield Storyline("form", verb, (top_bot, other), text, "background", hands)
        elif top_bot in facts.stacks and is_news:
            amount, many = sign * change[top_bot], len(facts.latest_hands)
            text = f"{name(top_bot)} has {verb} {amount:,} chips in the last {many} hands, more than anybody else."
            hands = tuple(each.number for each in facts.latest_hands if sign * each.stack_changes.get(top_bot, 0) > 0)
            yield Storyline("form", verb, (top_bot,), text, "background", hands)


def _latest_hand_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Says who won the last hand. Also tells the biggest win of the latest hands, if it was in an earlier hand."""
    if not facts.latest_hands:
        return
    last = facts.latest_hands[-1]
    if last.largest_win and (last.ranking or last.largest_win.amount >= MIN_CHANGE * facts.big_blind):
        chips = count_text(last.largest_win.amount, "chip")
        text = f"The last hand went to {name(last.largest_win.bot)} without a showdown: {chips}."
        if last.ranking:
            text = f"{name(last.largest_win.bot)} won {chips} in the last hand with {hand_kind_text(last.ranking)}."
        importance: Importance = "just now" if last.largest_win.amount >= LARGE_POT * facts.big_blind else "for a pause"
        yield Storyline("form", "last hand", (last.largest_win.bot,), text, importance, (last.number,))
    won = [each.largest_win for each in facts.latest_hands if each.largest_win]
    most = max(won, key=lambda each: each.amount, default=None)
    record = facts.records.biggest_pot
    if not most or most.amount < MIN_CHANGE * facts.big_blind or len(facts.latest_hands) < MIN_LATEST_HANDS:
        return
    if most.hand == last.number or (record and record.hand == most.hand):
        return
    if [each.amount for each in won].count(most.amount) == 1:
        text = (
            f"{name(most.bot)} had the biggest win of the last {len(facts.latest_hands)} hands: {most.amount:,} chips."
        )
        yield Storyline("form", "biggest win lately", (most.bot,), text, "background", (most.hand,))

"""Storylines about earlier contests, and standing storylines, which commentators can use at any moment. Pure.

The show does not announce standing storylines itself, because it shows standings and statistics.
"""

from collections.abc import Callable, Iterator

from broadcast.commentary.storylines.earlier import MIN_CONTESTS, Earlier, EarlierHand, Record
from broadcast.commentary.storylines.evening_facts import EveningFacts, leader_of
from broadcast.commentary.storylines.storyline import Importance, Storyline
from broadcast.on_air.events import StatisticsChanged
from server.text.grammar import ordinal

Name = Callable[[int], str]
STREAK_FROM, DROUGHT_FROM = 5, 20
"""Runs shorter than this are not mentioned, even if they are records."""
FINALS_FROM = 2
SHORT_OF_BLINDS = 5
"""A bot with at most this many big blinds is short of chips."""
DEEP = 1_000
"""Stacks of this many big blinds or more are not given in big blinds."""
POTS_FROM = 3
TAKEN_FROM = 500
"""It is not a story if one bot took fewer chips than this from another, or if luck or play amounts to fewer."""


def earlier_lines(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    """All lines about earlier contests that are true now."""
    for find in (_biggest, _runs, _finals, _first_time_ahead, _winners, _always_ahead):
        yield from find(facts, earlier, name)


def _biggest(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    record, pot = earlier.records.get("won"), facts.biggest_pot
    if record and pot and pot.hand == facts.last and pot.amount > record.amount:
        text = f"The {pot.amount:,} that {name(pot.bot)} won just now are the most won in one hand in {_all(record)}."
        yield Storyline("biggest pot", (pot.bot,), text, "breaking", (pot.hand,), earlier=(record.where,))


def _runs(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    """Runs that are longer than all runs in earlier contests and all runs of other bots tonight."""
    streak, drought = earlier.records.get("streak"), earlier.records.get("drought")
    for bot in facts.alive:
        won, lost = tuple(facts.bots[bot].winning), tuple(facts.bots[bot].without)
        others = [each for other, each in facts.bots.items() if other != bot]
        most = max((each.longest_streak for each in others), default=0)
        if streak and len(won) > max(STREAK_FROM - 1, streak.amount, most):
            text = f"{name(bot)} has won a pot in {len(won)} hands in a row, the most in {_all(streak)}."
            yield Storyline("streak", (bot,), text, "breaking", won, earlier=(streak.where,))
        most = max((each.longest_drought for each in others), default=0)
        if drought and len(lost) > max(DROUGHT_FROM - 1, drought.amount, most):
            text = f"{name(bot)} has won no pot in {len(lost)} hands, the longest drought in {_all(drought)}."
            yield Storyline("drought", (bot,), text, "analyst", lost, earlier=(drought.where,))


def _all(record: Record) -> str:
    return f"all {record.contests + 1} contests here"


def _finals(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    for bot in facts.finalists:
        row = earlier.finals.get(bot, ())
        if len(row) + 1 >= FINALS_FROM and facts.bots[bot].stack:
            text = f"{name(bot)} is in the final for the {ordinal(len(row) + 1)} time in a row."
            importance: Importance = "analyst" if len(row) + 1 > FINALS_FROM else "normal"
            yield Storyline("finals in a row", (bot,), text, importance, (), earlier=_whole(row))


def _first_time_ahead(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    """A bot that has always finished ahead of another has just been eliminated, while the other is still playing."""
    for (ahead, behind), met in earlier.always_ahead.items():
        if ahead in facts.just_out and facts.bots[behind].stack:
            text = f"{name(behind)} is ahead of {name(ahead)} for the first time in {len(met) + 1} contests."
            yield Storyline("first time ahead", (behind,), text, "analyst", (facts.last,), earlier=_whole(met))


def _winners(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    for bot in facts.alive:
        played, won = earlier.played.get(bot, ()), earlier.won.get(bot, ())
        if len(played) >= MIN_CONTESTS and won:
            text = f"{name(bot)} has won {len(won)} of its {len(played)} earlier contests here."
            yield Storyline("contests won", (bot,), text, "normal", (), earlier=_whole(won))
        elif len(played) >= MIN_CONTESTS:
            text = f"{name(bot)} has won none of its {len(played)} earlier contests here."
            yield Storyline("contests won", (bot,), text, "whatever", (), earlier=_whole(played))


def _always_ahead(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    for (one, other), met in earlier.always_ahead.items():
        if facts.bots[one].stack and facts.bots[other].stack:
            text = f"{name(one)} has finished ahead of {name(other)} in all {len(met)} contests with both."
            yield Storyline("always ahead", (one, other), text, "normal", (), earlier=_whole(met))


def _whole(recordings: tuple[str, ...]) -> tuple[EarlierHand, ...]:
    return tuple(EarlierHand(name) for name in recordings)


def standing_lines(facts: EveningFacts, counted: StatisticsChanged, name: Name) -> Iterator[Storyline]:
    """All standing lines that are true now; `counted` are the statistics of the same hands."""
    for find in (_outs, _lead, _shortest, _records):
        yield from find(facts, name)
    yield from _counted(counted, name)


def _outs(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    where = " of this game" if facts.series else ""
    for out in facts.outs:
        place = f"out{where} in {ordinal(out.place)} place"
        text = f"{name(out.bot)} is {place}."
        if out.by:
            text = f"{name(out.by)} took the last chips of {name(out.bot)}, who is {place}."
        importance: Importance = "analyst" if out is facts.outs[-1] else "normal"
        importance = "breaking" if out.hand == facts.last else importance
        yield Storyline("elimination", (out.bot,), text, importance, (out.hand,))


def _lead(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    stacks = {bot: facts.bots[bot].stack for bot in facts.alive}
    leader, led = facts.leader, tuple(facts.led)
    if not leader or leader not in stacks:
        return
    if len(led) == 1 and facts.led_before:
        text = f"{name(leader)} has taken the lead from {name(facts.led_before)}, with {stacks[leader]:,} chips."
        yield Storyline("lead", (leader,), text, "analyst", led)
    else:
        hands = "a hand" if len(led) == 1 else f"{len(led)} hands"
        text = f"{name(leader)} has led for {hands}, with {stacks[leader]:,} chips now."
        yield Storyline("lead", (leader,), text, "normal", led[:1])
    if facts.lead_changes > 1:
        text = f"The lead has changed {facts.lead_changes} times, the last time to {name(leader)}."
        yield Storyline("lead changes", (leader,), text, "normal", led[:1])
    if second := leader_of({bot: chips for bot, chips in stacks.items() if bot != leader}):
        text = f"{name(leader)} is {stacks[leader] - stacks[second]:,} chips ahead of {name(second)} in second place."
        yield Storyline("gap", (leader, second), text, "whatever", (facts.last,))


def _shortest(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    last = leader_of({bot: -facts.bots[bot].stack for bot in facts.alive})
    if last and facts.big_blind and facts.hands:
        chips, blinds = facts.bots[last].stack, facts.bots[last].stack / facts.big_blind
        worth = f", which are {blinds:.1f} big blinds" if blinds < DEEP else ""
        text = f"{name(last)} has the fewest chips: {chips:,}{worth}."
        yield Storyline("short stack", (last,), text, "analyst" if blinds <= SHORT_OF_BLINDS else "whatever", ())


def _records(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    pot = facts.biggest_pot
    if pot and pot.hand != facts.last:
        text = f"The most won in one hand tonight are still the {pot.amount:,} of {name(pot.bot)}."
        yield Storyline("biggest pot so far", (pot.bot,), text, "normal", (pot.hand,))
    most = leader_of(facts.pots)
    if most and facts.pots[most] >= POTS_FROM:
        text = f"{name(most)} has won a pot in {facts.pots[most]} hands tonight, more than anybody else."
        yield Storyline("most pots", (most,), text, "whatever", ())


def _counted(counted: StatisticsChanged, name: Name) -> Iterator[Storyline]:
    """Luck against play, who took from whom, and notices from the statistics."""
    for row in counted.rows:
        if row.earned is not None and row.luck * row.earned < 0 and min(abs(row.luck), abs(row.earned)) >= TAKEN_FROM:
            text = f"The cards alone gave {name(row.bot)} {row.luck:+,} chips, its play {row.earned:+,.0f}."
            yield Storyline("luck against play", (row.bot,), text, "normal", ())
    most = max(counted.crosstable, key=lambda taken: taken.chips, default=None)
    if most and most.chips >= TAKEN_FROM:
        text = f"{name(most.by)} has taken {most.chips:,} chips from {name(most.of)}, the most between two tonight."
        yield Storyline("most taken", (most.by, most.of), text, "normal", ())
    for notice in counted.notices:
        if notice.title == "Biggest pot":  # `_records` has its own line for it
            continue
        text = f"{notice.title} tonight: {name(notice.bot)}, {notice.text}."
        yield Storyline(notice.title.lower(), (notice.bot,), text, "whatever", ())

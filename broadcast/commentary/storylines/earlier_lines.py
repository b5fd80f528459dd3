"""Storylines that reach back to earlier contests: records of all, finals in a row, who was ahead of whom. Pure."""

from collections.abc import Callable, Iterator

from broadcast.commentary.storylines.earlier import FEWEST, Earlier, EarlierHand, Record
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Storyline
from server.text.grammar import ordinal

Name = Callable[[int], str]
STREAK_FROM, DROUGHT_FROM = 5, 20
"""Shorter runs stand out nowhere, even where they are the longest."""
FINALS_FROM = 2


def earlier_lines(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    """All that is true now, of bots that have chips."""
    for tell in (_biggest, _runs, _finals, _first_time_ahead, _winners, _always_ahead):
        yield from tell(facts, earlier, name)


def _biggest(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    record, pot = earlier.records.get("won"), facts.biggest_pot
    if record and pot and pot.hand == facts.last and pot.amount > record.amount:
        text = f"The {pot.amount:,} that {name(pot.bot)} won just now are the most of one hand in {_all(record)}."
        yield Storyline("biggest pot", (pot.bot,), text, "breaking", (pot.hand,), earlier=(record.where,))


def _runs(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    """Runs that are longer than any of earlier contests, and of every other bot tonight."""
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
            text = f"{name(bot)} has won no pot in {len(lost)} hands, the longest in {_all(drought)}."
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
    """Of those who have just gone out, and were always ahead of one who still plays."""
    for (ahead, behind), met in earlier.always_ahead.items():
        if ahead in facts.just_out and facts.bots[behind].stack:
            text = f"{name(behind)} is ahead of {name(ahead)} for the first time in {len(met) + 1} contests."
            yield Storyline("first time ahead", (behind,), text, "analyst", (facts.last,), earlier=_whole(met))


def _winners(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    for bot in facts.alive:
        played, won = earlier.played.get(bot, ()), earlier.won.get(bot, ())
        if len(played) >= FEWEST and won:
            text = f"{name(bot)} has won {len(won)} of its {len(played)} earlier contests here."
            yield Storyline("contests won", (bot,), text, "normal", (), earlier=_whole(won))
        elif len(played) >= FEWEST:
            text = f"{name(bot)} has won none of its {len(played)} earlier contests here."
            yield Storyline("contests won", (bot,), text, "whatever", (), earlier=_whole(played))


def _always_ahead(facts: EveningFacts, earlier: Earlier, name: Name) -> Iterator[Storyline]:
    for (one, other), met in earlier.always_ahead.items():
        if facts.bots[one].stack and facts.bots[other].stack:
            text = f"{name(one)} has ended before {name(other)} in all {len(met)} contests of both."
            yield Storyline("always ahead", (one, other), text, "normal", (), earlier=_whole(met))


def _whole(recordings: tuple[str, ...]) -> tuple[EarlierHand, ...]:
    return tuple(EarlierHand(name) for name in recordings)

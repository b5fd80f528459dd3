"""Finds and ranks the storylines of an evening. Pure.

Every storyline uses only what has been on air so far.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from msgspec.structs import replace

from broadcast.commentary.storylines.earlier import Earlier
from broadcast.commentary.storylines.evening_facts import BotFacts, EveningFacts, HandNumber
from broadcast.commentary.storylines.further_lines import Name, earlier_lines, standing_lines
from broadcast.commentary.storylines.storyline import IMPORTANCES, Importance, Storyline
from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.table_state import TableState
from server.game.events import Event, TournamentOpened
from server.text.grammar import fits_caption, named

DROUGHTS: Mapping[Importance, int] = {"analyst": 30, "normal": 20, "whatever": 12}
"""The minimum number of hands without a pot won, for each importance."""
STREAKS: Mapping[Importance, int] = {"breaking": 5, "analyst": 4, "normal": 3}
"""The minimum number of hands in a row with a pot won."""
MIN_SHOWDOWNS = 4
NEMESIS_FROM = 3
"""A bot that has won all showdowns against another, at least this many, is its nemesis."""
CAUGHT_FROM = 2
MAX_MEETINGS = 2
"""If more pairs than this meet for the first time at one table, no pair is mentioned."""
LOW, BACK = 0.2, 1.0
"""A bot that was down to `LOW` starting stacks or less and now has at least `BACK` has made a comeback."""
RECORDS_FROM = 10
"""The biggest pot and the longest thought are not mentioned as records before this many hands have been played."""
THOUGHT_FROM_MS = 1000


class Storylines:
    """The storylines of one evening."""

    def __init__(self) -> None:
        self.facts = EveningFacts()
        self.earlier = Earlier()
        """Facts about earlier contests; empty until the archive has been read."""
        self._table = TableState()
        self._seen: dict[str, set[tuple[int, ...]]] = {}
        """For each kind of storyline, the groups of bots that have had one so far."""

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`; `table` is the table after it. Raises LookupError for an unknown bot or seat."""
        self._table = table
        if isinstance(event, TournamentOpened):
            self.facts = EveningFacts((entrant.bot for entrant in event.entrants), event.starting_stack)
        self.facts.apply(event, table)

    def begin_hand(self) -> list[Storyline]:
        """Returns the lines of `now` at the beginning of a hand, and counts them for `once_in`."""
        lines = self.now()
        for line in lines:
            self._seen.setdefault(line.kind, set()).add(line.bots)
        return lines

    def now(self) -> list[Storyline]:
        """All lines that are true now, about bots with chips, the most important first."""
        past = earlier_lines(self.facts, self.earlier, self._name)
        tonight = (line for find in _KINDS for line in find(self.facts, self._name))
        found = [line for line in chain(past, tonight) if fits_caption(line.text)]
        gone = self.facts.gone  # an absent bot cannot win, so it has no drought
        found = [line for line in found if line.kind != "drought" or gone.isdisjoint(line.bots)]
        seen = {kind: {*bots} for kind, bots in self._seen.items()}
        for line in found:
            seen.setdefault(line.kind, set()).add(line.bots)
        rated = [replace(line, once_in=self.facts.hands // len(seen[line.kind])) for line in found]
        return sorted(rated, key=lambda line: IMPORTANCES.index(line.importance))

    def standing(self, counted: StatisticsChanged) -> list[Storyline]:
        """The standing lines, which fit any moment; `counted` are the statistics of the same hands."""
        return [line for line in standing_lines(self.facts, counted, self._name) if fits_caption(line.text)]

    def _name(self, bot: int) -> str:
        return named(self._table.names[bot])


def _alive(facts: EveningFacts) -> Iterator[tuple[int, BotFacts]]:
    return ((bot, facts.bots[bot]) for bot in facts.alive)


def _droughts(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot, each in _alive(facts):
        many = len(each.without)
        if importance := _grade(DROUGHTS, many):
            text = f"{name(bot)} has not won a pot in {many} hands."
            yield Storyline("drought", (bot,), text, importance, tuple(each.without))


def _streaks(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot, each in _alive(facts):
        many = len(each.winning)
        if importance := _grade(STREAKS, many):
            text = f"{name(bot)} has won a pot in each of its last {many} hands."
            yield Storyline("streak", (bot,), text, importance, tuple(each.winning))


def _grade(thresholds: Mapping[Importance, int], count: int) -> Importance | None:
    """The highest importance whose threshold `count` reaches; None if it reaches none."""
    return next((importance for importance, least in thresholds.items() if count >= least), None)


def _records(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    if facts.hands < RECORDS_FROM:
        return
    pot, thought = facts.biggest_pot, facts.longest_thought
    if pot and pot.hand == facts.last:
        text = f"{name(pot.bot)} has just won {pot.amount:,}, the most in one hand tonight."
        yield Storyline("biggest pot", (pot.bot,), text, "analyst", (pot.hand,))
    if thought and thought.hand == facts.last and thought.amount >= THOUGHT_FROM_MS:
        text = f"{name(thought.bot)} thought for {thought.amount / 1000:.1f} seconds, the longest tonight."
        yield Storyline("longest thought", (thought.bot,), text, "whatever", (thought.hand,))


def _rivalries(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Two bots and the showdowns between them; the bot that has won more of them comes first."""
    for pair, met in facts.showdowns.items():
        if not all(facts.bots[bot].stack for bot in pair):
            continue
        best, other = sorted(pair, key=lambda bot: -sum(winner == bot for winner, _ in met))
        won, hands = sum(winner == best for winner, _ in met), tuple(number for _, number in met)
        if won == len(met) and won >= NEMESIS_FROM:
            text = f"{name(best)} has beaten {name(other)} in all {won} of their showdowns."
            yield Storyline("nemesis", (best, other), text, "analyst", hands)
        elif len(met) >= MIN_SHOWDOWNS and 2 * won > len(met):
            text = f"{name(best)} has won {won} of {len(met)} showdowns against {name(other)}."
            yield Storyline("head to head", (best, other), text, "normal", hands)


def _meetings(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    if facts.number.hand > 1 or len(facts.new_pairs) > MAX_MEETINGS:
        return
    for one, other in facts.new_pairs:
        text = f"{name(one)} and {name(other)} share a table for the first time tonight."
        yield Storyline("first meeting", (one, other), text, "whatever", (HandNumber(facts.number.game, 1),))


def _caught(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot, each in _alive(facts):
        if len(each.caught) >= CAUGHT_FROM:
            text = f"{name(bot)} has been caught bluffing {len(each.caught)} times tonight."
            yield Storyline("bluffs caught", (bot,), text, "normal", tuple(each.caught))


def _comebacks(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    for bot, each in _alive(facts):
        low, stack = each.lowest, each.stack
        if low and low.amount <= LOW * facts.starting_stack and stack >= BACK * facts.starting_stack:
            text = f"{name(bot)} was down to {low.amount:,} chips, and has {stack:,} now."
            yield Storyline("comeback", (bot,), text, "analyst", (low.hand, facts.last))


_KINDS: tuple[Callable[[EveningFacts, Name], Iterator[Storyline]], ...] = (
    _streaks, _comebacks, _records, _droughts, _rivalries, _caught, _meetings,
)  # fmt: skip

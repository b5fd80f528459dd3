"""Finds and ranks the storylines of an evening, and counts how often each kind begins. Pure.

Every storyline uses only what has been on air so far.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from broadcast.commentary.storylines.chip_lines import chip_lines, comebacks
from broadcast.commentary.storylines.deal_lines import deal_lines, more_deal_lines
from broadcast.commentary.storylines.earlier import Earlier
from broadcast.commentary.storylines.earlier_lines import earlier_lines
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.figure_lines import figure_lines
from broadcast.commentary.storylines.figures import Figures
from broadcast.commentary.storylines.play_lines import caught, clocks, first_and_largest, pressure, records, streaks
from broadcast.commentary.storylines.rival_lines import (
    authors,
    knockouts,
    meetings,
    rivalries,
    series,
    takings,
)
from broadcast.commentary.storylines.stakes_lines import stakes_lines
from broadcast.commentary.storylines.storyline import IMPORTANCES, MIN_HANDS, RARE, Name, Storyline
from broadcast.on_air.table_state import TableState
from server.game.events import Event, HandEnded, TournamentOpened
from server.text.grammar import fits_caption, name_in_sentence

Find = Callable[[EveningFacts, Name], Iterator[Storyline]]
_ANNOUNCED: tuple[Find, ...] = (streaks, comebacks, records, rivalries, caught, meetings)
"""The functions that find the storylines which the show itself announces."""
_STANDING: tuple[Find, ...] = (
    knockouts,
    chip_lines,
    first_and_largest,
    pressure,
    stakes_lines,
    series,
    clocks,
    authors,
)
"""The functions that find storylines for commentators only, at any moment. The show does not announce these storylines,
because the picture already has standings and statistics.
"""
_ANNOUNCED_IN_DEALS: tuple[Find, ...] = (deal_lines,)
_STANDING_IN_DEALS: tuple[Find, ...] = (more_deal_lines,)
"""In a stage of deals, _ANNOUNCED_IN_DEALS and _STANDING_IN_DEALS replace _ANNOUNCED and _STANDING, because stacks mean
little there and the show does not tell most tables.
"""


class Storylines:
    """The storylines of one evening."""

    def __init__(self) -> None:
        self.facts = EveningFacts()
        self.earlier = Earlier()
        """Facts about earlier contests; empty until the archive has been read."""
        self.begun: Counter[str] = Counter()
        """How many storylines of each kind have begun tonight."""
        self._table = TableState()
        self._running: set[str] = set()
        """The keys of the storylines that were true after the last hand."""

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`; `table` is the table after it. Raises LookupError for an unknown bot or seat."""
        self._table = table
        if isinstance(event, TournamentOpened):
            self.facts = EveningFacts((entrant.bot for entrant in event.entrants), event.starting_stack)
            self.begun, self._running = Counter(), set()
        self.facts.apply(event, table)
        if isinstance(event, HandEnded):
            lines = {line.key: line.kind for line in self._of_tonight()}
            self.begun.update(kind for key, kind in lines.items() if key not in self._running)
            self._running = {*lines}

    def now(self) -> list[Storyline]:
        """Returns all storylines that are true now and that the show can announce, the most important first.

        They are only about bots that still have chips.
        """
        past = earlier_lines(self.facts, self.earlier, self._name)
        return self._ready(chain(past, self._find(self._kinds[0])))

    def standing(self, figures: Figures) -> list[Storyline]:
        """Returns the storylines that commentators can use at any moment, the most important first.

        `figures` must be the figures after the last finished hand.
        """
        facts, name = self.facts, self._name
        found = self._find(self._kinds[1])
        if facts.deals:
            return self._ready(found)
        taken = takings(facts, figures.statistics, name)
        return self._ready(chain(found, taken, figure_lines(facts, figures, name)))

    @property
    def _kinds(self) -> tuple[tuple[Find, ...], tuple[Find, ...]]:
        """The functions that find the storylines for the show, and those that find storylines only for commentators."""
        return (_ANNOUNCED_IN_DEALS, _STANDING_IN_DEALS) if self.facts.deals else (_ANNOUNCED, _STANDING)

    def _find(self, kinds: Iterable[Find]) -> Iterator[Storyline]:
        return (line for find in kinds for line in find(self.facts, self._name))

    def _of_tonight(self) -> Iterator[Storyline]:
        return (line for line in self._find(chain(*self._kinds)) if fits_caption(line.text))

    def _ready(self, lines: Iterable[Storyline]) -> list[Storyline]:
        """Returns those of the `lines` that fit into a caption, with their ages and how rare they are.

        Of several with the same key, returns the first.
        """
        found: dict[str, Storyline] = {}
        for line in lines:
            if fits_caption(line.text):
                found.setdefault(line.key, line)  # a streak that is a record of all contests replaces tonight's streak
        ready = (replace(each, ago=self._ago(each), once_in=self.once_in(each.kind)) for each in found.values())
        return sorted(ready, key=lambda line: (IMPORTANCES.index(line.importance), line.ago is None, line.ago))

    def _ago(self, line: Storyline) -> int | None:
        return min(map(self.facts.ago, line.hands), default=None)

    def once_in(self, kind: str) -> int:
        """Returns in how many hands, on average, one storyline of this kind begins; 0 if the kind is not rare.

        Counts tonight's hands and those of earlier contests.
        """
        hands, begun = self.facts.hands + self.earlier.hands, self.begun[kind] + self.earlier.begun.get(kind, 0)
        often = hands // begun if begun and hands >= MIN_HANDS else 0
        return often if often >= RARE else 0

    def _name(self, bot: int) -> str:
        return name_in_sentence(self._table.names[bot])

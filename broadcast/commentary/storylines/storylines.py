"""Finds and ranks the storylines of an evening, and counts how often storylines of each kind become true. No I/O.

A storyline is a sentence such as "Doc has led for 9 hands". It uses only what has been on air so far.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from broadcast.commentary.storylines.chip_lines import chip_lines, comebacks
from broadcast.commentary.storylines.deal_lines import deal_lines, more_deal_lines
from broadcast.commentary.storylines.earlier_facts import EarlierFacts
from broadcast.commentary.storylines.earlier_lines import earlier_lines
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.figure_lines import figure_lines
from broadcast.commentary.storylines.figures import Figures
from broadcast.commentary.storylines.play_lines import (
    caught_bluff_lines,
    clock_lines,
    pressure_lines,
    record_lines,
    standing_record_lines,
    streak_lines,
)
from broadcast.commentary.storylines.rival_lines import (
    chips_taken_lines,
    knockout_lines,
    meeting_lines,
    player_lines,
    rivalry_lines,
    series_lines,
)
from broadcast.commentary.storylines.stakes_lines import stakes_lines
from broadcast.commentary.storylines.storyline import (
    IMPORTANCES,
    MIN_HANDS_FOR_RARITY,
    MIN_HANDS_PER_RARE,
    Name,
    Storyline,
)
from broadcast.on_air.table_state import TableState
from server.game.events import Event, HandEnded, TournamentOpened
from server.text.grammar import fits_caption, name_in_sentence

StorylineFinder = Callable[[EveningFacts, Name], Iterator[Storyline]]
_SHOW_FINDERS: tuple[StorylineFinder, ...] = (
    streak_lines,
    comebacks,
    record_lines,
    rivalry_lines,
    caught_bluff_lines,
    meeting_lines,
)
"""The functions that find the storylines which the show itself announces."""
_COMMENTATOR_FINDERS: tuple[StorylineFinder, ...] = (
    knockout_lines,
    chip_lines,
    standing_record_lines,
    pressure_lines,
    stakes_lines,
    series_lines,
    clock_lines,
    player_lines,
)
"""The functions that find storylines for commentators only. The show does not announce these storylines, because the
picture already shows standings and statistics.
"""
_SHOW_FINDERS_IN_DEALS: tuple[StorylineFinder, ...] = (deal_lines,)
_COMMENTATOR_FINDERS_IN_DEALS: tuple[StorylineFinder, ...] = (more_deal_lines,)
"""In a stage of deals, several tables play the same cards, and the show presents only one of them. In such a stage,
_SHOW_FINDERS_IN_DEALS replace _SHOW_FINDERS, and _COMMENTATOR_FINDERS_IN_DEALS replace _COMMENTATOR_FINDERS.
"""


class Storylines:
    """The storylines of one evening."""

    def __init__(self) -> None:
        self.facts = EveningFacts()
        self.earlier_facts = EarlierFacts()
        """Facts about earlier contests. They are empty until the archive has been read."""
        self.begun_counts: Counter[str] = Counter()
        """How often storylines of each kind have become true tonight."""
        self._table = TableState()
        self._true_keys: set[str] = set()
        """The keys of the storylines that were true after the last hand."""

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`. `table` is the table after the event. Raises LookupError for an unknown bot or seat."""
        self._table = table
        if isinstance(event, TournamentOpened):
            self.facts = EveningFacts((entrant.bot for entrant in event.entrants), event.starting_stack)
            self.begun_counts, self._true_keys = Counter(), set()
        self.facts.apply(event, table)
        if isinstance(event, HandEnded):
            lines = {line.key: line.kind for line in self._lines_of_tonight()}
            self.begun_counts.update(kind for key, kind in lines.items() if key not in self._true_keys)
            self._true_keys = {*lines}

    def for_show(self) -> list[Storyline]:
        """Returns all storylines that are true now and that the show can announce, the most important first.

        They are only about bots that still have chips.
        """
        past = earlier_lines(self.facts, self.earlier_facts, self._name)
        return self._ready_for_air(chain(past, self._find(self._finders[0])))

    def for_commentators(self, figures: Figures) -> list[Storyline]:
        """Returns the storylines that commentators can use at any moment, the most important first.

        `figures` must be the figures (statistics, luck, title odds) after the last finished hand.
        """
        facts, name = self.facts, self._name
        found = self._find(self._finders[1])
        if facts.deals:
            return self._ready_for_air(found)
        taken = chips_taken_lines(facts, figures.statistics, name)
        return self._ready_for_air(chain(found, taken, figure_lines(facts, figures, name)))

    @property
    def _finders(self) -> tuple[tuple[StorylineFinder, ...], tuple[StorylineFinder, ...]]:
        """The functions that find the storylines for the show, and those that find storylines only for commentators."""
        return (
            (_SHOW_FINDERS_IN_DEALS, _COMMENTATOR_FINDERS_IN_DEALS)
            if self.facts.deals
            else (_SHOW_FINDERS, _COMMENTATOR_FINDERS)
        )

    def _find(self, kinds: Iterable[StorylineFinder]) -> Iterator[Storyline]:
        return (line for find in kinds for line in find(self.facts, self._name))

    def _lines_of_tonight(self) -> Iterator[Storyline]:
        return (line for line in self._find(chain(*self._finders)) if fits_caption(line.text))

    def _ready_for_air(self, lines: Iterable[Storyline]) -> list[Storyline]:
        """Returns the `lines` that fit into a caption, the most important first. Sets the `hands_ago` and
        `hands_per_storyline` of each line.

        If several lines have the same key, returns only the first of them.
        """
        found: dict[str, Storyline] = {}
        for line in lines:
            if fits_caption(line.text):
                found.setdefault(line.key, line)  # in `lines`, records of all contests come before tonight's records
        ready = (
            replace(each, hands_ago=self._hands_ago(each), hands_per_storyline=self.hands_per_storyline(each.kind))
            for each in found.values()
        )
        return sorted(
            ready, key=lambda line: (IMPORTANCES.index(line.importance), line.hands_ago is None, line.hands_ago)
        )

    def _hands_ago(self, line: Storyline) -> int | None:
        return min(map(self.facts.hands_since, line.hands), default=None)

    def hands_per_storyline(self, kind: str) -> int:
        """Returns the average number of hands between two storylines of this kind. Returns 0 if the kind is not rare,
        or if there were too few hands. Counts the hands of tonight and of earlier contests.
        """
        hands, begun = (
            self.facts.hands_played + self.earlier_facts.hands,
            self.begun_counts[kind] + self.earlier_facts.begun_counts.get(kind, 0),
        )
        hands_per_one = hands // begun if begun and hands >= MIN_HANDS_FOR_RARITY else 0
        return hands_per_one if hands_per_one >= MIN_HANDS_PER_RARE else 0

    def _name(self, bot: int) -> str:
        return name_in_sentence(self._table.names[bot])

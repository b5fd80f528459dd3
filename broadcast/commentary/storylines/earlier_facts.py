"""Finds facts about tonight's bots in earlier contests of the same kind. No I/O.

Two bots with exactly the same name are taken for one bot.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations, takewhile
from typing import Literal, get_args

from msgspec import Struct

from server.game.events import TournamentOpened

MIN_CONTESTS = 3
"""A fact about earlier contests is told only if it covers at least this many of them."""
RecordKind = Literal["won", "streak", "drought"]
"""The kinds of records. "won" is the most chips that a bot won in one hand. "streak" is the most hands in a row in
which a bot won a pot. "drought" is the most hands in a row without a pot.
"""


class ContestRecord(Struct, frozen=True):
    """A record of one contest: its value, and the hand that set it, numbered as in the contest's recording."""

    amount: int
    hand: int


class EarlierContest(Struct, frozen=True):
    """A finished contest.

    `recording` is the name of its recording, and `contest` the kind of contest. `places` has each bot's place by the
    bot's name, and `finalists` has the names of the bots in the final. `records` has the records, keyed by kind.
    """

    recording: str
    contest: str
    starting_stack: int
    places: Mapping[str, int]
    finalists: frozenset[str]
    records: Mapping[str, ContestRecord]
    hands: int = 0
    begun_counts: Mapping[str, int] = {}
    """How often storylines of each kind, such as "Doc has led for 9 hands", became true in the contest."""


class EarlierHand(Struct, frozen=True):
    """Where to find a fact of an earlier contest: a hand of a recording, or the whole recording if `hand` is 0."""

    recording: str
    hand: int = 0


class OverallRecord(Struct, frozen=True):
    """The highest record of one kind in `contests` contests, and where to find it."""

    amount: int
    contests: int
    where: EarlierHand


class EarlierFacts(Struct, frozen=True):
    """Facts about tonight's bots, keyed by their numbers tonight.

    Each tuple of strings lists earlier contests by the names of their recordings, the oldest first.
    """

    records: Mapping[str, OverallRecord] = {}
    """The records, keyed by kind, including those of bots that do not play tonight."""
    played: Mapping[int, tuple[str, ...]] = {}
    """The contests in which each bot played."""
    won: Mapping[int, tuple[str, ...]] = {}
    """The contests that each bot won."""
    finals_in_a_row: Mapping[int, tuple[str, ...]] = {}
    """For each bot, the latest contests in a row in which it was in the final."""
    always_ahead: Mapping[tuple[int, int], tuple[str, ...]] = {}
    """All contests that both bots of a pair played. A pair has an entry only if its first bot finished ahead in all of
    them.
    """
    duels: tuple[str, ...] = ()
    """If only two bots play tonight, the earlier contests in which only these two played."""
    duels_won: Mapping[int, tuple[str, ...]] = {}
    """Those of the `duels` that each bot won."""
    hands: int = 0
    """The number of hands in all earlier contests of tonight's kind."""
    begun_counts: Mapping[str, int] = {}
    """How often storylines of each kind became true in all earlier contests of tonight's kind."""


def earlier_facts_of(contests: Sequence[EarlierContest], opened: TournamentOpened) -> EarlierFacts:
    """Returns the facts about tonight's bots, which are the entrants of `opened`.

    `contests` are the earlier contests, the oldest first. Contests of other kinds than tonight's are ignored.
    """
    contests_of_kind = [each for each in contests if each.contest == opened.contest]
    names = {entrant.bot: entrant.name for entrant in opened.entrants}
    played = {
        bot: tuple(each.recording for each in contests_of_kind if name in each.places) for bot, name in names.items()
    }
    won = {
        bot: tuple(each.recording for each in contests_of_kind if each.places.get(name) == 1)
        for bot, name in names.items()
    }
    finals = {bot: _latest_finals(contests_of_kind, name) for bot, name in names.items()}
    begun = sum((Counter(each.begun_counts) for each in contests_of_kind), Counter[str]())
    records, ahead = _records(contests_of_kind, opened.starting_stack), _always_ahead(contests_of_kind, names)
    both = {*names.values()} if len(names) == 2 else set[str]()
    duels = [each for each in contests_of_kind if both and {*each.places} == both]
    duels_won = {bot: tuple(each.recording for each in duels if each.places[name] == 1) for bot, name in names.items()}
    met, hands = tuple(each.recording for each in duels), sum(each.hands for each in contests_of_kind)
    return EarlierFacts(records, played, won, finals, ahead, met, duels_won if met else {}, hands, begun)


def _records(contests_of_kind: Sequence[EarlierContest], starting_stack: int) -> dict[str, OverallRecord]:
    found: dict[str, OverallRecord] = {}
    for kind in get_args(RecordKind):  # chips can be compared only if starting stacks are equal
        contests = [each for each in contests_of_kind if kind != "won" or each.starting_stack == starting_stack]
        having = [each for each in contests if kind in each.records]
        if len(contests) >= MIN_CONTESTS and having:
            best = max(having, key=lambda each: each.records[kind].amount)
            most = best.records[kind]
            found[kind] = OverallRecord(most.amount, len(contests), EarlierHand(best.recording, most.hand))
    return found


def _latest_finals(contests: Sequence[EarlierContest], name: str) -> tuple[str, ...]:
    row = takewhile(lambda each: name in each.finalists, reversed(contests))
    return tuple(each.recording for each in row)[::-1]


def _always_ahead(
    contests: Sequence[EarlierContest], names: Mapping[int, str]
) -> dict[tuple[int, int], tuple[str, ...]]:
    """Returns `always_ahead` of `EarlierFacts`. Loops over contests and not over pairs of bots, because most pairs have
    never met.
    """
    numbers = {name: bot for bot, name in names.items()}
    contests_met: dict[tuple[int, int], list[str]] = {}
    not_always_ahead: set[tuple[int, int]] = set()
    for each in contests:
        here = {numbers[name]: place for name, place in each.places.items() if name in numbers and place}
        for one, other in permutations(here, 2):
            contests_met.setdefault((one, other), []).append(each.recording)
            if here[one] >= here[other]:
                not_always_ahead.add((one, other))
    return {
        pair: tuple(names)
        for pair, names in contests_met.items()
        if pair not in not_always_ahead and len(names) >= MIN_CONTESTS
    }

"""Summarises a recording for the archive's index: each hand, who won it, and its marks, such as "Bluff". No I/O."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.commentary.belief import believes_ahead
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.drama import drama_of
from broadcast.commentary.storylines.earlier_facts import ContestRecord, RecordKind
from broadcast.commentary.storylines.storylines import Storylines
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.deal_tables import MainTables
from broadcast.on_air.events import EquitiesChanged
from broadcast.on_air.table_state import TableEntry, with_tables
from server.game import events
from server.journal.journal import Entry


class HandWinnings(Struct, frozen=True):
    """The chips that a bot won in a hand.

    `ranking` is the bot's winning hand. It is "" if the bot won nothing or did not have to show its cards.
    """

    bot: int
    amount: int = 0
    ranking: str = ""


class HandSummary(Struct, frozen=True):
    """A hand. `number` is its number in the recording, and `hand` is its number in its game. Amounts are in chips.

    `score` says how dramatic the hand was. In a stage of deals, all tables that play a deal get the same cards. `deal`
    is the number of the hand's deal, which has at most `deal_hands` hands. In other stages, both numbers are 0.
    """

    number: int
    game: int
    hand: int
    stage: str
    big_blind: int
    pot: int
    score: int
    won: tuple[HandWinnings, ...]
    """One item for each bot that was dealt in, the biggest winner first."""
    marks: tuple[str, ...]
    deal: int = 0
    deal_hands: int = 0

    @property
    def made(self) -> str:
        """The kind of the hand that won the pot, such as "full house". It is "" if nobody had to show cards."""
        return next((hand_kind(each.ranking) for each in self.won if each.ranking), "")


class Summary(Struct):
    """A recording. `bots` and `places` are keyed by the bots' numbers.

    `finished` is true if the contest has a champion.
    """

    contest: str = ""
    title: str = ""
    finished: bool = False
    games: int = 0
    bots: dict[int, str] = msgspec.field(default_factory=dict)
    places: dict[int, int] = msgspec.field(default_factory=dict)
    hands: list[HandSummary] = msgspec.field(default_factory=list)
    starting_stack: int = 0
    finalists: tuple[int, ...] = ()
    """The bots of the last stage. Empty if the contest has only one stage."""
    records: dict[str, ContestRecord] = msgspec.field(default_factory=dict)
    """The best result of each kind of record, such as the biggest pot (see `RecordKind` in
    `broadcast.commentary.storylines.earlier_facts`).
    """
    storylines_begun: dict[str, int] = msgspec.field(default_factory=dict)
    """How often storylines of each kind became true."""
    deals: int = 0
    """How many deals were played, if the contest has deals."""


def summarise(entries: Iterable[Entry]) -> Summary:
    """Summarises the entries of a recording. May raise any exception if the entries contradict one another.

    In a stage of deals, only the hands at each deal's main table are counted. Links to hands lead to a replay, and a
    replay shows only the main table.
    """
    builder = _SummaryBuilder()
    for entry in with_tables(filter(MainTables().accept, entries)):
        builder.apply(entry)
    return builder.summary


def hand_kind(ranking: str) -> str:
    """Returns the kind of a hand, such as "pair" for "pair of kings, ace kicker"."""
    kind = ranking.split(",", maxsplit=1)[0]
    return "pair" if kind.startswith("pair of") else kind


class _SummaryBuilder:
    def __init__(self) -> None:
        self.summary = Summary()
        self._hand: list[TableEntry] = []
        self._thoughts = ThoughtReader()
        self._stage = ""
        self._deal = self._deal_hands = 0
        self._storylines = Storylines()

    def apply(self, entry: TableEntry) -> None:
        summary = self.summary
        match entry.event:
            case events.TournamentOpened(contest=contest, title=title, entrants=entrants):
                summary.contest, summary.title = contest, title
                summary.bots = {entrant.bot: entrant.name for entrant in entrants}
                summary.starting_stack = entry.event.starting_stack
            case events.StageStarted(title=title, deals=deals, hands=hands):
                self._stage, self._deal, self._deal_hands = title, 0, hands if deals else 0
            case events.GameStarted(game=game):
                summary.games = game
                if self._deal_hands:
                    self._deal += 1
                    summary.deals += 1
            case events.HandStarted():
                self._hand = []
            case events.NoteGiven():
                self._apply_note(entry.event)
                return
            case events.TournamentEnded(placings=placings):
                summary.finished = True
                summary.places = {placing.bot: placing.place for placing in placings}
        self._hand.append(entry)
        self._thoughts.apply(entry.event)
        self._storylines.apply(entry.event, entry.table)
        summary.finalists = self._storylines.facts.finalists
        if isinstance(entry.event, events.HandEnded):
            summary.hands.append(self._hand_summary())
            self._update_records()
            summary.storylines_begun = dict(self._storylines.begun_counts)

    def _apply_note(self, note: events.NoteGiven) -> None:
        """Removes the mark "Bluff" from the last hand if the bettor's note says that the bettor is ahead."""
        hands = self.summary.hands
        if not (hands and "Bluff" in hands[-1].marks):
            return
        thought = note.text if note.thought is UNSET else note.thought
        reading = self._thoughts.apply(note)
        if reading and believes_ahead(thought, reading):
            action_indexes = [
                index for index, entry in enumerate(self._hand) if isinstance(entry.event, events.ActionTaken)
            ]
            index = action_indexes[note.action - 1]
            self._hand[index] = replace(self._hand[index], believes_ahead=True)
            hands.pop()
            hands.append(self._hand_summary())

    def _update_records(self) -> None:
        facts, records = self._storylines.facts, self.summary.records
        pot, bots = facts.records.biggest_pot, facts.bots.values()
        found: dict[RecordKind, int] = {
            "won": pot.amount if pot else 0,
            "streak": max(bot.longest_streak for bot in bots),
            "drought": max(bot.longest_drought for bot in bots),
        }
        for kind, amount in found.items():
            if amount > (records[kind].amount if kind in records else 0):
                records[kind] = ContestRecord(amount, len(self.summary.hands))

    def _hand_summary(self) -> HandSummary:
        hand, table = self._hand, self._hand[-1].table
        drama = drama_of(hand, _chances_in(hand))
        dealt_in = [(table.bots[index], seat) for index, seat in enumerate(table.seats) if seat.dealt_in]
        won = [HandWinnings(bot, seat.won, seat.ranking if seat.won else "") for bot, seat in dealt_in]
        return HandSummary(
            number=len(self.summary.hands) + 1,
            game=self.summary.games,
            hand=table.hand.hand,
            stage=self._stage,
            big_blind=table.hand.big_blind,
            pot=sum(each.event.amount for each in hand if isinstance(each.event, events.PotAwarded)),
            score=drama.score,
            won=tuple(sorted(won, key=lambda each: -each.amount)),
            marks=tuple(
                marked.mark
                for marked in drama.marks
                # in a stage of deals, a bot that loses its stack loses only this deal
                if not (self._deal and marked.mark == "Elimination")
            ),
            deal=self._deal,
            deal_hands=self._deal_hands,
        )


def _chances_in(hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
    """Returns the chances to win on which the drama of a hand depends, keyed by the index of the entry that changed
    them.

    Before the flop, leaves out chances that change again before anybody puts chips into the pot. So of several folds in
    a row, only the last fold counts.
    """
    found = [
        (index, situation, entry.table) for index, entry in enumerate(hand) if (situation := situation_after(entry))
    ]
    next_boards_and_pots = [(table.board, table.pot) for _, _, table in found[1:]]
    return {
        index: equities_of(situation)
        for (index, situation, table), next_board_and_pot in zip_longest(found, next_boards_and_pots)
        if next_board_and_pot != ((), table.pot)
    }

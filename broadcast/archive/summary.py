"""Sums up a recording for the index: its games and hands, who won them with what, and the marks they earned. Pure."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from broadcast.commentary.drama import judged
from broadcast.commentary.table_state import Felt
from broadcast.odds.situations import Spots
from broadcast.odds.worker import book_of
from broadcast.on_air.events import EquitiesChanged
from server.game.events import (
    Event,
    GameStarted,
    HandEnded,
    HandStarted,
    PotAwarded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.journal.journal import Entry


class Won(Struct, frozen=True):
    """Who took chips out of a hand, how many, and with what ("" where nobody had to show)."""

    bot: int
    amount: int
    ranking: str = ""


class HandSummary(Struct, frozen=True):
    """A hand. `number` counts all hands of the recording from 1, `hand` those of its game. Amounts are chips."""

    number: int
    game: int
    hand: int
    stage: str
    big_blind: int
    pot: int
    score: int
    bots: tuple[int, ...]
    won: tuple[Won, ...]
    """Who took chips, the most first."""
    marks: tuple[str, ...]

    @property
    def made(self) -> str:
        """The kind of hand the pot was won with: "full house"; "" where nobody had to show."""
        return next((made_of(each.ranking) for each in self.won if each.ranking), "")


class Summary(Struct):
    """A whole recording: its bots' names and places by their numbers, and its hands. `finished`: it has a champion."""

    contest: str = ""
    title: str = ""
    finished: bool = False
    games: int = 0
    bots: dict[int, str] = msgspec.field(default_factory=dict)
    places: dict[int, int] = msgspec.field(default_factory=dict)
    hands: list[HandSummary] = msgspec.field(default_factory=list)


def summary_of(entries: Iterable[Entry]) -> Summary:
    """Sums up the entries of a recording. Entries that do not follow from one another raise whatever they break."""
    reading = _Reading()
    for entry in entries:
        reading.take(entry.event)
    return reading.summary


def made_of(ranking: str) -> str:
    """The kind of a hand in words: "pair" of "pair of kings, ace kicker"."""
    kind = ranking.split(",", maxsplit=1)[0]
    return "pair" if kind.startswith("pair of") else kind


class _Reading:
    def __init__(self) -> None:
        self.summary = Summary()
        self._felt = Felt()
        self._hand: list[Event] = []
        self._stage = ""

    def take(self, event: Event) -> None:
        summary = self.summary
        self._felt.take(event)
        match event:
            case TournamentOpened(contest=contest, title=title, entrants=entrants):
                summary.contest, summary.title = contest, title
                summary.bots = {entrant.bot: entrant.name for entrant in entrants}
            case StageStarted(title=title):
                self._stage = title
            case GameStarted(game=game):
                summary.games = game
            case HandStarted():
                self._hand = []
            case TournamentEnded(placings=placings):
                summary.finished = True
                summary.places = {placing.bot: placing.place for placing in placings}
            case _:
                pass
        self._hand.append(event)
        if isinstance(event, HandEnded):
            summary.hands.append(self._hand_summary())

    def _hand_summary(self) -> HandSummary:
        felt, hand = self._felt, self._hand
        drama = judged(hand, _chances(hand))
        won = [Won(felt.bots[seat], chair.won, chair.ranking) for seat, chair in enumerate(felt.chairs) if chair.won]
        return HandSummary(
            number=len(self.summary.hands) + 1,
            game=self.summary.games,
            hand=felt.hand.hand,
            stage=self._stage,
            big_blind=felt.hand.big_blind,
            pot=sum(event.amount for event in hand if isinstance(event, PotAwarded)),
            score=drama.score,
            bots=tuple(felt.bots[seat] for seat, chair in enumerate(felt.chairs) if chair.dealt_in),
            won=tuple(sorted(won, key=lambda each: -each.amount)),
            marks=tuple(marked.mark for marked in drama.marks),
        )


def _chances(hand: list[Event]) -> dict[int, EquitiesChanged]:
    """Everybody's chances during a hand, by the place of the event that changed them."""
    book, follow = book_of(hand), Spots()
    return {at: book[spot] for at, event in enumerate(hand) if (spot := follow.after(event))}

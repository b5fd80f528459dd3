"""Prove a recording from itself: hands are dealt again from the revealed decks, draws and prizes worked out anew.

Reads entries only; whether the file was altered is the journal's to say.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from server.game.cards import Deck
from server.game.decide import decides, retake, start_hand
from server.game.decisions import IllegalAction
from server.game.events import (
    OF_A_HAND,
    Event,
    GameStarted,
    HandEnded,
    HandStarted,
    Placing,
    TournamentOpened,
)
from server.game.hand import Hand, next_blind
from server.journal.journal import Entry
from server.shuffle import deck_of
from server.verify.contest import OF_A_CONTEST, ContestProof
from server.verify.counts import Play
from server.verify.refutation import Refuted, key_in, same, same_events


class Proof(Struct):
    """What was proved of a recording, as counts."""

    entries: int = 0
    games: int = 0
    hands: int = 0
    play: Play = field(default_factory=Play)
    """Counts of what happened in the proved hands."""
    draws: int = 0
    lots: int = 0
    """How many ties were decided by lot."""
    out: int = 0
    """How many bots were eliminated at the table."""
    ratings: int = 0
    won: int = 0
    """How many games of a series had their winner proved."""
    placings: tuple[Placing, ...] = ()
    """The final table, once the tournament is over."""
    finished: bool = False
    """Whether the tournament came to its end, so that seed, places and prizes were proved too."""
    unfinished_hand: bool = False
    """Whether the last hand breaks off; its deck is not revealed, so it proves nothing."""
    remarks: tuple[str, ...] = ()
    """Sentences about what is proved but unusual: bots withdrawn, stages cut, rules that are not the rule book's."""


def verify(entries: Iterable[Entry]) -> Proof:
    """Proves the entries of a recording. Raises Refuted at the first one that contradicts the others."""
    checker: _Checker | None = None
    for entry in entries:
        try:
            if isinstance(entry.event, TournamentOpened) and checker is None:
                checker = _Checker(entry.event)
            elif checker is None:
                raise Refuted("the recording does not begin with the opening of a tournament")
            else:
                checker.take(entry)
        except Refuted as error:
            raise Refuted(error.what, _where(checker, entry.seq, error.event)) from None
        except (IllegalAction, ValueError) as error:
            raise Refuted(str(error), _where(checker, entry.seq)) from None
        except (LookupError, ArithmeticError):
            raise Refuted("it does not follow from what came before", _where(checker, entry.seq)) from None
        checker.proof.entries += 1
    if checker is None:
        raise Refuted("the recording is empty")
    return checker.proved()


def _where(checker: "_Checker | None", seq: int, event: int = -1) -> str:
    """Where an entry stands, for people who look for it; the first line of a file is its header."""
    if checker and event >= 0:
        seq = checker.seqs[event]
    return ", ".join(filter(None, (checker.where if checker else "", f"line {seq + 1} of the file")))


class _Checker:
    def __init__(self, opened: TournamentOpened) -> None:
        self.proof = Proof()
        self.course = ContestProof(opened)
        self.hand: list[Event] = []
        self.seqs: list[int] = []
        """The numbers of the hand's entries."""
        self._rules = opened.rules
        self._big = 0

    def take(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, OF_A_HAND):
            self._take_of_a_hand(event, entry.seq)
        elif isinstance(event, OF_A_CONTEST):
            if self.hand:
                raise Refuted("something of the contest happens in the middle of a hand")
            self.course.take(event)
            if isinstance(event, GameStarted):
                self._big = len(event.seats) - 2
                self.proof.games += 1

    @property
    def where(self) -> str:
        hand = f"hand {self.course.hands + 1}" if self.hand else ""
        return ", ".join(filter(None, (self.course.where, hand)))

    def proved(self) -> Proof:
        """The proof of the entries read so far."""
        course = self.course
        return replace(
            self.proof,
            draws=course.draws,
            lots=course.lots,
            out=course.out,
            ratings=course.ratings,
            won=course.won,
            placings=course.placings,
            finished=course.over,
            unfinished_hand=bool(self.hand),
            remarks=tuple(course.remarks),
        )

    def _take_of_a_hand(self, event: Event, seq: int) -> None:
        if bool(self.hand) == isinstance(event, HandStarted):
            raise Refuted("a hand begins within a hand" if self.hand else "something of a hand happens outside one")
        if isinstance(event, HandStarted):
            self.course.begin_hand(event.hand)
            self.seqs = []
        self.hand.append(event)
        self.seqs.append(seq)
        if isinstance(event, HandEnded):
            self._check_hand(self.hand, event)
            self.hand = []

    def _check_hand(self, events: Sequence[Event], ended: HandEnded) -> None:
        started = events[0]
        assert isinstance(started, HandStarted), "hands are collected from their start"
        key = key_in(ended.deck_key, "the key of the deck")
        deck = deck_of(key)
        same("the seal that was put on the deck before the hand", started.deck_commitment, deck.commitment)
        same("the stacks before the hand", list(started.stacks), self.course.stacks)
        button, self._big = next_blind(self._rules, self._big, self.course.stacks)
        same("the seat with the button", started.button + 1, button + 1)
        hand, replayed = self._replayed(started, deck, events)
        same_events(events, replayed)
        self.course.end_hand(ended.stacks, key, hand)
        self.proof.play.add(self._rules, replayed)
        self.proof.hands += 1

    def _replayed(self, started: HandStarted, deck: Deck, recorded: Sequence[Event]) -> tuple[Hand, list[Event]]:
        """The hand played again, and its events: same deck, same decisions."""
        hand, events = start_hand(self._rules, started.hand, started.button, started.stacks, deck)
        for taken in (event for event in recorded if decides(self._rules, event)):
            hand, following = retake(hand, taken)
            events += following
        return hand, events

"""Proves a recording that was made from published hands (a hand history). Replays each hand with its recorded cards and
decisions.

The seed and the decks of published hands are unknown, so nobody can prove that the cards were random.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from server.game import events
from server.game.cards import check_cards
from server.game.rules import Level
from server.hand_histories.engine_replay import cards_in, check_showdown, deck_for
from server.hand_histories.import_hands import PUBLISHED_CONTEST
from server.hand_histories.phh_reader import BadHistory
from server.journal.journal import Entry
from server.verify.claims import Proof
from server.verify.refutation import Refuted, check_names, expect_equal, prove_entries, replay

_BETWEEN_HANDS = (
    events.TournamentOpened, events.BotConnected, events.StageStarted, events.GameStarted, events.GameEnded,
    events.StageEnded,
)  # fmt: skip


def is_published(entries: Sequence[Entry]) -> bool:
    """Whether `entries` record published hands. Otherwise they record a tournament that this program ran."""
    first_event = entries[0].event if entries else None
    if not isinstance(first_event, events.TournamentOpened):
        return False
    return first_event.contest == PUBLISHED_CONTEST and not first_event.seed_commitment


def prove_published(entries: Sequence[Entry]) -> Proof:
    """Replays every hand of the recording. Raises Refuted if a hand does not end as recorded."""
    return prove_entries(entries, PublishedHandsChecker).proof


class PublishedHandsChecker:
    """Checks a recording of published hands entry by entry."""

    def __init__(self, opened: events.Event) -> None:
        """Raises Refuted if `opened` has a name that no version of this program ever allowed."""
        assert isinstance(opened, events.TournamentOpened), "callers check this with `is_published`"
        check_names(opened)
        self._opened = opened
        self.proof = Proof(entries=1)
        self._game = events.GameStarted(0, 0, (), ())
        self._hand_events: list[events.Event] = []
        """The events of the current hand."""
        self._stacks: tuple[int, ...] = ()

    @property
    def where(self) -> str:
        game = f"game {self._game.game}" if self._game.game else ""
        hand = f"hand {self.proof.hands + 1} of the file" if self._hand_events else ""
        return ", ".join(filter(None, (game, hand)))

    def apply(self, entry: Entry) -> None:
        event = entry.event
        if not self._hand_events and not isinstance(event, (events.HandStarted, *_BETWEEN_HANDS)):
            raise Refuted("an event of a hand happens outside a hand")
        self.proof.entries += 1
        if isinstance(event, events.HAND_EVENTS):
            self._apply_to_hand(event)
        else:
            self._apply_between(event)
        self.proof.unfinished_hand = bool(self._hand_events)

    def _apply_between(self, event: events.Event) -> None:
        match event:
            case events.TournamentOpened():
                check_names(event)
                self._opened = event
            case events.GameEnded():
                expect_equal("the stacks at the end of the game", event.stacks, self._stacks)
            case events.GameStarted():
                expect_equal("the number of stacks", len(event.stacks), len(event.seats))
                self._game = event

    def _apply_to_hand(self, event: events.Event) -> None:
        if isinstance(event, events.HandStarted):
            self._hand_events = []
        self._hand_events.append(event)
        if isinstance(event, events.HandEnded):
            self._check_hand(self._hand_events, event)
            self._hand_events, self._stacks = [], event.stacks

    def _check_hand(self, recorded: Sequence[events.Event], ended: events.HandEnded) -> None:
        started = recorded[0]
        assert isinstance(started, events.HandStarted), "hands are collected from their start"
        expect_equal("the number of stacks", len(started.stacks), len(self._game.seats))
        expect_equal("the seal and the key of the deck", (started.deck_commitment, ended.deck_key), ("", ""))
        cards = cards_in(recorded)
        expect_equal(
            "the seats that get cards",
            sorted(seat + 1 for seat in cards.hole),
            [seat for seat, stack in enumerate(started.stacks, 1) if stack],
        )
        try:
            check_cards([*cards.board, *(card for hole in cards.hole.values() for card in hole)])
            check_showdown(cards)
            deck = deck_for(started.button, started.stacks, cards)
        except (BadHistory, ValueError) as error:
            raise Refuted(str(error)) from None
        level = Level(started.small_blind, started.big_blind, started.ante)
        rules = replace(self._opened.rules, levels=(level,))
        _, replayed = replay(rules, recorded, deck, cards.unknown_seats)
        self.proof.concealed_hands += bool(cards.unknown_seats)
        self.proof.add_hand(rules, replayed)

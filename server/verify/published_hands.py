"""Prove a recording of published hands from itself: each is played again with its cards and its decisions. Pure.

No seed and no deck is known of such hands: that the cards fell by chance, nobody can prove.
"""

from collections.abc import Sequence

from msgspec import Struct

from server.game.cards import check_cards
from server.game.decide import decides, retake, start_hand
from server.game.decisions import IllegalAction
from server.game.events import (
    BotConnected,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    StageEnded,
    StageStarted,
    TournamentOpened,
)
from server.hand_histories.from_recording import Recorded, recorded_hands
from server.hand_histories.import_hands import CONTEST
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.replay import Cards, concealed, deck_for
from server.journal.journal import Entry
from server.verify.counts import Play
from server.verify.names import check_names
from server.verify.refutation import Refuted, same, same_events

_BETWEEN = (TournamentOpened, BotConnected, StageStarted, GameStarted, GameEnded, StageEnded)


class ProofOfPlay(Struct, frozen=True):
    """What was proved: how many hands came out as recorded, and in how many of them some cards are unknown."""

    hands: int
    concealed: int
    play: Play
    unfinished_hand: bool = False
    """Whether the last hand breaks off: it proves nothing."""


def is_published(entries: Sequence[Entry]) -> bool:
    """Whether this is a recording of published hands, not of a tournament held here."""
    first = entries[0].event if entries else None
    return isinstance(first, TournamentOpened) and first.contest == CONTEST and not first.seed_commitment


def prove_published(entries: Sequence[Entry]) -> ProofOfPlay:
    """Plays every hand of the recording again. Raises Refuted where one does not come out as recorded."""
    _check_names(entries)
    unfinished_hand = _check_between(entries)
    hands = concealing = 0
    play = Play()
    for hand in recorded_hands(entries):
        try:
            concealing += bool(_check(hand).unknown)
            play.add(hand.rules, hand.events)
        except (Refuted, BadHistory, IllegalAction, ValueError, IndexError, StopIteration) as error:
            raise Refuted(str(error), f"game {hand.game.game}, hand {hand.number} of the file") from None
        hands += 1
    return ProofOfPlay(hands, concealing, play, unfinished_hand)


def _check(hand: Recorded) -> Cards:
    """The hand's cards, once it has come out as recorded."""
    same("the commitment to the deck, and its key", (hand.started.deck_commitment, hand.ended.deck_key), ("", ""))
    same("the number of stacks", len(hand.started.stacks), len(hand.game.seats))
    folded = frozenset(act.seat for act in hand.acts if act.act == "fold")
    cards = Cards(hand.hole, tuple(card for street in hand.board for card in street), folded)
    check_cards([*cards.board, *(card for hole in cards.hole.values() for card in hole)])
    same("the seats that get cards", sorted(cards.hole), [at for at, stack in enumerate(hand.started.stacks) if stack])
    deck = deck_for(hand.started.button, hand.started.stacks, cards)
    played, events = start_hand(hand.rules, hand.started.hand, hand.started.button, hand.started.stacks, deck)
    for decided in (event for event in hand.events if decides(hand.rules, event)):
        played, following = retake(played, decided)
        events += following
    right = concealed(events, cards)
    same_events(hand.events, right)
    return cards


def _check_names(entries: Sequence[Entry]) -> None:
    for entry in entries:
        if isinstance(entry.event, TournamentOpened):
            check_names(entry.event)


def _check_between(entries: Sequence[Entry]) -> bool:
    """Whether the last hand breaks off.

    Raises Refuted where something happens between the hands that does not belong to a published recording.
    """
    hand, seats = False, 0
    stacks: tuple[int, ...] = ()
    for entry in entries:
        event: Event = entry.event
        hand = hand or isinstance(event, HandStarted)
        if not hand and not isinstance(event, _BETWEEN):
            raise Refuted("something of a hand happens outside one", f"line {entry.seq + 1} of the file")
        match event:
            case GameStarted():
                seats = len(event.seats)
                same(f"line {entry.seq + 1} of the file: the number of stacks", len(event.stacks), seats)
            case HandEnded():
                hand, stacks = False, event.stacks
            case GameEnded():
                same(f"line {entry.seq + 1} of the file: the chips at the end of the game", event.stacks, stacks)
    return hand

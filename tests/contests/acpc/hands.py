"""Random hands by the ACPC's rules, as recordings, and the lines that their players are sent."""

import random
from collections.abc import Sequence

from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Deck, parse_cards
from server.game.decisions import Call, Decision, Fold
from server.game.events import (
    Entrant,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    StageStarted,
    TournamentOpened,
    TurnStarted,
)
from server.game.hand import Hand, next_blind
from server.game.view import view_of
from server.hand_histories.from_recording import Recorded, recorded_hands
from server.journal.journal import Entry
from tests.game.random_hands import random_decision, random_deck

NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank")


def entrants_of(players: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(seat + 1, NAMES[seat]) for seat in range(players))


def deck_of_cards(text: str) -> Deck:
    """A deck that starts with these cards: two for each position, then the board."""
    cards = parse_cards(text)
    return Deck((*cards, *(card for card in DECK if card not in cards)))


def match(game: Game, hands: int, seed: int) -> list[Recorded]:
    """The hands of a recorded match of random hands, in which nobody folds where checking is free."""
    dice, big = random.Random(seed), game.players - 2
    stacks: tuple[int, ...] = (game.stack * hands,) * game.players
    bots, entrants = tuple(range(1, game.players + 1)), entrants_of(game.players)
    events: list[Event] = [
        TournamentOpened("acpc", "A Match", rules_of(game, hands), stacks[0], entrants, "ab" * 32),
        StageStarted(1, "Hands", 1, hands, bots, stacks),
        GameStarted(1, hands, bots, stacks),
    ]
    for number in range(1, hands + 1):
        button, big = next_blind(rules_of(game), big, stacks)
        events += _play(game, number, button, stacks, dice)
        ended = events[-1]
        assert isinstance(ended, HandEnded), "a hand was played to its end"
        stacks = ended.stacks
    events.append(GameEnded(1, stacks))
    return list(recorded_hands([Entry(at, 0, event) for at, event in enumerate(events, 1)]))


def _play(game: Game, number: int, button: int, stacks: Sequence[int], dice: random.Random) -> list[Event]:
    hand, events = start_hand(rules_of(game), number, button, stacks, random_deck(dice))
    while not hand.over:
        chosen = random_decision(dice, hand)
        for_nothing = isinstance(chosen, Fold) and hand.turn and not hand.turn.to_call
        hand, following = take_turn(hand, Call() if for_nothing else chosen)
        events += following
    return events


def read_by(game: Game, button: int, deck: Deck, decisions: Sequence[Decision], number: int = 1) -> list[list[str]]:
    """The lines that each seat is sent during one hand."""
    dialects = [Acpc() for _ in range(game.players)]
    lines: list[list[str]] = [[] for _ in dialects]
    hand, events = start_hand(rules_of(game), number, button, (game.stack,) * game.players, deck)
    for chosen in [*decisions, None]:
        for event in events:
            for seat, dialect in enumerate(dialects):
                sent = _sent(dialect, hand, seat, event, entrants_of(game.players))
                lines[seat] += [sent.decode()] if sent else []
        if chosen is not None:
            hand, events = take_turn(hand, chosen)
    return lines


def _sent(dialect: Acpc, hand: Hand, seat: int, event: Event, entrants: tuple[Entrant, ...]) -> bytes | None:
    view = view_of(hand, seat, 1, entrants)
    sent = dialect.notify(event, view) if isinstance(event, dialect.news) else None
    return dialect.ask(view) if isinstance(event, TurnStarted) and event.seat == seat else sent

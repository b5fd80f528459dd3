"""Events of Quick Draw hands with random decisions, and the commentary on these events."""

import random
from collections.abc import Iterable, Sequence

from broadcast.commentary.commentary import Commentary
from broadcast.on_air.table_state import TableEntry, TableState, with_tables
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Entrant, Event, GameStarted, StageStarted, TournamentOpened
from server.game.hand import Hand, evolve
from server.journal.journal import Entry
from server.shuffle import deck_of

NAMES = ("Billy the Kid", "Doc Holobyte", "Calamity Bayes", "Two-Pair Tess", "Quick Quinn", "Wyatt Burp")


def opening() -> list[Event]:
    bots = tuple(range(1, 7))
    entrants = tuple(Entrant(bot, NAMES[bot - 1]) for bot in bots)
    return [
        TournamentOpened("quick-draw", "Quick Draw Circuit", QUICK_DRAW, 5000, entrants, ""),
        StageStarted(1, "The Trials", 15, 6, bots, (5000,) * 6, 6),
        GameStarted(1, 6, bots, (5000,) * 6),
    ]


def events_of_hands(*seeds: int) -> list[Event]:
    """Returns the opening events and, for each seed, a hand's events. All hands begin with the starting stacks."""
    return [*opening(), *(event for seed in seeds for event in hand_events(seed))]


def at_table(events: Iterable[Event]) -> list[TableEntry]:
    """Returns `events` as entries numbered from 1. Each entry has the table's state after its event."""
    return [*with_tables(Entry(seq, 0, event) for seq, event in enumerate(events, 1))]


class Show:
    """A show's commentary, without odds. Pass each event of the show to `after`."""

    def __init__(self) -> None:
        self._commentary = Commentary()
        self._table = TableState()

    def after(self, event: Event) -> list[Event]:
        """Returns the events that go on air together with `event`."""
        self._table = self._table.after(event)
        return self._commentary.events_after(TableEntry(0, 0, event, self._table))


def hand_events(seed: int, stacks: Sequence[int] = (5000,) * 6) -> list[Event]:
    """Returns the events of a whole hand, which depend only on the arguments."""
    dice = random.Random(seed)
    hand, events = start_hand(QUICK_DRAW, 1, 3, stacks, deck_of(dice.randbytes(32)))
    while not hand.over:
        for event in take_turn(hand, _random_decision(hand, dice), think_ms=dice.randrange(2500))[1]:
            hand = evolve(hand, event)
            events.append(event)
    return events


def _random_decision(hand: Hand, dice: random.Random) -> Decision:
    turn = hand.turn
    assert turn is not None, "until the hand is over, a seat must have its turn"
    if turn.max_raise_to and dice.random() < 0.25:
        return RaiseTo(dice.choice([turn.min_raise_to, turn.max_raise_to, hand.current_bet * 2]))
    return Fold() if turn.to_call and dice.random() < 0.2 else Call()

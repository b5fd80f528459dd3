"""Makes the examples of messages in the guide: plays a few hands, and records the messages to the first seat."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from server.contests.contest import Contest
from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, PostBlind
from server.game.events import Entrant, Event, TurnStarted
from server.game.hand import Hand
from server.game.rules import Rules
from server.game.view import view_of
from server.shuffle import deck_of

NAMES = ("Billy the Kid", "Doc Holobyte", "Calamity Bayes")


def messages_of_a_hand(contest: Contest) -> dict[str, str]:
    """Returns the exact text of the first message of each kind to a bot of this contest, keyed by message name."""
    sample, examples = contest.sample, dict[str, str]()
    dialect = contest.make_http_dialect(_entrants(len(sample.stacks))) if contest.uses_http else contest.make_dialect()
    messages = _play_hands(dialect, contest.format.rules, sample.stacks, *sample.events_after)
    for name, text in map(sample.name_and_text, chain(messages, sample.more_messages(dialect))):
        examples.setdefault(name, text)
    return examples


def _play_hands(dialect: Any, rules: Rules, stacks: Sequence[int], *later_events: Event) -> Iterator[Any]:
    """Yields the messages to the first seat during three hands, and then the messages about the events in
    `later_events`.

    In the first hand, all seats call. In the second hand, the first seat folds. In the third hand, all seats but the
    first seat fold.
    """
    for number, folding_seats in enumerate(([], [0], range(1, len(stacks))), 1):
        hand, events = start_hand(rules, number, 0, stacks, deck_of(bytes(32)))
        yield from _notify(dialect, events, hand)
        while turn := hand.turn:
            if turn.seat == 0:
                yield dialect.ask(view_of(hand, 0, 1, _entrants(len(stacks))))
            hand, events = take_turn(hand, _decide(turn, folding_seats))
            yield from _notify(dialect, events, hand)
    yield from _notify(dialect, later_events, hand)


def _decide(turn: TurnStarted, folding_seats: Collection[int]) -> Decision:
    if turn.blind:
        return PostBlind(turn.to_call)
    return Fold() if turn.seat in folding_seats else Call()


def _notify(dialect: Any, events: Iterable[Event], hand: Hand) -> Iterator[Any]:
    for event in events:
        if isinstance(event, dialect.notified_events):
            sent = dialect.notify(event, view_of(hand, 0, 1, _entrants(len(hand.seats))))
            yield from sent if isinstance(sent, list) else [sent] if sent else []


def _entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, NAMES[number - 1]) for number in range(1, count + 1))

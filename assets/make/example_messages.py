"""An example of each message that bots are sent, from whole hands."""

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
    """The first message of each name that a bot of the contest is sent, exactly as sent."""
    sample, said = contest.sample, dict[str, str]()
    dialect = contest.call(_entrants(len(sample.stacks))) if contest.called else contest.talk()
    heard = _heard(dialect, contest.format.rules, sample.stacks, *sample.after)
    for name, text in map(sample.named, chain(heard, sample.more(dialect))):
        said.setdefault(name, text)
    return said


def _heard(dialect: Any, rules: Rules, stacks: Sequence[int], *after: Event) -> Iterator[Any]:
    """What the first seat is sent during three hands, and for the events `after` them.

    In the first everybody calls, in the second it folds, in the third the others do.
    """
    for number, folding in enumerate(([], [0], range(1, len(stacks))), 1):
        hand, events = start_hand(rules, number, 0, stacks, deck_of(bytes(32)))
        yield from _notified(dialect, events, hand)
        while turn := hand.turn:
            if turn.seat == 0:
                yield dialect.ask(view_of(hand, 0, 1, _entrants(len(stacks))))
            hand, events = take_turn(hand, _decided(turn, folding))
            yield from _notified(dialect, events, hand)
    yield from _notified(dialect, after, hand)


def _decided(turn: TurnStarted, folding: Collection[int]) -> Decision:
    if turn.blind:
        return PostBlind(turn.to_call)
    return Fold() if turn.seat in folding else Call()


def _notified(dialect: Any, events: Iterable[Event], hand: Hand) -> Iterator[Any]:
    for event in events:
        if isinstance(event, dialect.news):
            sent = dialect.notify(event, view_of(hand, 0, 1, _entrants(len(hand.seats))))
            yield from sent if isinstance(sent, list) else [sent] if sent else []


def _entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, NAMES[number - 1]) for number in range(1, count + 1))

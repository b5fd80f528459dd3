"""Makes random stacks, decks, decisions and hands. The parameter `dice` is the random generator."""

import random
from collections.abc import Iterator

from server.contests import CONTESTS
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Deck
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Event, HandStarted
from server.game.hand import Hand, next_button_and_blind, open_hand
from server.game.rules import Level, Rules

RULES = {
    "standard": Rules(),
    "standard with antes": Rules(levels=(Level(50, 100, 10),)),
    **{name: contest.format.rules for name, contest in CONTESTS.items()},
}


def random_deck(dice: random.Random) -> Deck:
    return Deck(tuple(dice.sample(DECK, 52)))


def random_stacks(dice: random.Random, big_blind: int) -> list[int]:
    """Returns the stacks of 2 to 9 seats. At least two seats have chips, from less than a blind to 50 big blinds."""
    sizes = (0, 1, big_blind // 2, big_blind, 5 * big_blind, 50 * big_blind)
    seats = dice.randint(2, 9)
    while True:
        stacks = [dice.choice(sizes) or dice.randrange(20 * big_blind) for _ in range(seats)]
        stacks = [0 if dice.random() < 0.1 else stack for stack in stacks]
        if sum(stack > 0 for stack in stacks) >= 2:
            return stacks


def random_decision(dice: random.Random, hand: Hand) -> Decision:
    """Returns a random decision: fold (15 %), raise if allowed (30 %), or call. A blind is always posted."""
    turn = hand.turn
    assert turn is not None, "it must be some seat's turn"
    if turn.blind:
        return PostBlind(turn.to_call)
    roll = dice.random()
    if roll < 0.15:
        return Fold()
    if roll < 0.7 or not turn.max_raise_to:
        return Call()
    if roll < 0.75:
        return RaiseTo(turn.max_raise_to)
    return RaiseTo(min(turn.max_raise_to, turn.min_raise_to + int(dice.expovariate(1 / hand.big_blind))))


def random_hand(dice: random.Random, rules: Rules) -> tuple[Hand, Iterator[Event]]:
    """Returns a hand right after its first event, and the events that follow."""
    number = dice.randint(1, 9)
    stacks = random_stacks(dice, rules.levels[0].big)
    button, _ = next_button_and_blind(rules, dice.randrange(len(stacks)), stacks)
    hand, events = start_hand(rules, number, button, stacks, random_deck(dice))
    started, *opening_events = events
    assert isinstance(started, HandStarted), "the first event of a hand must be HandStarted"
    return open_hand(rules, started), _play(dice, hand, opening_events)


def _play(dice: random.Random, hand: Hand, events: list[Event]) -> Iterator[Event]:
    yield from events
    while not hand.over:
        hand, events = take_turn(hand, random_decision(dice, hand))
        yield from events

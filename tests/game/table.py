"""A table for which tests choose the cards ("As Kd") and the actions ("call raise:300 fold")."""

from collections.abc import Sequence

from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import resolve, start_hand, take_turn
from server.game.cards import DECK, Card, Deck, parse_cards
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import ActionTaken, Event, HandStarted, TurnStarted
from server.game.hand import Hand, evolve, next_button_and_blind, open_hand
from server.game.rules import Rules

STREETS = ("preflop", "flop", "turn", "river")


class Table:
    """A hand in progress. An assertion fails if an event adds or loses a chip."""

    def __init__(self, rules: Rules, number: int, button: int, stacks: Sequence[int], deck: Deck) -> None:
        self.chips = sum(stacks)
        hand, self.events = start_hand(rules, number, button, stacks, deck)
        started, *others = self.events
        assert isinstance(started, HandStarted)
        self.hand = replace(open_hand(rules, started), deck=deck)
        for event in others:
            self.hand = evolve(self.hand, event)
        assert self.hand == hand

    def play(self, script: str) -> "Table":
        """Plays the actions of `script`, in which a slash stands for a new street: "call call / bet:100"."""
        street = STREETS.index(self.hand.street)
        for word in script.split():
            if word == "/":
                street += 1
                continue
            assert self.hand.street == STREETS[street], f"{word!r} must come on the {STREETS[street]}"
            self.take(self.parse_action(word))
        return self

    def take(self, decision: Decision) -> list[Event]:
        resolve(self.hand, decision)  # This raises IllegalAction if the decision is forbidden.
        _, new_events = take_turn(self.hand, decision)
        for event in new_events:
            self.hand = evolve(self.hand, event)
            assert count_chips(self.hand) == self.chips, event
        self.events += new_events
        return new_events

    def parse_action(self, word: str) -> Decision:
        turn = self.turn
        match word.split(":"):
            case ["fold"]:
                return Fold()
            case ["call"]:
                return Call()
            case ["check"]:
                assert turn.to_call == 0, f"seat {turn.seat} cannot check"
                return Call()
            case ["raise" | "bet", amount]:
                return RaiseTo(int(amount))
            case ["all-in"]:
                seat = self.hand.seats[turn.seat]
                all_in_total = seat.bet + seat.stack
                return RaiseTo(all_in_total) if all_in_total > self.hand.current_bet else Call()
        raise ValueError(f"no action is called {word!r}")

    @property
    def turn(self) -> TurnStarted:
        assert self.hand.turn is not None, "it must be some seat's turn"
        return self.hand.turn

    @property
    def raises(self) -> tuple[int, int]:
        """The lowest and the highest total to which the acting seat may raise."""
        return self.turn.min_raise_to, self.turn.max_raise_to

    @property
    def stacks(self) -> list[int]:
        return [seat.stack for seat in self.hand.seats]

    @property
    def last_act(self) -> str:
        """The last action, such as "2 raise 300": the seat, the act and the resulting bet."""
        taken = [event for event in self.events if isinstance(event, ActionTaken)][-1]
        return f"{taken.seat} {taken.act} {taken.bet}"


def deal(stacks: str, hands: str = "", board: str = "", *, rules: Rules = QUICK_DRAW, number: int = 1) -> Table:
    """Deals a hand. The last seat is the big blind, so it needs chips. Before the flop, seats act in ascending order.

    `hands` lists each seat's hole cards, such as "As Kd, -, 7h 7c". All other cards come from the rest of the deck.
    """
    chips = [int(word) for word in stacks.split()]
    button, _ = next_button_and_blind(rules, len(chips) - 2, chips)
    hole_cards = [parse_cards(pair.strip(" -")) for pair in hands.split(",")] if hands else []
    return Table(rules, number, button, chips, stacked_deck(button, chips, hole_cards, parse_cards(board)))


def stacked_deck(button: int, stacks: Sequence[int], hands: Sequence[Sequence[Card]], board: Sequence[Card]) -> Deck:
    chosen_cards = {card for cards in (*hands, board) for card in cards}
    rest_of_deck = iter(card for card in DECK if card not in chosen_cards)

    def fill_up(cards: Sequence[Card], count: int) -> list[Card]:
        return [*cards, *(next(rest_of_deck) for _ in range(count - len(cards)))]

    cards: list[Card] = []
    for step in range(1, len(stacks) + 1):
        seat = (button + step) % len(stacks)
        if stacks[seat]:
            cards += fill_up(hands[seat] if seat < len(hands) else (), 2)
    cards += fill_up(board, 5)
    return Deck((*cards, *rest_of_deck))


def count_chips(hand: Hand) -> int:
    chips = sum([seat.stack + seat.committed for seat in hand.seats])
    return chips - sum([pot.amount for pot in hand.pot_awards]) if hand.pot_awards else chips

"""Replays published hands (hand histories) with the code that plays High Noon's games. Each action must be legal, and
must come from the seat whose turn it is. All functions are pure.

Cards that are not in the file stay unknown. They are dealt as ("", "") and never shown.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Card, Deck, check_cards, parse_cards
from server.game.decisions import Call, Decision, Fold, IllegalAction, PostBlind, RaiseTo
from server.game.events import ActionTaken, Event, Fault, HandShown, HoleDealt, StreetDealt
from server.game.ranking import strength
from server.game.rules import Rules
from server.hand_histories.phh_reader import BadHistory, PublishedHand, amount_of

UNKNOWN_HOLE = ("", "")
"""Unknown hole cards in a recording."""
MAX_THINK_MS = 1_000_000
"""The longest thinking time in a recording, in milliseconds. Longer times are cut to this."""
_WEAK_CARDS = 12
"""The search for the weakest two cards tries only this many of the lowest cards."""


class HandSetup(Struct, frozen=True):
    """What a hand starts with: the rules, the hand's `number` in its game, the button, and the players' seats. All
    amounts are multiplied by `scale`.
    """

    rules: Rules
    number: int
    button: int
    seats: tuple[int, ...]
    scale: int = 1


class PlayedHand(Struct, frozen=True):
    """A played hand: its events, and the final stacks by seat."""

    events: list[Event]
    stacks: tuple[int, ...]


class KnownCards(Struct, frozen=True):
    """The known cards of a hand: the whole board, and the hole cards of each seat. Unknown hole cards are ()."""

    hole: Mapping[int, tuple[Card, ...]]
    board: tuple[Card, ...]
    folded: frozenset[int] = frozenset()
    """The seats that folded."""

    @property
    def unknown_seats(self) -> set[int]:
        return {seat for seat, cards in self.hole.items() if not cards}


class PhhAction(Struct, frozen=True):
    """An action in a PHH (Poker Hand History) file: a seat's decision, a seat's cards, or cards of the board. Unknown
    cards are ().

    For cards of the board, `seat` is -1.
    """

    text: str
    seat: int = -1
    cards: tuple[Card, ...] = ()
    decision: Decision | None = None


def play_published(hand: PublishedHand, setup: HandSetup) -> PlayedHand:
    """Plays the actions of a hand, with all amounts times `setup.scale`. Raises BadHistory if an action is illegal."""
    try:
        actions = [action for text in hand.actions if (action := _read_action(text, setup))]
        return _Replay(hand, setup, actions).finish()
    except (BadHistory, IllegalAction) as error:
        raise BadHistory(f"{hand.where}: {error}") from None


class _Replay:
    def __init__(self, hand: PublishedHand, setup: HandSetup, actions: Sequence[PhhAction]) -> None:
        self._setup, self._actions = setup, actions
        self._cards = _collect_cards(actions, setup)
        self._think_times, self._faults = iter(hand.think_ms), iter(hand.faults)
        stacks = [0] * len(hand.stacks)
        for seat, stack in zip(setup.seats, hand.stacks, strict=True):
            stacks[seat] = int(stack * setup.scale)
        deck = deck_for(setup.button, stacks, self._cards)
        self.hand, self.events = start_hand(setup.rules, setup.number, setup.button, stacks, deck)
        self._post_blinds()

    def finish(self) -> PlayedHand:
        board_size = 0
        for action in self._actions:
            if action.seat < 0:
                board_size += len(action.cards)
            elif action.decision is not None and not self._is_needless_check(action):
                if board_size != len(self.hand.board):
                    raise BadHistory(
                        f"at {action.text} {board_size} cards are on the board, not {len(self.hand.board)}"
                    )
                self._take_action(action, action.decision)
        if not self.hand.over:
            raise BadHistory("it is incomplete: its actions end before the hand does")
        check_showdown(self._cards)
        if board_size != len(self.hand.board):
            raise BadHistory(f"{board_size} cards are on the board at the end, not {len(self.hand.board)}")
        return PlayedHand(
            conceal_cards(self.events, self._cards.unknown_seats), tuple(seat.stack for seat in self.hand.seats)
        )

    def _is_needless_check(self, action: PhhAction) -> bool:
        """Whether `action` is a check by the only player who is not all-in. Some sites record such checks."""
        return isinstance(action.decision, Call) and self.hand.over and self.hand.seats[action.seat].is_live

    def _take_action(self, action: PhhAction, decision: Decision) -> None:
        turn = self.hand.turn
        if turn is None:
            raise BadHistory(f"{action.text} comes after the end of the hand")
        if turn.seat != action.seat:
            raise BadHistory(f"{action.text} is out of turn: it is p{self._setup.seats.index(turn.seat) + 1}'s turn")
        think_ms = max(0, min(next(self._think_times, 0), MAX_THINK_MS))
        fault: Fault = next(self._faults, "")
        try:
            self.hand, new_events = take_turn(self.hand, decision, think_ms=think_ms, fault=fault)
        except IllegalAction as error:
            raise BadHistory(f"{action.text} is against the rules: {error}") from None
        self.events += new_events
        self._post_blinds()

    def _post_blinds(self) -> None:
        """Posts blinds if the rules let bots post their own blinds, because PHH has no action for posting blinds."""
        while self.hand.turn is not None and self.hand.turn.blind:
            self.hand, new_events = take_turn(self.hand, PostBlind(self.hand.turn.to_call))
            self.events += new_events


def _collect_cards(actions: Sequence[PhhAction], setup: HandSetup) -> KnownCards:
    """Collects the cards that the actions deal or show."""
    hole: dict[int, tuple[Card, ...]] = dict.fromkeys(setup.seats, ())
    for action in actions:
        if action.seat >= 0 and action.cards:
            if hole[action.seat] and {*hole[action.seat]} != {*action.cards}:
                raise BadHistory(f"{action.text} contradicts the player's earlier cards")
            hole[action.seat] = hole[action.seat] or action.cards
    board = tuple(card for action in actions if action.seat < 0 for card in action.cards)
    folded = frozenset(action.seat for action in actions if isinstance(action.decision, Fold))
    try:
        check_cards([*board, *(card for cards in hole.values() for card in cards)])
    except ValueError as error:
        raise BadHistory(str(error)) from None
    if len(board) > 5:
        raise BadHistory("more than five cards are on the board")
    return KnownCards(hole, board, folded)


def cards_in(recorded: Sequence[Event]) -> KnownCards:
    """Returns the known cards of a recorded hand."""
    hole = {event.seat: tuple(filter(None, event.cards)) for event in recorded if isinstance(event, HoleDealt)}
    board = tuple(card for event in recorded if isinstance(event, StreetDealt) for card in event.cards)
    folded = frozenset(event.seat for event in recorded if isinstance(event, ActionTaken) and event.act == "fold")
    return KnownCards(hole, board, folded)


def check_showdown(cards: KnownCards) -> None:
    """Raises BadHistory if there is a showdown in which nobody's cards are known."""
    seats_left = [seat for seat in cards.hole if seat not in cards.folded]
    if len(seats_left) > 1 and all(seat in cards.unknown_seats for seat in seats_left):
        raise BadHistory("nobody's cards at the showdown are known, so the winner is unknown")


def deck_for(button: int, stacks: Sequence[int], cards: KnownCards) -> Deck:
    """Returns a deck that deals `cards`. Seats with unknown cards get the weakest cards that are left."""
    known_cards = {*cards.board, *(card for hole in cards.hole.values() for card in hole)}
    other_cards = [card for card in DECK if card not in known_cards]
    hole = {seat: hole or _take_weakest(seat, cards, other_cards) for seat, hole in cards.hole.items()}
    clockwise = [(button + step) % len(stacks) for step in range(1, len(stacks) + 1)]
    dealt = [card for seat in clockwise if stacks[seat] for card in hole[seat]]
    return Deck((*dealt, *cards.board, *other_cards))


def _take_weakest(seat: int, cards: KnownCards, other_cards: list[Card]) -> tuple[Card, ...]:
    """Takes two cards from `other_cards` for a seat whose cards are unknown."""
    weakest = tuple(other_cards[:2])
    if seat not in cards.folded and len(cards.board) == 5:
        weakest = min(combinations(other_cards[:_WEAK_CARDS], 2), key=lambda two: strength((*two, *cards.board)))
    for card in weakest:
        other_cards.remove(card)
    return weakest


def conceal_cards(events: Sequence[Event], unknown: Collection[int]) -> list[Event]:
    """Returns `events` without the cards of seats in `unknown`."""
    kept_events = (event for event in events if not (isinstance(event, HandShown) and event.seat in unknown))
    return [
        HoleDealt(event.seat, UNKNOWN_HOLE) if isinstance(event, HoleDealt) and event.seat in unknown else event
        for event in kept_events
    ]


def _read_action(text: str, setup: HandSetup) -> PhhAction | None:
    """Parses an action such as "d dh p1 AsKd" or "p3 cbr 300". Returns None for a comment. Raises BadHistory."""
    quoted_text = f"{text[:40]!r}"
    try:
        match text.partition("#")[0].split():
            case []:
                return None
            case ["d", "db", cards]:
                return PhhAction(quoted_text, cards=_parse_board(cards))
            case ["d", "dh", player, cards]:
                return PhhAction(quoted_text, _parse_seat(player, setup), _parse_hole(cards))
            case [player, "sm", *cards]:
                return PhhAction(quoted_text, _parse_seat(player, setup), _parse_hole("".join(cards).strip("-")))
            case [player, "f" | "cc" as act]:
                return PhhAction(quoted_text, _parse_seat(player, setup), decision=Fold() if act == "f" else Call())
            case [player, "cbr", amount]:
                seat = _parse_seat(player, setup)
                return PhhAction(quoted_text, seat, decision=RaiseTo(int(amount_of(amount) * setup.scale)))
    except ValueError as error:
        raise BadHistory(f"the action {quoted_text}: {error}") from None
    raise BadHistory(f"the action {quoted_text}: means nothing in hold'em")


def _parse_seat(player: str, setup: HandSetup) -> int:
    number = player.removeprefix("p")
    if player == number or not (number.isascii() and number.isdecimal() and len(number) < 3):
        raise ValueError("names no player")
    if not 1 <= int(number) <= len(setup.seats):
        raise ValueError(f"names player {int(number)}, but there are only {len(setup.seats)} players")
    return setup.seats[int(number) - 1]


def _parse_hole(text: str) -> tuple[Card, ...]:
    if len(text) not in (0, 4):
        raise ValueError("does not name two cards")
    return () if "?" in text or not text else parse_cards(text)


def _parse_board(text: str) -> tuple[Card, ...]:
    if "?" in text or len(text) > 10:
        raise ValueError("does not name the cards that were dealt")
    return parse_cards(text)

"""What a bot could know when it acted: its cards, the board, the chips and the earlier acts. No I/O."""

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from server.game.cards import Card
from server.game.events import Act, Street
from server.game.hand import Hand, seats_clockwise
from server.game.ranking import strength

STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
BOARD_SIZES = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


class HandAction(Struct, frozen=True):
    """An act of a seat in this hand. The seat paid `amount` chips. Its bet on the street is then `bet`.

    `pot` is the pot before the act, and `facing` is the bet that the seat had to match.
    """

    street: Street
    seat: int
    act: Act
    amount: int
    bet: int
    all_in: bool
    pot: int
    facing: int


class BotKnowledge(Struct, frozen=True, dict=True):
    """What the bot in `seat` could know when it was asked to act. `acts` are the acts of the hand before that moment.

    Amounts are in chips. `stacks` has each seat's chips that are not bet yet, and `bets` has each seat's bet on this
    street. `pot` includes the bets. `blinds` are the seats that posted the small and the big blind, or -1 for a blind
    that nobody posted. `live` are the seats that can still win chips. `action_order` has the seats that were dealt in,
    in the order of action on this street. `names` are the bots' names by seat.
    """

    seat: int
    cards: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    street: Street = "preflop"
    button: int = 0
    blinds: tuple[int, int] = (-1, -1)
    small_blind: int = 50
    big_blind: int = 100
    ante: int = 0
    starting_stacks: tuple[int, ...] = ()
    """The stacks before the hand, by seat."""
    stacks: tuple[int, ...] = ()
    bets: tuple[int, ...] = ()
    live: tuple[int, ...] = ()
    action_order: tuple[int, ...] = ()
    pot: int = 0
    to_call: int = 0
    acts: tuple[HandAction, ...] = ()
    names: tuple[str, ...] = ()
    chosen_act: HandAction | None = None
    """What the bot did on this turn. It is None if this is unknown, or if the bot's answer was late or invalid."""
    entrants: tuple[str, ...] = ()
    """The names of all bots of the contest, including bots at no table. If `entrants` is (), `names` are used instead.
    """

    @cached_property
    def hand_strength(self) -> int:
        """The strength of the bot's hand. It is 0 before the flop."""
        return strength([*self.cards, *self.board]) if self.board else 0

    @property
    def opponents(self) -> tuple[int, ...]:
        """The other seats that are still live."""
        return tuple(seat for seat in self.live if seat != self.seat)

    def on_street(self, street: Street) -> Self:
        """Returns the same knowledge, but with the board of an earlier street."""
        return replace(self, street=street, board=self.board[: BOARD_SIZES[street]])


def knowledge_at_seat(
    seat: int,
    hand: Hand,
    *,
    blinds: tuple[int, int] = (-1, -1),
    acts: Sequence[HandAction] = (),
    chosen_act: HandAction | None = None,
    names: Sequence[str] = (),
    entrants: Sequence[str] = (),
) -> BotKnowledge:
    """Returns what `seat` can know of `hand`. `acts` are the acts so far, and `chosen_act` is the next act of the
    seat.
    """
    mine = hand.seats[seat]
    return BotKnowledge(
        seat=seat,
        cards=mine.cards,
        board=hand.board,
        street=hand.street,
        button=hand.button,
        blinds=blinds,
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        ante=hand.ante,
        starting_stacks=tuple([each.stack + each.committed for each in hand.seats]),
        stacks=tuple([each.stack for each in hand.seats]),
        bets=tuple([each.bet for each in hand.seats]),
        live=hand.live,
        action_order=tuple(
            [at for at in seats_clockwise(hand.action_starts_at(), len(hand.seats)) if hand.seats[at].dealt_in]
        ),
        pot=sum(each.committed for each in hand.seats) + hand.dead_money,
        to_call=hand.turn.to_call if hand.turn else max(0, min(hand.current_bet - mine.bet, mine.stack)),
        acts=tuple(acts),
        chosen_act=chosen_act,
        names=tuple(names),
        entrants=tuple(entrants),
    )

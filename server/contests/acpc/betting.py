"""Writes a hand's betting and cards in the notation of the ACPC (Annual Computer Poker Competition), and reads betting.

Position 0 is the first player after the button. It posts the small blind or, if only two play, the big blind.
"""

import re
from collections.abc import Mapping, Sequence

from server.contests.acpc.game_definition import Game
from server.game.cards import Card
from server.game.events import ActionTaken, BlindPosted, Event, StreetDealt
from server.game.hand import seats_clockwise

_ACTION_OR_SLASH = re.compile(r"f|c|r[0-9]{1,10}|/")


class Betting:
    """The betting and board of one hand."""

    def __init__(self) -> None:
        self.text = ""
        """The actions so far, such as "r300c/cr600f". Here 300 and 600 are the players' totals for the hand."""
        self.committed: dict[int, int] = {}
        """Each seat's chips in the pot."""
        self.board: list[tuple[Card, ...]] = []
        """The cards that each street has added."""

    def apply(self, event: Event) -> None:
        """Applies the next event of the hand."""
        match event:
            case BlindPosted(seat=seat, amount=amount):
                self._pay(seat, amount)
            case ActionTaken(seat=seat, amount=amount, act=act):
                self._pay(seat, amount)
                self.text += "f" if act == "fold" else "c" if act in ("check", "call") else f"r{self.committed[seat]}"
            case StreetDealt(cards=cards):
                self.text += "/"
                self.board.append(cards)

    def cards(self, hole_cards: Mapping[int, Sequence[Card]], seats: Sequence[int]) -> str:
        """Returns the cards in ACPC's notation: the known hole cards of `seats`, then the board. An example is
        "TdAs|/2c8c3h".

        `seats` must be in order of position.
        """
        return "/".join(["|".join("".join(hole_cards[seat]) for seat in seats), *map("".join, self.board)])

    def _pay(self, seat: int, amount: int) -> None:
        self.committed[seat] = self.committed.get(seat, 0) + amount


def split_betting(betting: str) -> list[str]:
    """Splits text such as "r300c/cr600f" into actions and the "/" between rounds. Raises ValueError for other text."""
    parts = _ACTION_OR_SLASH.findall(betting)
    if "".join(parts) != betting:
        raise ValueError(f"the betting {betting[:40]!r} may have only f, c, r with a total, and /")
    return parts


class BettingTracker:
    """Replays a hand's betting: which position is to act, and how many chips each position has put in."""

    def __init__(self, game: Game) -> None:
        self._stack, self._big_blind = game.stack, game.level.big
        self.committed = game.blinds
        """Each position's chips in the pot."""
        self.folded: set[int] = set()
        self.round_start_total = 0
        """The most chips that any position had in the pot when this round began. A raise names the player's total for
        the hand. To get the player's total for the round, subtract this number.
        """
        self._min_raise_by = self._big_blind
        """A raise must exceed the highest total by at least this much: the big blind or, if larger, the round's largest
        raise.
        """
        self._yet_to_act = self._positions_able_to_act(1 if game.players == 2 else 2)
        """The positions that have yet to act in this round, in order."""

    @property
    def position_to_act(self) -> int | None:
        """The position to act, or None if the round or the hand is over."""
        return self._yet_to_act[0] if self._yet_to_act and len(self.folded) < len(self.committed) - 1 else None

    @property
    def min_raise_total(self) -> int:
        """The smallest total to which a player with enough chips may raise."""
        return max(self.committed) + self._min_raise_by

    def apply(self, act: str) -> int:
        """Applies "f", "c" or "r300". Returns the position that acted. Raises ValueError if nobody is to act."""
        position = self.position_to_act
        if position is None:
            raise ValueError("there is an action where no player is left to act")
        self._yet_to_act = self._yet_to_act[1:]
        if act == "f":
            self.folded.add(position)
        elif act == "c":
            self.committed[position] = max(self.committed)
        else:
            total = int(act[1:])
            self._min_raise_by = max(self._min_raise_by, total - max(self.committed))
            self.committed[position] = total
            able_positions = self._positions_able_to_act(position + 1)
            self._yet_to_act = [other for other in able_positions if other != position]
        return position

    def next_street(self) -> None:
        """Begins the next round. Nobody acts in the new round if at most one player has chips left."""
        self.round_start_total, self._min_raise_by = max(self.committed), self._big_blind
        able_positions = self._positions_able_to_act(0)
        self._yet_to_act = able_positions if len(able_positions) > 1 else []

    def _positions_able_to_act(self, first: int) -> list[int]:
        """Returns the positions that are neither folded nor all-in, clockwise from `first`."""
        positions = seats_clockwise(first, len(self.committed))
        return [
            position for position in positions if position not in self.folded and self.committed[position] < self._stack
        ]
